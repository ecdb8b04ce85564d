// Conditions of a template that can be packed.
#include "core/packing/rowTemplate.h"

#include <algorithm>
#include <string>

#include "core/error.h"

namespace understory {
namespace {

void require(bool isGood, const char* what) {
  if (!isGood) throw UnderstoryError(ErrorCode::badInput, std::string("packed rows: ") + what);
}

void checkField(const PackedField& field, std::size_t rowBytes) {
  require(field.offset < rowBytes && bytesOf(field) <= rowBytes - field.offset,
          "a field lies outside its row");
  const bool isWide = infoOf(field.column).bytes == 8;
  if (field.how == Packing::scaled) {
    require(!isWide, "columns of 64 bits are not scaled");
    require(field.type == ColumnType::u8 || field.type == ColumnType::u16 ||
                field.type == ColumnType::u32 || field.type == ColumnType::f32,
            "scaled values are u8, u16, u32 or f32");
    require(field.step == 0.0 || (field.step > 0.0 && field.type == ColumnType::f32),
            "only scaled values of f32 have steps, above 0");
  } else if (field.how != Packing::copy) {
    require(isWide, "only columns of 64 bits have differences");
    require(field.how == Packing::difference || field.type == ColumnType::f32 ||
                field.type == ColumnType::f64,
            "scaled differences are f32 or f64");
  }
}

void checkGrid(const RowGrid& grid, std::size_t rowBytes) {
  require(!grid.cells.empty(), "a grid has no cells");
  const std::size_t count = grid.rows * grid.columns;
  require(std::ranges::all_of(grid.cells, [&](std::uint32_t cell) { return cell < count; }),
          "a cell lies outside its grid");
  require(grid.blank.size() == grid.rows * rowBytes, "a grid has one blank for each of its rows");
}

}  // namespace

std::size_t bytesOf(const PackedField& field) {
  switch (field.how) {
    case Packing::copy:
      return infoOf(field.column).bytes;
    case Packing::scaled:
    case Packing::scaledDifference:
      return bytesOfColumnType[static_cast<std::size_t>(field.type)];
    default:
      return 4;
  }
}

void checkTemplate(const RowTemplate& rows) {
  require(rows.rowBytes >= 1 && rows.rowBytes <= bounds::maxRowBytes,
          "expected rows of 1 to 1024 bytes");
  require(rows.before.size() <= maxRawBytes && rows.after.size() <= maxRawBytes,
          "head and tail must be shorter than 64 KiB");
  for (const PackedField& field : rows.fields) checkField(field, rows.rowBytes);
  require(!rows.groupBy || infoOf(*rows.groupBy).type == ColumnType::u16,
          "rows are grouped by a column of u16");
  if (rows.grid) checkGrid(*rows.grid, rows.rowBytes);
  for (const Patch& patch : rows.patches) {
    require(patch.bytes == 4 || patch.bytes == 8, "a patch has 4 or 8 bytes");
    require(patch.at <= rows.before.size() && patch.bytes <= rows.before.size() - patch.at,
            "a patch lies outside the head");
  }
}

}  // namespace understory
