#include "io/chunk_filters.h"

#include <cstring>
#include <numeric>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <rapidcheck/gtest.h>

#include "tests/io/temporary_folder.h"

namespace {

std::vector<std::byte> bytes_of(const std::vector<std::uint8_t>& numbers) {
    std::vector<std::byte> bytes(numbers.size());
    std::memcpy(bytes.data(), numbers.data(), numbers.size());
    return bytes;
}

// What HDF5's own filters store for a chunk of values of so many bytes, an opaque type.
std::vector<std::byte> stored_by_hdf5(const std::filesystem::path& path, const std::vector<std::byte>& values,
                                      std::size_t value_bytes, unsigned level) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t count = values.size() / value_bytes;
    const hid_t space = H5Screate_simple(1, &count, nullptr), properties = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t type = H5Tcreate(H5T_OPAQUE, value_bytes);
    H5Pset_chunk(properties, 1, &count);
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, level);
    H5Pset_fletcher32(properties);
    const hid_t dataset = H5Dcreate2(file, "x", type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    EXPECT_GE(H5Dflush(dataset), 0);
    const hsize_t first = 0;
    hsize_t bytes = 0;
    EXPECT_GE(H5Dget_chunk_storage_size(dataset, &first, &bytes), 0);
    std::vector<std::byte> stored(bytes);
    std::uint32_t skipped = 0;
    EXPECT_GE(H5Dread_chunk(dataset, H5P_DEFAULT, &first, &skipped, stored.data()), 0);
    EXPECT_EQ(skipped, 0U);
    for (const hid_t id : {type, properties, space}) H5Idec_ref(id);
    H5Dclose(dataset);
    H5Fclose(file);
    return stored;
}

RC_GTEST_PROP(ChunkFilters, StoreWhatThoseOfHdf5Do, ()) {
    const tests::TemporaryFolder folder;
    const auto value_bytes = *rc::gen::element<std::size_t>(1, 2, 3, 4, 8);
    const auto count = *rc::gen::inRange<std::size_t>(1, 3000);
    const auto kinds = *rc::gen::inRange(1, 256);  // few: much to compress
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    std::vector<std::uint8_t> numbers(count * value_bytes);
    std::uint32_t state = seed;
    for (std::uint8_t& number : numbers) {
        state = state * 1664525U + 1013904223U;
        number = static_cast<std::uint8_t>((state >> 24U) % static_cast<std::uint32_t>(kinds));
    }
    const std::vector<std::byte> values = bytes_of(numbers);
    const auto level = *rc::gen::element(1, 6);
    io::ChunkFilters filters(value_bytes, level);
    const auto packed = filters.pack(values);
    const std::vector<std::byte> stored(packed.begin(), packed.end());
    RC_ASSERT(stored == stored_by_hdf5(folder / "x.h5", values, value_bytes, static_cast<unsigned>(level)));
    RC_ASSERT(stored.size() <= io::ChunkFilters::most_stored(values.size()));
    std::vector<std::byte> back(values.size());
    RC_ASSERT(filters.unpack(stored, back));
    RC_ASSERT(back == values);
}

TEST(ChunkFilters, RefuseWhatIsNotAChunkOfThatSize) {
    std::vector<std::uint8_t> numbers(400);
    std::iota(numbers.begin(), numbers.end(), std::uint8_t{0});
    const std::vector<std::byte> values = bytes_of(numbers);
    io::ChunkFilters filters(4, 6);
    const auto packed = filters.pack(values);
    const std::vector<std::byte> stored(packed.begin(), packed.end());
    std::vector<std::byte> back(values.size()), shorter(values.size() - 4), longer(values.size() + 4);
    EXPECT_TRUE(filters.unpack(stored, back));
    EXPECT_FALSE(filters.unpack(stored, shorter));
    EXPECT_FALSE(filters.unpack(stored, longer));
    for (std::size_t size = 0; size < stored.size(); ++size)
        EXPECT_FALSE(filters.unpack(std::span(stored).first(size), back)) << size;
    for (std::size_t i = 0; i < stored.size(); ++i) {
        std::vector<std::byte> flipped = stored;
        flipped[i] ^= std::byte{4};
        EXPECT_FALSE(filters.unpack(flipped, back)) << i;
    }
}

// A sum by hand: words 0x0102 and 0x0304, then 0x0500.
TEST(ChunkFilters, SumAsFletcherDoes) {
    EXPECT_EQ(io::fletcher32({}), 0U);
    EXPECT_EQ(io::fletcher32(bytes_of({1, 2, 3, 4})), (0x0102U + 0x0406U) << 16U | 0x0406U);
    EXPECT_EQ(io::fletcher32(bytes_of({1, 2, 3, 4, 5})), (0x0102U + 0x0406U + 0x0906U) << 16U | 0x0906U);
    EXPECT_EQ(io::fletcher32(bytes_of({0xff, 0xff, 0, 1})), 0x00010001U);  // 65535 + 1, less 65535
}

}  // namespace
