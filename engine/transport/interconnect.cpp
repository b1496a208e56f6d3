#include "engine/transport/interconnect.h"

#include <algorithm>
#include <new>

#include "engine/transport/collectives.h"

namespace engine {

namespace {

// What lies in the memory of a node, and where.
struct Layout {
    std::size_t participants, links;
    std::size_t bytes() const { return link_offset(links); }
    static constexpr std::size_t seat_offset = sizeof(ReductionMemory);
    std::size_t link_offset(std::size_t i) const {
        return seat_offset + participants * sizeof(ReductionSlot) + i * sizeof(transport::LinkMemory);
    }
    static ReductionMemory* reduction(std::byte* data) {
        return std::launder(reinterpret_cast<ReductionMemory*>(data));
    }
    static ReductionSlot* slots(std::byte* data) {
        return std::launder(reinterpret_cast<ReductionSlot*>(data + seat_offset));
    }
    transport::LinkMemory* link(std::byte* data, std::size_t i) const {
        return std::launder(reinterpret_cast<transport::LinkMemory*>(data + link_offset(i)));
    }
    void make(std::byte* data) const {
        new (data) ReductionMemory;
        for (std::size_t i = 0; i < participants; ++i)
            new (data + seat_offset + i * sizeof(ReductionSlot)) ReductionSlot;
        for (std::size_t i = 0; i < links; ++i) new (data + link_offset(i)) transport::LinkMemory;
    }
};

// Between ranks of the node of this one.
bool is_near(const transport::Nodes& nodes, const Interconnect::Link& link) {
    return nodes.together(link.from, transport::rank()) && nodes.together(link.to, transport::rank());
}

}  // namespace

Interconnect::Interconnect(const transport::Nodes& nodes, std::span<const int> participants,
                           std::span<const Link> links)
    : participants_(participants.size()),
      block_(make_block(nodes, links)),
      own_slots_(nodes.several() ? participants.size() : 0),
      reduction_(Layout::reduction(block_.data())),
      slots_(Layout::slots(block_.data())) {
    if (nodes.several()) {
        own_reduction_ = std::make_unique<ReductionMemory>();
        reduction_ = own_reduction_.get();
        slots_ = own_slots_.data();
        transport_ = std::make_unique<transport::InterNodeTransport>(*reduction_, own_slots_, participants);
    }
    find_links(nodes, links);
}

transport::SharedBlock Interconnect::make_block(const transport::Nodes& nodes, std::span<const Link> links) const {
    const auto near = std::count_if(links.begin(), links.end(), [&](const Link& link) { return is_near(nodes, link); });
    const Layout layout{participants_, static_cast<std::size_t>(near)};
    return {nodes, layout.bytes(), [&](std::byte* data) { layout.make(data); }};
}

void Interconnect::find_links(const transport::Nodes& nodes, std::span<const Link> links) {
    const Layout layout{participants_, 0};
    const int rank = transport::rank();
    std::size_t near = 0;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const Link& link = links[i];
        transport::LinkMemory* memory = nullptr;
        if (is_near(nodes, link)) {
            memory = layout.link(block_.data(), near++);
        } else if (link.from == rank || link.to == rank) {
            memory = far_ends_.emplace_back(std::make_unique<transport::LinkMemory>()).get();
            link.from == rank ? transport_->carry_to(link.to, i, *memory) : transport_->deliver_to(i, *memory);
        }
        links_.push_back(memory);
    }
}

}  // namespace engine
