#include "models/functional/kernel_launch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "engine/error.h"
#include "models/functional/bound_constants.h"
#include "models/functional/fragment_setup.h"
#include "models/functional/kernel_trace.h"
#include "models/functional/storage_unit.h"
#include "models/functional/texture/texture_unit.h"

namespace models::functional {

namespace {

constexpr std::uint32_t launch_words = 8;
constexpr std::uint64_t most_register_bytes = std::uint64_t{64} << 20;  // of the threads of a block
constexpr std::uint64_t blocks_at_once = 64;                            // in parallel, before their writes are done

std::string size_text(const std::array<std::uint32_t, 3>& size) {
    return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

}  // namespace

LaunchCall decode_launch(const Words& words, const Context& context) {
    words.need(launch_words);
    LaunchCall call{{words[0], words[1], words[2]}, {words[3], words[4], words[5]}};
    if (words[6] != 0) {
        const Resource& buffer = *context.resource(words, words[6]);
        const std::uint64_t end = std::uint64_t{words[7]} + sizeof call.grid;
        if (end > buffer.bytes().size()) {
            words.refuse("a grid at bytes " + std::to_string(words[7]) + " to " + std::to_string(end) +
                         " of a buffer of " + std::to_string(buffer.bytes().size()) + " bytes");
        }
        std::memcpy(call.grid.data(), buffer.bytes().data() + words[7], sizeof call.grid);
    }
    const auto above = [](const std::array<std::uint32_t, 3>& size, std::uint32_t most) {
        return std::any_of(size.begin(), size.end(), [most](std::uint32_t side) { return side > most; });
    };
    if (above(call.block, most_block_threads) || call.threads() > most_block_threads || call.threads() == 0) {
        words.refuse("a block of " + size_text(call.block) + " threads is not supported: 1 to " +
                     std::to_string(most_block_threads) + " are");
    }
    if (above(call.grid, most_grid_blocks) || call.blocks() > most_launch_threads / call.threads()) {
        words.refuse("a grid of " + size_text(call.grid) + " blocks of " + std::to_string(call.threads()) +
                     " threads is not supported: at most " + std::to_string(most_grid_blocks) +
                     " blocks along an axis and " + std::to_string(most_launch_threads) + " threads are");
    }
    return call;
}

bool blocks_depend(const tgsi::Shader& shader, const StageState& stage) {
    if (shader.atomics_on_memory) return true;
    std::vector<const Resource*> read, written;
    const auto note = [&](const tgsi::StorageDeclaration& declared, const std::shared_ptr<Resource>& resource) {
        if (declared.read) read.push_back(resource.get());
        if (declared.written && resource) written.push_back(resource.get());
    };
    for (std::size_t i = 0; i < shader.buffers.size(); ++i) note(shader.buffers[i], stage.buffers[i].resource);
    for (std::size_t i = 0; i < shader.images.size(); ++i) note(shader.images[i], stage.images[i].resource);
    for (std::size_t i = 0; i < shader.samplers.size() && i < stage.views.size(); ++i)
        if (shader.samplers[i].declared && stage.views[i]) read.push_back(stage.views[i]->resource.get());
    return std::any_of(written.begin(), written.end(), [&](const Resource* resource) {
        return std::find(read.begin(), read.end(), resource) != read.end();
    });
}

// What all blocks of a launch share.
struct KernelLauncher::Job {
    const LaunchCall& call;
    const CompiledShader& program;
    std::uint32_t shared_bytes;
    const BoundConstants& constants;
    const TextureBindings& textures;
    const StorageBindings& storage;
    Frame* frame;

    std::size_t batches() const { return (call.threads() + batch_lanes - 1) / batch_lanes; }
    // Programs without barriers run one batch after the other in the same registers.
    std::size_t executors() const { return program.shader.uses_barrier ? batches() : 1; }
};

// One thread's registers, for all batches of a block.
class KernelLauncher::Worker {
  public:
    void begin(const Job& job, MemoryMeter& memory);
    // `writes` and `trace` may be null.
    void run(std::uint64_t block, std::vector<PendingWrite>* writes, BlockTrace* trace);

  private:
    bool advance(std::size_t batch, BlockTrace* trace);
    using Threads = std::array<std::array<std::uint32_t, batch_lanes>, 3>;
    void fill(std::size_t batch, tgsi::Semantic semantic, const Threads& values);
    void fill(std::size_t batch, tgsi::Semantic semantic, const std::array<std::uint32_t, 3>& value);
    LaneMask lanes(std::size_t batch) const;

    const Job* job_ = nullptr;
    MemoryMeter* memory_ = nullptr;
    std::vector<tgsi::Executor> executors_;
    std::vector<std::vector<Vec4Lanes>> system_values_;  // by batch
    std::vector<bool> ended_;                            // by batch
    TextureUnit textures_;
    StorageUnit storage_;
    BatchLog log_;
};

void KernelLauncher::Worker::fill(std::size_t batch, tgsi::Semantic semantic, const Threads& values) {
    const std::vector<tgsi::Varying>& declared = job_->program.shader.system_values;
    for (std::size_t i = 0; i < declared.size(); ++i) {
        if (!declared[i].declared || declared[i].semantic != semantic) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
            std::memcpy(system_values_[batch][i].c[axis], values[axis].data(), sizeof values[axis]);
    }
}

void KernelLauncher::Worker::fill(std::size_t batch, tgsi::Semantic semantic,
                                  const std::array<std::uint32_t, 3>& value) {
    Threads values;
    for (std::size_t axis = 0; axis < 3; ++axis) values[axis].fill(value[axis]);
    fill(batch, semantic, values);
}

LaneMask KernelLauncher::Worker::lanes(std::size_t batch) const {
    const std::size_t left = job_->call.threads() - batch * batch_lanes;
    return left >= batch_lanes ? ~LaneMask{0} : (LaneMask{1} << left) - 1;
}

void KernelLauncher::Worker::begin(const Job& job, MemoryMeter& memory) {
    job_ = &job;
    memory_ = &memory;
    const auto& [width, height, depth] = job.call.block;
    if (executors_.size() < job.executors()) executors_.resize(job.executors());
    for (std::size_t i = 0; i < job.executors(); ++i) {
        executors_[i].bind(job.program.executable, {.constants = job.constants.spans(),
                                                    .textures = &textures_,
                                                    .constant_log = job.frame != nullptr ? &log_.constants : nullptr,
                                                    .storage = &storage_});
    }
    textures_.begin(job.textures, LaneGrouping::threads, job.frame != nullptr ? &log_.textures : nullptr);
    storage_.record(job.frame != nullptr ? &log_.storage : nullptr);
    system_values_.resize(job.batches());
    for (std::size_t batch = 0; batch < job.batches(); ++batch) {
        system_values_[batch].assign(job.program.shader.system_values.size(), Vec4Lanes{});
        Threads thread{};
        for (std::uint32_t lane = 0; lane < batch_lanes; ++lane) {
            const auto number = static_cast<std::uint32_t>(batch) * batch_lanes + lane;
            thread[0][lane] = number % width;
            thread[1][lane] = number / width % height;
            thread[2][lane] = number / width / height % depth;
        }
        fill(batch, tgsi::Semantic::thread_id, thread);
        fill(batch, tgsi::Semantic::grid_size, job.call.grid);
    }
}

// To the next barrier or the end: true.
bool KernelLauncher::Worker::advance(std::size_t batch, BlockTrace* trace) {
    tgsi::Executor& executor = executors_[batch % job_->executors()];
    log_.clear();
    const bool ended = executor.advance();
    if (trace != nullptr) {
        trace->add(batch, log_, *memory_);
        if (ended) trace->finish(batch, executor);
    }
    return ended;
}

void KernelLauncher::Worker::run(std::uint64_t block, std::vector<PendingWrite>* writes, BlockTrace* trace) {
    const std::array<std::uint32_t, 3>& grid = job_->call.grid;
    const std::array<std::uint32_t, 3> number{static_cast<std::uint32_t>(block % grid[0]),
                                              static_cast<std::uint32_t>(block / grid[0] % grid[1]),
                                              static_cast<std::uint32_t>(block / grid[0] / grid[1])};
    storage_.begin(job_->storage, writes, *memory_);
    storage_.begin_block(job_->shared_bytes);
    if (trace != nullptr) trace->begin(job_->call.threads());
    const std::size_t batches = job_->batches();
    ended_.assign(batches, false);
    for (std::size_t batch = 0; batch < batches; ++batch) {
        fill(batch, tgsi::Semantic::block_id, number);
        executors_[batch % job_->executors()].start(nullptr, system_values_[batch].data(), nullptr, lanes(batch));
        ended_[batch] = advance(batch, trace);
    }
    while (std::find(ended_.begin(), ended_.end(), false) != ended_.end())
        for (std::size_t batch = 0; batch < batches; ++batch) ended_[batch] = ended_[batch] || advance(batch, trace);
}

KernelLauncher::KernelLauncher(const Workers& workers, ProgramLibrary& library, MemoryMeter& memory,
                               bool undefined_as_zero)
    : workers_(&workers),
      library_(&library),
      memory_(&memory),
      undefined_as_zero_(undefined_as_zero),
      scratch_(std::make_unique<Worker[]>(static_cast<std::size_t>(workers.count()))) {}
KernelLauncher::~KernelLauncher() = default;

const CompiledShader& KernelLauncher::program_of(const StageState& stage, const LaunchCall& call) {
    if (!stage.shader) throw engine::InputError("a launch without a compute shader");
    const CompiledShader& compiled = library_->compile(*stage.shader, undefined_as_zero_);
    const tgsi::Shader& shader = compiled.shader;
    if (shader.block != call.block) {
        throw engine::InputError("a launch of blocks of " + size_text(call.block) + " threads of a program for " +
                                 size_text(shader.block));
    }
    const std::uint64_t batches = (call.threads() + batch_lanes - 1) / batch_lanes;
    const std::uint64_t registers =
        (shader.uses_barrier ? batches : 1) * shader.program.temporaries * sizeof(Vec4Lanes);
    if (registers > most_register_bytes) {
        throw engine::InputError("a compute shader with barriers and " + std::to_string(shader.program.temporaries) +
                                 " registers in blocks of " + std::to_string(call.threads()) +
                                 " threads is not supported: their registers take " + std::to_string(registers) +
                                 " bytes");
    }
    return compiled;
}

void KernelLauncher::launch(const LaunchCall& call, const StageState& stage, Frame* frame) {
    if (call.blocks() == 0) return;
    const CompiledShader& program = program_of(stage, call);
    const BoundConstants constants(stage, ShaderStage::compute, program.shader.constant_sizes);
    TextureBindings textures;
    std::vector<std::shared_ptr<Resource>> sampled;
    bind_textures(program.shader, stage, textures, sampled);
    const StorageBindings storage(program.shader, stage);
    const Job job{call, program, stage.shader->shared_bytes, constants, textures, storage, frame};
    if (frame != nullptr) record_kernel(job);
    if (blocks_depend(program.shader, stage))
        run_in_order(job);
    else
        run_in_parallel(job);
    storage.tell_contents_changed(program.shader, stage);
}

void KernelLauncher::record_kernel(const Job& job) const {
    Frame& frame = *job.frame;
    Kernel kernel;
    kernel.program = job.program.program;
    kernel.before_draw = static_cast<std::uint32_t>(frame.draws.size());
    std::copy(job.call.grid.begin(), job.call.grid.end(), std::begin(kernel.grid));
    std::copy(job.call.block.begin(), job.call.block.end(), std::begin(kernel.block));
    kernel.shared_bytes = job.shared_bytes;
    const std::span<const ConstantRange> ranges = job.constants.ranges();
    kernel.first_constant = static_cast<std::uint32_t>(frame.constants.size());
    kernel.constant_count = static_cast<std::uint32_t>(ranges.size());
    memory_->make_room(frame.constants, ranges.size());
    frame.constants.insert(frame.constants.end(), ranges.begin(), ranges.end());
    if (frame.thread_groups.size() + blocks_of(kernel) * groups_of_block(kernel) > none)
        throw engine::InputError("a frame of kernels with more than 4294967295 groups of threads is not supported");
    kernel.first_group = static_cast<std::uint32_t>(frame.thread_groups.size());
    memory_->make_room(frame.kernels, 1);
    frame.kernels.push_back(kernel);
}

void KernelLauncher::run_in_order(const Job& job) {
    scratch_[0].begin(job, *memory_);
    BlockTrace trace;
    try {
        for (std::uint64_t block = 0; block < job.call.blocks(); ++block) {
            scratch_[0].run(block, nullptr, job.frame != nullptr ? &trace : nullptr);
            memory_->settle_tiles();
            if (job.frame != nullptr) trace.append_to(*job.frame, job.program.program, *library_, *memory_);
        }
    } catch (const MemoryMeter::Exceeded&) {
        memory_->refuse();
    }
    memory_->set(MemoryMeter::Use::tiles, memory_->taken(MemoryMeter::Use::tiles) - trace.bytes());
}

void KernelLauncher::run_in_parallel(const Job& job) {
    struct Block {
        std::vector<PendingWrite> writes;
        BlockTrace trace;
    };
    std::vector<Block> blocks(std::min(blocks_at_once, job.call.blocks()));
    std::vector<std::uint8_t> begun(static_cast<std::size_t>(workers_->count()));
    for (std::uint64_t first = 0; first < job.call.blocks(); first += blocks.size()) {
        const std::uint64_t count = std::min<std::uint64_t>(blocks.size(), job.call.blocks() - first);
        try {
            workers_->for_each(static_cast<int>(count), [&](int item, int worker) {
                const auto w = static_cast<std::size_t>(worker);
                if (std::exchange(begun[w], std::uint8_t{1}) == 0) scratch_[w].begin(job, *memory_);
                Block& block = blocks[static_cast<std::size_t>(item)];
                scratch_[w].run(first + static_cast<std::uint64_t>(item), &block.writes,
                                job.frame != nullptr ? &block.trace : nullptr);
            });
        } catch (const MemoryMeter::Exceeded&) {
            memory_->refuse();
        }
        memory_->settle_tiles();
        for (std::uint64_t i = 0; i < count; ++i) {
            for (const PendingWrite& write : blocks[i].writes) std::memcpy(write.to, &write.value, write.bytes);
            blocks[i].writes.clear();
            if (job.frame != nullptr) blocks[i].trace.append_to(*job.frame, job.program.program, *library_, *memory_);
        }
    }
    std::uint64_t bytes = 0;
    for (const Block& block : blocks) bytes += block.writes.capacity() * sizeof(PendingWrite) + block.trace.bytes();
    memory_->set(MemoryMeter::Use::tiles, memory_->taken(MemoryMeter::Use::tiles) - bytes);
}

}  // namespace models::functional
