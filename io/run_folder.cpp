#include "io/run_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "engine/error.h"
#include "io/file.h"
#include "io/printable.h"
#include "io/recording/temporary_name.h"

namespace io {

namespace {

using std::filesystem::file_type;
using std::filesystem::path;

constexpr std::array<const char*, 6> item_names = {
    "checkpoint", "checkpoint_previous", "results.h5", "resolved.toml", "images", "traces"};
constexpr const char* replaced_name = "replaced";

file_type type_of(const path& file) {
    std::error_code error;
    const file_type type = std::filesystem::symlink_status(file, error).type();
    if (type == file_type::none) throw_io_error(file, "read", error.value());
    return type;
}

bool is_there(const path& file) {
    return type_of(file) != file_type::not_found;
}

// The folders that were missing on the way to this one, created now; the deepest first.
std::vector<path> create_missing(const path& folder) {
    std::vector<path> missing;
    for (path at = folder; !at.empty() && !is_there(at); at = at.parent_path()) missing.push_back(at);
    create_folder(folder);
    return missing;
}

const OutputKind& kind_of(const std::string& item) {
    if (item == "images") return image_output;
    if (item == "traces") return trace_output;
    if (item.starts_with("checkpoint")) return checkpoint_output;
    return item == "results.h5" ? results_output : machine_output;
}

// Refuses what may not go: files that may not be replaced, at any depth.
void check_files(const path& file, const OutputKind& kind, const OutputPolicy& policy) {
    if (is_unfinished(file)) return;
    if (type_of(file) != file_type::directory) {
        check_output(file, kind, policy);
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(file)) check_files(entry.path(), kind, policy);
}

void check_item(const path& item, const OutputPolicy& policy) {
    const std::string name = item.filename().string();
    const bool should_be_folder = name == "images" || name == "traces";
    if (should_be_folder && type_of(item) != file_type::directory)
        throw engine::ConfigError(item.string() + " is no folder; remove it, or write to another place");
    if (!should_be_folder) {
        check_output(item, kind_of(name), policy);
        return;
    }
    check_files(item, kind_of(name), policy);
    if (const auto input = input_within(item, policy.inputs))
        throw engine::ConfigError(
            input->string() + " is read by this command, and --force would replace it; write to " + "another folder");
}

// The items in a folder, checked.
std::vector<path> items_of(const path& folder, const OutputPolicy& policy) {
    const path checkpoint = folder / "checkpoint";
    if (!policy.force && type_of(checkpoint) == file_type::regular && is_checkpoint(checkpoint))
        throw engine::ConfigError(folder.string() + " holds a run that was stopped; --resume " +
                                  shell_word(folder.string()) + " goes on with it, --force replaces it");
    std::vector<path> items;
    for (const char* name : item_names) {
        if (!is_there(folder / name)) continue;
        check_item(folder / name, policy);
        items.push_back(folder / name);
    }
    return items;
}

// "replaced", "replaced_2", ...
path replaced_folder(const path& folder, std::size_t number) {
    return folder / (replaced_name + (number == 1 ? std::string() : "_" + std::to_string(number)));
}

// Folders that an earlier run put things aside in, checked.
std::vector<path> replaced_folders(const path& folder, const OutputPolicy& policy) {
    std::vector<path> found;
    for (std::size_t number = 1; is_there(replaced_folder(folder, number)); ++number) {
        const path replaced = replaced_folder(folder, number);
        if (type_of(replaced) != file_type::directory)
            throw engine::ConfigError(replaced.string() + " is no folder; remove it, or write to another place");
        if (!policy.force && !items_of(replaced, {true, policy.inputs}).empty())
            throw engine::ConfigError(replaced.string() +
                                      " holds results that a run which did not end was to replace; " +
                                      "--force removes them when the new run is complete");
        items_of(replaced, policy);
        found.push_back(replaced);
    }
    return found;
}

const path& existing(const path& folder) {
    if (!std::filesystem::is_directory(folder))
        throw engine::ConfigError("--resume: there is no folder " + folder.string());
    return folder;
}

// Removes Tessera's own files and what folders are empty then. What has come in since the check stays.
void remove_own(const path& file, const OutputKind& kind) noexcept {
    std::error_code error;
    const file_type type = std::filesystem::symlink_status(file, error).type();
    if (type == file_type::directory) {
        for (std::filesystem::directory_iterator entry(file, error), end; !error && entry != end;
             entry.increment(error))
            remove_own(entry->path(), kind);
        ::rmdir(file.c_str());
    } else if (type == file_type::regular) {
        try {
            if (is_unfinished(file) || kind.recognises(file)) ::unlink(file.c_str());
        } catch (const engine::Error&) {
            return;  // what cannot be read is not ours to remove
        }
    }
}

// What a program that was killed has left at any depth.
void remove_unfinished_in(const path& folder) noexcept {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (is_unfinished(entry->path())) ::unlink(entry->path().c_str());
}

void remove_items(const path& folder) noexcept {
    for (const char* name : item_names) remove_own(folder / name, kind_of(name));
}

}  // namespace

RunFolder::RunFolder(path folder, const OutputPolicy& policy)
    : created_(create_missing(folder)),
      path_(std::move(folder)),
      lock_(OutputLock::of_folder(path_)),
      earlier_(items_of(path_, policy)),
      replaced_(replaced_folders(path_, policy)) {
    for (const char* name : item_names) remove_unfinished(path_ / name);
}

RunFolder::RunFolder(path folder)
    : path_(std::move(folder)),
      lock_(OutputLock::of_folder(existing(path_))),
      replaced_(replaced_folders(path_, {true, {}})),
      room_made_(true),
      kept_(true) {
    for (const char* name : item_names) remove_unfinished(path_ / name);
    for (const path& item : {images(), traces()}) remove_unfinished_in(item);
}

RunFolder::~RunFolder() {
    if (!kept_) give_back();
    if (room_made_) ::rmdir(traces().c_str());  // if no trace came into it
    lock_.release();
    for (const path& folder : created_) ::rmdir(folder.c_str());  // those that are still empty
}

void RunFolder::make_room() {
    if (std::exchange(room_made_, true) || earlier_.empty()) return;
    replaced_.push_back(replaced_folder(path_, replaced_.size() + 1));
    create_folder(replaced_.back());
    for (const path& item : earlier_)
        if (std::rename(item.c_str(), (replaced_.back() / item.filename()).c_str()) != 0)
            throw_io_error(item, "put aside", errno);
}

void RunFolder::complete() {
    for (const path& checkpoint : {checkpoints().newest, checkpoints().previous})
        remove_own(checkpoint, checkpoint_output);
    for (const path& folder : replaced_) {
        remove_items(folder);
        ::rmdir(folder.c_str());
    }
    replaced_.clear();
}

// What was written before there were results goes, but for traces where there were none before: they took long to make.
void RunFolder::give_back() noexcept {
    if (!room_made_) return;
    for (const path& item : {images(), machine(), checkpoints().newest})
        remove_own(item, kind_of(item.filename().string()));
    if (earlier_.empty()) return;
    remove_items(path_);
    for (const path& item : earlier_) std::rename((replaced_.back() / item.filename()).c_str(), item.c_str());
    ::rmdir(replaced_.back().c_str());
}

bool RunFolder::is_reserved(const path& folder, const path& file) {
    std::error_code error;
    const path below = std::filesystem::weakly_canonical(file, error)
                           .lexically_relative(std::filesystem::weakly_canonical(folder, error));
    if (below.empty()) return false;
    const std::string first = below.begin()->string();
    return first.starts_with(replaced_name) ||
           std::find(item_names.begin(), item_names.end(), first) != item_names.end();
}

}  // namespace io
