#include "engine/port.h"

#include "engine/error.h"
#include "engine/events/calendar.h"
#include "engine/transport/outgoing.h"

namespace engine {

Port::Port(LogicalProcess* process, std::string_view name, int row_index)
    : process_(process),
      label_(std::make_unique<Label>(Label{std::string(name), row_index, false})) {
    process->description_->ports.push_back(this);
}

int Port::add_input(LogicalProcess& process, Deliver deliver, int row_index, std::size_t message_size) {
    LogicalProcess::Inputs& inputs = process.description_->inputs;
    inputs.push_back({deliver, row_index, static_cast<std::uint32_t>(message_size)});
    return static_cast<int>(inputs.size()) - 1;
}

Envelope& Port::post(Time time, transport::Outgoing* outgoing) const {
    return outgoing == nullptr ? process_->calendar_->add(time) : outgoing->add(time);
}

std::string Port::name() const {
    std::string name = process_->name() + "." + label_->name;
    if (label_->row_index >= 0) name.append("[").append(std::to_string(label_->row_index)).append("]");
    return name;
}

OutPort::OutPort(LogicalProcess* process, std::string_view name, Time least_delay, int row_index)
    : Port(process, name, row_index),
      least_delay_(least_delay) {
    if (least_delay < 0)
        throw ConfigError(Port::name() + ": expected a least delay of 0 ticks or more, found " +
                          std::to_string(least_delay));
}

void OutPort::refuse(Time delay) const {
    throw InternalError(name() + ": sent with a delay of " + std::to_string(delay) + " ticks, promised at least " +
                        std::to_string(least_delay_));
}

void OutPort::refuse_order(Time arrival, Time earlier) const {
    throw InternalError(name() + ": a message would arrive at " + std::to_string(arrival) +
                        ", before an earlier one of its channel, at " + std::to_string(earlier));
}

}  // namespace engine
