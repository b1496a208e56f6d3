// Which of the drawing before a cut leaves nothing behind that the frames after it need: a window's earlier pictures,
// as a rule. It need not be rendered to fill the resources, nor can it be refused.
//
// Looks at whole resources, not at levels, layers or pixels: a draw or transfer is dead if nothing that it writes to is
// read later, directly or through other drawing, before a clear overwrites it. A draw reads whatever is bound, and the
// depth buffer for the sake of its colours; what is blended with is read for the sake of itself only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "models/functional/virgl/context.h"

namespace io {

class DeadDrawing {
  public:
    // `context` is the client's state before each command, and outlives this.
    explicit DeadDrawing(const models::functional::Context& context) : context_(&context) {}

    void see(const models::functional::Command& command);  // before it is applied

    // Puts NOPs of the same length in the place of the commands that are dead if `needed` is read after the last one.
    // `stream` has the commands where they were seen. How many there were.
    std::size_t erase(std::span<std::byte> stream, const std::set<const models::functional::Resource*>& needed) const;

  private:
    using Resource = models::functional::Resource;
    enum class How : std::uint8_t { reads, writes, overwrites };
    struct Use {
        std::uint32_t resource = 0;  // in order of appearance
        How how = How::reads;
    };
    struct Drawing {
        std::uint64_t header = 0;  // offset of the command's header in the stream
        std::size_t first_use = 0, end_of_uses = 0;
    };
    void note(const std::shared_ptr<Resource>& resource, How how);
    void note_draw(const models::functional::Words& words);
    void note_launch(const models::functional::Words& words);
    void note_clear(std::uint32_t buffers);

    const models::functional::Context* context_;
    std::map<std::shared_ptr<Resource>, std::uint32_t> resources_;  // kept, or another one could get its place
    std::vector<Use> uses_;
    std::vector<Drawing> drawings_;
};

}  // namespace io
