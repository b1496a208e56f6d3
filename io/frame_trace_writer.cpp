#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <string_view>

#include "engine/error.h"
#include "io/digest.h"
#include "io/frame_trace_codec.h"
#include "io/frame_trace_file.h"
#include "io/frame_trace_layout.h"
#include "io/frame_trace_programs.h"

namespace io {

struct FrameTraceWriter::Datasets {
    std::vector<Hdf5Dataset> all;                              // in the order of creation
    std::map<std::string, std::size_t, std::less<>> position;  // by name, "/quads/x"

    template <class T>
    void create(Hdf5Group& group, const std::string& name, const Hdf5Layout& layout, const std::string& unit,
                const std::string& doc) {
        Hdf5Dataset dataset = group.create_dataset<T>(name, layout);
        dataset.set_attribute("long_name", doc);
        dataset.set_attribute("units", unit);
        position[dataset.name()] = all.size();
        all.push_back(std::move(dataset));
    }
    Hdf5Dataset& find(const std::string& name) { return all[position.at(name)]; }
    template <class T>
    void append_one(const std::string& name, T value) {
        find(name).append(std::span<const T>(&value, 1));
    }
};

namespace {

constexpr std::uint64_t chunk_bytes = 65536, small_chunk_bytes = 4096;
constexpr std::uint64_t index_chunk_rows = 64;

// Whoever reads a row unpacks its chunk. A frame has hundreds of rows of these tables, and millions of others.
std::uint64_t chunk_bytes_of(std::string_view table) {
    constexpr std::array<std::string_view, 8> small{"passes",    "colours", "draws",   "attributes",
                                                    "constants", "uploads", "kernels", "presented"};
    return std::find(small.begin(), small.end(), table) != small.end() ? small_chunk_bytes : chunk_bytes;
}

}  // namespace

FrameTraceWriter::FrameTraceWriter(std::filesystem::path path, const FrameTraceOrigin& origin, Existing existing,
                                   int threads)
    : workers_(threads),
      pending_(std::move(path), existing),
      file_(Hdf5File::create(pending_.working_path(), pending_.path(), label_bytes)),
      datasets_(std::make_unique<Datasets>()) {
    Hdf5Group root = file_.root();
    root.set_attribute("title", "Tessera frame trace");
    root.set_attribute("schema_version", std::uint64_t{frame_trace_version});
    root.set_attribute("source", origin.source);
    root.set_attribute("recording", origin.recording);
    if (!origin.recording_digest.empty()) root.set_attribute("recording_digest", origin.recording_digest);
    root.set_attribute("history", origin.command_line);

    Hdf5Group frames = root.create_group("frames");
    const Hdf5Layout index{{}, index_chunk_rows, false};
    const Hdf5Layout range{{2}, index_chunk_rows, false};
    datasets_->create<std::uint32_t>(frames, "number", index, "1", "number of the frame in the recording, from 0");
    datasets_->create<std::uint8_t>(frames, "digest", {{16}, index_chunk_rows, false}, "1", "XXH3-128 of the frame");
    datasets_->create<std::uint8_t>(frames, "image_checked", index, "1", "the recording has a reference image");
    datasets_->create<double>(frames, "image_psnr", index, "dB", "rendered image against the reference");
    datasets_->create<std::uint32_t>(frames, "image_largest_difference", index, "1", "of any colour of any pixel");
    datasets_->create<double>(frames, "image_ssim", index, "1", "structural similarity to the reference (Wang 2004)");
    datasets_->create<double>(frames, "image_share_off", index, "1", "pixels with a colour off by more than 2");
    datasets_->create<std::uint64_t>(frames, "image_rows", range, "1", "rows of /images/png: begin, end");

    const models::Frame empty;
    const FlatPasses passes;
    visit_tables(empty, passes, [&](const std::string& table, const auto& rows, const auto& columns) {
        datasets_->create<std::uint64_t>(frames, table + "_rows", range, "1", "rows of /" + table + ": begin, end");
        Hdf5Group group = root.create_group(table);
        columns([&](const auto& column) {
            using S = Stored<ColumnValue<decltype(rows), std::remove_cvref_t<decltype(column)>>>;
            const Hdf5Layout layout{{}, chunk_bytes_of(table) / sizeof(S), false, column.sparse};
            datasets_->create<S>(group, column.name, layout, column.unit, column.doc);
            datasets_->all.back().set_attribute("coding", coding_text(column));
        });
    });
    Hdf5Group images = root.create_group("images");
    datasets_->create<std::uint8_t>(images, "png", {{}, chunk_bytes, false}, "byte", "PNG files, one after another");
}

FrameTraceWriter::~FrameTraceWriter() = default;

std::uint64_t FrameTraceWriter::memory_to_append(const models::Frame& frame) {
    std::uint64_t most = 0;
    const FlatPasses passes = flatten_passes(frame);
    visit_tables(frame, passes, [&](const std::string&, const auto& rows, const auto& columns) {
        columns([&](const auto& column) {
            using S = Stored<ColumnValue<decltype(rows), std::remove_cvref_t<decltype(column)>>>;
            most = std::max(most, std::uint64_t{rows.size()} * sizeof(S));
        });
    });
    return most;
}

void FrameTraceWriter::append_range(const std::string& name, std::uint64_t begin, std::uint64_t count) {
    const std::array<std::uint64_t, 2> range{begin, begin + count};
    datasets_->find("/frames/" + name).append(std::span<const std::uint64_t>(range));
}

void FrameTraceWriter::append_tables(const Workers& workers, const models::Frame& frame) {
    const FlatPasses passes = flatten_passes(frame);
    Hdf5Buffer buffer;
    visit_tables(frame, passes, [&](const std::string& table, const auto& rows, const auto& columns) {
        std::uint64_t begin = 0;
        columns([&](const auto& column) {
            Hdf5Dataset& dataset = datasets_->find("/" + table + "/" + column.name);
            begin = dataset.rows();
            dataset.append(encode(rows, column, buffer, workers));
        });
        append_range(table + "_rows", begin, rows.size());
    });
}

void FrameTraceWriter::append(const models::Frame& frame, std::string_view png) {
    if (memory_to_append(frame) < large_column_bytes)
        append_tables(alone_, frame);
    else
        file_.pack_with(workers_, [&] { append_tables(workers_, frame); });
    Hdf5Dataset& images = datasets_->find("/images/png");
    append_range("image_rows", images.rows(), png.size());
    images.append(std::span(reinterpret_cast<const std::uint8_t*>(png.data()), png.size()));

    const std::string digest = frame_digest(frame, png);
    const std::array<std::uint8_t, 16> digest_bytes = digest_from_hex(digest);
    datasets_->append_one("/frames/number", frame.number);
    datasets_->find("/frames/digest").append(std::span<const std::uint8_t>(digest_bytes));
    datasets_->append_one("/frames/image_checked", static_cast<std::uint8_t>(frame.check.present ? 1 : 0));
    datasets_->append_one("/frames/image_psnr", frame.check.psnr);
    datasets_->append_one("/frames/image_largest_difference", frame.check.largest_difference);
    datasets_->append_one("/frames/image_ssim", frame.check.ssim);
    datasets_->append_one("/frames/image_share_off", frame.check.share_off);
    frame_digests_.push_back(digest);
    quads_ += frame.quads.size();
    image_bytes_ += png.size();
}

void FrameTraceWriter::finish(const std::vector<models::Program>& programs) {
    Hdf5Group root = file_.root();
    io::write_programs(root, programs);
    root.set_attribute("frame_count", std::uint64_t{frame_digests_.size()});
    root.set_attribute("digest", trace_digest(programs, frame_digests_));
    for (Hdf5Dataset& dataset : datasets_->all) dataset.close();
    root.close();
    file_.close();
    write_label(pending_.working_path(), frame_trace_kind);
    check_written();
    pending_.commit();
}

void FrameTraceWriter::check_written() const {
    try {
        const FrameTraceFile written(pending_.working_path(), workers_.count());
        for (std::size_t i = 0; i < written.frame_count(); ++i) (void)written.load(i);
    } catch (const engine::InputError& error) {
        throw engine::InputError(pending_.in_own_name(error.what()));
    }
}

}  // namespace io
