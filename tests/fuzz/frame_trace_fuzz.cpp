// The reader of frame trace files. The first byte chooses what the rest is:
//   0     the file
//   1     changes of stored numbers and shapes of a good trace, which then gets digests and a label that fit: its
//         reader sees wrong columns, and what it accepts is loaded into a machine
//   2     changes of a frame before it is written: the writer refuses it, or what it has written is read back
//   else  changes of the coded columns of a good frame, which are then decoded and checked; without a file, so fast
// A change is a number of the dataset or column, a row, and four bytes of value; of a dataset also what is changed.
#include <algorithm>
#include <filesystem>
#include <vector>

#include <hdf5.h>
#include <unistd.h>

#include "io/frame_trace_check.h"
#include "io/frame_trace_codec.h"
#include "io/frame_trace_file.h"
#include "io/frame_trace_layout.h"
#include "io/frame_trace_values.h"
#include "models/machine_parameters.h"
#include "models/workload/workload.h"
#include "tests/fuzz/accept.h"
#include "tests/io/fit_digests.h"
#include "tests/io/sample_trace.h"
#include "tests/models/playable.h"

namespace {

const std::filesystem::path& folder() {
    static const std::filesystem::path path = [] {
        std::string name = "/dev/shm/tessera_fuzz_XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) __builtin_trap();
        return std::filesystem::path(name);
    }();
    return path;
}

void write_trace(const std::filesystem::path& path, const models::Frame& frame) {
    io::FrameTraceWriter writer(path, {"fuzz", "sample.vtr", ""});
    writer.append(frame, "png");
    writer.finish(tests::SampleTrace::programs());
}

// What `run` does before it simulates.
void load(const std::filesystem::path& path) {
    static const models::MachineParameters machine;
    const io::FrameTraceFile file(path);
    const models::FrameTrace trace{file.programs(), {}};
    for (std::size_t i = 0; i < file.frame_count(); ++i) {
        models::Frame frame = file.load(i);
        models::leave_what_a_machine_plays(frame);
        models::Workload(
            {static_cast<models::Address>(machine.dram.size.count()), machine.rendering.mode(), machine.tiling})
            .load(trace, frame);
    }
}

std::vector<std::string> dataset_names(hid_t file) {
    std::vector<std::string> names;
    H5Ovisit2(
        file, H5_INDEX_NAME, H5_ITER_INC,
        [](hid_t, const char* name, const H5O_info_t* info, void* out) -> herr_t {
            if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(out)->emplace_back(name);
            return 0;
        },
        &names, H5O_INFO_BASIC);
    return names;
}

constexpr std::size_t most_changed_bytes = 1 << 20;  // of a dataset that has not been made far larger before
constexpr hsize_t most_rows = 1 << 22;               // HDF5 takes seconds to make room for thousands of millions

// Overwrites four bytes (less at the end) of a dataset of numbers, as it is stored in memory.
void change_stored(hid_t file, const std::string& name, std::uint32_t place, std::uint32_t value) {
    const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    const hid_t space = H5Dget_space(dataset);
    const auto bytes = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type);
    if (H5Tget_class(type) != H5T_STRING && bytes > 0 && bytes <= most_changed_bytes) {
        std::vector<unsigned char> values(bytes);
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        for (std::size_t i = 0; i < 4; ++i)
            if (const std::size_t at = place % bytes + i; at < bytes)
                values[at] = static_cast<unsigned char>(value >> (8 * i));
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(dataset);
}

// Gives a dataset other rows than the others of its table have.
void change_rows(hid_t file, const std::string& name, hsize_t rows) {
    const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT), space = H5Dget_space(dataset);
    std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 1)));
    H5Sget_simple_extent_dims(space, extent.data(), nullptr);
    extent[0] = rows;
    H5Dset_extent(dataset, extent.data());  // fails for those that cannot grow
    H5Sclose(space);
    H5Dclose(dataset);
}

void read_changed_file(tests::Numbers numbers) {
    static const std::filesystem::path good = [] {
        write_trace(folder() / "good.h5", tests::SampleTrace().frame(7));
        return folder() / "good.h5";
    }();
    const std::filesystem::path changed = folder() / "changed.h5";
    std::filesystem::copy_file(good, changed, std::filesystem::copy_options::overwrite_existing);
    const hid_t file = H5Fopen(changed.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    static const std::vector<std::string> names = dataset_names(file);
    for (int i = 0; i < 8 && !numbers.empty(); ++i) {
        const std::string& name = names[numbers.take<std::uint8_t>() % names.size()];
        const auto what = numbers.take<std::uint8_t>();
        const auto place = numbers.take<std::uint16_t>();
        const auto value = numbers.take<std::uint32_t>();
        if (what < 0x40)
            change_stored(file, name, place, value);
        else
            change_rows(file, name, what < 0xc0 ? place : value % most_rows);
    }
    H5Fclose(file);
    tests::fit_digests(changed);
    tests::accepts([&] { load(changed); });
}

void change_column(models::Frame& frame, std::uint8_t wanted, std::uint16_t place, std::uint32_t value) {
    io::FlatPasses passes = io::flatten_passes(frame);
    unsigned number = 0;
    io::visit_tables(frame, passes, [&](const std::string&, auto& rows, const auto& columns) {
        columns([&](const auto& column) {
            if (number++ != wanted || rows.empty()) return;
            auto& field = column.get(rows[place % rows.size()]);
            using Value = std::remove_cvref_t<decltype(field)>;
            if constexpr (std::is_same_v<Value, bool>)
                field = (value & 1) != 0;
            else if constexpr (std::is_enum_v<Value>)
                field = static_cast<Value>(value % 3);
            else
                field = static_cast<Value>(value);
        });
    });
    (void)io::unflatten_passes(passes, frame);
}

void write_changed_frame(tests::Numbers numbers) {
    models::Frame frame = tests::SampleTrace().frame(7);
    for (int i = 0; i < 8 && !numbers.empty(); ++i) {
        const auto column = numbers.take<std::uint8_t>();
        const auto place = numbers.take<std::uint16_t>();
        change_column(frame, column, place, numbers.take<std::uint32_t>());
    }
    const std::filesystem::path path = folder() / "written.h5";
    if (tests::accepts([&] { write_trace(path, frame); })) tests::accepts([&] { load(path); });
}

struct Change {
    std::uint8_t column = 0;
    std::uint16_t row = 0;
    std::uint32_t value = 0;
};

// Codes every column of `good`, changes what is coded and decodes it into `frame`; false where the decoder refuses.
bool recode(models::Frame& good, const std::vector<Change>& changes, models::Frame& frame) {
    io::FlatPasses good_passes = io::flatten_passes(good);
    std::vector<std::vector<std::uint64_t>> coded;
    io::Hdf5Buffer buffer;
    const io::Workers alone(1);
    io::visit_tables(good, good_passes, [&](const std::string&, auto& rows, const auto& columns) {
        columns([&](const auto& column) {
            const auto values = io::encode(rows, column, buffer, alone);
            coded.emplace_back(values.begin(), values.end());
        });
    });
    for (const Change& change : changes) {
        std::vector<std::uint64_t>& values = coded[change.column % coded.size()];
        if (!values.empty()) values[change.row % values.size()] = change.value;
    }
    io::FlatPasses passes;
    io::TableValues values;
    bool possible = true;
    std::size_t number = 0;
    io::visit_tables(frame, passes, [&](const std::string&, auto& rows, const auto& columns) {
        values.begin();
        columns([&](const auto& column) {
            using Rows = std::remove_cvref_t<decltype(rows)>;
            using S = io::Stored<io::ColumnValue<Rows, std::remove_cvref_t<decltype(column)>>>;
            const std::vector<std::uint64_t>& from = coded[number++];
            S* const stored = static_cast<S*>(values.next_buffer().of_bytes(from.size() * sizeof(S)));
            std::transform(from.begin(), from.end(), stored, [](std::uint64_t value) { return static_cast<S>(value); });
            (void)values.restore<Rows>(std::span<S>(stored, from.size()), column, alone);
            rows.resize(from.size());
        });
        possible = !values.set(rows, columns, alone) && possible;
    });
    return possible && io::unflatten_passes(passes, frame);
}

void check_changed_columns(tests::Numbers numbers) {
    std::vector<Change> changes;
    while (changes.size() < 8 && !numbers.empty()) {
        const auto column = numbers.take<std::uint8_t>();
        const auto row = numbers.take<std::uint16_t>();
        changes.push_back({column, row, numbers.take<std::uint32_t>()});
    }
    static models::Frame good = tests::SampleTrace().frame(7);
    static const std::vector<models::Program> programs = tests::SampleTrace::programs();
    models::Frame frame;
    if (recode(good, changes, frame) &&
        tests::accepts([&] { io::check_frame(frame, programs, "fuzz", io::Workers(1)); }))
        (void)io::frame_digest(frame, "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::Numbers numbers(std::as_bytes(std::span(data, size)));
    switch (numbers.take<std::uint8_t>()) {
        case 0: {
            const tests::MemoryFile file(numbers.rest());
            tests::accepts([&] { load(file.path()); });
            break;
        }
        case 1:
            read_changed_file(numbers);
            break;
        case 2:
            write_changed_frame(numbers);
            break;
        default:
            check_changed_columns(numbers);
    }
    return 0;
}
