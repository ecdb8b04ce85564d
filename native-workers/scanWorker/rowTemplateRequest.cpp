// A template from its request.
#include "scanWorker/rowTemplateRequest.h"

namespace understory {
namespace {

PackedField parseField(FieldReader& field) {
  namespace at = fields::packedField;
  PackedField parsed;
  parsed.column = field.word(at::column);
  parsed.offset = field.integer<std::size_t>(at::offset);
  parsed.how = field.word(at::how);
  if (field.has(at::base)) parsed.base = field.integer<std::uint64_t>(at::base);
  parsed.factor = field.number(at::factor, parsed.factor);
  return parsed;
}

Patch parsePatch(FieldReader& patch) {
  namespace at = fields::headPatch;
  return {patch.integer<std::size_t>(at::at), patch.integer<std::size_t>(at::bytes),
          patch.integer<std::uint64_t>(at::plus), patch.integer<std::uint64_t>(at::perRow)};
}

std::vector<std::byte> bytesOfColumn(const Frame& request, const char* name) {
  const ColumnView& column = request.column(name, "u8");
  return {column.bytes.begin(), column.bytes.end()};
}

}  // namespace

RowTemplate parseRowTemplate(FieldReader& packed, const Frame& request) {
  namespace at = fields::rowTemplate;
  RowTemplate rows;
  rows.before = bytesOfColumn(request, "packed_before");
  rows.after = bytesOfColumn(request, "packed_after");
  rows.rowBytes = packed.integer<std::size_t>(at::rowBytes);
  rows.fields = packed.list(at::fields, parseField);
  rows.patches = packed.list(at::patches, parsePatch);
  return rows;
}

}  // namespace understory
