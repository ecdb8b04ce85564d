// The table of rays: a row for each hit of a ray, in columns. Names and types as src-main/contract/columns.ts,
// rayColumns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace understory {

struct RayRows {
  std::vector<std::int64_t> timeNs;
  std::vector<std::uint64_t> pulse;
  std::vector<std::uint16_t> ring;
  std::vector<std::uint32_t> ray;  // of the pulse, from 0
  std::vector<float> leftM;  // offsets on the plane 1 m ahead
  std::vector<float> upM;
  std::vector<float> weight;       // of the ray: sums to 1 over those of a pulse
  std::vector<std::uint8_t> hitNo;  // along the ray, from 1; 0: it met nothing
  std::vector<float> rangeM;
  std::vector<float> intensity;
  std::vector<float> share;  // of the ray's energy that ends here
  std::vector<std::uint8_t> returnNo;
  std::vector<float> incidenceRad;
  std::vector<std::uint32_t> objectId;
  std::vector<std::uint16_t> classId;
  std::vector<std::uint16_t> materialId;
  std::vector<std::uint32_t> triangleId;
  std::vector<std::uint8_t> mirrors;
  std::vector<float> hitXM;
  std::vector<float> hitYM;
  std::vector<float> hitZM;

  std::size_t size() const { return pulse.size(); }
};

// Calls use(name, type, column of each of `rows`) for every column, in the table's order.
template <typename Function, typename... Rows>
void forEachRayColumn(Function&& use, Rows&... rows) {
  use("time_ns", "i64", rows.timeNs...);
  use("pulse", "u64", rows.pulse...);
  use("ring", "u16", rows.ring...);
  use("ray", "u32", rows.ray...);
  use("left_m", "f32", rows.leftM...);
  use("up_m", "f32", rows.upM...);
  use("weight", "f32", rows.weight...);
  use("hit_no", "u8", rows.hitNo...);
  use("range_m", "f32", rows.rangeM...);
  use("intensity", "f32", rows.intensity...);
  use("share", "f32", rows.share...);
  use("return_no", "u8", rows.returnNo...);
  use("incidence_rad", "f32", rows.incidenceRad...);
  use("object_id", "u32", rows.objectId...);
  use("class_id", "u16", rows.classId...);
  use("material_id", "u16", rows.materialId...);
  use("triangle_id", "u32", rows.triangleId...);
  use("mirrors", "u8", rows.mirrors...);
  use("hit_x_m", "f32", rows.hitXM...);
  use("hit_y_m", "f32", rows.hitYM...);
  use("hit_z_m", "f32", rows.hitZM...);
}

}  // namespace understory
