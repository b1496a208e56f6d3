#include "models/machine.h"

#include "models/machine_processes.h"

namespace models {

using engine::Time;

namespace {

// Who hands answers of memory to a processor. Of a crossbar it is one of its outputs.
std::string answering_unit(const MachineParameters& parameters) {
    const std::string kind = parameters.network.kind.value_text();
    return "response_" + kind + (kind == Crossbar::name ? "_output" : "");
}

std::optional<Tlb::Shape> tlb_shape(const MachineParameters& parameters) {
    if (!parameters.has_tlbs()) return std::nullopt;
    const TlbParameters& tlb = parameters.tlb;
    return Tlb::Shape{static_cast<std::uint32_t>(tlb.entries()), static_cast<std::uint32_t>(tlb.ways()),
                      static_cast<std::size_t>(tlb.waiting())};
}

}  // namespace

Machine::Machine(engine::Simulation& simulation, const MachineParameters& parameters)
    : parameters_(checked(parameters)),
      clocks_(parameters.clocks()),
      answering_unit_(answering_unit(parameters)),
      workload_({static_cast<Address>(parameters.dram.size.count()), parameters.rendering.mode(), parameters.tiling,
                 parameters.colour.resolve() == Resolve::on_chip, parameters.colour.transaction_elimination(),
                 parameters.has_tlbs(), static_cast<std::uint32_t>(parameters.geometry.command_bytes.count())}),
      front_end_{parameters.raster,
                 parameters.tiling,
                 parameters.tile_cache,
                 parameters.rendering.mode(),
                 parameters.colour.tile_buffers(),
                 clocks_.gpu,
                 has_tiles_per_core() ? "tile_dispatcher" : "geometry"} {
    add_geometry(simulation);
    add_raster_and_colour(simulation);
    add_vertex_processors(simulation);
    add_clusters(simulation);
    add_memory(simulation);
    add_home(simulation);
    connect_pipeline(simulation);
    connect_memory(simulation);
    connect_home(simulation);
    add_laws();
}

const MachineParameters& Machine::checked(const MachineParameters& parameters) const {
    parameters.check_all();
    return parameters;
}

MemoryPortShape Machine::memory_port() const {
    return {parameters_.l2.slices(),
            parameters_.l2.requests_per_port(),
            clocks_.gpu,
            parameters_.network.injection_latency.count() * clocks_.gpu,
            static_cast<std::uint32_t>(parameters_.network.link_width.count()),
            parameters_.l2.line_blocks(),
            parameters_.address_space.page_placement(parameters_.dram.size.count()),
            tlb_shape(parameters_),
            answering_unit_,
            parameters_.observe.observed(clocks_),
            static_cast<BlockNumber>(parameters_.dram.size.count() / block_bytes)};
}

void Machine::add_geometry(engine::Simulation& simulation) {
    const bool unified = parameters_.has_unified_cores();
    const int processors = unified ? parameters_.fragment_processor.count() / parameters_.cluster.cores()
                                   : parameters_.vertex_processor.count();
    geometry_ = &simulation.add<Geometry>(Geometry::Shape{parameters_.geometry,
                                                          parameters_.tiling,
                                                          {processors, parameters_.vertices_per_warp(), clocks_.gpu},
                                                          parameters_.network.hop.count() * clocks_.gpu,
                                                          memory_port(),
                                                          unified ? "fragment_processor" : "vertex_processor",
                                                          is_immediate() ? parameters_.tiling.triangle_queue() : 0},
                                          workload_);
}

// Of the entries of a queue, those of each core.
std::vector<int> Machine::shares(int entries) const {
    const int cores = parameters_.fragment_processor.count();
    std::vector<int> all;
    for (int i = 0; i < cores; ++i) all.push_back(share_of(entries, cores, i));
    return all;
}

std::optional<AccessProcessor::Shape> Machine::access_processor() const {
    if (!parameters_.access_execute.enabled()) return std::nullopt;
    const AccessExecuteParameters& parameters = parameters_.access_execute;
    return AccessProcessor::Shape{{static_cast<std::size_t>(parameters.queue()),
                                   static_cast<std::uint32_t>(parameters.source_bits()), parameters.source_window()},
                                  static_cast<std::size_t>(parameters_.raster.fragment_queue()),
                                  parameters_.cluster.cores(),
                                  is_immediate()};
}

void Machine::add_immediate_raster(engine::Simulation& simulation) {
    const std::optional<AccessProcessor::Shape> access = access_processor();
    const Time hop = parameters_.network.hop.count() * clocks_.gpu;
    immediate_raster_ = &simulation.add<ImmediateRaster>(
        ImmediateRaster::Shape{
            parameters_.raster,
            parameters_.depth_cache,
            parameters_.tiling.triangle_queue(),
            clusters(),
            parameters_.colour.queue(),
            {parameters_.fragment_processor.count(), parameters_.fragment_processor.groups_per_warp(),
             parameters_.raster.fragment_queue(), clocks_.gpu},
            clocks_.gpu,
            parameters_.network.credit_patience.count() * clocks_.gpu,
            hop,
            memory_port(),
            access ? &*access : nullptr},
        workload_);
}

void Machine::add_raster_and_colour(engine::Simulation& simulation) {
    const int cores = parameters_.fragment_processor.count();
    const Time hop = parameters_.network.hop.count() * clocks_.gpu;
    if (is_immediate()) {
        add_immediate_raster(simulation);
        return;
    }
    if (has_tiles_per_core()) {
        tile_dispatcher_ = &simulation.add<TileDispatcher>(
            TileDispatcher::Shape{clusters(), parameters_.colour.tile_buffers() + 1, clocks_.gpu, hop}, workload_);
        return;
    }
    const std::optional<AccessProcessor::Shape> access = access_processor();
    raster_ = &simulation.add<Raster>(Raster::Shape{front_end_,
                                                    {cores, parameters_.fragment_processor.groups_per_warp(),
                                                     parameters_.raster.fragment_queue(), clocks_.gpu},
                                                    hop,
                                                    memory_port(),
                                                    access ? &*access : nullptr,
                                                    access ? clusters() : 0},
                                      workload_);
    colour_ = &simulation.add<Colour>(
        Colour::Shape{parameters_.colour, shares(parameters_.colour.queue()), clocks_.gpu,
                      parameters_.network.credit_patience.count() * clocks_.gpu, hop, memory_port()},
        workload_);
}

void Machine::add_vertex_processors(engine::Simulation& simulation) {
    const ShaderCoreParameters& core = parameters_.vertex_processor;
    const int warps = 2 * parameters_.geometry.vertex_queue();  // of a vertex each, at worst
    for (int i = 0; i < core.count(); ++i)
        vertex_processors_.push_back(
            &simulation.add<Cluster>(Cluster::Shape{"vertex_processor",
                                                    "vertex_processor",
                                                    i,
                                                    1,
                                                    clocks_.gpu,
                                                    core,
                                                    parameters_.texture_unit,
                                                    nullptr,
                                                    &parameters_.vertex_cache,
                                                    parameters_.instruction_cache,
                                                    parameters_.constant_cache,
                                                    {},
                                                    {},
                                                    static_cast<std::size_t>(warps),
                                                    parameters_.network.credit_patience.count() * clocks_.gpu,
                                                    parameters_.network.hop.count() * clocks_.gpu,
                                                    memory_port()},
                                     workload_));
}

void Machine::add_clusters(engine::Simulation& simulation) {
    const ShaderCoreParameters& core = parameters_.fragment_processor;
    const int cores = parameters_.cluster.cores();
    const bool unified = parameters_.has_unified_cores();
    const int warps = unified ? 2 * parameters_.geometry.vertex_queue() : 0;
    const auto of_cluster = [&](int entries, int cluster) {
        const std::vector<int> all = shares(entries);
        return std::vector<int>(all.begin() + cluster * cores, all.begin() + (cluster + 1) * cores);
    };
    for (int i = 0; i < clusters(); ++i) {
        const std::vector<int> fragment_entries = of_cluster(parameters_.raster.fragment_queue(), i);
        const std::vector<int> colour_entries = of_cluster(parameters_.colour.queue(), i);
        const HomeExit::Shape home = home_exit(i);
        clusters_.push_back(
            &simulation.add<Cluster>(Cluster::Shape{"cluster",
                                                    "fragment_processor",
                                                    i,
                                                    cores,
                                                    clocks_.gpu,
                                                    core,
                                                    parameters_.texture_unit,
                                                    &parameters_.texture_cache,
                                                    unified ? &parameters_.vertex_cache : nullptr,
                                                    parameters_.instruction_cache,
                                                    parameters_.constant_cache,
                                                    fragment_entries,
                                                    colour_entries,
                                                    static_cast<std::size_t>(warps),
                                                    parameters_.network.credit_patience.count() * clocks_.gpu,
                                                    parameters_.network.hop.count() * clocks_.gpu,
                                                    memory_port(),
                                                    has_tiles_per_core() ? &front_end_ : nullptr,
                                                    is_immediate() ? &parameters_.pixel_cache : nullptr,
                                                    &parameters_.colour,
                                                    unified ? parameters_.vertices_per_warp() : 0,
                                                    has_home() ? &home : nullptr,
                                                    access_processor() ? parameters_.access_execute.queue() : 0,
                                                    peer_requests()},
                                     workload_));
    }
}

// What the caches of all clusters may ask of one; 0: they ask nothing of one another.
int Machine::peer_requests() const {
    if (!parameters_.has_remote_l1()) return 0;
    const int pixels = is_immediate() ? parameters_.pixel_cache.mshrs() : 0;
    return clusters() * (parameters_.texture_cache.mshrs() + pixels);
}

// Of a channel's queues, for this slice: none if it has no lines of the channel.
int Machine::dram_entries(int slice, int channel) const {
    const int slices = parameters_.l2.slices(), channels = parameters_.dram.channels();
    const auto lines =
        static_cast<int>(parameters_.dram.interleave.count() / (block_bytes * parameters_.l2.line_blocks()));
    const auto reaches = [&](int from) {
        for (std::int64_t line = from; line < std::int64_t{slices} * lines * channels; line += slices)
            if (line / lines % channels == channel) return true;
        return false;
    };
    if (!reaches(slice)) return 0;
    if (parameters_.dram.model() == DramModel::timed) return parameters_.dram.slice_queue();
    int sharers = 0, index = 0;  // of the one queue
    for (int s = 0; s < slices; ++s) {
        if (!reaches(s)) continue;
        if (s < slice) ++index;
        ++sharers;
    }
    return share_of(parameters_.dram.flat.queue(), sharers, index);
}

std::vector<const MemoryPort*> Machine::memory_ports() const {
    std::vector<const MemoryPort*> all;
    for_each_requester([&](const auto& process) { all.push_back(&process.memory); });
    return all;
}

void Machine::add_memory(engine::Simulation& simulation) {
    add_mmu(simulation);
    int processors = 0;
    for_each_requester([&](const auto& /*process*/) { ++processors; });
    add_networks(simulation, processors);
    const std::uint32_t interleave = parameters_.dram.interleave_blocks();
    const DirectoryShape directory =
        parameters_.home.directory_shape(parameters_.l2.slices(), parameters_.l2.line_blocks());
    const int slices = parameters_.l2.slices(), channels = parameters_.dram.channels();
    for (int i = 0; i < slices; ++i) {
        std::vector<int> entries;
        for (int channel = 0; channel < channels; ++channel) entries.push_back(dram_entries(i, channel));
        l2_slices_.push_back(&simulation.add<L2Slice>(L2Slice::Shape{
            parameters_.l2, i, processors, entries, interleave, clocks_.gpu, memory_port().link_width,
            memory_port().observed, memory_port().memory_blocks, has_directory() ? &directory : nullptr}));
    }
    for (int i = 0; i < channels; ++i) {
        std::vector<int> entries;
        for (int slice = 0; slice < slices; ++slice) entries.push_back(dram_entries(slice, i));
        dram_channels_.push_back(&simulation.add<DramChannel>(DramChannel::Shape{
            parameters_.dram,
            i,
            {entries, clocks_.dram, static_cast<std::int64_t>(parameters_.l2.line()), parameters_.observe.latency()},
            parameters_.observe.bandwidth_every.count() * clocks_.gpu}));
    }
}

void Machine::add_mmu(engine::Simulation& simulation) {
    if (!parameters_.has_tlbs()) return;
    const std::size_t questions = memory_ports().size() * static_cast<std::size_t>(parameters_.tlb.waiting());
    MemoryPortShape port = memory_port();
    port.tlb = std::nullopt;
    mmu_ = &simulation.add<Mmu>(Mmu::Shape{
        parameters_.mmu, questions, clocks_.gpu, port, {workload_.memory().page_tables, workload_.memory().memory}});
}

// One from the processors to the slices and to the MMU, and one back.
void Machine::add_networks(engine::Simulation& simulation, int processors) {
    const int slices = parameters_.l2.slices(), columns = parameters_.mesh.columns(), rows = parameters_.mesh.rows();
    const auto bytes = [](const Parameter<Bytes>& width) { return static_cast<std::uint32_t>(width.count()); };
    std::vector<NodeNumber> nodes = place_slices(parameters_.mesh.placement(), slices, columns, rows);
    if (mmu_ != nullptr) nodes.push_back(0);
    const std::vector<NodeNumber> processor_nodes = place_in_turn(processors, columns, rows);
    const auto first_cluster = static_cast<int>(nodes.size());
    if (parameters_.has_remote_l1())  // clusters are the first requesters
        nodes.insert(nodes.end(), processor_nodes.begin(), processor_nodes.begin() + clusters());
    NetworkShape requests{processors,
                          static_cast<int>(nodes.size()),
                          clocks_.gpu,
                          bytes(parameters_.bus.width),
                          bytes(parameters_.network.link_width),
                          {columns, rows, bytes(parameters_.mesh.link_width), bytes(parameters_.mesh.header),
                           static_cast<std::uint32_t>(parameters_.mesh.buffer()), processor_nodes, nodes},
                          requesters};
    NetworkShape replies = requests;
    std::swap(replies.inputs, replies.outputs);
    std::swap(replies.mesh.input_nodes, replies.mesh.output_nodes);
    replies.senders = "l2_slice";
    const std::size_t kind = parameters_.network.kind();
    const std::uint32_t line_blocks = parameters_.l2.line_blocks();
    request_network_ = &simulation.add<Network<MemoryRequest>>(
        Network<MemoryRequest>::Shape{kind, requests, line_blocks, slices, first_cluster});
    response_network_ =
        &simulation.add<Network<MemoryReply>>(Network<MemoryReply>::Shape{kind, replies, line_blocks, slices});
}

}  // namespace models
