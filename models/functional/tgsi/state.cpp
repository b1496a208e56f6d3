#include "models/functional/tgsi/state.h"

#include <algorithm>
#include <cstring>

#include "models/functional/tgsi/integer_math.h"
#include "models/functional/tgsi/lane_math.h"

namespace models::functional::tgsi {
namespace {

using lane_math::bits;
using lane_math::from_bits;

constexpr std::size_t row_bytes = sizeof(float) * batch_lanes;

bool in(LaneMask mask, int lane) {
    return (mask >> lane & 1) != 0;
}

}  // namespace

State::State() : scratch_((scratch_rows + 3) / 4) {
    float* scratch = &scratch_[0].c[0][0];
    std::memset(scratch + zero_row * batch_lanes, 0, row_bytes);
    source_[scratch_space] = destination_[scratch_space] = scratch;
}

const float* State::floats(const Vec4Lanes* registers) {
    return registers != nullptr ? &registers->c[0][0] : nullptr;
}

void State::bind(const Code& code, const Environment& environment) {
    code_ = &code;
    textures_ = environment.textures;
    constant_log_ = environment.constant_log;
    storage_ = environment.storage;
    most_instructions_ = environment.most_instructions;
    if (temporaries_.size() < code.temporaries) temporaries_.resize(code.temporaries);
    if (addresses_.size() < code.address_registers) addresses_.resize(code.address_registers);
    if (!temporaries_.empty()) source_[temporary_space] = destination_[temporary_space] = &temporaries_[0].c[0][0];
    if (!addresses_.empty()) source_[address_space] = destination_[address_space] = &addresses_[0].c[0][0];
    source_[immediate_space] = code.immediates.data();
    padded_constants_.resize(std::max(padded_constants_.size(), code.constant_sizes.size()));
    for (std::size_t buffer = 0; buffer < code.constant_sizes.size(); ++buffer) {
        const std::size_t needed = std::size_t{code.constant_sizes[buffer]} * 4;
        const std::span<const float> given =
            buffer < environment.constants.size() ? environment.constants[buffer] : std::span<const float>();
        std::vector<float>& padded = padded_constants_[buffer];
        if (given.size() < needed) {
            padded.assign(given.begin(), given.end());
            padded.resize(needed);
        }
        source_[constant_space + buffer] = given.size() < needed ? padded.data() : given.data();
    }
}

void State::clear(std::uint8_t space, const std::vector<std::uint32_t>& rows) {
    for (const std::uint32_t row : rows) std::memset(destination_[space] + row, 0, row_bytes);
}

void State::start(const Vec4Lanes* inputs, const Vec4Lanes* system_values, Vec4Lanes* outputs, LaneMask lanes) {
    source_[input_space] = floats(inputs);
    source_[system_value_space] = floats(system_values);
    source_[output_space] = floats(outputs);
    destination_[output_space] = outputs != nullptr ? &outputs->c[0][0] : nullptr;
    lanes_ = active_ = lanes;
    killed_ = 0;
    clear(temporary_space, code_->cleared_temporaries);
    clear(output_space, code_->cleared_outputs);
    if (code_->address_registers > 0)
        std::memset(destination_[address_space], 0, sizeof(Vec4Lanes) * code_->address_registers);
    if (!code_->straight_line) begin_branching();
}

bool State::advance() {
    if (!code_->straight_line) return run_branching();
    run_straight();
    return true;
}

void State::run_straight() {
    diverged_ = false;
    segments_.clear();
    for (const Op& op : code_->ops) execute(op);
    record(0, code_->ops.size(), lanes_);
}

// Any instruction but control flow.
void State::execute(const Op& op) {
    for (std::size_t i = op.preparation; i < std::size_t{op.preparation} + op.preparations; ++i)
        prepare(code_->preparations[i]);
    if (op.kernel != nullptr)
        compute(op);
    else if (op.operation->unit >= 0)
        sample(op);
    else if (op.operation->storage)
        reach_storage(op);
    else if (op.operation->opcode == Opcode::kill || op.operation->opcode == Opcode::kill_if)
        kill(op);
}

void State::compute(const Op& op) {
    float* out[4];
    if (op.staged || active_ != lanes_) {
        for (std::size_t c = 0; c < 4; ++c) out[c] = destination_[scratch_space] + (result_row + c) * batch_lanes;
        op.kernel(op, source_.data(), out);
        store(op, out);
        return;
    }
    float* const destination = destination_[op.space] + op.row;
    for (std::size_t c = 0; c < 4; ++c) out[c] = destination + c * batch_lanes;
    op.kernel(op, source_.data(), out);
    if (!op.saturate) return;
    for (std::size_t k = 0; k < op.count; ++k) {
        float* row = out[op.components[k]];
        for (int i = 0; i < batch_lanes; ++i) row[i] = lane_math::saturate(row[i]);
    }
}

void State::modify(const Preparation& preparation, float* row) const {
    if (preparation.integer) {
        for (int i = 0; i < batch_lanes; ++i) {
            std::uint32_t value = bits(row[i]);
            if (preparation.absolute) value = integer_math::absolute(value);
            if (preparation.negate) value = integer_math::negate(value);
            row[i] = from_bits(value);
        }
        return;
    }
    const std::uint32_t keep = preparation.absolute ? ~lane_math::sign_bit : ~0U;
    const std::uint32_t flip = preparation.negate ? lane_math::sign_bit : 0U;
    for (int i = 0; i < batch_lanes; ++i) row[i] = from_bits((bits(row[i]) & keep) ^ flip);
}

void State::prepare(const Preparation& preparation) {
    if (preparation.computed_buffer != nullptr) return prepare_from_buffers(preparation);
    if (preparation.indirect) return prepare_indirect(preparation);
    for (int c = 0; c < 4; ++c) {
        if ((preparation.components >> c & 1) == 0) continue;
        float* to =
            destination_[scratch_space] + (preparation.scratch_row + static_cast<std::uint32_t>(c)) * batch_lanes;
        const float* from = source_[preparation.space];
        const auto component = static_cast<std::size_t>(preparation.index) * 4 + static_cast<std::size_t>(c);
        if (preparation.scalar)
            std::fill_n(to, batch_lanes, from[component]);
        else
            std::memcpy(to, from + component * batch_lanes, row_bytes);
        if (preparation.absolute || preparation.negate) modify(preparation, to);
    }
}

std::array<std::int32_t, batch_lanes> State::indices(const Indirect& indirect, std::int32_t base) const {
    const float* row = source_[address_space] + (indirect.address * 4U + indirect.component) * batch_lanes;
    std::array<std::int32_t, batch_lanes> result;  // NOLINT: filled below
    for (int i = 0; i < batch_lanes; ++i) {
        const std::int64_t wanted = std::int64_t{std::bit_cast<std::int32_t>(row[i])} + base;
        result[static_cast<std::size_t>(i)] =
            static_cast<std::int32_t>(std::clamp<std::int64_t>(wanted, indirect.first, indirect.last));
    }
    return result;
}

void State::prepare_indirect(const Preparation& preparation) {
    const auto index = indices(preparation.address, preparation.index);
    if (constant_log_ != nullptr && preparation.space >= constant_space) constant_log_->push_back({active_, index});
    for (int c = 0; c < 4; ++c) {
        if ((preparation.components >> c & 1) == 0) continue;
        float* to =
            destination_[scratch_space] + (preparation.scratch_row + static_cast<std::uint32_t>(c)) * batch_lanes;
        gather(preparation, c, index, to);
        if (preparation.absolute || preparation.negate) modify(preparation, to);
    }
}

// Constants of the buffers that the lanes select, which may be of different sizes.
void State::prepare_from_buffers(const Preparation& preparation) {
    static constexpr float undeclared[4] = {};
    const SourceRegister& source = *preparation.computed_buffer;
    const auto buffers = indices(*source.buffer_indirect, source.buffer);
    ConstantIndices read{active_, {}};
    read.index.fill(source.index);
    if (source.indirect) read.index = indices(*source.indirect, source.index);
    std::array<const float*, batch_lanes> from;  // NOLINT: filled below
    for (std::size_t i = 0; i < batch_lanes; ++i) {
        const auto buffer = static_cast<std::size_t>(buffers[i]);
        const auto size = static_cast<std::int32_t>(code_->constant_sizes[buffer]);
        const std::int32_t index = std::max(std::min(read.index[i], size - 1), 0);
        from[i] = size > 0 ? source_[constant_space + buffer] + static_cast<std::size_t>(index) * 4 : undeclared;
        read.index[i] = (buffers[i] - source.buffer) * static_cast<std::int32_t>(computed_buffer_vectors) + index;
    }
    if (constant_log_ != nullptr) constant_log_->push_back(read);
    for (std::uint32_t c = 0; c < 4; ++c) {
        if ((preparation.components >> c & 1) == 0) continue;
        float* const to = destination_[scratch_space] + (preparation.scratch_row + c) * batch_lanes;
        for (std::size_t i = 0; i < batch_lanes; ++i) to[i] = from[i][c];
        if (preparation.absolute || preparation.negate) modify(preparation, to);
    }
}

void State::gather(const Preparation& preparation, int component, const std::array<std::int32_t, batch_lanes>& index,
                   float* to) {
    const float* from = source_[preparation.space];
    for (std::size_t i = 0; i < batch_lanes; ++i) {
        const std::size_t at = static_cast<std::size_t>(index[i]) * 4 + static_cast<std::size_t>(component);
        to[i] = preparation.scalar ? from[at] : from[at * batch_lanes + i];
    }
}

// KILL, or KILL_IF: any component below zero.
void State::kill(const Op& op) {
    LaneMask below = ~LaneMask{0};
    if (op.operation->source_count > 0) {
        below = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            const float* row = source_row(op, 0, c);
            for (int i = 0; i < batch_lanes; ++i) below |= LaneMask{row[i] < 0.0F} << i;
        }
    }
    killed_ |= below & active_;
}

// Writes computed rows to the destination of the active lanes.
void State::store(const Op& op, float* const* rows) {
    if (op.saturate)
        for (std::size_t k = 0; k < op.count; ++k) {
            float* row = rows[op.components[k]];
            for (int i = 0; i < batch_lanes; ++i) row[i] = lane_math::saturate(row[i]);
        }
    if (op.indirect) return scatter(op, rows);
    for (std::size_t k = 0; k < op.count; ++k) {
        const std::uint32_t c = op.components[k];
        float* to = destination_[op.space] + op.row + c * batch_lanes;
        if (active_ == lanes_) {
            std::memcpy(to, rows[c], row_bytes);
            continue;
        }
        for (int i = 0; i < batch_lanes; ++i) {
            const auto select = static_cast<std::uint32_t>(0 - (active_ >> i & 1));
            to[i] = from_bits((bits(rows[c][i]) & select) | (bits(to[i]) & ~select));
        }
    }
}

void State::scatter(const Op& op, float* const* rows) {
    const auto index = indices(op.address, op.index);
    for (std::size_t k = 0; k < op.count; ++k) {
        const std::uint32_t c = op.components[k];
        for (int i = 0; i < batch_lanes; ++i) {
            if (!in(active_, i)) continue;
            const auto at = static_cast<std::size_t>(index[static_cast<std::size_t>(i)]) * register_floats;
            destination_[op.space][at + c * batch_lanes + static_cast<std::size_t>(i)] = rows[c][i];
        }
    }
}

}  // namespace models::functional::tgsi
