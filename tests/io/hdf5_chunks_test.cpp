#include "io/hdf5_chunks.h"

#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/hdf5_file.h"
#include "models/functional/workers.h"
#include "tests/io/temporary_folder.h"

namespace {

using models::functional::Workers;

constexpr std::uint64_t chunk_rows = 64;

std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i * i / 7);
    return values;
}

class Hdf5Chunks : public testing::Test {
  protected:
    // Appends values piece by piece, as `append` does it.
    void write(const std::vector<std::size_t>& pieces,
               const std::function<void(io::Hdf5File&, const std::function<void()>&)>& append) {
        io::Hdf5File file = io::Hdf5File::create(path_, path_);
        io::Hdf5Group group = file.root().create_group("group");
        io::Hdf5Dataset values = group.create_dataset<std::uint32_t>("values", {{}, chunk_rows, false});
        std::size_t first = 0;
        for (const std::size_t count : pieces) {
            append(file, [&] { values.append(std::span(all_).subspan(first, count)); });
            first += count;
        }
        values.close();
        group.close();
        file.close();
    }
    void write_packed(const std::vector<std::size_t>& pieces) {
        write(pieces, [&](io::Hdf5File& file, const auto& append) { file.pack_with(workers_, append); });
    }
    // The values from `first` on, or what they are refused with.
    std::string read(std::uint64_t first, std::uint64_t count, bool unpacked_here, std::vector<std::uint32_t>& values) {
        try {
            const io::Hdf5File file = io::Hdf5File::open(path_);
            const io::Hdf5Dataset dataset = file.root().group("group").dataset("values");
            const auto rows = [&] { values = dataset.read_rows<std::uint32_t>(first, count); };
            unpacked_here ? file.pack_with(workers_, rows) : rows();
        } catch (const engine::InputError& error) {
            return error.what();
        }
        return "";
    }
    std::string bytes() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    const Workers workers_{3};
    const std::vector<std::uint32_t> all_ = numbers(40 * chunk_rows + 5);
    tests::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "file.h5";
};

TEST_F(Hdf5Chunks, AreThoseThatHdf5WouldStore) {
    const std::vector<std::size_t> pieces{10, 20 * chunk_rows, 7, 5 * chunk_rows, 14 * chunk_rows + 3};
    write_packed(pieces);
    std::vector<std::uint32_t> values;
    EXPECT_EQ(read(0, 39 * chunk_rows + 20, false, values), "");
    EXPECT_EQ(values, numbers(39 * chunk_rows + 20));
    const std::size_t packed = bytes().size();
    write(pieces, [](io::Hdf5File&, const auto& append) { append(); });
    EXPECT_EQ(bytes().size(), packed);
}

TEST_F(Hdf5Chunks, AreReadFromAnyRowToAnyOther) {
    write_packed({all_.size()});
    for (const std::uint64_t first : {0U, 1U, 63U, 64U, 65U, 700U})
        for (const std::uint64_t count : {0U, 1U, 64U, 255U, 256U, 257U, 1000U, 1860U}) {
            std::vector<std::uint32_t> values;
            EXPECT_EQ(read(first, count, true, values), "");
            EXPECT_TRUE(std::equal(values.begin(), values.end(), all_.begin() + static_cast<std::ptrdiff_t>(first),
                                   all_.begin() + static_cast<std::ptrdiff_t>(first + count)))
                << first << ", " << count;
        }
}

TEST_F(Hdf5Chunks, OfOtherTypesAreRefusedAsEver) {
    write_packed({all_.size()});
    const io::Hdf5File file = io::Hdf5File::open(path_);
    const io::Hdf5Dataset dataset = file.root().group("group").dataset("values");
    EXPECT_THROW(file.pack_with(workers_, [&] { (void)dataset.read<std::uint64_t>(); }), engine::InputError);
    EXPECT_EQ(dataset.read<std::uint32_t>(), all_);  // the threads are gone, the file is as good as before
}

// A changed byte anywhere: what HDF5 says of it, or the values that it finds.
TEST_F(Hdf5Chunks, ThatAreDamagedAreLeftToHdf5) {
    write_packed({all_.size()});
    const std::string sound = bytes();
    int refused = 0;
    for (std::size_t at = 100; at < sound.size(); at += 37) {
        std::string changed = sound;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        std::ofstream(path_, std::ios::binary) << changed;
        std::vector<std::uint32_t> expected, found;
        const std::string reason = read(0, all_.size(), false, expected);
        EXPECT_EQ(read(0, all_.size(), true, found), reason) << at;
        EXPECT_EQ(found, expected) << at;
        refused += reason.empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 20);
}

}  // namespace
