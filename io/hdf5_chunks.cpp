// Datasets of one axis, whose whole chunks the threads of Hdf5File::pack_with() pack and unpack.
#include "io/hdf5_chunks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>

#include <hdf5.h>

#include "io/chunk_filters.h"
#include "io/hdf5_file.h"
#include "io/hdf5_identifiers.h"
#include "models/functional/workers.h"

namespace io {

namespace {

constexpr std::uint64_t few = 4;                          // chunks for which nobody else is asked
constexpr int chunks_per_worker = 16;                     // that are in memory at a time
constexpr std::size_t most_bytes = std::size_t{1} << 20;  // of one of them; frame traces have 64 KiB

// The level of shuffle, deflate and fletcher32, as Hdf5Group::create_dataset() sets them; of any others none.
std::optional<int> deflate_level_of(hid_t creation) {
    constexpr std::array expected{H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
    if (H5Pget_nfilters(creation) != static_cast<int>(expected.size())) return std::nullopt;
    int level = -1;
    for (unsigned i = 0; i < expected.size(); ++i) {
        unsigned flags = 0;
        unsigned value = 0;
        std::size_t values = 1;
        if (H5Pget_filter2(creation, i, &flags, &values, &value, 0, nullptr, nullptr) != expected[i])
            return std::nullopt;
        if (expected[i] == H5Z_FILTER_DEFLATE && values == 1) level = static_cast<int>(value);
    }
    if (level < 1 || level > 9) return std::nullopt;
    return level;
}

// What the workers pack and unpack with, and room for some packed chunks.
struct Packing {
    Packing(const WholeChunks& chunks, int workers)
        : filters(static_cast<std::size_t>(workers), ChunkFilters(chunks.value_bytes, chunks.deflate_level)),
          packed(filters.size() * chunks_per_worker) {}

    std::vector<ChunkFilters> filters;  // by worker
    std::vector<std::vector<std::byte>> packed;
};

}  // namespace

std::optional<WholeChunks> Hdf5Dataset::whole_chunks(Element element, std::uint64_t first, std::uint64_t count) const {
    if (origin()->workers == nullptr) return std::nullopt;
    const Temporary creation(H5Dget_create_plist(id()), H5Pclose);
    hsize_t rows = 0;
    if (H5Pget_layout(creation) != H5D_CHUNKED || H5Pget_chunk(creation, 0, nullptr) != 1 ||
        H5Pget_chunk(creation, 1, &rows) != 1)
        return std::nullopt;
    const std::optional<int> level = deflate_level_of(creation);
    const Temporary type(H5Dget_type(id()), H5Tclose);
    if (!level || H5Tequal(type, type_of(element)) <= 0) return std::nullopt;
    const WholeChunks chunks{(first + rows - 1) / rows, (first + count) / rows, rows, H5Tget_size(type), *level};
    if (chunks.end < chunks.begin + few || chunks.bytes() > most_bytes) return std::nullopt;
    return chunks;
}

void Hdf5Dataset::write_chunks(const WholeChunks& chunks, const std::byte* values) {
    const models::functional::Workers& workers = *origin()->workers;
    Packing packing(chunks, workers.count());
    std::vector<std::vector<std::byte>>& packed = packing.packed;
    for (std::uint64_t begin = chunks.begin; begin < chunks.end; begin += packed.size()) {
        const auto count = static_cast<int>(std::min<std::uint64_t>(packed.size(), chunks.end - begin));
        const std::byte* const from = values + (begin - chunks.begin) * chunks.bytes();
        workers.for_each(count, [&](int item, int worker) {
            const auto i = static_cast<std::size_t>(item);
            const auto stored =
                packing.filters[static_cast<std::size_t>(worker)].pack({from + i * chunks.bytes(), chunks.bytes()});
            packed[i].assign(stored.begin(), stored.end());
        });
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const hsize_t row = (begin + i) * chunks.rows;
            check(H5Dwrite_chunk(id(), H5P_DEFAULT, 0, &row, packed[i].size(), packed[i].data()), "write");
        }
    }
}

bool Hdf5Dataset::read_chunks(const WholeChunks& chunks, std::byte* values) const {
    const models::functional::Workers& workers = *origin()->workers;
    Packing packing(chunks, workers.count());
    std::vector<std::vector<std::byte>>& packed = packing.packed;
    const auto fetch = [&](std::uint64_t chunk, std::vector<std::byte>& to) {
        const hsize_t row = chunk * chunks.rows;
        hsize_t bytes = 0;
        if (H5Dget_chunk_storage_size(id(), &row, &bytes) < 0 || bytes > ChunkFilters::most_stored(chunks.bytes()))
            return false;
        to.resize(bytes);
        std::uint32_t skipped_filters = 0;
        return bytes > 0 && H5Dread_chunk(id(), H5P_DEFAULT, &row, &skipped_filters, to.data()) >= 0 &&
               skipped_filters == 0;
    };
    for (std::uint64_t begin = chunks.begin; begin < chunks.end; begin += packed.size()) {
        const auto count = static_cast<int>(std::min<std::uint64_t>(packed.size(), chunks.end - begin));
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            if (!fetch(begin + i, packed[i])) return false;
        std::byte* const to = values + (begin - chunks.begin) * chunks.bytes();
        std::atomic<bool> sound = true;
        workers.for_each(count, [&](int item, int worker) {
            const auto i = static_cast<std::size_t>(item);
            if (!packing.filters[static_cast<std::size_t>(worker)].unpack(packed[i],
                                                                          {to + i * chunks.bytes(), chunks.bytes()}))
                sound.store(false, std::memory_order_relaxed);
        });
        if (!sound) return false;
    }
    return true;
}

void Hdf5File::pack_with(const models::functional::Workers& workers, const std::function<void()>& f) const {
    struct Lent {
        Hdf5Origin& origin;
        ~Lent() { origin.workers = nullptr; }
    };
    assert(origin()->workers == nullptr);
    const Lent lent{*origin()};
    origin()->workers = &workers;
    workers.stand_by(f);
}

}  // namespace io
