// Conditions of a template that can be packed.
#include "core/packing/rowTemplate.h"

#include <string>

#include "core/error.h"

namespace understory {
namespace {

void require(bool isGood, const char* what) {
  if (!isGood) throw UnderstoryError(ErrorCode::badInput, std::string("packed rows: ") + what);
}

}  // namespace

std::size_t bytesOf(const PackedField& field) {
  return field.how == Packing::copy ? infoOf(field.column).bytes : 4;
}

void checkTemplate(const RowTemplate& rows) {
  require(rows.rowBytes >= 1 && rows.rowBytes <= bounds::maxRowBytes,
          "expected rows of 1 to 1024 bytes");
  require(rows.before.size() <= maxRawBytes && rows.after.size() <= maxRawBytes,
          "head and tail must be shorter than 64 KiB");
  for (const PackedField& field : rows.fields) {
    require(field.offset < rows.rowBytes && bytesOf(field) <= rows.rowBytes - field.offset,
            "a field lies outside its row");
    require(field.how == Packing::copy || infoOf(field.column).bytes == 8,
            "only columns of 64 bits have differences");
  }
  for (const Patch& patch : rows.patches) {
    require(patch.bytes == 4 || patch.bytes == 8, "a patch has 4 or 8 bytes");
    require(patch.at <= rows.before.size() && patch.bytes <= rows.before.size() - patch.at,
            "a patch lies outside the head");
  }
}

}  // namespace understory
