#include "models/functional/bound_constants.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace models::functional {

BoundConstants::BoundConstants(const StageState& stage) {
    for (std::size_t i = 0; i < stage.constants.size(); ++i) {
        const ConstantBuffer& buffer = stage.constants[i];
        std::shared_ptr<const std::vector<float>> values = buffer.values;
        if (buffer.resource) {
            const std::span<const std::byte> bytes = std::as_const(*buffer.resource).bytes();
            std::vector<float> copy((std::size_t{buffer.bytes} + 15) / 16 * 4);
            std::memcpy(copy.data(), bytes.data() + buffer.offset, buffer.bytes);
            values = std::make_shared<const std::vector<float>>(std::move(copy));
        }
        if (values) {
            spans_.resize(i + 1);
            spans_[i] = *values;
            held_.push_back(std::move(values));
            bytes_ += buffer.bytes;
        }
    }
}

}  // namespace models::functional
