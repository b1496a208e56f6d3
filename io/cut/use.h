// Which resources frames use, and whether they need what was in them before.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "models/functional/virgl/context.h"

namespace io {

struct ClearedSurface {
    std::shared_ptr<models::functional::Resource> resource;
    bool whole = false;  // nothing is left of what was in the resource
};

// What a CLEAR with these buffer bits changes.
std::vector<ClearedSurface> cleared_surfaces(const models::functional::Framebuffer& framebuffer, std::uint32_t buffers);

class ResourceUse {
  public:
    // `context` is the client's state before the message or command, and outlives this.
    explicit ResourceUse(const models::functional::Context& context) : context_(&context) {}

    void see(const models::functional::Message& message);  // but for the commands of SUBMIT_CMD
    void see(const models::functional::Command& command);  // before it is applied

    // Read, or written in part, before they were overwritten as a whole.
    const std::set<const models::functional::Resource*>& needed() const { return needed_; }

  private:
    using Resource = models::functional::Resource;
    void read(const std::shared_ptr<Resource>& resource);
    void overwrite(const std::shared_ptr<Resource>& resource);
    void see_draw(const models::functional::Words& words);
    void see_launch(const models::functional::Words& words);
    void see_clear(std::uint32_t buffers);

    const models::functional::Context* context_;
    std::set<const Resource*> needed_;
    std::set<const Resource*> overwritten_;
};

}  // namespace io
