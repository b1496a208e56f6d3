// Makes the digests in a changed frame trace, and its label, fit what the file holds now: a reader is left with nothing
// but the change.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <hdf5.h>

#include "engine/error.h"
#include "io/file_label.h"
#include "io/frame_trace_codec.h"
#include "io/frame_trace_layout.h"
#include "io/frame_trace_programs.h"
#include "io/frame_trace_values.h"
#include "io/hdf5_file.h"

namespace tests {

// The digest of a frame as it stands in the file.
inline std::string digest_of_stored_frame(const io::Hdf5Group& root, std::size_t position) {
    const io::Hdf5Group frames = root.group("frames");
    const auto range_of = [&](const std::string& name) {
        const std::vector<std::uint64_t> range = frames.dataset(name).read_rows<std::uint64_t>(position, 1);
        return std::array<std::uint64_t, 2>{range.at(0), range.at(1) - range.at(0)};
    };
    models::Frame frame;
    frame.number = frames.dataset("number").read_rows<std::uint32_t>(position, 1).at(0);
    frame.check = {frames.dataset("image_checked").read_rows<std::uint8_t>(position, 1).at(0) != 0,
                   frames.dataset("image_psnr").read_rows<double>(position, 1).at(0),
                   frames.dataset("image_largest_difference").read_rows<std::uint32_t>(position, 1).at(0),
                   frames.dataset("image_ssim").read_rows<double>(position, 1).at(0),
                   frames.dataset("image_share_off").read_rows<double>(position, 1).at(0)};
    io::FlatPasses passes;
    const io::Workers alone(1);
    io::TableValues values;
    io::visit_tables(frame, passes, [&](const std::string& table, auto& rows, const auto& columns) {
        const auto range = range_of(table + "_rows");
        const io::Hdf5Group group = root.group(table);
        values.begin();
        columns([&](const auto& column) {
            using Rows = std::remove_cvref_t<decltype(rows)>;
            using S = io::Stored<io::ColumnValue<Rows, std::remove_cvref_t<decltype(column)>>>;
            (void)values.restore<Rows>(
                group.dataset(column.name).template read_rows<S>(range[0], range[1], values.next_buffer()), column,
                alone);
        });
        rows.resize(range[1]);
        (void)values.set(rows, columns, alone);
    });
    (void)io::unflatten_passes(passes, frame);
    const auto range = range_of("image_rows");
    const auto png = root.group("images").dataset("png").read_rows<std::uint8_t>(range[0], range[1]);
    return io::frame_digest(frame, {reinterpret_cast<const char*>(png.data()), png.size()});
}

// Empty where the file is such that there are none: its reader finds out by itself.
inline std::vector<std::string> stored_digests(const std::filesystem::path& path, std::string& whole) {
    try {
        const io::Hdf5File file = io::Hdf5File::open(path);
        const io::Hdf5Group root = file.root();
        std::vector<std::string> digests;
        for (std::size_t i = 0; i < root.group("frames").dataset("digest").rows(); ++i)
            digests.push_back(digest_of_stored_frame(root, i));
        whole = io::trace_digest(io::read_programs(root), digests);
        return digests;
    } catch (const engine::Error&) {
        return {};
    }
}

inline void fit_digests(const std::filesystem::path& path) {
    std::string whole;
    const std::vector<std::string> digests = stored_digests(path, whole);
    if (!digests.empty()) {
        std::vector<std::uint8_t> bytes;
        for (const std::string& digest : digests)
            for (const std::uint8_t byte : io::digest_from_hex(digest)) bytes.push_back(byte);
        const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t dataset = H5Dopen2(file, "/frames/digest", H5P_DEFAULT);
        const hid_t attribute = H5Aopen(file, "digest", H5P_DEFAULT), type = H5Aget_type(attribute);
        const char* const text = whole.c_str();
        H5Dwrite(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
        H5Awrite(attribute, type, &text);
        H5Tclose(type);
        H5Aclose(attribute);
        H5Dclose(dataset);
        H5Fclose(file);
    }
    io::write_label(path, io::frame_trace_kind);
}

}  // namespace tests
