// All shaders of the recordings that come with the reference material parse, compile and run.
#include <cstdlib>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "io/recording/recording.h"
#include "models/functional/virgl/objects.h"
#include "models/functional/virgl/protocol.h"
#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {
namespace {

// The texts of all shader objects that are created in a recording.
std::vector<std::string> shader_texts(const std::filesystem::path& path) {
    const std::vector<std::byte> stream = io::load_recording(path);
    std::map<std::uint32_t, ShaderObject> incomplete;
    std::vector<std::string> texts;
    RecordStream records(stream);
    Record record;
    while (records.next(record)) {
        if (record.kind != RecordKind::client_message) continue;
        const Words message(record.payload, record.offset, "message");
        if (message.count() < 2 || message[1] != static_cast<std::uint32_t>(VtestCommand::submit_cmd)) continue;
        for (std::uint32_t at = 2; at < message.count();) {
            const std::uint32_t header = message[at], size = header >> 16;
            const std::size_t first = (at + 1) * 4;
            if ((header & 0xffff) == (1 | 4 << 8)) {  // CREATE_OBJECT, a shader
                const Words words(record.payload.subspan(first, std::size_t{size} * 4), record.offset + first,
                                  "shader");
                const auto found = incomplete.find(words[0]);
                if (found == incomplete.end())
                    incomplete.emplace(words[0], decode_shader(words));
                else
                    append_shader(found->second, words);
                if (incomplete.at(words[0]).missing_bytes == 0) {
                    texts.push_back(incomplete.at(words[0]).text);
                    incomplete.erase(words[0]);
                }
            }
            at += size + 1;
        }
    }
    return texts;
}

class White : public TextureSampler {
  public:
    void sample(const TextureRequest& request, Vec4Lanes& result) override {
        EXPECT_NE(request.coordinates[0], nullptr);
        for (auto& row : result.c)
            for (float& value : row) value = 1.0F;
    }
};

TEST(Recordings, AllShadersParseAndRun) {
    const char* variable = std::getenv("TESSERA_SHARED");  // NOLINT(concurrency-mt-unsafe): one thread
    const std::filesystem::path shared = variable != nullptr ? variable : TESSERA_SOURCE_DIR "/../shared";
    if (!std::filesystem::is_directory(shared / "recordings")) GTEST_SKIP() << "no recordings beside the tree";
    White white;
    int shaders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(shared / "recordings")) {
        const std::vector<std::string> texts = shader_texts(entry.path());
        EXPECT_FALSE(texts.empty()) << entry.path();
        for (const std::string& text : texts) {
            SCOPED_TRACE(entry.path().filename().string() + "\n" + text);
            ShaderRun run(text);
            run.textures = &white;
            for (std::size_t i = 0; i < run.inputs.size(); ++i)
                run.set_input(i, [](int lane) { return Vec4{static_cast<float>(lane) / 64, 0.5F, 0.25F, 1.0F}; });
            run.run();
            EXPECT_EQ(run.shader.program.instructions.size(), run.shader.operations.size());
            ++shaders;
        }
    }
    EXPECT_GE(shaders, 100);
}

}  // namespace
}  // namespace models::functional::tgsi
