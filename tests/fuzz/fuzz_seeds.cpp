// fuzz_seeds FOLDER: writes the seeds of the fuzz targets that are not text, FOLDER/TARGET/NAME, and dictionaries,
// FOLDER/TARGET.dict. Small ones: a fuzzer gets further with many short runs.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <zstd.h>

#include "models/functional/texture/format.h"
#include "models/shader/opcode.h"
#include "tests/models/functional/pipeline/compute_scene.h"
#include "tests/models/functional/pipeline/scene.h"

namespace {

using namespace models::functional;

std::filesystem::path folder;

void write(const std::string& target, const std::string& name, Bytes bytes) {
    std::filesystem::create_directories(folder / target);
    std::ofstream(folder / target / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void write(const std::string& target, const std::string& name, const std::string& text) {
    write(target, name, std::as_bytes(std::span(text)));
}

void write_scene(const std::string& name, Scene& scene) {
    scene.end_frame();
    write("vtest_fuzz", name, scene.stream.bytes().subspan(4));  // the target adds the magic
}

void write_scenes() {
    Scene clear(12, 10);
    clear.clear(Scene::clear_all, red);
    write_scene("clear", clear);

    Scene triangle(12, 10);
    triangle.clear(Scene::clear_all);
    triangle.depth_test(Scene::less_and_write);
    triangle.draw(whole_window(0), Scene::triangle_strip);
    write_scene("triangles", triangle);

    Scene sampled(12, 10);
    const std::uint32_t texture = sampled.texture(4, {WordList(16, 0xff8040ff), WordList(4, 0), WordList(1, 0)});
    sampled.blit(texture, 1, 2, texture, 0, 4);
    sampled.copy(sampled.texture(4, {WordList(16, 0)}), 1, 1, texture, 2);
    sampled.bind_texture(texture, 2, true);
    sampled.fragment_shader(branching);
    sampled.blend(Scene::translucent);
    sampled.vertices(whole_window(0));
    sampled.draw_indexed({0, 1, 2, 3, 4, 5}, Scene::triangles);
    write_scene("textured", sampled);

    Scene state(12, 10);
    state.rasterizer(Scene::scissored);
    state.commands.add(VirglCommand::set_scissor_state, {0, 2 | 2 << 16, 9 | 9 << 16})
        .add(VirglCommand::set_constant_buffer, {1, 0, 1, 2, 3, 4})
        .add(VirglCommand::set_uniform_buffer, {1, 1, 0, 0, 0})
        .add(VirglCommand::set_clip_state, WordList(32, 0))
        .add(VirglCommand::set_stencil_ref, {0x101});
    state.draw(whole_window(0), Scene::lines);
    state.draw(whole_window(0), Scene::points);
    write_scene("state", state);
}

// One block of each kind that has no plain channels, and a few texels of some that have.
void write_texels() {
    for (std::uint32_t number = 0; number < 512; ++number) {
        const FormatInfo* info = find_format(number);
        if (info == nullptr) continue;
        std::string bytes{static_cast<char>(number & 0xff), static_cast<char>(number >> 8)};
        for (int i = 0; i < 2 * info->block_bytes; ++i) bytes += static_cast<char>(i * 37 + static_cast<int>(number));
        write("texture_fuzz", format_name(number), bytes);
    }
}

void write_recordings() {
    Scene scene(4, 4);
    scene.clear(Scene::clear_all);
    scene.end_frame();
    const Bytes stream = scene.stream.bytes();
    write("recording_fuzz", "plain", stream);
    std::vector<std::byte> packed(ZSTD_compressBound(stream.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), stream.data(), stream.size(), 3));
    write("recording_fuzz", "zstd", packed);
}

void write_trace_changes() {
    for (int mode = 1; mode <= 3; ++mode)
        for (int column = 0; column < 160; column += mode < 3 ? 30 : 1) {  // files are slow
            std::string bytes{static_cast<char>(mode), static_cast<char>(column)};
            for (const int value : {0, 0, column, 0, 0, 0}) bytes += static_cast<char>(value);
            write("frame_trace_fuzz", std::to_string(mode) + "_" + std::to_string(column), bytes);
        }
    for (int dataset = 0; dataset < 220; dataset += 5)  // as many rows as `place`, and a value of 2^31
        for (const char* change :
             {"\x40\x00\x00\x00\x00\x00\x00", "\xc0\xff\xff\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x80"})
            write("frame_trace_fuzz", "4_" + std::to_string(dataset) + "_" + std::to_string(change[0] & 0xff),
                  std::string{1, static_cast<char>(dataset)} + std::string(change, 7));
    write("frame_trace_fuzz", "label", std::string(1, '\0') + "TESSERA FRAME TRACE 3\ncontent 0 xxh3-128 0\n");
}

// Shaders that draw, and some that fail while they do: bound to a texture of another target, without end, of no
// texture.
void write_shaders() {
    const auto changed = [](std::string_view shader, const std::string& from, const std::string& to) {
        std::string text(shader);
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
        return text;
    };
    const std::string endless = changed(coloured, "  0: MOV OUT[0], IN[0]\n  1: END",
                                        "DCL TEMP[0]\n  0: MOV TEMP[0], IN[0]\n  1: BGNLOOP\n"
                                        "  2:   ADD TEMP[0], TEMP[0], IN[0]\n  3: ENDLOOP\n"
                                        "  4: MOV OUT[0], TEMP[0]\n  5: END");
    const std::string another_target = changed(textured, "2D", "3D");
    for (char options = 0; options < 16; ++options) {
        const std::string first(1, options), name = std::to_string(int{options});
        if ((options & 1) == 0) {
            write("draw_fuzz", "vertex_" + name, first + std::string(pass_through));
            write("draw_fuzz", "no_position_" + name, first + changed(pass_through, "POSITION", "GENERIC[1]"));
            continue;
        }
        for (const auto& [kind, shader] : {std::pair<std::string, std::string>{"coloured", coloured},
                                           {"textured", std::string(textured)},
                                           {"branching", std::string(branching)},
                                           {"another_target", another_target},
                                           {"no_texture", changed(textured, "SAMP[0]", "SAMP[1]")}})
            write("draw_fuzz", kind + "_" + name, first + shader);
    }
    write("draw_fuzz", "endless", std::string(1, 3) + endless);
}

void write_compute_shaders() {
    using models::functional::linear_program;
    const std::string buffers = "DCL BUFFER[0..1]\n";
    const std::string address_and_value = ", TEMP[1].xxxx, TEMP[0].xxxx\n";
    const std::string image = "DCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\n";
    for (const auto& [kind, shader] :
         {std::pair{"copy", linear_program(64, buffers,
                                           "LOAD TEMP[2], BUFFER[1], TEMP[1].xxxx\n"
                                           "STORE BUFFER[0], TEMP[1].xxxx, TEMP[2]\n")},
          {"in_place", linear_program(64, buffers, "STORE BUFFER[0].x" + address_and_value)},
          {"atomic", linear_program(64, buffers, "ATOMUADD TEMP[2].x, BUFFER[0]" + address_and_value)},
          {"image", linear_program(64, image, "STORE IMAGE[0], SV[0], TEMP[0], 2D, PIPE_FORMAT_NONE\n")},
          {"another_image", linear_program(64, "DCL IMAGE[0], 3D, PIPE_FORMAT_NONE, WR\n", "")},
          {"barrier", linear_program(64, "DCL MEMORY[1], SHARED\n",
                                     "UIF SV[0].xxxx\n  BARRIER\nENDIF\nSTORE MEMORY[0].x" + address_and_value)},
          {"endless_barriers", linear_program(64, "", "BGNLOOP\n  BARRIER\nENDLOOP\n")}})
        for (const char options : {'\x10', '\x12'})
            write("draw_fuzz", std::string("compute_") + kind + (options == '\x10' ? "_1" : "_2"),
                  std::string(1, options) + shader);
}

// Words of TGSI, so that the fuzzer need not spell them.
void write_dictionary(const std::string& target) {
    std::ofstream file(folder / (target + ".dict"));
    for (const std::string& name : models::opcode_names()) file << '"' << name << "\"\n";
    for (const char* word :
         {"DCL",        "IMM[",        "PROPERTY", "FLT32",     "INT32",      "UINT32",     "ARRAY(",
          "LOCAL",      "TEMP[",       "CONST[",   "IN[",       "OUT[",       "SV[",        "SAMP[",
          "SVIEW[",     "ADDR[",       "POSITION", "COLOR",     "FACE",       "GENERIC[",   "CLIPDIST",
          "INSTANCEID", "PERSPECTIVE", "CENTROID", "_SAT",      ".xyzw",      ".yxwz",      "CUBE",
          "2D",         "3D",          "1D",       "SHADOW2D",  "BUFFER",     "FRAG\\x0a",  "VERT\\x0a",
          "COMP\\x0a",  "IMAGE[",      "MEMORY[",  "THREAD_ID", "0x7fc00000", "4294967295", "-2147483648"})
        file << '"' << word << "\"\n";
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: fuzz_seeds FOLDER\n";
        return 2;
    }
    folder = arguments[1];
    std::filesystem::create_directories(folder);
    write_dictionary("tgsi_fuzz");
    write_dictionary("draw_fuzz");
    write_shaders();
    write_compute_shaders();
    write_scenes();
    write_texels();
    write_recordings();
    write_trace_changes();
    return 0;
}
