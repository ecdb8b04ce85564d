// The columns of a return: names and element types, the same table as src-main/contract/columns.ts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace understory {

enum class ReturnColumn {
  timeNs, pulse, ring, azimuthRad, elevationRad, returnNo, nReturns, rangeM, intensity, beamShare,
  xM, yM, zM, objectId, classId, incidenceRad, rangeCleanM, trueRangeM, xSensorM, ySensorM, zSensorM,
  hitXM, hitYM, hitZM, normalX, normalY, normalZ, materialId, sensorTimeNs, xCleanM, yCleanM,
  zCleanM, triangleId, mirrors,
};

struct ReturnColumnInfo {
  std::string_view name;
  std::string_view type;  // i64, u64, f32, u32, u16 or u8
  std::size_t bytes;
};

// By ReturnColumn.
inline constexpr std::array<ReturnColumnInfo, 34> returnColumns{{
    {"time_ns", "i64", 8},       {"pulse", "u64", 8},         {"ring", "u16", 2},
    {"azimuth_rad", "f32", 4},   {"elevation_rad", "f32", 4}, {"return_no", "u8", 1},
    {"n_returns", "u8", 1},      {"range_m", "f32", 4},       {"intensity", "f32", 4},
    {"beam_share", "f32", 4},    {"x_m", "f32", 4},           {"y_m", "f32", 4},
    {"z_m", "f32", 4},           {"object_id", "u32", 4},     {"class_id", "u16", 2},
    {"incidence_rad", "f32", 4}, {"range_clean_m", "f32", 4}, {"true_range_m", "f32", 4},
    {"x_sensor_m", "f32", 4},    {"y_sensor_m", "f32", 4},    {"z_sensor_m", "f32", 4},
    {"hit_x_m", "f32", 4},       {"hit_y_m", "f32", 4},       {"hit_z_m", "f32", 4},
    {"normal_x", "f32", 4},      {"normal_y", "f32", 4},      {"normal_z", "f32", 4},
    {"material_id", "u16", 2},   {"sensor_time_ns", "i64", 8}, {"x_clean_m", "f32", 4},
    {"y_clean_m", "f32", 4},     {"z_clean_m", "f32", 4},      {"triangle_id", "u32", 4},
    {"mirrors", "u8", 1},
}};

inline constexpr const ReturnColumnInfo& infoOf(ReturnColumn column) {
  return returnColumns[static_cast<std::size_t>(column)];
}

}  // namespace understory
