// HDF5 with every return code checked: files, groups, datasets and attributes as objects that close themselves.
//
// Datasets are compressed and checksummed (shuffle, deflate, fletcher32), so a flipped bit in a chunk is an error and
// never a wrong number; texts are variable-length UTF-8. What fails while writing is an engine::IoError, what fails
// while reading an existing file an engine::InputError; both name the file and the object, with HDF5's innermost
// reason. HDF5 prints nothing itself. Not thread-safe: one thread uses this header at a time.
//
// A file that is read is not trusted: links other than hard ones, values in other files, filters that are not written
// here, huge chunks and texts are refused by name before they are followed or memory is taken for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace models::functional {
class Workers;
}

namespace io {

using Hdf5Id = std::int64_t;  // HDF5's hid_t, so that including this header does not include HDF5's

enum class Element { u8, u16, u32, u64, i64, f64 };
template <class T>
constexpr Element element_of() {
    if constexpr (std::is_same_v<T, std::uint8_t>) return Element::u8;
    if constexpr (std::is_same_v<T, std::uint16_t>) return Element::u16;
    if constexpr (std::is_same_v<T, std::uint32_t>) return Element::u32;
    if constexpr (std::is_same_v<T, std::uint64_t>) return Element::u64;
    if constexpr (std::is_same_v<T, std::int64_t>) return Element::i64;
    if constexpr (std::is_same_v<T, double>) return Element::f64;
}

class TextHeaps;
struct WholeChunks;

// Which file an object is in, and whether it is being written: what errors are told with.
struct Hdf5Origin {
    std::filesystem::path file;
    bool writing = false;
    std::uint64_t bytes = 0;                               // of a file that is read
    std::shared_ptr<TextHeaps> texts = nullptr;            // the same, when the first one is asked for
    const models::functional::Workers* workers = nullptr;  // that pack chunks and unpack them; null: HDF5 does
};

class Hdf5Object {
  public:
    using Closer = int (*)(Hdf5Id);
    Hdf5Object(std::shared_ptr<Hdf5Origin> origin, std::string name, Hdf5Id id, Closer closer);
    Hdf5Object(Hdf5Object&& other) noexcept;
    Hdf5Object& operator=(Hdf5Object&& other) noexcept;
    Hdf5Object(const Hdf5Object&) = delete;
    Hdf5Object& operator=(const Hdf5Object&) = delete;
    ~Hdf5Object();

    void close();  // checked: a full disk may show only here
    const std::string& name() const { return name_; }
    const std::filesystem::path& file() const { return origin_->file; }

    void set_attribute(const std::string& name, std::string_view text);
    void set_attribute(const std::string& name, std::uint64_t value);
    void set_attribute(const std::string& name, double value);
    bool has_attribute(const std::string& name) const;
    std::string text_attribute(const std::string& name) const;
    std::uint64_t integer_attribute(const std::string& name) const;
    std::vector<std::string> attribute_names() const;  // sorted

    // "FILE: OBJECT: problem", as IoError or InputError.
    [[noreturn]] void fail(const std::string& problem) const;

  protected:
    Hdf5Id id() const { return id_; }
    const std::shared_ptr<Hdf5Origin>& origin() const { return origin_; }
    // Adds HDF5's reason; an IoError where memory runs out, whatever is being done.
    [[noreturn]] void fail_with_reason(const std::string& problem) const;
    TextHeaps& text_heaps() const;  // of the file, which is read and not written
    template <class Code>
    Code check(Code code, const char* action) const {  // negative: failed
        if (code < 0) fail_with_reason(std::string("cannot ") + action);
        return code;
    }

  private:
    std::string where() const;  // "FILE: OBJECT: "

    std::shared_ptr<Hdf5Origin> origin_;
    std::string name_;  // "/l2_slice/hits"
    Hdf5Id id_;
    Closer closer_;
};

// Memory to read into again and again: fresh memory for every column of a large table would cost as much as reading it.
class Hdf5Buffer {
  public:
    void* of_bytes(std::size_t bytes) {
        if (bytes > size_) {
            bytes_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
            size_ = bytes;
        }
        return bytes_.get();
    }

  private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t size_ = 0;
};

class Hdf5Dataset : public Hdf5Object {
  public:
    using Hdf5Object::Hdf5Object;

    std::vector<std::uint64_t> shape() const;
    std::uint64_t rows() const;  // along the first axis

    // Adds rows at the end of the first axis; values.size() is rows times the product of the other axes.
    template <class T>
    void append(std::span<const T> values) {
        append_bytes(element_of<T>(), values.data(), values.size());
    }
    // All rows of a dataset that was created with as many.
    template <class T>
    void write(std::span<const T> values) {
        write_bytes(element_of<T>(), values.data(), values.size());
    }
    template <class T>
    std::vector<T> read() const {
        return read_rows<T>(0, rows());
    }
    // Refuses an element type other than T, rows beyond the end, and a size that the stored bytes cannot unfold to or
    // that is more than half of the memory.
    template <class T>
    std::vector<T> read_rows(std::uint64_t first, std::uint64_t count) const {
        std::vector<T> values(readable_values(element_of<T>(), sizeof(T), first, count));
        read_bytes(element_of<T>(), first, count, values.data());
        return values;
    }
    // The same in memory that is used again and again; valid until the next call with it.
    template <class T>
    std::span<T> read_rows(std::uint64_t first, std::uint64_t count, Hdf5Buffer& buffer) const {
        const std::size_t values = readable_values(element_of<T>(), sizeof(T), first, count);
        void* const place = buffer.of_bytes(values * sizeof(T));
        read_bytes(element_of<T>(), first, count, place);
        return {static_cast<T*>(place), values};
    }

    // netCDF dimension scales: this dataset names the positions along an axis, or its axis is named by one.
    void make_scale(const std::string& dimension);
    void attach_scale(const Hdf5Dataset& scale, unsigned axis);

    // Texts of one axis, `most` of them at the most.
    std::vector<std::string> read_texts(std::uint64_t most) const;

  private:
    friend class Hdf5Group;

    void check_storage() const;  // refuses values in other files, foreign filters and huge chunks
    std::uint64_t stored_bytes() const;
    void append_bytes(Element element, const void* values, std::size_t count);
    template <class F>
    void select(std::uint64_t first, std::uint64_t count, F f) const;
    void write_range(Element element, std::uint64_t first, std::uint64_t count, const void* values);
    void write_bytes(Element element, const void* values, std::size_t count);
    std::size_t readable_values(Element element, std::size_t bytes, std::uint64_t first, std::uint64_t count) const;
    void read_bytes(Element element, std::uint64_t first, std::uint64_t count, void* values) const;
    void read_range(Element element, std::uint64_t first, std::uint64_t count, void* values) const;

    // Those among these rows, if it is worth while for the threads of the file; false where HDF5 has to read them,
    // which then says what is wrong.
    std::optional<WholeChunks> whole_chunks(Element element, std::uint64_t first, std::uint64_t count) const;
    void write_chunks(const WholeChunks& chunks, const std::byte* values);
    bool read_chunks(const WholeChunks& chunks, std::byte* values) const;
};

// How a dataset is created: empty along the first axis, which grows; or with all its rows, which takes a quarter less
// of a file of small datasets. The other axes are fixed.
struct Hdf5Layout {
    std::vector<std::uint64_t> row_shape;  // axes after the first
    std::uint64_t chunk_rows = 1;          // rows in a chunk
    bool missing_is_largest = false;       // fill value 2^64-1, so that nothing missing passes for a count of zero
    bool sparse = false;                   // hardly any value differs from its neighbours: compressed with less effort
    std::uint64_t rows = 0;                // all there will be, for write(); 0: it grows, by append()
};

class Hdf5Group : public Hdf5Object {
  public:
    using Hdf5Object::Hdf5Object;

    Hdf5Group create_group(const std::string& name);
    Hdf5Group group(const std::string& name) const;
    template <class T>
    Hdf5Dataset create_dataset(const std::string& name, const Hdf5Layout& layout) {
        return create_dataset(name, element_of<T>(), layout);
    }
    Hdf5Dataset dataset(const std::string& name) const;
    bool has(const std::string& name) const;
    std::vector<std::string> names() const;  // of its groups and datasets, in the order of creation

    void write_texts(const std::string& name, const std::vector<std::string>& texts);
    std::vector<std::string> read_texts(const std::string& name, std::uint64_t most = 1 << 20) const;

  private:
    // The name is that of an object of this file.
    void expect(const std::string& kind, const std::string& name) const;
    Hdf5Dataset create_dataset(const std::string& name, Element element, const Hdf5Layout& layout);
    std::string path_of(const std::string& name) const;
};

class Hdf5File : public Hdf5Object {
  public:
    // `called`: what errors call the file. `user_block`: bytes in front of the HDF5 content that HDF5 leaves alone; 0
    // or a power of two from 512.
    static Hdf5File create(const std::filesystem::path& path, const std::filesystem::path& called,
                           std::uint64_t user_block = 0);
    static Hdf5File open(const std::filesystem::path& path);  // read only

    Hdf5Group root() const;
    // While f runs, these threads stand by and pack what is appended, or unpack what is read, where there are many
    // chunks of one axis. What is stored is the same.
    void pack_with(const models::functional::Workers& workers, const std::function<void()>& f) const;
    void close();  // checked flush, then checked close; objects still open become unusable

  private:
    using Hdf5Object::Hdf5Object;
};

}  // namespace io
