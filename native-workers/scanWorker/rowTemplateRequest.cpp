// Templates from their request.
#include "scanWorker/rowTemplateRequest.h"

#include <algorithm>

#include "core/error.h"

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
  parsed.plus = field.number(at::plus, parsed.plus);
  parsed.type = field.word(at::type, parsed.type);
  parsed.step = field.number(at::step, parsed.step);
  return parsed;
}

Patch parsePatch(FieldReader& patch) {
  namespace at = fields::headPatch;
  return {patch.integer<std::size_t>(at::at), patch.integer<std::size_t>(at::bytes),
          patch.integer<std::uint64_t>(at::plus), patch.integer<std::uint64_t>(at::perRow)};
}

RowGrid parseRowGrid(FieldReader& grid) {
  namespace at = fields::rowGrid;
  return {grid.integer<std::size_t>(at::rows),
          grid.integer<std::size_t>(at::columns),
          grid.integerList<std::uint32_t>(at::cells),
          {}};
}

// Nothing where the request lacks the column.
std::span<const std::byte> bytesOfColumn(const Frame& request, const char* name) {
  const bool isThere = std::ranges::any_of(
      request.columns, [&](const ColumnView& column) { return column.name == name; });
  if (!isThere) return {};
  return request.column(name, "u8").bytes;
}

}  // namespace

TemplatePieces::TemplatePieces(const Frame& request)
    : before_(bytesOfColumn(request, "packed_before")),
      after_(bytesOfColumn(request, "packed_after")),
      blank_(bytesOfColumn(request, "packed_blank")) {}

std::vector<std::byte> TemplatePieces::take(std::span<const std::byte>& from, std::size_t bytes) {
  if (bytes > from.size()) {
    throw UnderstoryError(ErrorCode::badInput,
                          "packed rows: a column is shorter than its templates say");
  }
  std::vector<std::byte> taken(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(bytes));
  from = from.subspan(bytes);
  return taken;
}

void TemplatePieces::expectEnd() const {
  if (before_.empty() && after_.empty() && blank_.empty()) return;
  throw UnderstoryError(ErrorCode::badInput,
                        "packed rows: a column is longer than its templates say");
}

RowTemplate parseRowTemplate(FieldReader& packed, TemplatePieces& pieces) {
  namespace at = fields::rowTemplate;
  RowTemplate rows;
  rows.rowBytes = packed.integer<std::size_t>(at::rowBytes);
  rows.fields = packed.list(at::fields, parseField);
  rows.patches = packed.list(at::patches, parsePatch);
  rows.before = pieces.takeBefore(packed.integer<std::size_t>(at::beforeBytes));
  rows.after = pieces.takeAfter(packed.integer<std::size_t>(at::afterBytes));
  if (packed.has(at::groupBy)) rows.groupBy = packed.word(at::groupBy);
  rows.grid = packed.optionalObject(at::grid, parseRowGrid);
  if (rows.grid) rows.grid->blank = pieces.takeBlank(rows.grid->rows * rows.rowBytes);
  rows.withMisses = packed.has(at::misses) && packed.flag(at::misses);
  rows.frameUse = packed.word(at::frame, rows.frameUse);
  return rows;
}

}  // namespace understory
