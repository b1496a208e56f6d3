#include "models/functional/renderer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/error.h"
#include "models/functional/input_hash.h"
#include "models/functional/memory_limit.h"

namespace models::functional {

namespace {

constexpr std::uint32_t transfer_words = 11;

Box decode_box(const Words& words, std::uint32_t first) {
    return {words[first], words[first + 1], words[first + 2], words[first + 3], words[first + 4], words[first + 5]};
}

bool is_window(const Resource& resource) {
    return (resource.description().bind & (bind_display_target | bind_scanout)) != 0;
}

bool is_whole(const Resource& resource, std::uint32_t level, const Box& box) {
    return level == 0 && box.x == 0 && box.y == 0 && box.z == 0 && box.width == resource.description().width &&
           box.height == resource.description().height && box.depth == 1;
}

std::uint64_t or_else(std::uint64_t chosen, std::uint64_t fallback) {
    return chosen != 0 ? chosen : fallback;
}

}  // namespace

FunctionalRenderer::FunctionalRenderer(Bytes recording, const Options& options)
    : workers_(options.threads),
      memory_(options.memory_limit),
      addresses_(or_else(options.memory, AddressSpace::largest),
                 [this](std::uint64_t bytes) { memory_.set(MemoryMeter::Use::resources, bytes); }),
      records_(recording),
      frame_ends_(recording),
      context_(addresses_, options.anisotropic,
               [this](Address address, std::uint64_t bytes) { record_upload({address, bytes}); }),
      pipeline_(workers_, library_, memory_,
                {or_else(options.memory, justified_draw_memory(recording.size())), options.undefined_as_zero}),
      pass_(workers_, library_, memory_, options.without_hidden),
      kernels_(workers_, library_, memory_, options.undefined_as_zero),
      recording_bytes_(recording.size()) {}

bool FunctionalRenderer::next_frame(Frame* frame, Image* image, Image* reference) {
    frame_ = frame;
    if (frame_ != nullptr) {
        *frame_ = {};
        frame_->number = frames_;
    }
    memory_.begin_frame(frames_);
    memory_.set(MemoryMeter::Use::recording, recording_bytes_);
    memory_.set(MemoryMeter::Use::frame, 0);
    depth_is_read_.clear();
    depths_transferred_.clear();
    read_backs_.clear();
    kernel_count_ = 0;
    context_.renew_constants();
    bool is_frame = false;
    workers_.stand_by([&] { is_frame = execute_frame(image, reference); });
    return is_frame;
}

void FunctionalRenderer::execute_to(std::uint64_t offset) {
    frame_ = nullptr;
    workers_.stand_by([&] {
        Record record;
        for (RecordStream ahead = records_; ahead.next(record) && record.offset < offset; records_ = ahead) {
            if (record.kind == RecordKind::server_reply) continue;
            const Message message = parse_message(record);
            locate(record.offset, name(message.command), [&] {
                handle(message);
                if (frame_ends_.find(record.offset) != nullptr)
                    throw engine::InputError("a frame ends before a picture that was left out of it");
            });
        }
        end_pass();
    });
}

bool FunctionalRenderer::execute_frame(Image* image, Image* reference) {
    Record record;
    while (records_.next(record)) {
        if (record.kind == RecordKind::server_reply) {
            take_reply(record.payload);
            continue;
        }
        const Message message = parse_message(record);
        const bool ended = locate(record.offset, name(message.command), [&] {
            handle(message);
            const bool ends_frame = frame_ends_.find(record.offset) != nullptr;
            if (ends_frame) finish_frame(image, reference);
            return ends_frame;
        });
        if (ended) return true;
    }
    end_pass();
    return false;
}

// The answer to the last message.
void FunctionalRenderer::take_reply(Bytes reply) {
    if (window_.resource && window_.reply.empty()) window_.reply = reply;
    if (const std::optional<ReadBack> read = std::exchange(read_back_, std::nullopt)) {
        read_backs_.push_back(compare_read_back(read->bytes, reply));
        read_backs_.back().resource = read->handle;
    }
}

void FunctionalRenderer::handle(const Message& message) {
    const Words& words = message.words;
    const WindowRead read = std::exchange(window_, {});
    read_back_.reset();
    switch (message.command) {
        case VtestCommand::resource_create:
            context_.create_resource(words);
            break;
        case VtestCommand::resource_unref:
            context_.destroy_resource(words);
            break;
        case VtestCommand::transfer_put:
            put(words);
            break;
        case VtestCommand::transfer_get:
            get(words);
            break;
        case VtestCommand::submit_cmd:
            submit(words);
            break;
        case VtestCommand::resource_busy_wait:
            if (read.resource && words[0] == read.handle) window_ = read;
            break;
        case VtestCommand::protocol_version:
            if (words[0] != 0) {
                words.refuse("protocol version " + std::to_string(words[0]) +
                             " is not supported; the recorder asks for version 0");
            }
            break;
        case VtestCommand::get_caps:
        case VtestCommand::get_caps2:
        case VtestCommand::create_renderer:
        case VtestCommand::ping_protocol_version:
            break;
    }
}

void FunctionalRenderer::submit(const Words& submission) {
    CommandStream commands(submission);
    Command command;
    while (commands.next(command)) {
        locate(command.words.offset(), name(command.command), [&] {
            if (!context_.apply(command)) act(command);
        });
    }
}

void FunctionalRenderer::act(const Command& command) {
    const Words& words = command.words;
    switch (command.command) {
        case VirglCommand::draw_vbo:
            draw(words);
            break;
        case VirglCommand::clear:
            clear(words);
            break;
        case VirglCommand::launch_grid:
            launch(words);
            break;
        case VirglCommand::blit:
            transfer(decode_blit(words, context_));
            break;
        case VirglCommand::resource_copy_region:
            transfer(decode_copy_region(words, context_));
            break;
        case VirglCommand::resource_inline_write:
            inline_write(words);
            break;
        case VirglCommand::clear_texture:
            clear_texture(words);
            break;
        case VirglCommand::get_query_result_qbo:
            words.refuse("query results in buffers are not supported; those that the application reads are");
        default:
            words.refuse("not supported");
    }
}

// Makes the pass that goes on, or begins, fit the bound framebuffer.
void FunctionalRenderer::open_pass() {
    const Framebuffer& bound = context_.state().framebuffer;
    const Framebuffer& current = pass_.targets().framebuffer;
    if (!pass_.open() || bound.colour != current.colour || bound.depth != current.depth) {
        end_pass();
        begin_pass(render_targets(bound));
    }
}

void FunctionalRenderer::begin_pass(RenderTargets targets) {
    pass_.begin(std::move(targets), frame_);
}

void FunctionalRenderer::end_pass() {
    if (!pass_.open()) return;
    if (frame_ != nullptr) {
        const auto& depth = pass_.targets().framebuffer.depth;
        depth_is_read_.push_back(depth && (depth->resource->description().bind & bind_sampler_view) != 0);
    }
    pass_.end();
}

// Brings what the pass has drawn to memory and goes on drawing to the same surfaces.
void FunctionalRenderer::split_pass() {
    RenderTargets targets = pass_.targets();
    end_pass();
    begin_pass(std::move(targets));
}

void FunctionalRenderer::draw(const Words& words) {
    const DrawCommand command(words, context_);
    open_pass();
    for (std::uint32_t i = 0; i < command.draws(); ++i) draw(command.draw(i));
}

void FunctionalRenderer::draw(const DrawCall& call) {
    if (call.count == 0 || call.instance_count == 0) return;
    PreparedDraw prepared = pipeline_.prepare(call, context_.state(), pass_.targets());
    if (pass_.must_end_before(prepared.work->use)) split_pass();
    std::unique_ptr<FragmentWork> work =
        pipeline_.issue(std::move(prepared), context_.state(), pass_.targets(), frame_);
    if (work) pass_.add(std::move(work));
}

void FunctionalRenderer::clear(const Words& words) {
    words.need(8);
    ClearValues values;
    values.buffers = words[0];
    for (std::uint32_t i = 0; i < 4; ++i) values.colour[i] = words.real(1 + i);
    values.depth = words.real64(5);
    values.stencil = static_cast<std::uint8_t>(words[7] & 0xff);
    open_pass();
    if (pass_.must_end_before(pass_.clear_use(values))) split_pass();
    pass_.clear(values);
}

void FunctionalRenderer::launch(const Words& words) {
    end_pass();
    ++kernel_count_;
    kernels_.launch(decode_launch(words, context_), context_.compute_state(), frame_);
}

void FunctionalRenderer::transfer(const TransferCommand& command) {
    end_pass();
    if (command.source.resource->description().target == ResourceTarget::buffer) {
        copy_buffer(command);
        const auto from = static_cast<std::uint32_t>(command.target.box.x);
        const auto bytes = static_cast<std::uint32_t>(command.source.box.width);
        record_uploads(*command.target.resource, 0, {from, 0, 0, bytes, 1, 1});
        return;
    }
    for (std::int32_t layer = 0; layer < layer_count(command); ++layer) {
        TransferLayer made = make_layer(command, layer, library_);
        if (!made.work) continue;
        if (frame_ != nullptr) note_depth_read(command, layer);
        const std::uint32_t samples = made.targets.samples;
        begin_pass(std::move(made.targets));
        if (made.covers_target) pass_.overwrites_all();
        if (frame_ != nullptr) {
            memory_.make_room(frame_->primitives, 1);
            memory_.make_room(frame_->draws, 1);
            record_transfer(*made.work, samples, *frame_);
            made.work->input_hash = hash_of_transfer(*made.work, command);
        }
        pass_.add(std::move(made.work));
        end_pass();
    }
}

// The depth or stencil that this layer of a transfer reads has to be in memory.
void FunctionalRenderer::note_depth_read(const TransferCommand& command, std::int32_t layer) {
    const FormatInfo& format = command.source.resource->format();
    if (!format.depth && !format.stencil) return;
    const auto source_layer = static_cast<std::uint32_t>(command.source.box.z + layer);
    depths_transferred_.push_back(command.source.resource->surface(command.source.level, source_layer).address);
}

// A command outside the pass is about to change a resource.
void FunctionalRenderer::before_write(const Resource& resource) {
    if (pass_.draws_to(resource))
        end_pass();
    else if (pass_.reads(resource))
        pass_.drain();
}

void FunctionalRenderer::put(const Words& words) {
    words.need(transfer_words);
    const std::shared_ptr<Resource>& resource = context_.resource(words, words[0]);
    const Bytes data = words.bytes_from(transfer_words);
    if (data.size() < words[10])
        words.refuse("expected " + std::to_string(words[10]) + " bytes of data, found " + std::to_string(data.size()));
    before_write(*resource);
    resource->transfer_put(words[1], decode_box(words, 4), words[2], words[3], data.first(words[10]));
    record_uploads(*resource, words[1], decode_box(words, 4));
}

void FunctionalRenderer::inline_write(const Words& words) {
    words.need(transfer_words);
    const std::shared_ptr<Resource>& resource = context_.resource(words, words[0]);
    before_write(*resource);
    resource->transfer_put(words[1], decode_box(words, 5), words[3], words[4], words.bytes_from(transfer_words));
    record_uploads(*resource, words[1], decode_box(words, 5));
}

void FunctionalRenderer::clear_texture(const Words& words) {
    constexpr std::uint32_t first_data = 8;
    words.need(first_data + 4);
    const std::shared_ptr<Resource>& resource = context_.resource(words, words[0]);
    const Box box = decode_box(words, 2);
    before_write(*resource);
    resource->fill(words[1], box, words.bytes_from(first_data));
    record_uploads(*resource, words[1], box);
}

void FunctionalRenderer::record_upload(const MemoryRange& range) {
    if (frame_ == nullptr) return;
    memory_.make_room(frame_->uploads, 1);
    frame_->uploads.push_back({static_cast<std::uint32_t>(frame_->draws.size()),
                               static_cast<std::uint32_t>(frame_->kernels.size()), range.address, range.bytes});
}

void FunctionalRenderer::record_uploads(const Resource& resource, std::uint32_t level, const Box& box) {
    if (frame_ == nullptr) return;
    for (const MemoryRange& range : resource.ranges(level, box)) record_upload(range);
}

void FunctionalRenderer::get(const Words& words) {
    words.need(transfer_words);
    const std::shared_ptr<Resource>& resource = context_.resource(words, words[0]);
    if (pass_.draws_to(*resource)) end_pass();
    const Box box = decode_box(words, 4);
    if (is_window(*resource) && is_whole(*resource, words[1], box)) {
        window_ = {words[0], words[2], resource, {}};
    } else if (kernel_count_ > 0) {
        // The stride of a buffer is its whole width; what is read is the box.
        const bool buffer = resource->description().target == ResourceTarget::buffer;
        const std::uint32_t stride = buffer ? 0 : words[2], layer_stride = buffer ? 0 : words[3];
        ReadBack read{words[0], std::vector<std::byte>(resource->transfer_bytes(box, stride, layer_stride))};
        resource->transfer_get(words[1], box, stride, layer_stride, read.bytes);
        read_back_ = std::move(read);
    }
}

namespace {

// The recorded image, in the window's format; empty when the reply is too short to be one.
void read_reference(Resource& window, Bytes reply, std::uint32_t row_bytes, Image& image, const Workers& workers) {
    const FormatInfo& format = window.format();
    const std::size_t packed = std::size_t{window.description().width} * format.block_bytes;
    SurfaceView view = window.surface(0, 0);
    view.row_bytes = row_bytes == 0 ? packed : row_bytes;
    if (view.row_bytes < packed || reply.size() < view.row_bytes * view.height) {
        image = {};
        return;
    }
    view.texels = const_cast<std::byte*>(reply.data());  // that it is read only
    read_image(view, image, workers);
}

}  // namespace

void FunctionalRenderer::record_presented(const Resource& window, const Image& image) {
    Presented& shown = frame_->presented.emplace_back();
    const Resource::Level& level = window.level(0);
    shown.surface = {level.address, level.width, level.height, window.format().block_bytes};
    sum_colours(image, shown, workers_);
}

namespace {

// A transfer has the depth that it writes as its colour, and loads it where it leaves some of it as it is.
bool loads(const Pass& pass, Address depth) {
    if (pass.depth_load && pass.depth.bytes_per_texel != 0 && pass.depth.address == depth) return true;
    return pass.colour_load && std::any_of(pass.colour.begin(), pass.colour.end(), [&](const Surface& colour) {
               return colour.bytes_per_texel != 0 && colour.address == depth;
           });
}

}  // namespace

// Whether the passes of the frame have to store their depth is known when all of them are.
void FunctionalRenderer::settle_depth_stores() {
    if (frame_ == nullptr) return;
    std::vector<Pass>& passes = frame_->passes;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const Address depth = passes[i].depth.address;
        const bool loaded = std::any_of(passes.begin() + static_cast<std::ptrdiff_t>(i) + 1, passes.end(),
                                        [&](const Pass& later) { return loads(later, depth); });
        const bool moved =
            std::find(depths_transferred_.begin(), depths_transferred_.end(), depth) != depths_transferred_.end();
        passes[i].depth_store = passes[i].depth_store && (depth_is_read_[i] || loaded || moved);
    }
}

void FunctionalRenderer::finish_frame(Image* image, Image* reference) {
    const WindowRead read = std::exchange(window_, {});
    end_pass();
    ++frames_;
    if (!read.resource) {
        for (Image* none : {image, reference})
            if (none != nullptr) *none = {};
        settle_depth_stores();
        return;
    }
    read_backs_.clear();
    Image unwanted, unwanted_reference;
    Image& drawn = image != nullptr ? *image : unwanted;
    Image& recorded = reference != nullptr ? *reference : unwanted_reference;
    read_image(read.resource->surface(0, 0), drawn, workers_);
    if (frame_ != nullptr || reference != nullptr)
        read_reference(*read.resource, read.reply, read.row_bytes, recorded, workers_);
    if (frame_ != nullptr) {
        record_presented(*read.resource, drawn);
        if (!recorded.empty()) frame_->check = compare(drawn, recorded, workers_);
    }
    settle_depth_stores();
}

}  // namespace models::functional
