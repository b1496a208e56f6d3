#include "io/address_trace.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

using io::AddressTrace;

class AddressTraceTest : public testing::Test {
  protected:
    AddressTrace read(const std::string& text, std::uint64_t memory = 1 << 30) {
        std::ofstream(path_, std::ios::binary) << text;
        return io::read_address_trace(path_, memory);
    }
    // What is refused, after the file's name.
    std::string error(const std::string& text, std::uint64_t memory = 1 << 30) {
        try {
            read(text, memory);
        } catch (const engine::InputError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(path_.string() + ":"));
            return std::string(error.what()).substr(path_.string().size() + 1);
        }
        return "";
    }
    // Reads and writes by the reader: " R0x40 W0x80"; or what is refused, after the file's name.
    std::string requests(const std::string& text, std::vector<io::TraceFormat> formats = all) {
        std::ofstream(path_, std::ios::binary) << text;
        std::ostringstream told;
        try {
            io::AddressTraceReader reader(path_, formats);
            for (AddressTrace::Access access; reader.next(access);)
                told << (access.is_write ? " W" : " R") << "0x" << std::hex << access.address;
        } catch (const engine::InputError& error) {
            return std::string(error.what()).substr(path_.string().size() + 1);
        }
        return told.str();
    }
    inline static const std::vector<io::TraceFormat> all{io::TraceFormat::dramsim3, io::TraceFormat::ramulator,
                                                         io::TraceFormat::list, io::TraceFormat::din};
    tests::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "t.trace";
};

TEST_F(AddressTraceTest, HasTheCyclesOfDramSim3) {
    const AddressTrace trace = read("0x1A40 READ 10\n\n  0x80\tWRITE 10 \r\n128 READ 25");
    EXPECT_TRUE(trace.has_cycles);
    ASSERT_EQ(trace.accesses.size(), 3U);
    EXPECT_EQ(trace.accesses[0].address, 0x1a40U);
    EXPECT_FALSE(trace.accesses[0].is_write);
    EXPECT_TRUE(trace.accesses[1].is_write);
    EXPECT_EQ(trace.accesses[2].address, 128U);
    EXPECT_EQ(trace.accesses[2].cycle, 25U);
}

TEST_F(AddressTraceTest, IsOneOfThoseOfRamulator) {
    for (const char* text : {"LD 0x40\nST 0x80\n", "R 64\nW 128\n", "0x40 R\n0x80 W\n"}) {
        const AddressTrace trace = read(text);
        EXPECT_FALSE(trace.has_cycles);
        ASSERT_EQ(trace.accesses.size(), 2U) << text;
        EXPECT_EQ(trace.accesses[0].address, 64U);
        EXPECT_FALSE(trace.accesses[0].is_write);
        EXPECT_EQ(trace.accesses[1].address, 128U);
        EXPECT_TRUE(trace.accesses[1].is_write);
    }
}

TEST_F(AddressTraceTest, SaysWhereItIsMalformedAndWhatWasExpected) {
    const std::string kinds = "expected ADDRESS READ|WRITE CYCLE, LD|ST ADDRESS, R|W ADDRESS or ADDRESS R|W, found ";
    EXPECT_EQ(error("hello world\n"), "1:1: " + kinds + "hello");
    EXPECT_EQ(error("0x40\n"), "1:1: " + kinds + "0x40");
    EXPECT_EQ(error("LD 0x40\nSD 0x80\n"), "2:1: expected LD or ST, found SD");
    EXPECT_EQ(error("LD 0x40\nST\n"), "2:3: expected an address, decimal or 0x..., found the end of the line");
    EXPECT_EQ(error("LD 0x40\n\n ST 0x8g\n"), "3:5: expected an address, decimal or 0x..., found 0x8g");
    EXPECT_EQ(error("LD -64\n"), "1:4: expected an address, decimal or 0x..., found -64");
    EXPECT_EQ(error("LD 0x\n"), "1:4: expected an address, decimal or 0x..., found 0x");
    EXPECT_EQ(error("LD 0x10000000000000000\n"),
              "1:4: expected an address, decimal or 0x..., found 0x10000000000000000");
    EXPECT_EQ(error("LD 64 7\n"), "1:7: expected the end of the line, found 7");
    EXPECT_EQ(error("R 0 1 2 3 4\n"), "1:5: expected the end of the line, found 1");
    EXPECT_EQ(error("R 0,0,1,2\n"), "1:3: expected an address, decimal or 0x..., found 0,0,1,2");  // a place
    EXPECT_EQ(error("0x40 READ 5\n0x40 FETCH 6\n"), "2:6: expected READ or WRITE, found FETCH");
    EXPECT_EQ(error("0x40 READ 5\n0x40 READ 4\n"),
              "2:11: expected a cycle not before 5, that of the line before, found 4");
    EXPECT_EQ(error("0x40 READ\n"), "1:10: expected a cycle, found the end of the line");
    EXPECT_EQ(error("0x40 READ 99999999999999999999\n"), "1:11: expected a cycle, found 99999999999999999999");
    EXPECT_EQ(error("0x40 READ 5 6\n"), "1:13: expected the end of the line, found 6");
    EXPECT_EQ(error("LD \x01\x02\n"), R"(1:4: expected an address, decimal or 0x..., found \x01\x02)");
}

TEST_F(AddressTraceTest, DoesNotReachBeyondMemory) {
    EXPECT_EQ(read("LD 1023\n", 1024).accesses.size(), 1U);
    EXPECT_EQ(error("LD 0\nLD 1024\n", 1024), "2:4: expected an address below the 1024 bytes of memory, found 1024");
}

TEST_F(AddressTraceTest, IsNotEmptyOrOneEndlessLine) {
    EXPECT_EQ(error(""), " expected requests, found none");
    EXPECT_EQ(error("\n \n"), " expected requests, found none");
    EXPECT_THAT(error("LD 0\n" + std::string(3 << 20, ' ')),
                testing::StartsWith("2:65537: expected the end of the line"));
    EXPECT_THAT(error(std::string(3 << 20, 'x')), testing::StartsWith("1:65537: expected the end of the line"));
}

TEST_F(AddressTraceTest, TellsFormatsByTheFirstLine) {
    EXPECT_EQ(requests("0x40 READ 1\n0x80 WRITE 1\n"), " R0x40 W0x80");
    EXPECT_EQ(requests("LD 0x40\nST 0x80\n"), " R0x40 W0x80");
    EXPECT_EQ(requests("R 0x40\nW 0x80\n"), " R0x40 W0x80");
    EXPECT_EQ(requests("0x40 R\n0x80 W\n128\n"), " R0x40 W0x80 R0x80");
    EXPECT_EQ(requests("\n1000\n0x40\n0x80 W\n0 R\n"), " R0x3e8 R0x40 W0x80 R0x0");
    EXPECT_EQ(requests("1 7ffe0\n0 1000\n2 40 a comment of many words\n"), " W0x7ffe0 R0x1000 R0x40");
    EXPECT_EQ(requests("0 e\n"), " R0xe");
    EXPECT_EQ(requests("0xffffffffffffffff\n"), " R0xffffffffffffffff");
}

TEST_F(AddressTraceTest, DoesNotGuess) {
    const std::string clear =
        "expected an address that shows that the trace is din (with a digit a to f; else give --format din), found ";
    EXPECT_EQ(requests("0 1000\n0 7ffe0\n"), "1:3: " + clear + "1000");
    EXPECT_EQ(requests("2 0x40\n"), "1:3: " + clear + "0x40");
    const std::string kinds =
        "expected ADDRESS READ|WRITE CYCLE, LD|ST ADDRESS, R|W ADDRESS, ADDRESS, ADDRESS R|W or 0|1|2 HEXADDRESS, "
        "found ";
    EXPECT_EQ(requests("4 7ffe0\n"), "1:1: " + kinds + "4");  // a label that is not known
    EXPECT_EQ(requests("64 4\n"), "1:1: " + kinds + "64");    // an address and a size?
    EXPECT_EQ(requests("7ffe0 0\n"), "1:1: " + kinds + "7ffe0");
    EXPECT_EQ(requests("# addresses\n"), "1:1: " + kinds + "#");
    EXPECT_EQ(requests("beef\n"), "1:1: " + kinds + "beef");
    EXPECT_EQ(requests(""), " expected requests, found none");
}

TEST_F(AddressTraceTest, MayBeOfAKnownFormat) {
    const std::vector<io::TraceFormat> din{io::TraceFormat::din}, list{io::TraceFormat::list},
        dramsim3{io::TraceFormat::dramsim3}, ramulator{io::TraceFormat::ramulator};
    EXPECT_EQ(requests("0 1000\n1 0x40\n2 0 0\n", din), " R0x1000 W0x40 R0x0");
    EXPECT_EQ(requests("0 1000\n3 40\n", din),
              "2:1: expected 0 (a read), 1 (a write) or 2 (an instruction fetch), found 3");
    EXPECT_EQ(requests("0\n", din), "1:2: expected a hexadecimal address, found the end of the line");
    EXPECT_EQ(requests("0 xyz\n", din), "1:3: expected a hexadecimal address, found xyz");
    EXPECT_EQ(requests("0 10000000000000000\n", din), "1:3: expected a hexadecimal address, found 10000000000000000");
    EXPECT_EQ(requests("10\n0 1000\n", list), "2:3: expected R or W, found 1000");
    EXPECT_EQ(requests("10\n7ff0\n", list), "2:1: expected an address, decimal or 0x..., found 7ff0");
    EXPECT_EQ(requests("10 R 5\n", list), "1:6: expected the end of the line, found 5");
    EXPECT_EQ(requests("LD 10\n", list), "1:1: expected an address, decimal or 0x..., found LD");
    EXPECT_EQ(requests("10 R\n", dramsim3), "1:4: expected READ or WRITE, found R");
    EXPECT_EQ(requests("10 R\n20\n", ramulator), "2:3: expected R or W, found the end of the line");
    EXPECT_EQ(requests("10\n", ramulator), "1:1: expected LD|ST ADDRESS, R|W ADDRESS or ADDRESS R|W, found 10");
}

TEST_F(AddressTraceTest, SaysWhereAnAddressIs) {
    std::ofstream(path_) << "LD 0\n  ST   0x80\n";
    io::AddressTraceReader reader(path_, all);
    AddressTrace::Access access;
    EXPECT_TRUE(reader.next(access) && reader.next(access));
    EXPECT_THROW(
        try { reader.refuse_address("less"); } catch (const engine::InputError& error) {
            EXPECT_EQ(error.what(), path_.string() + ":2:8: expected less, found 0x80");
            throw;
        },
        engine::InputError);
}

TEST_F(AddressTraceTest, MayBeLong) {
    std::string text;
    for (int i = 0; i < 300'000; ++i)
        text += "0x" + std::to_string(i % 1000 * 100) + " READ " + std::to_string(i) + "\n";
    const AddressTrace trace = read(text);
    ASSERT_EQ(trace.accesses.size(), 300'000U);
    for (std::size_t i = 0; i < trace.accesses.size(); ++i) ASSERT_EQ(trace.accesses[i].cycle, i);
}

TEST_F(AddressTraceTest, IsAFileThatCanBeRead) {
    EXPECT_THROW(io::read_address_trace(folder_ / "absent", 1024), engine::IoError);
    EXPECT_THROW(io::read_address_trace(folder_.path(), 1024), engine::IoError);
}

}  // namespace
