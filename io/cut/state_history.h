// The messages before a cut, of which only those are kept that still matter after it: connection set-up, the creation
// and destruction of resources (their order decides addresses), of sub-contexts, and of objects that live on or are
// bound by what is kept; and of the commands that set the same state, the last one. What draws and what fills resources
// is left out.
//
// Keeps positions: what a handle means when a command binds it stays the same.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "models/functional/virgl/protocol.h"

namespace io {

class StateHistory {
  public:
    void add(const models::functional::Record& record, const models::functional::Message& message);
    // The answer to the message before.
    void add_reply(const models::functional::Record& record);

    // The records to write; payloads of messages and replies. `all`: every command that sets state.
    using Emit = std::function<void(bool reply, std::span<const std::byte> payload)>;
    void write(bool all, const Emit& emit) const;

    std::uint32_t current_sub_context() const { return current_; }

  private:
    using Key = std::vector<std::uint32_t>;
    struct Entry {
        enum class Kind : std::uint8_t { message, reply, command } kind = Kind::message;
        std::uint32_t sub_context = 0;    // of a command
        models::functional::Bytes bytes;  // of a command: with its header
        bool superseded = false;          // a later command sets the same state
        std::uint32_t life = 0;           // of the object that the command creates or destroys; 0: none
        bool names_objects = false;       // its words may be handles of objects
    };

    void add_command(const models::functional::Command& command);
    void add_state(Entry entry, Key key);
    void add_object(Entry entry, const models::functional::Command& command);
    std::vector<bool> lives_in_use(bool all) const;

    std::vector<Entry> entries_;
    std::map<Key, std::size_t> last_;                                           // entry by what it sets
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> objects_;  // life by sub-context and handle
    std::vector<bool> ended_{true};                                             // by life
    std::uint32_t current_ = 0;
    bool kept_ = false;  // the message before was
};

}  // namespace io
