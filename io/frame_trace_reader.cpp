#include <algorithm>
#include <array>
#include <span>

#include "io/frame_trace_check.h"
#include "io/frame_trace_codec.h"
#include "io/frame_trace_file.h"
#include "io/frame_trace_layout.h"
#include "io/frame_trace_programs.h"
#include "io/frame_trace_values.h"
#include "io/image_check.h"
#include "io/recording/machine_memory.h"

namespace io {

namespace {

constexpr std::size_t quad_table = 10;  // in the order of visit_tables

constexpr std::uint64_t most_frames = std::uint64_t{1} << 20;

// Of a PNG: what its header says it needs, with room for what does not compress; a little where there is no header.
constexpr std::uint64_t any_png_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t png_bytes_per_pixel = 5;
constexpr std::uint64_t most_png_side = 16384;
constexpr std::size_t png_header_bytes = 24;  // signature, length and name of the first chunk, width, height

std::uint64_t big_endian(std::span<const std::uint8_t> bytes) {
    std::uint64_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    return value;
}

std::uint64_t most_png_bytes(std::span<const std::uint8_t> header) {
    constexpr std::array<std::uint8_t, 8> start{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (!std::equal(start.begin(), start.end(), header.begin())) return any_png_bytes;
    const std::uint64_t width = big_endian(header.subspan(16, 4)), height = big_endian(header.subspan(20, 4));
    return any_png_bytes + png_bytes_per_pixel * std::min(width, most_png_side) * std::min(height, most_png_side);
}

}  // namespace

bool FrameTraceFile::recognises(const std::filesystem::path& path) {
    return has_label(path, frame_trace_kind);
}

FrameTraceFile::FrameTraceFile(const std::filesystem::path& path, int threads)
    : workers_(threads),
      path_(path),
      file_((check_label(path, frame_trace_kind), Hdf5File::open(path))),
      programs_(read_programs(file_.root())) {
    check_attributes();
    read_index();
    digest_ = trace_digest(programs_, digests_);
    if (file_.root().text_attribute("digest") != digest_)
        file_.fail("the digest of its programs and frames is " + digest_ + ", the attribute 'digest' says another");
}

void FrameTraceFile::check_attributes() const {
    const Hdf5Group root = file_.root();
    (void)origin();
    if (const std::uint64_t version = root.integer_attribute("schema_version"); version != frame_trace_version)
        file_.fail("the attribute 'schema_version' is " + std::to_string(version) + ", expected " +
                   std::to_string(frame_trace_version));
    const std::uint64_t rows = root.group("frames").dataset("number").rows();
    if (rows > most_frames)
        file_.fail("expected at most " + std::to_string(most_frames) + " frames, found " + std::to_string(rows));
    if (const std::uint64_t count = root.integer_attribute("frame_count"); count != rows)
        file_.fail("the attribute 'frame_count' is " + std::to_string(count) + ", but /frames/number has " +
                   std::to_string(rows) + " rows");
}

void FrameTraceFile::read_index() {
    const Hdf5Group frames = file_.root().group("frames");
    numbers_ = frames.dataset("number").read<std::uint32_t>();
    const std::size_t count = numbers_.size();
    for (std::size_t i = 1; i < count; ++i)
        if (numbers_[i] <= numbers_[i - 1])
            file_.fail("/frames/number: row " + std::to_string(i) + ": expected more than " +
                       std::to_string(numbers_[i - 1]) + ", found " + std::to_string(numbers_[i]));
    const auto same_length = [&](const Hdf5Dataset& dataset, std::size_t width) {
        const std::vector<std::uint64_t> shape = dataset.shape();
        const bool expected = width == 1 ? shape.size() == 1 : shape.size() == 2 && shape[1] == width;
        if (!expected || shape[0] != count) dataset.fail("has an unexpected shape");
    };
    const auto read_ranges = [&](const std::string& name, auto&& store) {
        const Hdf5Dataset dataset = frames.dataset(name);
        same_length(dataset, 2);
        const std::vector<std::uint64_t> values = dataset.read<std::uint64_t>();
        for (std::size_t i = 0; i < count; ++i) {
            if (values[2 * i] > values[2 * i + 1]) dataset.fail("row " + std::to_string(i) + ": ends before it begins");
            store(i, RowRange{values[2 * i], values[2 * i + 1]});
        }
    };
    rows_.resize(count);
    images_.resize(count);
    std::size_t table_number = 0;
    const models::Frame empty;
    const FlatPasses passes;
    visit_tables(empty, passes, [&](const std::string& table, const auto&, const auto&) {
        read_ranges(table + "_rows", [&](std::size_t i, RowRange range) { rows_[i][table_number] = range; });
        ++table_number;
    });
    read_ranges("image_rows", [&](std::size_t i, RowRange range) { images_[i] = range; });

    const Hdf5Dataset digests = frames.dataset("digest");
    same_length(digests, 16);
    const std::vector<std::uint8_t> digest_bytes = digests.read<std::uint8_t>();
    for (std::size_t i = 0; i < count; ++i) digests_.push_back(hex_from_digest(&digest_bytes[16 * i]));

    for (const char* name :
         {"image_checked", "image_psnr", "image_largest_difference", "image_ssim", "image_share_off"})
        same_length(frames.dataset(name), 1);
    const auto checked = frames.dataset("image_checked").read<std::uint8_t>();
    const auto psnr = frames.dataset("image_psnr").read<double>();
    const auto largest = frames.dataset("image_largest_difference").read<std::uint32_t>();
    const auto ssim = frames.dataset("image_ssim").read<double>();
    const auto share_off = frames.dataset("image_share_off").read<double>();
    for (std::size_t i = 0; i < count; ++i) {
        if (checked[i] > 1)
            file_.fail("/frames/image_checked: row " + std::to_string(i) + ": expected 0 or 1, found " +
                       std::to_string(checked[i]));
        checks_.push_back({checked[i] != 0, psnr[i], largest[i], ssim[i], share_off[i]});
        if (const std::string problem = problem_of(checks_.back()); !problem.empty())
            file_.fail("/frames: row " + std::to_string(i) + ": image_" + problem);
    }
}

std::uint64_t FrameTraceFile::quad_count(std::size_t position) const {
    const RowRange range = rows_[position][quad_table];
    return range.end - range.begin;
}

std::vector<std::pair<std::string, std::uint64_t>> FrameTraceFile::row_counts(std::size_t position) const {
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    const models::Frame empty;
    const FlatPasses passes;
    visit_tables(empty, passes, [&](const std::string& table, const auto&, const auto&) {
        const RowRange range = rows_[position][counts.size()];
        counts.emplace_back(table, range.end - range.begin);
    });
    return counts;
}

FrameTraceOrigin FrameTraceFile::origin() const {
    const Hdf5Group root = file_.root();
    const std::string name = "recording_digest";  // older files have none
    return {root.text_attribute("source"), root.text_attribute("recording"), root.text_attribute("history"),
            root.has_attribute(name) ? root.text_attribute(name) : std::string()};
}

std::string FrameTraceFile::png(std::size_t position) const {
    const RowRange range = images_[position];
    const std::uint64_t count = range.end - range.begin;
    const Hdf5Dataset images = file_.root().group("images").dataset("png");
    const std::uint64_t most = count <= any_png_bytes
                                   ? any_png_bytes
                                   : most_png_bytes(images.read_rows<std::uint8_t>(range.begin, png_header_bytes));
    if (count > most)
        images.fail("frame " + std::to_string(numbers_[position]) + ": expected a PNG of at most " +
                    std::to_string(most) + " bytes, found " + std::to_string(count));
    const auto bytes = images.read_rows<std::uint8_t>(range.begin, count);
    return {bytes.begin(), bytes.end()};
}

// Checked before anything is loaded: rows that deflate well cost much more memory than file.
std::uint64_t FrameTraceFile::memory_of(std::size_t position) const {
    const models::Frame frame;
    const FlatPasses passes;
    std::uint64_t bytes = 0, most_stored = 0;
    std::size_t table = 0;
    visit_tables(frame, passes, [&](const std::string& name, const auto& rows, const auto& columns) {
        using Rows = std::remove_cvref_t<decltype(rows)>;
        const RowRange range = rows_[position][table++];
        const std::uint64_t count = range.end - range.begin;
        if (count > models::none)
            file_.fail("/frames/" + name + "_rows: row " + std::to_string(position) + ": expected at most " +
                       std::to_string(models::none) + " rows, found " + std::to_string(count));
        std::uint64_t row_bytes = 0;
        columns([&](const auto& column) {
            row_bytes += sizeof(ColumnValue<const Rows, std::remove_cvref_t<decltype(column)>>);
        });
        bytes += count * sizeof(typename Rows::value_type);
        most_stored = std::max(most_stored, count * row_bytes);
    });
    bytes += most_stored;  // the columns of a table are all read before its rows are made
    if (const std::uint64_t share = default_memory_limit(); bytes > share)
        file_.fail("frame " + std::to_string(numbers_[position]) + " takes " + std::to_string(bytes) +
                   " bytes of memory, more than " + std::to_string(share) +
                   ", half of what this program may use; raise the limit or take a machine with more memory");
    return bytes;
}

models::Frame FrameTraceFile::load(std::size_t position) const {
    if (memory_of(position) < large_frame_bytes) return load_with(alone_, position);
    models::Frame frame;
    file_.pack_with(workers_, [&] { frame = load_with(workers_, position); });
    return frame;
}

void FrameTraceFile::side_by_side(std::size_t position, const std::function<void(const Workers&)>& f) const {
    if (memory_of(position) < large_frame_bytes) return f(alone_);
    workers_.stand_by([&] { f(workers_); });
}

models::Frame FrameTraceFile::load_with(const Workers& workers, std::size_t position) const {
    models::Frame frame;
    frame.number = numbers_[position];
    frame.check = checks_[position];
    FlatPasses passes;
    const Hdf5Group root = file_.root();
    std::size_t table_number = 0;
    TableValues values;
    // Of values as they come, column by column: to gather them from the rows again costs a seventh of a load.
    Digest digest;
    begin_frame_digest(digest, frame);
    visit_tables(frame, passes, [&](const std::string& table, auto& rows, const auto& columns) {
        digest.add(table);
        const RowRange range = rows_[position][table_number++];
        const Hdf5Group group = root.group(table);
        const std::uint64_t count = range.end - range.begin;
        values.begin();
        columns([&](const auto& column) {
            using Rows = std::remove_cvref_t<decltype(rows)>;
            using S = Stored<ColumnValue<Rows, std::remove_cvref_t<decltype(column)>>>;
            const std::span<S> stored =
                group.dataset(column.name).template read_rows<S>(range.begin, count, values.next_buffer());
            digest.add(values.restore<Rows>(stored, column, workers));
        });
        TableValues::make_room(rows, count, workers);
        if (const auto bad = values.set(rows, columns, workers))
            group.dataset(bad->column).fail("row " + std::to_string(range.begin + bad->row) + ": impossible value");
    });
    if (!unflatten_passes(passes, frame)) file_.fail("/colours: not as many rows as /passes/colour_count says");
    check_frame(frame, programs_, path_.string(), workers);
    digest.add(png(position));
    if (digest.hex() != digests_[position])
        file_.fail("frame " + std::to_string(frame.number) + ": its content does not match /frames/digest");
    return frame;
}

}  // namespace io
