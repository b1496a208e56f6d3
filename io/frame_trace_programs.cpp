#include "io/frame_trace_programs.h"

#include <algorithm>
#include <array>

namespace io {

namespace {

constexpr std::size_t operand_count = 5;  // destination, then four sources
constexpr std::uint16_t no_texture_unit = 0xffff;
constexpr std::size_t most_opcodes = 256, most_opcode_letters = 64;
constexpr std::size_t most_register_files = 256;
constexpr auto last_class = static_cast<std::uint8_t>(models::InstructionClass::control);
constexpr auto last_register_file = static_cast<std::uint8_t>(models::RegisterFile::shared_memory);

std::size_t most_rows(std::string_view group) {
    if (group == "programs") return models::most_programs;
    if (group == "instructions") return models::most_instructions;
    return group == "paths" ? models::most_paths : models::most_path_runs;
}

// One vector per dataset. Operands have a second axis of operand_count.
struct Flat {
    std::vector<std::uint8_t> stage;
    std::vector<std::uint16_t> temporaries, inputs, outputs, constants;
    std::vector<std::uint32_t> instruction_count, path_count;
    std::vector<std::string> text;
    std::vector<std::uint8_t> opcode, source_count, kind, dependent;
    std::vector<std::uint16_t> texture_unit;
    std::vector<std::uint8_t> operand_file, operand_components, operand_indirect, operand_buffer, operand_swizzle;
    std::vector<std::uint16_t> operand_index;
    std::vector<std::uint32_t> run_count;
    std::vector<std::uint16_t> run_first, run_length;
    std::vector<std::uint32_t> run_lanes;
};

void flatten(const models::Operand& operand, Flat& flat) {
    flat.operand_file.push_back(static_cast<std::uint8_t>(operand.file));
    flat.operand_components.push_back(operand.components);
    flat.operand_indirect.push_back(operand.indirect ? 1 : 0);
    flat.operand_index.push_back(operand.index);
    flat.operand_buffer.push_back(operand.buffer);
    flat.operand_swizzle.push_back(operand.swizzle);
}

void flatten(const models::Instruction& instruction, Flat& flat) {
    flat.opcode.push_back(static_cast<std::uint8_t>(instruction.opcode));
    flat.source_count.push_back(instruction.source_count);
    flat.kind.push_back(static_cast<std::uint8_t>(instruction.kind));
    flat.dependent.push_back(instruction.dependent ? 1 : 0);
    flat.texture_unit.push_back(static_cast<std::uint16_t>(instruction.texture_unit));
    flatten(instruction.destination, flat);
    for (const models::Operand& source : instruction.sources) flatten(source, flat);
}

Flat flatten(const std::vector<models::Program>& programs) {
    Flat flat;
    for (const models::Program& program : programs) {
        flat.stage.push_back(static_cast<std::uint8_t>(program.stage));
        flat.temporaries.push_back(program.temporaries);
        flat.inputs.push_back(program.inputs);
        flat.outputs.push_back(program.outputs);
        flat.constants.push_back(program.constants);
        flat.instruction_count.push_back(static_cast<std::uint32_t>(program.instructions.size()));
        flat.path_count.push_back(static_cast<std::uint32_t>(program.paths.size()));
        flat.text.push_back(program.text);
        for (const models::Instruction& instruction : program.instructions) flatten(instruction, flat);
        for (const models::Path& path : program.paths) {
            flat.run_count.push_back(static_cast<std::uint32_t>(path.size()));
            for (const models::PathRun& run : path) {
                flat.run_first.push_back(run.first);
                flat.run_length.push_back(run.count);
                flat.run_lanes.push_back(run.lanes);
            }
        }
    }
    return flat;
}

// Calls visit(group, dataset, vector, values in a row, documentation) for every column but the texts.
template <class FlatColumns, class Visit>
void visit_columns(FlatColumns& flat, Visit&& visit) {
    visit("programs", "stage", flat.stage, 1, "0 vertex, 1 fragment, 2 compute");
    visit("programs", "temporaries", flat.temporaries, 1, "temporary registers declared");
    visit("programs", "inputs", flat.inputs, 1, "input registers declared");
    visit("programs", "outputs", flat.outputs, 1, "output registers declared");
    visit("programs", "constants", flat.constants, 1, "constant registers declared");
    visit("programs", "instruction_count", flat.instruction_count, 1, "rows of /instructions, programs in order");
    visit("programs", "path_count", flat.path_count, 1, "rows of /paths, programs in order");
    visit("instructions", "opcode", flat.opcode, 1, "row of /instructions/opcode_names");
    visit("instructions", "source_count", flat.source_count, 1, "source operands");
    visit("instructions", "class", flat.kind, 1,
          "0 float, 1 integer, 2 conversion, 3 special function, 4 texture, 5 memory, 6 control");
    visit("instructions", "dependent", flat.dependent, 1,
          "a texture instruction whose coordinates depend on a texture read before");
    visit("instructions", "texture_unit", flat.texture_unit, 1, "sampler; 65535: not a texture instruction");
    visit("instructions", "operand_file", flat.operand_file, operand_count,
          "[instruction, destination and 4 sources]: row of /instructions/register_files");
    visit("instructions", "operand_components", flat.operand_components, operand_count,
          "mask of components read or written, bit 0 is x");
    visit("instructions", "operand_indirect", flat.operand_indirect, operand_count, "an address register is added");
    visit("instructions", "operand_index", flat.operand_index, operand_count,
          "register number; for a constant, the vec4 within its buffer");
    visit("instructions", "operand_buffer", flat.operand_buffer, operand_count,
          "of a constant: the constant buffer it is in");
    visit("instructions", "operand_swizzle", flat.operand_swizzle, operand_count,
          "component in the place of x (bits 0-1), y, z and w (bits 6-7)");
    visit("paths", "run_count", flat.run_count, 1, "rows of /path_runs, paths in order");
    visit("path_runs", "first", flat.run_first, 1, "program counter of the first instruction executed");
    visit("path_runs", "count", flat.run_length, 1, "instructions executed one after the other");
    visit("path_runs", "lanes", flat.run_lanes, 1, "mask of the lanes of the quad, vertex or group of threads");
}

const std::vector<std::string>& register_files() {
    static const std::vector<std::string> names = {"none",         "constant", "input",   "output",
                                                   "temporary",    "sampler",  "address", "immediate",
                                                   "system_value", "buffer",   "image",   "shared_memory"};
    return names;
}

// Turns flat columns back into programs, refusing counts and numbers that cannot be.
class Unflattener {
  public:
    Unflattener(const Hdf5Group& root, const Flat& flat) : root_(root), flat_(flat) {}

    std::vector<models::Program> programs() {
        opcodes_ = read_opcodes();
        std::vector<models::Program> programs;
        for (std::size_t i = 0; i < flat_.stage.size(); ++i) programs.push_back(program(i));
        if (instruction_ != flat_.opcode.size()) fail("/instructions", instruction_, "belongs to no program");
        if (path_ != flat_.run_count.size()) fail("/paths", path_, "belongs to no program");
        if (run_ != flat_.run_first.size()) fail("/path_runs", run_, "belongs to no path");
        return programs;
    }

  private:
    [[noreturn]] void fail(const std::string& where, std::size_t row, const std::string& what) const {
        root_.fail(where + ": row " + std::to_string(row) + " " + what);
    }

    // The file's own numbering of operations, which outlives changes of ours.
    std::vector<models::Opcode> read_opcodes() const {
        const std::vector<std::string> names = root_.group("instructions").read_texts("opcode_names", most_opcodes);
        std::vector<models::Opcode> opcodes;
        for (const std::string& name : names) {
            if (name.size() > most_opcode_letters)
                fail("/instructions/opcode_names", opcodes.size(),
                     "names an operation with " + std::to_string(name.size()) + " letters");
            const std::optional<models::Opcode> opcode = models::find_opcode(name);
            if (!opcode)
                fail("/instructions/opcode_names", opcodes.size(), "names an unknown operation '" + name + "'");
            opcodes.push_back(*opcode);
        }
        return opcodes;
    }

    models::Program program(std::size_t i) {
        models::Program program;
        if (flat_.stage[i] > 2) fail("/programs/stage", i, "is none of 0, 1 and 2");
        program.stage = static_cast<models::ShaderStage>(flat_.stage[i]);
        program.temporaries = flat_.temporaries[i];
        program.inputs = flat_.inputs[i];
        program.outputs = flat_.outputs[i];
        program.constants = flat_.constants[i];
        program.text = flat_.text[i];
        if (flat_.instruction_count[i] > flat_.opcode.size() - instruction_)
            fail("/programs/instruction_count", i, "is more than /instructions holds");
        for (std::uint32_t n = 0; n < flat_.instruction_count[i]; ++n) program.instructions.push_back(instruction());
        if (flat_.path_count[i] > flat_.run_count.size() - path_)
            fail("/programs/path_count", i, "is more than /paths holds");
        for (std::uint32_t n = 0; n < flat_.path_count[i]; ++n) program.paths.push_back(path(program));
        return program;
    }

    models::Instruction instruction() {
        const std::size_t i = instruction_++;
        models::Instruction instruction;
        if (flat_.opcode[i] >= opcodes_.size()) fail("/instructions/opcode", i, "is not in opcode_names");
        instruction.opcode = opcodes_[flat_.opcode[i]];
        instruction.source_count = flat_.source_count[i];
        if (instruction.source_count > instruction.sources.size())
            fail("/instructions/source_count", i, "is more than 4");
        instruction.texture_unit = static_cast<std::int16_t>(flat_.texture_unit[i]);
        if (flat_.texture_unit[i] != no_texture_unit && instruction.texture_unit < 0)
            fail("/instructions/texture_unit", i, "is out of range");
        if (flat_.kind[i] > last_class) fail("/instructions/class", i, "is more than 6");
        instruction.kind = static_cast<models::InstructionClass>(flat_.kind[i]);
        if (flat_.dependent[i] > 1) fail("/instructions/dependent", i, "is neither 0 nor 1");
        instruction.dependent = flat_.dependent[i] != 0;
        instruction.destination = operand(i, 0);
        for (std::size_t source = 0; source < instruction.sources.size(); ++source)
            instruction.sources[source] = operand(i, source + 1);
        return instruction;
    }

    models::Operand operand(std::size_t row, std::size_t position) const {
        const std::size_t i = row * operand_count + position;
        models::Operand operand;
        if (flat_.operand_file[i] > last_register_file)
            fail("/instructions/operand_file", row, "is not in register_files");
        if (flat_.operand_components[i] > 15) fail("/instructions/operand_components", row, "is more than 15");
        if (flat_.operand_indirect[i] > 1) fail("/instructions/operand_indirect", row, "is neither 0 nor 1");
        operand.file = static_cast<models::RegisterFile>(flat_.operand_file[i]);
        operand.components = flat_.operand_components[i];
        operand.indirect = flat_.operand_indirect[i] != 0;
        operand.index = flat_.operand_index[i];
        operand.buffer = flat_.operand_buffer[i];
        operand.swizzle = flat_.operand_swizzle[i];
        return operand;
    }

    models::Path path(const models::Program& program) {
        const std::size_t i = path_++;
        models::Path path;
        if (flat_.run_count[i] > flat_.run_first.size() - run_)
            fail("/paths/run_count", i, "is more than /path_runs holds");
        for (std::uint32_t n = 0; n < flat_.run_count[i]; ++n, ++run_) {
            const models::PathRun run{flat_.run_first[run_], flat_.run_length[run_], flat_.run_lanes[run_]};
            if (std::size_t{run.first} + run.count > program.instructions.size())
                fail("/path_runs", run_, "goes beyond the end of its program");
            if (run.lanes == 0 || std::uint64_t{run.lanes} >> models::lanes_of(program.stage) != 0)
                fail("/path_runs/lanes", run_, "has no lane, or one that groups of its program do not have");
            path.push_back(run);
        }
        return path;
    }

    const Hdf5Group& root_;
    const Flat& flat_;
    std::vector<models::Opcode> opcodes_;
    std::size_t instruction_ = 0, path_ = 0, run_ = 0;
};

}  // namespace

void write_programs(Hdf5Group& root, const std::vector<models::Program>& programs) {
    const Flat flat = flatten(programs);
    std::string open_name;
    std::optional<Hdf5Group> group;
    visit_columns(
        flat, [&](const char* group_name, const char* name, const auto& values, std::size_t width, const char* doc) {
            using Value = typename std::remove_cvref_t<decltype(values)>::value_type;
            if (open_name != group_name) group.emplace(root.create_group(open_name = group_name));
            Hdf5Layout layout;
            if (width > 1) layout.row_shape = {width};
            layout.chunk_rows = std::clamp<std::uint64_t>(values.size() / width, 1, 4096);
            Hdf5Dataset dataset = group->create_dataset<Value>(name, layout);
            dataset.append(std::span<const Value>(values));
            dataset.set_attribute("long_name", doc);
            dataset.close();
        });
    root.group("programs").write_texts("text", flat.text);
    Hdf5Group instructions = root.group("instructions");
    instructions.write_texts("opcode_names", models::opcode_names());
    instructions.write_texts("register_files", register_files());
}

std::vector<models::Program> read_programs(const Hdf5Group& root) {
    Flat flat;
    std::string group_name_before;
    std::size_t rows = 0;
    visit_columns(flat, [&](const std::string& group, const char* name, auto& values, std::size_t width, const char*) {
        using Value = typename std::remove_cvref_t<decltype(values)>::value_type;
        const Hdf5Dataset dataset = root.group(group).dataset(name);
        const std::vector<std::uint64_t> shape = dataset.shape();
        const bool expected = width == 1 ? shape.size() == 1 : shape.size() == 2 && shape[1] == width;
        if (!expected || (group == group_name_before && shape[0] != rows)) dataset.fail("has an unexpected shape");
        const std::size_t most = most_rows(group);
        if (shape[0] > most)
            dataset.fail("expected at most " + std::to_string(most) + " rows, found " + std::to_string(shape[0]));
        group_name_before = group;
        rows = shape[0];
        values = dataset.read<Value>();
    });
    flat.text = root.group("programs").read_texts("text", models::most_programs);
    if (flat.text.size() != flat.stage.size()) root.fail("/programs/text: has another length than /programs/stage");
    if (root.group("instructions").read_texts("register_files", most_register_files) != register_files())
        root.fail("/instructions/register_files: names other register files than this version knows");
    return Unflattener(root, flat).programs();
}

void add_programs(Digest& digest, const std::vector<models::Program>& programs) {
    const Flat flat = flatten(programs);
    visit_columns(flat, [&](const char*, std::string_view name, const auto& values, std::size_t, const char*) {
        using Value = typename std::remove_cvref_t<decltype(values)>::value_type;
        if (name != "opcode") digest.add(std::span<const Value>(values));
    });
    for (const models::Program& program : programs) {  // names: the enumeration's numbers may change
        for (const models::Instruction& instruction : program.instructions)
            digest.add(models::opcode_info(instruction.opcode).name);
        digest.add(program.text);
    }
}

}  // namespace io
