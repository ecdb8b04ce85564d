// JSON into a template.
#include "scanWorker/rowTemplateRequest.h"

#include <algorithm>

#include "core/error.h"

namespace understory {
namespace {

using nlohmann::json;

PackedField::How parseHow(const std::string& name) {
  if (name == "copy") return PackedField::How::copy;
  if (name == "difference") return PackedField::How::difference;
  if (name == "scaledDifference") return PackedField::How::scaledDifference;
  throw UnderstoryError("bad-input", "packed rows: no packing '" + name + "'");
}

PackedField parseField(const json& field) {
  PackedField parsed;
  parsed.column = columnOfName(field.at("column").get<std::string>());
  parsed.offset = field.at("offset").get<std::size_t>();
  parsed.how = parseHow(field.at("how").get<std::string>());
  if (field.contains("base")) parsed.base = field.at("base").get<std::uint64_t>();
  parsed.factor = field.value("factor", 1.0);
  return parsed;
}

std::vector<std::byte> bytesOfColumn(const Frame& request, const char* name) {
  const ColumnView& column = request.column(name, "u8");
  return {column.bytes.begin(), column.bytes.end()};
}

}  // namespace

ReturnColumn columnOfName(const std::string& name) {
  const auto found =
      std::find_if(returnColumns.begin(), returnColumns.end(),
                   [&](const ReturnColumnInfo& info) { return info.name == name; });
  if (found == returnColumns.end()) throw UnderstoryError("bad-input", "no column '" + name + "'");
  return static_cast<ReturnColumn>(found - returnColumns.begin());
}

RowTemplate parseRowTemplate(const Frame& request) {
  const json& packed = request.header.at("body").at("packed");
  RowTemplate rows;
  rows.before = bytesOfColumn(request, "packed_before");
  rows.after = bytesOfColumn(request, "packed_after");
  rows.rowBytes = packed.at("rowBytes").get<std::size_t>();
  rows.zstdLevel = packed.at("zstdLevel").get<int>();
  for (const json& field : packed.at("fields")) rows.fields.push_back(parseField(field));
  for (const json& patch : packed.at("patches")) {
    rows.patches.push_back({patch.at("at").get<std::size_t>(), patch.at("bytes").get<std::size_t>(),
                            patch.at("plus").get<std::uint64_t>(),
                            patch.at("perRow").get<std::uint64_t>()});
  }
  return rows;
}

}  // namespace understory
