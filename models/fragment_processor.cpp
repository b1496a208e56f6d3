#include "models/fragment_processor.h"

#include <array>
#include <bit>

namespace models {
namespace {

constexpr int texture_client = 0, instruction_client = 1;
constexpr std::size_t most_groups = 16;

}  // namespace

FragmentProcessor::FragmentProcessor(int index, const MachineParameters& parameters, const Workload& workload)
    : Clocked("fragment_processor", index, Clocks(parameters).gpu),
      workload_(workload),
      groups_per_warp_(static_cast<std::uint32_t>(parameters.fragment_processor.groups_per_warp())),
      queue_(static_cast<std::size_t>(
          share_of(parameters.raster.fragment_queue(), parameters.fragment_processor.count(), index))),
      colour_credits_(static_cast<std::uint32_t>(
          share_of(parameters.blending.colour_queue(), parameters.fragment_processor.count(), index))),
      all_colour_credits_(colour_credits_),
      quads_(static_cast<std::size_t>(parameters.fragment_processor.warps()) * groups_per_warp_),
      counts_(static_cast<std::size_t>(parameters.fragment_processor.warps())),
      replies(this, "replies", parameters.l2.slices(), engine::handler<&FragmentProcessor::on_reply>),
      taken(this, "taken", period()),
      shaded(this, "shaded", period()),
      memory(this, MemoryPortShape(parameters, std::min(parameters.texture_cache.latency(),
                                                        parameters.instruction_cache.latency()))),
      texture_cache_({&counters(), "texture_cache_"}, parameters.texture_cache, memory, texture_client, period()),
      instruction_cache_({&counters(), "instruction_cache_"}, parameters.instruction_cache, memory, instruction_client,
                         period()),
      core_({&counters(), ""}, parameters.fragment_processor, parameters.texture_unit,
            {&texture_cache_, &instruction_cache_}, period()) {}

void FragmentProcessor::begin_frame() {
    pass_ = 0;
    core_.begin_frame(workload_.registers(), workload_.frame().blocks.data());
}

void FragmentProcessor::end_frame() {
    enter_pass(workload_.passes());
}

void FragmentProcessor::enter_pass(std::uint32_t pass) {
    for (; pass_ < pass; ++pass_)
        texture_cache_.invalidate(
            [&](const CacheArray::Line& line) { return workload_.written_by(pass_, line.block); });
}

void FragmentProcessor::on_quad(const ShadeQuad& quad) {
    queue_quads_ += queue_.size();
    ++quads_in_;
    queue_.push(quad);
}

void FragmentProcessor::on_reply(const MemoryReply& reply, int slice) {
    memory.take_reply(slice);
    if (reply.tag.client == texture_client)
        for (const std::uint32_t waiter : texture_cache_.fill(reply.tag)) core_.texture_arrived(now(), waiter);
    else
        for (const std::uint32_t waiter : instruction_cache_.fill(reply.tag)) core_.instruction_arrived(now(), waiter);
    core_.retry(now());
}

engine::Time FragmentProcessor::step() {
    if (core_.oldest_done(now()) && colour_credits_ > 0) finish_quad();
    if (!queue_.empty() && core_.has_room()) start_warp();
    const engine::Time next = core_.step(now());
    const bool more = (core_.oldest_done(now()) && colour_credits_ > 0) || (!queue_.empty() && core_.has_room());
    return more ? now() + period() : next;
}

void FragmentProcessor::finish_quad() {
    const std::uint32_t slot = core_.oldest();
    const ShadeQuad& quad = quads_[slot * groups_per_warp_ + handed_over_];
    shaded.send({quad.quad, quad.ordinal, quad.buffer}, period());
    --colour_credits_;
    ++quads_out_;
    if (++handed_over_ < counts_[slot]) return;
    handed_over_ = 0;
    core_.retire();
}

void FragmentProcessor::start_warp() {
    const Frame& frame = workload_.frame();
    const ShadeQuad first = queue_.front();
    const std::uint32_t draw = frame.primitives[frame.quads[first.quad].primitive].draw;
    if (pass_ + 1 < workload_.passes() && first.tile >= frame.passes[pass_ + 1].first_tile)
        enter_pass(workload_.pass_of_tile(first.tile));

    std::array<ShaderCore::Group, most_groups> groups;
    std::array<ShadeQuad, most_groups> members;
    std::uint32_t count = 0;
    while (count < groups_per_warp_ && !queue_.empty()) {
        const ShadeQuad& next = queue_.front();
        const Quad& quad = frame.quads[next.quad];
        if (frame.primitives[quad.primitive].draw != draw) break;
        groups[count] = {quad.path, static_cast<std::uint16_t>(std::popcount(quad.early_pass)),
                         frame.accesses.data() + quad.first_access};
        members[count++] = next;
        queue_.pop();
    }
    Attribution attribution;
    attribution.draw = draw;
    attribution.tile = first.tile;
    const std::uint32_t slot =
        core_.launch(now(), workload_.program(frame.draws[draw].fragment_program), {groups.data(), count}, attribution);
    std::copy_n(members.begin(), count, quads_.begin() + slot * groups_per_warp_);
    counts_[slot] = count;
    taken.send({count}, period());
}

std::string FragmentProcessor::unfinished() const {
    std::string text;
    const auto say = [&](bool condition, const std::string& what) {
        if (condition) text += (text.empty() ? "" : ", ") + what;
    };
    say(!queue_.empty(), std::to_string(queue_.size()) + " quads queued");
    say(!core_.empty(), "warps resident");
    say(memory.in_flight() > 0, std::to_string(memory.in_flight()) + " lines awaited");
    say(colour_credits_ != all_colour_credits_,
        std::to_string(all_colour_credits_ - colour_credits_) + " colour credits missing");
    return text;
}

}  // namespace models
