// The parser behind parse(): one line of TGSI at a time into a Shader. Declarations, instructions and the analysis of
// the whole program are in declarations.cpp, instructions.cpp and analysis.cpp; buffers, images and shared memory in
// storage_operands.cpp.
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "models/functional/tgsi/cursor.h"
#include "models/functional/tgsi/shader.h"

namespace models::functional::tgsi {

class Parser {
  public:
    explicit Parser(std::string_view text) : cursor_(text) { shader_.program.text = std::string(text); }
    Shader parse();

  private:
    struct Range {
        std::int32_t first = 0, last = -1;
    };
    struct Declaration {
        RegisterFile file = RegisterFile::none;
        std::uint8_t buffer = 0;
        Range range;
        std::int32_t array = 0;
        Varying varying;
    };

    void stage();
    void statement();
    void property();
    bool compute_property(std::string_view name);

    // Declarations.
    void declaration();
    void declared_register(Declaration& declaration);
    void attribute(Declaration& declaration);
    void semantic(Declaration& declaration, Semantic semantic);
    void sampler_view(const Range& range);
    void storage_declaration(std::string_view file);
    void image(StorageDeclaration& declared);
    void declare(const Declaration& declaration);
    void declare_varyings(std::vector<Varying>& varyings, const Declaration& declaration);
    void immediate();
    std::uint32_t immediate_value(std::string_view type);
    std::string_view number_text();

    // Instructions.
    void instruction(std::string_view name, std::size_t start);
    Opcode opcode(std::string_view name, std::size_t start, Operation& operation);
    void operands(Operation& operation);
    DestinationRegister destination();
    SourceRegister source();
    void texture(Operation& operation);
    Range sampler_array(std::int32_t first) const;
    void storage_operands(Operation& operation);
    void storage_operand(Operation& operation);
    void storage_qualifiers(const Operation& operation);
    void note_storage_use(const Operation& operation);
    void texel_offset(Operation& operation);
    SourceRegister offset_register();
    void gather_component(Operation& operation, std::size_t start);
    std::pair<RegisterFile, std::size_t> register_file();
    void register_index(RegisterFile file, std::int32_t& index, std::optional<Indirect>& indirect);
    void constant_index(SourceRegister& source);
    void constant_buffer(SourceRegister& source, std::size_t start);
    std::size_t bracketed_index(RegisterFile file, std::int32_t& index, std::optional<Indirect>& indirect);
    void check_index(RegisterFile file, std::size_t start, Range declared, std::int32_t index,
                     std::optional<Indirect>& indirect);
    void indirect_index(RegisterFile file, std::int32_t& index, std::optional<Indirect>& indirect);
    Range declared_range(RegisterFile file) const;
    Range declared_constants(const SourceRegister& source) const;
    std::uint8_t write_mask();
    int component();

    // The whole program.
    void analyse();
    void match_control_flow();
    void check_call(std::size_t pc) const;
    void check_surroundings(std::size_t pc, const std::vector<std::size_t>& open) const;
    void collect_facts();
    bool shifts_floats(const Operation& operation) const;
    void find_unwritten_temporary();
    Instruction decoded(const Operation& operation) const;

    Cursor cursor_;
    Shader shader_;
    std::map<std::pair<RegisterFile, std::int32_t>, Range> arrays_;  // by file and ARRAY number
    std::vector<std::size_t> positions_;                             // of each instruction in the text
    std::vector<bool> float_immediates_;                             // by number
    bool shared_memory_ = false;                                     // declared
    bool ended_ = false;
};

}  // namespace models::functional::tgsi
