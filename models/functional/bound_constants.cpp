#include "models/functional/bound_constants.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace models::functional {

BoundConstants::BoundConstants(const StageState& state, ShaderStage stage, std::span<const std::uint32_t> declared) {
    for (std::size_t i = 0; i < state.constants.size(); ++i) {
        const ConstantBuffer& buffer = state.constants[i];
        std::shared_ptr<const std::vector<float>> values = buffer.values;
        // What the program can reach: applications bind whole buffers of which a program declares a part.
        const std::size_t reach = i < declared.size() ? std::size_t{declared[i]} * 16 : 0;
        const std::size_t size = std::min<std::size_t>(buffer.bytes, reach);
        if (buffer.resource) {
            const std::span<const std::byte> bytes = std::as_const(*buffer.resource).bytes();
            std::vector<float> copy((size + 15) / 16 * 4);
            if (size > 0) std::memcpy(copy.data(), bytes.data() + buffer.offset, size);  // else there may be no memory
            values = std::make_shared<const std::vector<float>>(std::move(copy));
        }
        if (values) {
            spans_.resize(i + 1);
            spans_[i] = *values;
            held_.push_back(std::move(values));
            bytes_ += buffer.bytes;
        }
        if (size > 0) {
            const Address address = buffer.resource ? buffer.resource->address() + buffer.offset : buffer.place;
            ranges_.push_back({stage, static_cast<std::uint8_t>(i), address, static_cast<std::uint32_t>(size)});
        }
    }
}

}  // namespace models::functional
