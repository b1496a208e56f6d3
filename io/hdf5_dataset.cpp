#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <numeric>
#include <string>

#include <hdf5.h>
#include <hdf5_hl.h>

#include "io/hdf5_chunks.h"
#include "io/hdf5_file.h"
#include "io/hdf5_identifiers.h"
#include "io/hdf5_texts.h"

namespace io {

namespace {

constexpr std::uint64_t deflate_most = 1040;                         // deflate never shrinks further than 1 : 1032
constexpr std::uint64_t most_chunk_bytes = std::uint64_t{64} << 20;  // HDF5 takes memory for whole chunks

}  // namespace

std::vector<std::uint64_t> Hdf5Dataset::shape() const {
    const Temporary space(H5Dget_space(id()), H5Sclose);
    const int axes = check(H5Sget_simple_extent_ndims(space), "read the shape");
    std::array<hsize_t, H5S_MAX_RANK> extent{};
    check(H5Sget_simple_extent_dims(space, extent.data(), nullptr), "read the shape");
    return {extent.begin(), extent.begin() + axes};
}

std::uint64_t Hdf5Dataset::rows() const {
    const std::vector<std::uint64_t> extent = shape();
    if (extent.empty()) fail("expected an array, found a scalar");
    return extent[0];
}

// Calls f(data space in memory, data space of the dataset) for these rows, unless they have no values.
template <class F>
void Hdf5Dataset::select(std::uint64_t first, std::uint64_t count, F f) const {
    const std::vector<std::uint64_t> extent = shape();
    std::array<hsize_t, H5S_MAX_RANK> start{};
    std::array<hsize_t, H5S_MAX_RANK> block{};
    std::copy(extent.begin(), extent.end(), block.begin());
    start[0] = first;
    block[0] = count;
    for (std::size_t axis = 0; axis < extent.size(); ++axis)
        if (block[axis] == 0) return;
    const Temporary space(H5Dget_space(id()), H5Sclose);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), "select rows");
    const Temporary memory(H5Screate_simple(static_cast<int>(extent.size()), block.data(), nullptr), H5Sclose);
    f(static_cast<Hdf5Id>(memory), static_cast<Hdf5Id>(space));
}

void Hdf5Dataset::append_bytes(Element element, const void* values, std::size_t count) {
    if (count == 0) return;
    std::vector<std::uint64_t> extent = shape();
    std::uint64_t row_values = 1;
    for (std::size_t axis = 1; axis < extent.size(); ++axis) row_values *= extent[axis];
    const std::uint64_t first = extent[0], rows = count / row_values;
    extent[0] += rows;
    const std::vector<hsize_t> grown(extent.begin(), extent.end());
    check(H5Dset_extent(id(), grown.data()), "grow");
    const std::optional<WholeChunks> chunks = whole_chunks(element, first, rows);
    if (!chunks) return write_range(element, first, rows, values);
    const auto* const bytes = static_cast<const std::byte*>(values);
    const auto at = [&](std::uint64_t row) { return bytes + (row - first) * chunks->value_bytes; };
    write_range(element, first, chunks->first_row() - first, bytes);
    write_chunks(*chunks, at(chunks->first_row()));
    write_range(element, chunks->end_row(), extent[0] - chunks->end_row(), at(chunks->end_row()));
}

void Hdf5Dataset::write_range(Element element, std::uint64_t first, std::uint64_t count, const void* values) {
    select(first, count, [&](Hdf5Id memory, Hdf5Id rows) {
        check(H5Dwrite(id(), type_of(element), memory, rows, H5P_DEFAULT, values), "write");
    });
}

void Hdf5Dataset::write_bytes(Element element, const void* values, std::size_t count) {
    const std::vector<std::uint64_t> extent = shape();
    assert(std::accumulate(extent.begin(), extent.end(), std::uint64_t{1}, std::multiplies<>()) == count);
    if (count != 0) check(H5Dwrite(id(), type_of(element), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write");
}

std::size_t Hdf5Dataset::readable_values(Element element, std::size_t bytes, std::uint64_t first,
                                         std::uint64_t count) const {
    const Temporary stored(H5Dget_type(id()), H5Tclose);
    if (H5Tequal(stored, type_of(element)) <= 0) fail("holds elements of another type than expected");
    const std::vector<std::uint64_t> extent = shape();
    if (extent.empty()) fail("expected an array, found a scalar");
    if (first > extent[0] || count > extent[0] - first)
        fail("rows " + std::to_string(first) + " to " + std::to_string(first) + "+" + std::to_string(count) +
             " are beyond its " + std::to_string(extent[0]) + " rows");
    std::uint64_t total = count;
    const std::uint64_t most = (stored_bytes() + 4096) * deflate_most / bytes;
    for (std::size_t axis = 1; axis < extent.size(); ++axis)
        if (__builtin_mul_overflow(total, extent[axis], &total)) fail("its shape is impossibly large");
    if (total > most) fail("claims " + std::to_string(total) + " values, more than its stored bytes can hold");
    return total;
}

std::uint64_t Hdf5Dataset::stored_bytes() const {
    const std::uint64_t bytes = H5Dget_storage_size(id());
    if (bytes > origin()->bytes) fail("claims more stored bytes than the file has");
    return bytes;
}

void Hdf5Dataset::check_storage() const {
    const Temporary creation(H5Dget_create_plist(id()), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(creation);
    if (H5Pget_external_count(creation) != 0 || layout == H5D_VIRTUAL)
        fail("its values are in another file; a file of Tessera holds all of its own");
    const int filters = check(H5Pget_nfilters(creation), "read the filters");
    for (int i = 0, deflates = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
            fail("is stored with filter " + std::to_string(filter) + ", which a file of Tessera does not use");
        if (filter == H5Z_FILTER_DEFLATE && ++deflates > 1) fail("is compressed more than once");
    }
    if (layout != H5D_CHUNKED) return;
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    const int axes = check(H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data()), "read the chunks' shape");
    const Temporary type(H5Dget_type(id()), H5Tclose);
    std::uint64_t bytes = H5Tget_size(type);
    for (int axis = 0; axis < axes; ++axis)
        if (__builtin_mul_overflow(bytes, chunk[static_cast<std::size_t>(axis)], &bytes) || bytes > most_chunk_bytes)
            fail("has chunks of more than " + std::to_string(most_chunk_bytes) + " bytes");
}

void Hdf5Dataset::read_bytes(Element element, std::uint64_t first, std::uint64_t count, void* values) const {
    const std::optional<WholeChunks> chunks = whole_chunks(element, first, count);
    auto* const bytes = static_cast<std::byte*>(values);
    const auto at = [&](std::uint64_t row) { return bytes + (row - first) * chunks->value_bytes; };
    if (!chunks || !read_chunks(*chunks, at(chunks->first_row()))) return read_range(element, first, count, values);
    read_range(element, first, chunks->first_row() - first, bytes);
    read_range(element, chunks->end_row(), first + count - chunks->end_row(), at(chunks->end_row()));
}

void Hdf5Dataset::read_range(Element element, std::uint64_t first, std::uint64_t count, void* values) const {
    select(first, count, [&](Hdf5Id memory, Hdf5Id rows) {
        check(H5Dread(id(), type_of(element), memory, rows, H5P_DEFAULT, values), "read");
    });
}

void Hdf5Dataset::make_scale(const std::string& dimension) {
    check(H5DSset_scale(id(), dimension.c_str()), "make a dimension scale");
}

void Hdf5Dataset::attach_scale(const Hdf5Dataset& scale, unsigned axis) {
    check(H5DSattach_scale(id(), scale.id(), axis), "attach a dimension scale");
}

std::vector<std::string> Hdf5Dataset::read_texts(std::uint64_t most) const {
    const Temporary stored(H5Dget_type(id()), H5Tclose);
    if (H5Tis_variable_str(stored) <= 0) fail("expected texts");
    if (shape().size() != 1) fail("has an unexpected shape");
    const std::uint64_t count = rows();
    if (count > most) fail("expected at most " + std::to_string(most) + " texts, found " + std::to_string(count));
    if (count * sizeof(TextReference) > stored_bytes()) fail("claims more texts than it stores");
    std::vector<TextReference> references(count);
    const Temporary type(make_text_reference_type(), H5Tclose);
    if (count != 0) check(H5Dread(id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, references.data()), "read texts");
    TextHeaps& heaps = text_heaps();
    std::vector<std::string> texts(count);
    std::uint64_t bytes = 0;  // a sound file holds each text once
    for (std::size_t row = 0; row < count; ++row)
        if (!heaps.find(references[row], texts[row]) || (bytes += texts[row].size()) > heaps.file_bytes())
            fail("row " + std::to_string(row) + ": points to no text of its own in the file");
    return texts;
}

}  // namespace io
