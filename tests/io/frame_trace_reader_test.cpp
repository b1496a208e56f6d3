// Frame traces with a sound label whose parts do not fit together are refused by dataset and row.
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/frame_trace_file.h"
#include "io/frame_trace_layout.h"
#include "tests/io/sample_trace.h"
#include "tests/io/spoilt_file.h"
#include "tests/io/temporary_folder.h"

namespace {

using tests::SpoiltFile;
using U8 = std::vector<std::uint8_t>;
using U16 = std::vector<std::uint16_t>;
using U32 = std::vector<std::uint32_t>;
using U64 = std::vector<std::uint64_t>;

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const engine::InputError& error) {
        return error.what();
    }
    return "no error";
}

struct Spoilt {
    const char* name;     // of the test
    const char* message;  // after the name of the file
    std::function<void(SpoiltFile&)> spoil;
};

class FrameTraceReader : public testing::TestWithParam<Spoilt> {};

TEST_P(FrameTraceReader, RefusesPartsThatDoNotFitTogether) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path path = folder / "t.h5";
    {
        io::FrameTraceWriter writer(path, {"tessera test", "sample.vtr", ""});
        writer.append(tests::SampleTrace().frame(10), "png of frame 10");
        writer.finish(tests::SampleTrace::programs());
    }
    {
        SpoiltFile file(path);
        GetParam().spoil(file);
    }
    io::write_label(path, io::frame_trace_kind);
    const std::string message = message_of([&] {
        const io::FrameTraceFile file(path);
        (void)file.load(0);
    });
    EXPECT_THAT(message, testing::StartsWith(path.string() + ": " + GetParam().message));
}

// A dataset with other values, of one axis.
template <class T>
Spoilt values(const char* name, const char* message, const char* dataset, const std::vector<T>& instead) {
    return {name, message, [=](SpoiltFile& file) { file.replace(dataset, instead); }};
}

// The operands of the eleven instructions, all of them of this value.
Spoilt operands(const char* name, const char* message, const char* dataset, std::uint8_t value) {
    return {name, message, [=](SpoiltFile& file) { file.replace(dataset, U8(55, value), {11, 5}); }};
}

const auto name_of = [](const testing::TestParamInfo<Spoilt>& spoilt) { return spoilt.param.name; };

// Three programs of 3, 3 and 5 instructions, with two paths each: of 1 and 1, 1 and 2, 1 and 3 runs.
INSTANTIATE_TEST_SUITE_P(
    Programs, FrameTraceReader,
    testing::Values(
        values("NoStage", "/programs/stage: row 1 is none of 0, 1 and 2", "/programs/stage", U8{0, 3, 2}),
        values("ManyInstructions", "/programs/instruction_count: row 2 is more than /instructions holds",
               "/programs/instruction_count", U32{3, 3, 6}),
        Spoilt{"InstructionsOfNoProgram", "/instructions: row 10 belongs to no program",
               [](SpoiltFile& file) {
                   file.replace("/programs/instruction_count", U32{3, 3, 4});
                   file.replace("/path_runs/count", U16{3, 1, 3, 1, 1, 4, 2, 1, 1});
               }},
        values("ManyPaths", "/programs/path_count: row 2 is more than /paths holds", "/programs/path_count",
               U32{2, 2, 3}),
        values("PathsOfNoProgram", "/paths: row 5 belongs to no program", "/programs/path_count", U32{2, 2, 1}),
        values("ManyRuns", "/paths/run_count: row 5 is more than /path_runs holds", "/paths/run_count",
               U32{1, 1, 1, 2, 1, 4}),
        values("RunsOfNoPath", "/path_runs: row 8 belongs to no path", "/paths/run_count", U32{1, 1, 1, 2, 1, 2}),
        values("LongRun", "/path_runs: row 2 goes beyond the end of its program", "/path_runs/count",
               U16{3, 1, 4, 1, 1, 5, 2, 1, 2}),
        values("NoLanes", "/path_runs/lanes: row 4 has no lane", "/path_runs/lanes",
               U32{1, 1, 15, 15, 0, 0xffffffff, 1, 1, 1}),
        values("ManyLanes", "/path_runs/lanes: row 2 has no lane, or one that groups of its program do not have",
               "/path_runs/lanes", U32{1, 1, 16, 15, 6, 0xffffffff, 1, 1, 1}),
        values("Class", "/instructions/class: row 0 is more than 6", "/instructions/class", U8(11, 7)),
        values("Dependent", "/instructions/dependent: row 0 is neither 0 nor 1", "/instructions/dependent", U8(11, 2)),
        values("OpcodeWithoutName", "/instructions/opcode: row 0 is not in opcode_names", "/instructions/opcode",
               U8(11, 255)),
        Spoilt{"UnknownOpcode", "/instructions/opcode_names: row 1 names an unknown operation 'FLY'",
               [](SpoiltFile& file) { file.replace_texts("/instructions/opcode_names", {"MOV", "FLY"}); }},
        values("ManySources", "/instructions/source_count: row 2 is more than 4", "/instructions/source_count",
               U8{1, 2, 5, 1, 2, 2, 1, 2, 1, 1, 1}),
        values("TextureUnit", "/instructions/texture_unit: row 4 is out of range", "/instructions/texture_unit",
               U16{0, 1, 0, 0, 0x8000, 0, 0, 0, 0, 0, 0}),
        operands("RegisterFile", "/instructions/operand_file: row 0 is not in register_files",
                 "/instructions/operand_file", static_cast<std::uint8_t>(models::RegisterFile::shared_memory) + 1),
        operands("Components", "/instructions/operand_components: row 0 is more than 15",
                 "/instructions/operand_components", 16),
        operands("Indirect", "/instructions/operand_indirect: row 0 is neither 0 nor 1",
                 "/instructions/operand_indirect", 2),
        values("Shape", "/programs/inputs: has an unexpected shape", "/programs/inputs", U16{1, 2, 3, 4}),
        values("Operands", "/instructions/operand_index: has an unexpected shape", "/instructions/operand_index",
               U16(55, 0)),
        values("Type", "/programs/stage: holds elements of another type than expected", "/programs/stage",
               U16{0, 1, 2}),
        Spoilt{"Texts", "/programs/text: has another length than /programs/stage",
               [](SpoiltFile& file) { file.replace_texts("/programs/text", {"VERT"}); }},
        Spoilt{"RegisterFiles", "/instructions/register_files: names other register files than this version knows",
               [](SpoiltFile& file) { file.replace_texts("/instructions/register_files", {"none", "constant"}); }},
        Spoilt{"NoDataset", "/instructions: the dataset 'source_count' is missing",
               [](SpoiltFile& file) { file.remove("/instructions/source_count"); }},
        Spoilt{"NoGroup", "the group 'paths' is missing", [](SpoiltFile& file) { file.remove("/paths"); }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    ProgramSizes, FrameTraceReader,
    testing::Values(Spoilt{"ManyOpcodes", "/instructions/opcode_names: expected at most 256 texts, found 257",
                           [](SpoiltFile& file) {
                               file.replace_texts("/instructions/opcode_names", std::vector<const char*>(257, "MOV"));
                           }},
                    Spoilt{"LongOpcode", "/instructions/opcode_names: row 0 names an operation with 65 letters",
                           [](SpoiltFile& file) {
                               const std::string name(65, 'A');
                               file.replace_texts("/instructions/opcode_names", {name.c_str()});
                           }},
                    values("ManyPrograms", "/programs/stage: expected at most 65536 rows, found 65537",
                           "/programs/stage", U8(65537, 0)),
                    values("ManyInstructions", "/instructions/opcode: expected at most 4194304 rows, found 4194305",
                           "/instructions/opcode", U8((1 << 22) + 1, 0))),
    name_of);

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

Spoilt check(const char* name, const char* message, const char* dataset, double value) {
    return values(name, message, dataset, std::vector<double>{value});
}

INSTANTIATE_TEST_SUITE_P(
    Checks, FrameTraceReader,
    testing::Values(
        check("PsnrNaN", "/frames: row 0: image_psnr: expected at least 0 dB, or infinite", "/frames/image_psnr",
              not_a_number),
        check("PsnrMinusInfinite", "/frames: row 0: image_psnr: expected at least 0 dB, or infinite",
              "/frames/image_psnr", -infinite),
        check("PsnrNegative", "/frames: row 0: image_psnr: expected at least 0 dB, or infinite", "/frames/image_psnr",
              -1),
        check("SsimNaN", "/frames: row 0: image_ssim: expected -1 to 1", "/frames/image_ssim", not_a_number),
        check("SsimLarge", "/frames: row 0: image_ssim: expected -1 to 1", "/frames/image_ssim", 1.5),
        check("ShareNaN", "/frames: row 0: image_share_off: expected 0 to 1", "/frames/image_share_off", not_a_number),
        check("ShareLarge", "/frames: row 0: image_share_off: expected 0 to 1", "/frames/image_share_off", 1.01),
        values("Checked", "/frames/image_checked: row 0: expected 0 or 1, found 2", "/frames/image_checked", U8{2})),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Attributes, FrameTraceReader,
    testing::Values(Spoilt{"FrameCount", "the attribute 'frame_count' is 7, but /frames/number has 1 rows",
                           [](SpoiltFile& file) { file.replace_attribute("frame_count", 7); }},
                    Spoilt{"SchemaVersion", "the attribute 'schema_version' is 99, expected 5",
                           [](SpoiltFile& file) { file.replace_attribute("schema_version", 99); }},
                    Spoilt{"SchemaText", "the attribute 'schema_version' is not an integer",
                           [](SpoiltFile& file) { file.replace_attribute("schema_version", "2"); }},
                    Spoilt{"NoSource", "the attribute 'source' is missing",
                           [](SpoiltFile& file) { file.remove_attribute("source"); }}),
    name_of);

TEST(FrameTraceNumbers, OnceEachAndAscending) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path path = folder / "t.h5";
    for (const U32& numbers : {U32{10, 10}, U32{11, 10}}) {
        {
            io::FrameTraceWriter writer(path, {"tessera test", "sample.vtr", ""});
            for (const std::uint32_t number : {10U, 11U}) writer.append(tests::SampleTrace().frame(number), "png");
            writer.finish(tests::SampleTrace::programs());
        }
        {
            SpoiltFile file(path);
            file.replace("/frames/number", numbers);
        }
        io::write_label(path, io::frame_trace_kind);
        EXPECT_EQ(
            message_of([&] { const io::FrameTraceFile file(path); }),
            path.string() + ": /frames/number: row 1: expected more than " + std::to_string(numbers[0]) + ", found 10");
    }
}

INSTANTIATE_TEST_SUITE_P(
    Frames, FrameTraceReader,
    testing::Values(values("Shape", "/frames/image_psnr: has an unexpected shape", "/frames/image_psnr",
                           std::vector<double>{50, 50}),
                    values("Width", "/frames/quads_rows: has an unexpected shape", "/frames/quads_rows", U64{0}),
                    Spoilt{"Backwards", "/frames/quads_rows: row 0: ends before it begins",
                           [](SpoiltFile& file) { file.replace("/frames/quads_rows", U64{2, 1}, {1, 2}); }},
                    Spoilt{"BeyondTheEnd", "/images/png: rows 0 to 0+99 are beyond its 15 rows",
                           [](SpoiltFile& file) { file.replace("/frames/image_rows", U64{0, 99}, {1, 2}); }},
                    Spoilt{"Digest", "the digest of its programs and frames is ",
                           [](SpoiltFile& file) { file.replace_attribute("digest", "0"); }},
                    values("Content", "frame 10: its content does not match /frames/digest", "/images/png", U8(15, 7)),
                    Spoilt{"LongImage", "/images/png: frame 10: expected a PNG of at most 1048576 bytes, found 1048577",
                           [](SpoiltFile& file) {
                               file.replace("/images/png", U8((1 << 20) + 1, 7));
                               file.replace("/frames/image_rows", U64{0, (1 << 20) + 1}, {1, 2});
                           }},
                    values("NoTruth", "/passes/depth_load: row 0: impossible value", "/passes/depth_load", U8{2}),
                    Spoilt{"NoMemorySpace", "/memory_accesses/space: row 0: impossible value",
                           [](SpoiltFile& file) { file.set_number("/memory_accesses/space", 3); }},
                    values("FewColours", "/colours: not as many rows as /passes/colour_count says",
                           "/passes/colour_count", U32{1}),
                    values("ManyColours", "/colours: not as many rows as /passes/colour_count says",
                           "/passes/colour_count", U32{3})),
    name_of);

}  // namespace
