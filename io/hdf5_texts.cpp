#include "io/hdf5_texts.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

namespace io {

namespace {

constexpr std::size_t header_bytes = 16;  // of a heap, and of an object in it

std::uint64_t little_endian(std::span<const std::uint8_t> bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i > 0; --i) value = value << 8 | bytes[i - 1];
    return value;
}

bool read_at(int file, std::uint64_t offset, std::span<std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::pread(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count == 0 || (count < 0 && errno != EINTR)) return false;
        if (count < 0) continue;
        offset += static_cast<std::uint64_t>(count);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

// What HDF5 calls to convert stored texts to references: they are that already.
herr_t keep_reference(hid_t stored, hid_t wanted, H5T_cdata_t* conversion, size_t, size_t, size_t, void*, void*,
                      hid_t) {
    if (conversion->command != H5T_CONV_INIT) return 0;
    const bool fits = H5Tis_variable_str(stored) > 0 && H5Tget_size(stored) == sizeof(TextReference) &&
                      H5Tget_size(wanted) == sizeof(TextReference);
    return fits ? 0 : -1;
}

}  // namespace

Hdf5Id make_text_reference_type() {
    const hid_t reference = H5Tcreate(H5T_OPAQUE, sizeof(TextReference));
    static const bool registered = [&] {
        const hid_t text = H5Tcopy(H5T_C_S1);
        const bool done = H5Tset_size(text, H5T_VARIABLE) >= 0 &&
                          H5Tregister(H5T_PERS_SOFT, "text reference", text, reference, keep_reference) >= 0;
        H5Tclose(text);
        return done;
    }();
    return registered ? reference : hid_t{H5I_INVALID_HID};
}

TextHeaps::TextHeaps(Hdf5Id object) {
    const hid_t file = H5Iget_file_id(object);
    void* descriptor = nullptr;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) >= 0) file_ = *static_cast<const int*>(descriptor);
    const hid_t creation = H5Fget_create_plist(file);
    hsize_t begin = 0;
    H5Pget_userblock(creation, &begin);
    struct stat found{};
    if (::fstat(file_, &found) == 0) file_bytes_ = static_cast<std::uint64_t>(found.st_size);
    begin_ = std::min<std::uint64_t>(begin, file_bytes_);
    H5Pclose(creation);
    H5Fclose(file);
}

const TextHeaps::Heap* TextHeaps::load(std::uint64_t address) {
    if (const auto known = heaps_.find(address); known != heaps_.end()) return &known->second;
    std::array<std::uint8_t, header_bytes> header{};  // "GCOL", version, 3 bytes of nothing, 8 of size
    if (address > file_bytes_ - begin_ || !read_at(file_, begin_ + address, header)) return nullptr;
    const std::uint64_t size = little_endian(std::span(header).subspan(8));
    if (std::memcmp(header.data(), "GCOL\1", 5) != 0 || size < header_bytes || size > file_bytes_ - heap_bytes_)
        return nullptr;
    heap_bytes_ += size;
    Heap& heap = heaps_[address];
    heap.bytes.resize(size);
    if (!read_at(file_, begin_ + address, heap.bytes)) return nullptr;
    std::span<const std::uint8_t> rest = std::span(heap.bytes).subspan(header_bytes);
    while (rest.size() > header_bytes) {  // texts: number, count of references, 4 bytes of nothing, 8 of size
        const std::uint64_t number = little_endian(rest.first(2)), bytes = little_endian(rest.subspan(8, 8));
        rest = rest.subspan(header_bytes);
        if (number == 0 || bytes > rest.size()) break;  // the free rest
        heap.texts[number] = rest.first(bytes);
        rest = rest.subspan(std::min<std::uint64_t>((bytes + 7) / 8 * 8, rest.size()));
    }
    return &heap;
}

bool TextHeaps::find(const TextReference& reference, std::string& text) {
    const std::span<const std::uint8_t> stored(reference);
    const std::uint64_t length = little_endian(stored.first(4));
    text.clear();
    if (length == 0) return true;
    const Heap* const heap = load(little_endian(stored.subspan(4, 8)));
    if (heap == nullptr) return false;
    const auto found = heap->texts.find(little_endian(stored.subspan(12)));
    if (found == heap->texts.end() || length > found->second.size()) return false;
    text.assign(reinterpret_cast<const char*>(found->second.data()), length);
    return true;
}

}  // namespace io
