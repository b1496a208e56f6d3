#include "io/hdf5_file.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <string>

#include <hdf5.h>
#include <hdf5_hl.h>

#include "engine/error.h"
#include "io/hdf5_identifiers.h"
#include "io/hdf5_texts.h"
#include "io/recording/machine_memory.h"

namespace io {

namespace {

static_assert(std::is_same_v<hid_t, Hdf5Id>);

constexpr unsigned deflate_level = 6, sparse_deflate_level = 1;
constexpr hsize_t most_names = 1000;  // of attributes of an object, of objects in a group
constexpr std::size_t most_name_bytes = 256;

struct Reason {
    std::string text;
    bool out_of_memory = false;
};

// The innermost reason on HDF5's error stack, cut down to the system's message where it quotes one.
Reason innermost_reason() {
    Reason reason;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned position, const H5E_error2_t* error, void* out) -> herr_t {
            if (position != 0) return 0;
            auto& innermost = *static_cast<Reason*>(out);
            if (error->desc != nullptr) innermost.text = error->desc;
            innermost.out_of_memory = error->maj_num == H5E_RESOURCE && error->min_num == H5E_NOSPACE;
            return 0;
        },
        &reason);
    H5Eclear2(H5E_DEFAULT);
    const std::string quote = "error message = '";
    if (const std::size_t start = reason.text.find(quote); start != std::string::npos) {
        const std::size_t end = reason.text.find('\'', start + quote.size());
        reason.text = reason.text.substr(start + quote.size(), end - start - quote.size());
    }
    return reason;
}

// Before the first call of HDF5: no messages, and no clean-up at exit. Files are closed by their owners; after a full
// disk HDF5 1.10 cannot close a dataset, and its clean-up would end the program with a segmentation fault.
void prepare_library() {
    static const bool once = [] { return H5dont_atexit() >= 0; }();
    (void)once;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // a setting of the calling thread
}

[[noreturn]] void throw_failure(const Hdf5Origin& origin, const std::string& message) {
    if (origin.writing) throw engine::IoError(message);
    throw engine::InputError(message);
}

// Where memory runs out, the file is not to blame.
[[noreturn]] void throw_with_reason(const Hdf5Origin& origin, const std::string& message) {
    const Reason reason = innermost_reason();
    if (reason.out_of_memory) throw engine::IoError(message + ": out of memory");
    throw_failure(origin, reason.text.empty() ? message : message + ": " + reason.text);
}

}  // namespace

Hdf5Object::Hdf5Object(std::shared_ptr<Hdf5Origin> origin, std::string name, Hdf5Id id, Closer closer)
    : origin_(std::move(origin)),
      name_(std::move(name)),
      id_(id),
      closer_(closer) {}

Hdf5Object::Hdf5Object(Hdf5Object&& other) noexcept
    : origin_(std::move(other.origin_)),
      name_(std::move(other.name_)),
      id_(std::exchange(other.id_, H5I_INVALID_HID)),
      closer_(other.closer_) {}

Hdf5Object& Hdf5Object::operator=(Hdf5Object&& other) noexcept {
    std::swap(origin_, other.origin_);
    std::swap(name_, other.name_);
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
}

Hdf5Object::~Hdf5Object() {
    if (id_ >= 0) closer_(id_);
}

void Hdf5Object::close() {
    check(closer_(std::exchange(id_, H5I_INVALID_HID)), origin_->writing ? "write" : "close");
}

std::string Hdf5Object::where() const {
    return origin_->file.string() + ": " + (name_ == "/" ? "" : name_ + ": ");
}

void Hdf5Object::fail(const std::string& problem) const {
    throw_failure(*origin_, where() + problem);
}

void Hdf5Object::fail_with_reason(const std::string& problem) const {
    throw_with_reason(*origin_, where() + problem);
}

void Hdf5Object::set_attribute(const std::string& name, std::string_view text) {
    const Temporary type = text_type();
    const Temporary space(H5Screate(H5S_SCALAR), H5Sclose);
    const Temporary attribute(H5Acreate2(id_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const std::string terminated(text);
    const char* pointer = terminated.c_str();
    check(static_cast<hid_t>(attribute), "create an attribute");
    check(H5Awrite(attribute, type, &pointer), "write an attribute");
}

void Hdf5Object::set_attribute(const std::string& name, std::uint64_t value) {
    const Temporary space(H5Screate(H5S_SCALAR), H5Sclose);
    const Temporary attribute(H5Acreate2(id_, name.c_str(), H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(static_cast<hid_t>(attribute), "create an attribute");
    check(H5Awrite(attribute, H5T_NATIVE_UINT64, &value), "write an attribute");
}

void Hdf5Object::set_attribute(const std::string& name, double value) {
    const Temporary space(H5Screate(H5S_SCALAR), H5Sclose);
    const Temporary attribute(H5Acreate2(id_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(static_cast<hid_t>(attribute), "create an attribute");
    check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value), "write an attribute");
}

bool Hdf5Object::has_attribute(const std::string& name) const {
    return check(H5Aexists(id_, name.c_str()), "look for an attribute") > 0;
}

std::string Hdf5Object::text_attribute(const std::string& name) const {
    if (!has_attribute(name)) fail("the attribute '" + name + "' is missing");
    const Temporary attribute(H5Aopen(id_, name.c_str(), H5P_DEFAULT), H5Aclose);
    const Temporary stored(H5Aget_type(attribute), H5Tclose);
    const Temporary space(H5Aget_space(attribute), H5Sclose);
    if (H5Tis_variable_str(stored) <= 0 || H5Sget_simple_extent_npoints(space) != 1)
        fail("the attribute '" + name + "' is not a text");
    const Temporary type(make_text_reference_type(), H5Tclose);
    TextReference reference{};
    check(H5Aread(attribute, type, reference.data()), "read an attribute");
    std::string text;
    if (!text_heaps().find(reference, text)) fail("the attribute '" + name + "' points to no text of the file");
    return text;
}

std::uint64_t Hdf5Object::integer_attribute(const std::string& name) const {
    if (!has_attribute(name)) fail("the attribute '" + name + "' is missing");
    const Temporary attribute(H5Aopen(id_, name.c_str(), H5P_DEFAULT), H5Aclose);
    const Temporary stored(H5Aget_type(attribute), H5Tclose);
    const Temporary space(H5Aget_space(attribute), H5Sclose);
    if (H5Tget_class(stored) != H5T_INTEGER || H5Sget_simple_extent_npoints(space) != 1)
        fail("the attribute '" + name + "' is not an integer");
    std::uint64_t value = 0;
    check(H5Aread(attribute, H5T_NATIVE_UINT64, &value), "read an attribute");
    return value;
}

TextHeaps& Hdf5Object::text_heaps() const {
    assert(!origin_->writing);  // they are in the file when it is closed
    if (origin_->texts == nullptr) origin_->texts = std::make_shared<TextHeaps>(id_);
    return *origin_->texts;
}

std::vector<std::string> Hdf5Object::attribute_names() const {
    H5O_info_t info{};
    check(H5Oget_info2(id_, &info, H5O_INFO_NUM_ATTRS), "list the attributes");
    if (info.num_attrs > most_names) fail("has more than " + std::to_string(most_names) + " attributes");
    std::vector<std::string> names;
    for (hsize_t i = 0; i < info.num_attrs; ++i) {
        char name[most_name_bytes];
        const ssize_t length =
            check(H5Aget_name_by_idx(id_, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT),
                  "list the attributes");
        if (static_cast<std::size_t>(length) >= sizeof name) fail("the name of an attribute is impossibly long");
        names.emplace_back(name);
    }
    return names;
}

std::string Hdf5Group::path_of(const std::string& name) const {
    return (this->name() == "/" ? "/" : this->name() + "/") + name;
}

Hdf5Group Hdf5Group::create_group(const std::string& name) {
    const Temporary properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    check(H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "create a group");
    const hid_t created = H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT);
    return {origin(), path_of(name), check(created, "create a group"), H5Gclose};
}

Hdf5Group Hdf5Group::group(const std::string& name) const {
    expect("group", name);
    return {origin(), path_of(name), check(H5Gopen2(id(), name.c_str(), H5P_DEFAULT), "open a group"), H5Gclose};
}

Hdf5Dataset Hdf5Group::create_dataset(const std::string& name, Element element, const Hdf5Layout& layout) {
    const auto axes = static_cast<int>(layout.row_shape.size() + 1);
    std::vector<hsize_t> extent{layout.rows};
    std::vector<hsize_t> most{layout.rows == 0 ? H5S_UNLIMITED : layout.rows};
    std::vector<hsize_t> chunk{layout.chunk_rows};
    for (const std::uint64_t length : layout.row_shape) {
        extent.push_back(length);
        most.push_back(length);
        chunk.push_back(length);
    }
    const Temporary space(H5Screate_simple(axes, extent.data(), most.data()), H5Sclose);
    const Temporary properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(properties, axes, chunk.data()), "set the chunk shape");
    check(H5Pset_shuffle(properties), "set the shuffle filter");
    check(H5Pset_deflate(properties, layout.sparse ? sparse_deflate_level : deflate_level), "set the deflate filter");
    check(H5Pset_fletcher32(properties), "set the checksum filter");
    if (layout.missing_is_largest) {
        const std::uint64_t missing = std::numeric_limits<std::uint64_t>::max();
        check(H5Pset_fill_value(properties, H5T_NATIVE_UINT64, &missing), "set the fill value");
    }
    const hid_t created = H5Dcreate2(id(), name.c_str(), type_of(element), space, H5P_DEFAULT, properties, H5P_DEFAULT);
    return {origin(), path_of(name), check(created, "create a dataset"), H5Dclose};
}

Hdf5Dataset Hdf5Group::dataset(const std::string& name) const {
    expect("dataset", name);
    Hdf5Dataset opened(origin(), path_of(name), check(H5Dopen2(id(), name.c_str(), H5P_DEFAULT), "open a dataset"),
                       H5Dclose);
    if (!origin()->writing) opened.check_storage();
    return opened;
}

// What stands elsewhere, perhaps in another file, is never looked at: it may be a pipe.
void Hdf5Group::expect(const std::string& kind, const std::string& name) const {
    H5L_info_t link{};
    if (H5Lget_info(id(), name.c_str(), &link, H5P_DEFAULT) < 0) {
        if (!has(name)) fail("the " + kind + " '" + name + "' is missing");
        check(H5Lget_info(id(), name.c_str(), &link, H5P_DEFAULT), "look up a name");
    }
    if (link.type != H5L_TYPE_HARD)
        fail("'" + name + "' is a link to something else; a file of Tessera has no such links");
}

bool Hdf5Group::has(const std::string& name) const {
    return check(H5Lexists(id(), name.c_str(), H5P_DEFAULT), "look up a name") > 0;
}

std::vector<std::string> Hdf5Group::names() const {
    H5G_info_t info{};
    check(H5Gget_info(id(), &info), "list");
    if (info.nlinks > most_names) fail("holds more than " + std::to_string(most_names) + " objects");
    std::vector<std::string> names;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        char name[most_name_bytes];
        const ssize_t length = check(
            H5Lget_name_by_idx(id(), ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT), "list");
        if (static_cast<std::size_t>(length) >= sizeof name) fail("the name of an object is impossibly long");
        names.emplace_back(name);
    }
    return names;
}

void Hdf5Group::write_texts(const std::string& name, const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    const hsize_t count = texts.size();
    const Temporary type = text_type();
    const Temporary space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const hid_t created = H5Dcreate2(id(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    Hdf5Dataset dataset(origin(), path_of(name), check(created, "create a dataset"), H5Dclose);
    if (count != 0) check(H5Dwrite(created, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "write texts");
    dataset.close();
}

std::vector<std::string> Hdf5Group::read_texts(const std::string& name, std::uint64_t most) const {
    return dataset(name).read_texts(most);
}

namespace {

// Objects close with their file, and no lock is taken: files are complete before they get the name others look for.
Temporary file_access() {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_file_locking(access, false, true);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);  // half the size of the oldest form
    return {access, H5Pclose};
}

}  // namespace

Hdf5File Hdf5File::create(const std::filesystem::path& path, const std::filesystem::path& called,
                          std::uint64_t user_block) {
    prepare_library();
    const Temporary creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    if (user_block != 0) H5Pset_userblock(creation, user_block);
    const auto origin = std::make_shared<Hdf5Origin>(Hdf5Origin{called, true});
    const Temporary access = file_access();  // open until the reason is read: to close it clears HDF5's errors
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
    if (id < 0) throw_with_reason(*origin, called.string() + ": cannot create");
    return {origin, "/", id, H5Fclose};
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
    prepare_library();
    const auto origin = std::make_shared<Hdf5Origin>(Hdf5Origin{path, false});
    const Temporary access = file_access();
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    if (id < 0) throw_with_reason(*origin, path.string() + ": cannot open as HDF5");
    Hdf5File file(origin, "/", id, H5Fclose);
    hsize_t bytes = 0;
    file.check(H5Fget_filesize(id, &bytes), "read the size");
    origin->bytes = bytes;
    return file;
}

Hdf5Group Hdf5File::root() const {
    return {origin(), "/", check(H5Gopen2(id(), "/", H5P_DEFAULT), "open the root group"), H5Gclose};
}

void Hdf5File::close() {
    if (origin()->writing) check(H5Fflush(id(), H5F_SCOPE_GLOBAL), "write");
    Hdf5Object::close();
}

}  // namespace io
