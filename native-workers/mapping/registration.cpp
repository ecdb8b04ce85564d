// Row by row; poses are sampled every `stepNs`.
#include "mapping/registration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/mutation.h"
#include "mapping/groundGrid.h"

namespace understory {
namespace {

template <typename Value>
Value valueAt(const std::byte* column, std::size_t row) {
  Value value{};
  std::memcpy(&value, column + row * sizeof(Value), sizeof(Value));
  return value;
}

using Triple = std::array<double, 3>;

// The turn of a unit quaternion (x, y, z, w).
Triple turned(const std::array<double, 4>& turn, const Triple& v) {
  const auto& [x, y, z, w] = turn;
  const double tx = 2 * (y * v[2] - z * v[1]);
  const double ty = 2 * (z * v[0] - x * v[2]);
  const double tz = 2 * (x * v[1] - y * v[0]);
  return {v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz,
          v[2] + w * tz + x * ty - y * tx};
}

// Whether a point in the sensor's frame is in the box of the vehicle's body. Why in the vehicle's frame: on a slope a mast
// leans out of the footprint.
bool isInBody(const BodyFilter& body, const Triple& sensorM) {
  const Triple inVehicle = turned(body.mountRotation, sensorM);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double offM = std::abs(inVehicle[axis] + body.mountPositionM[axis] - body.centreM[axis]);
    if (!(offM < body.reachM[axis])) return false;
  }
  return true;
}

// Number of the sample nearest in time. Why the lower words: a tick is far shorter than 2^32 ns.
std::size_t sampleOf(const TickMap& map, std::int64_t timeNs, std::size_t samples) {
  const auto sinceNs = static_cast<std::uint32_t>(static_cast<std::uint64_t>(timeNs - map.fromNs));
  const auto stepNs = static_cast<std::uint64_t>(map.stepNs);
  return std::min<std::size_t>((2 * std::uint64_t{sinceNs} + stepNs) / (2 * stepNs), samples - 1);
}

}  // namespace

RegisteredReturns noReturns(const TickMap& map) {
  return {{}, LowestReturns(map.seesGround ? groundCellsOf(map) : 0)};
}

void registerReturns(const TickMapping& mapping, const SensorRows& rows, RegisteredReturns& out) {
  const TickMap& map = mapping.map;
  const GroundLayout ground(map);
  const std::size_t samples = mapping.places.size() / 4;
  const double ownSquareM2 = map.ownLengthM * map.ownLengthM + map.ownWidthM * map.ownWidthM;
  for (std::size_t row = 0; row < rows.count; ++row) {
    const Triple own{static_cast<double>(valueAt<float>(rows.xM, row)),
                     static_cast<double>(valueAt<float>(rows.yM, row)),
                     static_cast<double>(valueAt<float>(rows.zM, row))};
    const double squareM2 = own[0] * own[0] + own[1] * own[1] + own[2] * own[2];
    if (!(squareM2 > 0)) continue;
    if (map.body && isInBody(*map.body, own)) continue;
    std::size_t sample = sampleOf(map, valueAt<std::int64_t>(rows.timeNs, row), samples);
    if (activeMutation() == Mutation::mapPoseOfTick) sample = 0;
    const double* const m = &mapping.matrices[12 * sample];
    const double* const place = &mapping.places[4 * sample];
    const double xM = m[0] * own[0] + m[1] * own[1] + m[2] * own[2] + m[3];
    const double yM = m[4] * own[0] + m[5] * own[1] + m[6] * own[2] + m[7];
    const double dx = xM - place[0];
    const double dy = yM - place[1];
    if (dx * dx + dy * dy < ownSquareM2 &&
        std::abs(place[2] * dx + place[3] * dy) < map.ownLengthM &&
        std::abs(place[2] * dy - place[3] * dx) < map.ownWidthM) {
      continue;
    }
    const double zM = m[8] * own[0] + m[9] * own[1] + m[10] * own[2] + m[11];
    out.points.push_back({xM, yM, zM, static_cast<float>(std::sqrt(squareM2))});
    if (!map.seesGround) continue;
    if (const auto cell = ground.cellAt(xM, yM)) {
      out.lowest.add(*cell, static_cast<float>(overPlaneM(map.plane, xM, yM, zM)));
    }
  }
}

}  // namespace understory
