#include "io/hdf5_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/spoilt_file.h"
#include "tests/io/temporary_folder.h"

namespace {

class Hdf5 : public testing::Test {
  protected:
    // A file with /group/values = 0..99 (u32), /group/table [3, 2] (f64), texts and attributes.
    void write() {
        io::Hdf5File file = io::Hdf5File::create(path_, path_);
        io::Hdf5Group group = file.root().create_group("group");
        io::Hdf5Dataset values = group.create_dataset<std::uint32_t>("values", {{}, 16, false});
        for (std::uint32_t i = 0; i < 100; i += 50) {
            std::vector<std::uint32_t> rows(50);
            for (std::uint32_t j = 0; j < 50; ++j) rows[j] = i + j;
            values.append(std::span<const std::uint32_t>(rows));
        }
        values.set_attribute("units", "µs");
        values.set_attribute("count", std::uint64_t{1} << 63);
        values.close();
        io::Hdf5Dataset table = group.create_dataset<double>("table", {{2}, 4, false});
        const std::vector<double> numbers{1, 2, 3, 4, 5, 6};
        table.append(std::span<const double>(numbers));
        table.close();
        group.write_texts("texts", {"one", "", "drei"});
        group.close();
        file.close();
    }
    // The message of the InputError that reading ends with.
    std::string refusal(const std::function<void(const io::Hdf5Group&)>& read) {
        try {
            const io::Hdf5File file = io::Hdf5File::open(path_);
            read(file.root().group("group"));
        } catch (const engine::InputError& error) {
            return error.what();
        }
        return "";
    }
    tests::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "file.h5";
};

TEST_F(Hdf5, WhatWasWrittenIsRead) {
    write();
    const io::Hdf5File file = io::Hdf5File::open(path_);
    const io::Hdf5Group group = file.root().group("group");
    EXPECT_EQ(group.names(), (std::vector<std::string>{"values", "table", "texts"}));
    EXPECT_EQ(group.dataset("values").read_rows<std::uint32_t>(48, 4), (std::vector<std::uint32_t>{48, 49, 50, 51}));
    io::Hdf5Buffer buffer;
    for (const std::uint64_t count : {2U, 40U, 3U}) {  // memory that grows and is used again
        const auto rows = group.dataset("values").read_rows<std::uint32_t>(48, count, buffer);
        ASSERT_EQ(rows.size(), count);
        for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(rows[i], 48 + i);
    }
    EXPECT_EQ(group.dataset("table").shape(), (std::vector<std::uint64_t>{3, 2}));
    EXPECT_EQ(group.dataset("table").read_rows<double>(1, 2), (std::vector<double>{3, 4, 5, 6}));
    EXPECT_EQ(group.read_texts("texts"), (std::vector<std::string>{"one", "", "drei"}));
    EXPECT_EQ(group.dataset("values").text_attribute("units"), "µs");
    EXPECT_EQ(group.dataset("values").integer_attribute("count"), std::uint64_t{1} << 63);
}

TEST_F(Hdf5, WhatIsNotThereIsRefusedByName) {
    write();
    EXPECT_EQ(refusal([](const auto& g) { (void)g.dataset("absent"); }),
              path_.string() + ": /group: the dataset 'absent' is missing");
    EXPECT_EQ(refusal([](const auto& g) { (void)g.dataset("values").text_attribute("absent"); }),
              path_.string() + ": /group/values: the attribute 'absent' is missing");
    EXPECT_EQ(refusal([](const auto& g) { (void)g.dataset("values").text_attribute("count"); }),
              path_.string() + ": /group/values: the attribute 'count' is not a text");
}

TEST_F(Hdf5, OtherTypesAndRowsBeyondTheEndAreRefused) {
    write();
    EXPECT_THAT(refusal([](const auto& g) { (void)g.dataset("values").template read<std::uint64_t>(); }),
                testing::HasSubstr("/group/values: holds elements of another type"));
    EXPECT_THAT(refusal([](const auto& g) { (void)g.dataset("values").template read_rows<std::uint32_t>(90, 11); }),
                testing::HasSubstr("are beyond its 100 rows"));
}

TEST_F(Hdf5, ShapesThatCannotBeAreRefused) {
    const std::string values = path_.string() + ": /group/values: ", texts = path_.string() + ": /group/texts: ";
    const auto read_values = [](const auto& g) { (void)g.dataset("values").template read_rows<std::uint32_t>(0, 1); };
    const auto read_all_values = [](const auto& g) { (void)g.dataset("values").template read<std::uint32_t>(); };
    const auto read_texts = [](const auto& g) { (void)g.read_texts("texts"); };
    const auto spoil = [&](const std::function<void(tests::SpoiltFile&)>& change) {
        write();
        tests::SpoiltFile file(path_);
        change(file);
    };
    spoil([](auto& file) { file.replace("/group/values", std::vector<std::uint32_t>{7}, {}); });
    EXPECT_EQ(refusal(read_values), values + "expected an array, found a scalar");
    EXPECT_EQ(refusal(read_all_values), values + "expected an array, found a scalar");
    constexpr hsize_t large = hsize_t{1} << 31;
    spoil([](auto& file) { file.replace_with_nothing("/group/values", H5T_NATIVE_UINT32, {large}); });
    EXPECT_EQ(refusal(read_all_values), values + "claims 2147483648 values, more than its stored bytes can hold");
    spoil([](auto& file) { file.replace_with_nothing("/group/values", H5T_NATIVE_UINT32, {large, large, large}); });
    EXPECT_EQ(refusal(read_all_values), values + "its shape is impossibly large");
    spoil([](auto& file) { file.replace("/group/texts", std::vector<std::uint32_t>{7}); });
    EXPECT_EQ(refusal(read_texts), texts + "expected texts");
    spoil([](auto& file) { file.replace_texts_with_nothing("/group/texts", 5); });
    EXPECT_EQ(refusal(read_texts), texts + "claims more texts than it stores");
}

TEST_F(Hdf5, AFileThatIsNoneIsRefused) {
    std::ofstream(path_) << "text";
    EXPECT_THROW(io::Hdf5File::open(path_), engine::InputError);
    EXPECT_THROW(io::Hdf5File::create(folder_ / "no/such/folder.h5", folder_ / "no/such/folder.h5"), engine::IoError);
}

TEST_F(Hdf5, AFlippedBitInAChunkIsRefused) {
    write();
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::size_t chunk = bytes.find("\x78\x9c");  // where a deflated stream begins
    ASSERT_NE(chunk, std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(chunk + 6));
    file.put(static_cast<char>(bytes[chunk + 6] ^ 4));
    file.close();
    EXPECT_THAT(refusal([](const auto& g) {
                    (void)g.dataset("values").template read<std::uint32_t>();
                    (void)g.dataset("table").template read<double>();
                }),
                testing::HasSubstr("cannot read"));
}

}  // namespace
