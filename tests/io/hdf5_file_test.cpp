#include "io/hdf5_file.h"

#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

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
        io::Hdf5Dataset table = group.create_dataset<double>("table", {{2}, 3, false, false, 3});
        const std::vector<double> numbers{1, 2, 3, 4, 5, 6};
        table.write(std::span<const double>(numbers));
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

TEST_F(Hdf5, TheReasonIsTold) {
    const std::filesystem::path nowhere = folder_ / "no/such/folder.h5";
    EXPECT_THAT(
        [&] { io::Hdf5File::create(nowhere, nowhere); },
        testing::ThrowsMessage<engine::IoError>(nowhere.string() + ": cannot create: No such file or directory"));
    std::ofstream(path_) << "text";
    EXPECT_EQ(refusal([](const auto&) {}), path_.string() + ": cannot open as HDF5: file signature not found");
}

// An HDF5 file open for changes.
class ChangedFile {
  public:
    explicit ChangedFile(const std::filesystem::path& path)
        : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)),
          group_(H5Gopen2(file_, "group", H5P_DEFAULT)) {
        EXPECT_GE(H5Ldelete(group_, "values", H5P_DEFAULT), 0);
    }
    ChangedFile(const ChangedFile&) = delete;
    ChangedFile& operator=(const ChangedFile&) = delete;
    ~ChangedFile() {
        H5Gclose(group_);
        EXPECT_GE(H5Fclose(file_), 0);
    }
    hid_t group() const { return group_; }

    // A hundred numbers of 32 bits.
    void create_values(const std::function<void(hid_t properties)>& set) {
        const hsize_t count = 100;
        const hid_t space = H5Screate_simple(1, &count, nullptr), properties = H5Pcreate(H5P_DATASET_CREATE);
        set(properties);
        const hid_t made = H5Dcreate2(group_, "values", H5T_STD_U32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
        EXPECT_GE(made, 0);
        H5Dclose(made);
        H5Pclose(properties);
        H5Sclose(space);
    }

  private:
    hid_t file_, group_;
};

// Elsewhere is a pipe that nobody writes to: to look at it would be to wait for ever.
TEST_F(Hdf5, WhatStandsElsewhereIsRefusedAndNotLookedAt) {
    const std::filesystem::path pipe = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::string group = path_.string() + ": /group: ", values = path_.string() + ": /group/values: ";
    const auto refused = [&](const std::function<void(ChangedFile&)>& change) {
        write();
        {
            ChangedFile file(path_);
            change(file);
        }
        return refusal([](const auto& g) { (void)g.dataset("values").template read<std::uint32_t>(); });
    };
    const std::string link = "'values' is a link to something else; a file of Tessera has no such links";
    EXPECT_EQ(refused([&](auto& file) {
                  H5Lcreate_external(pipe.c_str(), "/x", file.group(), "values", H5P_DEFAULT, H5P_DEFAULT);
              }),
              group + link);
    EXPECT_EQ(
        refused([&](auto& file) { H5Lcreate_soft("/group/table", file.group(), "values", H5P_DEFAULT, H5P_DEFAULT); }),
        group + link);
    const std::string elsewhere = "its values are in another file; a file of Tessera holds all of its own";
    EXPECT_EQ(refused([&](auto& file) {
                  file.create_values([&](hid_t properties) { H5Pset_external(properties, pipe.c_str(), 0, 400); });
              }),
              values + elsewhere);
    EXPECT_EQ(refused([&](auto& file) {
                  file.create_values([&](hid_t properties) {
                      const hsize_t count = 100;
                      const hid_t space = H5Screate_simple(1, &count, nullptr);
                      H5Pset_virtual(properties, space, pipe.c_str(), "/x", space);
                      H5Sclose(space);
                  });
              }),
              values + elsewhere);
}

TEST_F(Hdf5, ForeignFiltersAndHugeChunksAreRefused) {
    const std::string values = path_.string() + ": /group/values: ";
    const auto refused = [&](hsize_t chunk, const std::function<void(hid_t)>& set) {
        write();
        {
            ChangedFile file(path_);
            const hsize_t count = 0, most = H5S_UNLIMITED;
            const hid_t space = H5Screate_simple(1, &count, &most), properties = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_chunk(properties, 1, &chunk);
            set(properties);
            H5Dclose(H5Dcreate2(file.group(), "values", H5T_STD_U32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
            H5Pclose(properties);
            H5Sclose(space);
        }
        return refusal([](const auto& g) { (void)g.dataset("values").template read<std::uint32_t>(); });
    };
    EXPECT_EQ(refused(16, [](hid_t) {}), "");
    EXPECT_EQ(refused(16, [](hid_t properties) { H5Pset_nbit(properties); }),
              values + "is stored with filter 5, which a file of Tessera does not use");
    EXPECT_EQ(refused(16,
                      [](hid_t properties) {
                          H5Pset_deflate(properties, 6);
                          H5Pset_deflate(properties, 6);
                      }),
              values + "is compressed more than once");
    EXPECT_EQ(refused((16 << 20) + 1, [](hid_t) {}), values + "has chunks of more than 67108864 bytes");
}

// References to texts as they are stored: length, address of the heap, number in the heap.
class TextReferences : public Hdf5 {
  protected:
    static constexpr std::size_t bytes = 16;

    // Writes the file and lets `change` change it: its bytes, and where the reference of the text of four letters is.
    void change(const std::function<void(std::string&, std::size_t)>& change) {
        write();
        std::ifstream file(path_, std::ios::binary);
        std::string content{std::istreambuf_iterator<char>(file), {}};
        const std::size_t heap = content.find("GCOL");
        ASSERT_NE(heap, std::string::npos);
        std::string start{4, 0, 0, 0};
        for (int shift = 0; shift < 64; shift += 8) start += static_cast<char>(heap >> shift);
        const std::size_t reference = content.find(start);
        ASSERT_NE(reference, std::string::npos);
        change(content, reference);
        std::ofstream(path_, std::ios::binary) << content;
    }
    std::string refused() {
        return refusal([](const auto& g) { (void)g.read_texts("texts"); });
    }
    const std::string row_2_ = path_.string() + ": /group/texts: row 2: points to no text of its own in the file";
};

TEST_F(TextReferences, ThatPointNowhereAreRefused) {
    change([](std::string&, std::size_t) {});
    EXPECT_EQ(refused(), "");
    change([](std::string& file, std::size_t at) { file[at + 12] = file[at + 13] = '\xff'; });
    EXPECT_EQ(refused(), row_2_);  // beyond its heap: HDF5 1.10 reads there
    change([](std::string& file, std::size_t at) { file[at + 12] = 0; });
    EXPECT_EQ(refused(), row_2_);  // the free rest of the heap
    change([](std::string& file, std::size_t at) { file[at] = 5; });
    EXPECT_EQ(refused(), row_2_);  // longer than the text
    change([](std::string& file, std::size_t at) { file[at + 3] = '\x7f'; });
    EXPECT_EQ(refused(), row_2_);  // longer than the file
    for (const std::size_t byte : {4U, 6U, 11U}) {
        change([&](std::string& file, std::size_t at) { file[at + byte] ^= '\x11'; });
        EXPECT_EQ(refused(), row_2_);  // another place, and beyond the file
    }
}

TEST_F(TextReferences, OfHeapsThatAreNoneAreRefused) {
    const auto change_heap = [&](std::size_t byte, char value) {
        change([&](std::string& file, std::size_t) { file[file.find("GCOL") + byte] = value; });
        return refused();
    };
    const std::string row_0 = path_.string() + ": /group/texts: row 0: points to no text of its own in the file";
    EXPECT_EQ(change_heap(0, 'X'), row_0);
    EXPECT_EQ(change_heap(4, 2), row_0);        // of a later version
    EXPECT_EQ(change_heap(15, '\x7f'), row_0);  // of 2^62 bytes
    EXPECT_EQ(change_heap(9, 0), row_0);        // of no bytes
}

TEST_F(TextReferences, ManyToOneTextAreRefused) {
    io::Hdf5File file = io::Hdf5File::create(path_, path_);
    io::Hdf5Group group = file.root().create_group("group");
    std::vector<std::string> texts(50, "abcd");
    texts[0] = std::string(100'000, 'x');
    group.write_texts("texts", texts);
    group.close();
    file.close();
    std::ifstream stored(path_, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(stored), {}};
    const std::size_t first = content.find(std::string("\xa0\x86\x01\0", 4));  // its length
    ASSERT_NE(first, std::string::npos);
    for (std::size_t row = 1; row < texts.size(); ++row)
        content.replace(first + row * bytes, bytes, content.substr(first, bytes));
    std::ofstream(path_, std::ios::binary) << content;
    EXPECT_EQ(refused(), path_.string() + ": /group/texts: row 1: points to no text of its own in the file");
}

TEST_F(TextReferences, OfAttributesThatPointNowhereAreRefused) {
    write();
    std::ifstream file(path_, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(file), {}};
    const std::size_t heap = content.find("GCOL");
    std::string start{3, 0, 0, 0};  // "µs" takes three bytes
    for (int shift = 0; shift < 64; shift += 8) start += static_cast<char>(heap >> shift);
    const std::size_t reference = content.find(start);
    ASSERT_NE(reference, std::string::npos);
    EXPECT_EQ(refusal([](const auto& g) { (void)g.dataset("values").text_attribute("units"); }), "");
    content[reference + 13] = '\x7f';
    std::ofstream(path_, std::ios::binary) << content;
    const std::string message = refusal([](const auto& g) { (void)g.dataset("values").text_attribute("units"); });
    EXPECT_THAT(message, testing::AnyOf(testing::HasSubstr("points to no text of the file"),
                                        testing::HasSubstr("cannot")));  // or a checksum of HDF5's finds it
}

}  // namespace
