// The texts of an HDF5 file that is read. HDF5 keeps a text of variable length in a heap of the file and a reference to
// it where the text belongs; version 1.10 follows references that point outside of their heap, and ends the program. So
// HDF5 gives us the references, and the texts are taken from the file here. Internal to io.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5_file.h"

namespace io {

// As stored, in bytes: 4 of length, 8 of the heap's address, 4 of the number within the heap.
using TextReference = std::array<std::uint8_t, 16>;

// The type to read texts into as TextReferences; of the caller, to be closed by H5Tclose.
Hdf5Id make_text_reference_type();

// Those of one file: each heap is loaded once.
class TextHeaps {
  public:
    // `object`: anything in the file.
    explicit TextHeaps(Hdf5Id object);

    // Sets `text` to what the reference points to; false where there is no such text.
    bool find(const TextReference& reference, std::string& text);
    std::uint64_t file_bytes() const { return file_bytes_; }

  private:
    struct Heap {
        std::vector<std::uint8_t> bytes;
        std::map<std::uint64_t, std::span<const std::uint8_t>> texts;  // by number
    };
    const Heap* load(std::uint64_t address);

    int file_ = -1;            // HDF5's own descriptor
    std::uint64_t begin_ = 0;  // of the HDF5 content in the file
    std::uint64_t file_bytes_ = 0;
    std::uint64_t heap_bytes_ = 0;         // loaded so far
    std::map<std::uint64_t, Heap> heaps_;  // by address
};

}  // namespace io
