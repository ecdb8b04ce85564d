// Arrays of numbers in archives of NumPy (.npz): a ZIP file of one NPY for each array, stored or deflated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace understory {

// 'bad-input' for an array of an archive: "FILE, array 'NAME': expected …".
UnderstoryError badArray(const std::string& file, std::string_view name,
                         const std::string& expected);

// Values of an array in C order, of 4 or 8 bytes each.
class NpyArray {
 public:
  // `npy`: the whole array with its header, of which a copy is kept. Throws 'bad-input' with what was expected.
  NpyArray(std::string npy, std::string_view name, const std::string& file);

  const std::vector<std::uint64_t>& shape() const { return shape_; }
  std::uint64_t size() const { return size_; }
  double operator[](std::uint64_t index) const;

 private:
  std::string npy_;
  std::size_t valuesAt_ = 0;
  bool isSingle_ = false;
  std::vector<std::uint64_t> shape_;
  std::uint64_t size_ = 1;
};

class NpzArchive {
 public:
  static bool isOne(std::string_view bytes) { return bytes.starts_with("PK"); }

  // Reads the directory; `bytes` must remain. `file`: its name for errors. Throws 'bad-input'.
  NpzArchive(std::string_view bytes, std::string file);

  // The array of this name. Throws 'bad-input' for an archive without it, for one of more than `maxValues`, for other
  // types of values, and for a damaged one.
  NpyArray read(std::string_view name, std::uint64_t maxValues) const;

 private:
  struct Entry {
    std::uint32_t method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packedBytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t at = 0;  // of its local header
  };
  Entry entryAt(std::uint64_t at) const;
  std::string unpacked(const Entry& entry, std::string_view name) const;
  template <typename T>
  T number(std::uint64_t at) const;
  std::string_view part(std::uint64_t at, std::uint64_t count) const;

  std::string_view bytes_;
  std::string file_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace understory
