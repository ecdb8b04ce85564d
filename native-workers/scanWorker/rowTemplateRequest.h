// The templates of a scan request: `packed`, with columns that hold their heads, tails and blank rows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/fieldReader.h"
#include "core/packing/rowTemplate.h"
#include "protocol/frame.h"

namespace understory {

// The columns packed_before, packed_after and packed_blank (u8) of a request, which hold the bytes of its templates one
// after another. Throws UnderstoryError 'bad-input' where they are shorter or longer than the templates say.
class TemplatePieces {
 public:
  // `request` outlives it.
  explicit TemplatePieces(const Frame& request);

  std::vector<std::byte> takeBefore(std::size_t bytes) { return take(before_, bytes); }
  std::vector<std::byte> takeAfter(std::size_t bytes) { return take(after_, bytes); }
  std::vector<std::byte> takeBlank(std::size_t bytes) { return take(blank_, bytes); }
  void expectEnd() const;

 private:
  static std::vector<std::byte> take(std::span<const std::byte>& from, std::size_t bytes);

  std::span<const std::byte> before_;
  std::span<const std::byte> after_;
  std::span<const std::byte> blank_;
};

// One template. Parts that do not fit together are refused when it is packed (checkTemplate).
RowTemplate parseRowTemplate(FieldReader& packed, TemplatePieces& pieces);

}  // namespace understory
