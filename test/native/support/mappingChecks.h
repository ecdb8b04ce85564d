// Small clouds with known maps: what a vehicle registers, learns as ground and charges for heights.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mapping/driveMapper.h"

namespace understory {

struct SensorPoint {
  std::int64_t timeNs = 0;
  float xM = 0.0F;
  float yM = 0.0F;
  float zM = 0.0F;
};

// A map of 200 m about the origin; the vehicle stands there, level, its sensor at its origin.
inline TickMapping standingMapping(std::uint64_t tick = 0) {
  TickMapping mapping;
  mapping.map.tick = tick;
  mapping.map.afterTick = static_cast<std::int64_t>(tick) - 1;
  mapping.map.isLastScan = true;
  mapping.map.cells = 400;
  mapping.map.cellM = 0.5;
  mapping.map.originM = {-100.0, -100.0};
  mapping.map.maxHeightM = 1.5;
  mapping.map.seesGround = true;
  mapping.map.stepNs = 1'000'000;
  mapping.map.ownLengthM = 0.6;
  mapping.map.ownWidthM = 0.4;
  mapping.matrices = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  mapping.places = {0, 0, 1, 0};
  return mapping;
}

// As a sensor's columns.
inline void registerPoints(const TickMapping& mapping, std::span<const SensorPoint> points,
                           RegisteredReturns& out) {
  std::vector<std::int64_t> timesNs;
  std::array<std::vector<float>, 3> axesM;
  for (const SensorPoint& point : points) {
    timesNs.push_back(point.timeNs);
    axesM[0].push_back(point.xM);
    axesM[1].push_back(point.yM);
    axesM[2].push_back(point.zM);
  }
  const auto bytes = [](const auto& column) { return std::as_bytes(std::span(column)).data(); };
  registerReturns(
      mapping, {points.size(), bytes(timesNs), bytes(axesM[0]), bytes(axesM[1]), bytes(axesM[2])},
      out);
}

inline MappedTick mapped(const TickMapping& mapping, std::span<const SensorPoint> points) {
  std::vector<RegisteredReturns> returns{noReturns(mapping.map)};
  registerPoints(mapping, points, returns.front());
  DriveMapper mapper;
  return *mapper.take(mapping, std::move(returns), oneByOne);
}

// Level ground at z = 0, a point every 0.7 m within 60 m.
inline std::vector<SensorPoint> levelGround() {
  std::vector<SensorPoint> points;
  for (int column = 0; column <= 171; ++column) {
    for (int row = 0; row <= 171; ++row) {
      points.push_back({0, -60.0F + 0.7F * static_cast<float>(column),
                        -60.0F + 0.7F * static_cast<float>(row), 0.0F});
    }
  }
  return points;
}

// Cost of the cell that holds a place; -1: it was not seen.
inline int costAt(const MappedTick& tick, const std::vector<std::uint8_t>& costs, double xM,
                  double yM) {
  const auto cell = static_cast<std::uint32_t>((yM + 100.0) / 0.5) * 400U +
                    static_cast<std::uint32_t>((xM + 100.0) / 0.5);
  for (std::size_t row = 0; row < tick.sightings.cell.size(); ++row) {
    if (tick.sightings.cell[row] == cell) return costs[row];
  }
  return -1;
}

// Largest distance of returns from where the pose of their own time puts them: the vehicle drives at 2 m/s along x and
// turns at 1 rad/s, its sensor is at its origin. Samples every 1 ms are at most half a step off: 0.5 ms times 2 m/s and
// times 1 rad/s at 10 m, 6 mm.
inline double registrationErrorM() {
  TickMapping mapping = standingMapping();
  mapping.map.fromNs = 5'000'000'000;
  mapping.matrices.clear();
  mapping.places.clear();
  for (int sample = 0; sample <= 100; ++sample) {
    const double timeS = 5.0 + 1e-3 * sample;
    const double cos = std::cos(timeS);
    const double sin = std::sin(timeS);
    for (const double part :
         {cos, -sin, 0.0, 2.0 * timeS, sin, cos, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0}) {
      mapping.matrices.push_back(part);
    }
    for (const double part : {2.0 * timeS, 0.0, cos, sin}) mapping.places.push_back(part);
  }
  double errorM = 0.0;
  for (const std::int64_t sinceNs : {0LL, 30'400'000LL, 50'700'000LL, 99'900'000LL}) {
    RegisteredReturns out = noReturns(mapping.map);
    const std::array point{SensorPoint{mapping.map.fromNs + sinceNs, 10.0F, 0.0F, 0.0F}};
    registerPoints(mapping, point, out);
    const double timeS = 5.0 + 1e-9 * static_cast<double>(sinceNs);
    const MapPoint& found = out.points.at(0);
    errorM = std::max(errorM, std::hypot(found.xM - 2.0 * timeS - 10.0 * std::cos(timeS),
                                         found.yM - 10.0 * std::sin(timeS)));
  }
  return errorM;
}

// Highest cost on level ground about a false alarm 9 m below it: a pit would make the ground around it high.
inline int costAboutFalseAlarm() {
  std::vector<SensorPoint> points = levelGround();
  points.push_back({0, 25.0F, 10.0F, -9.0F});
  const MappedTick tick = mapped(standingMapping(), points);
  int highest = 0;
  for (const std::uint8_t cost : tick.sightings.cost) highest = std::max<int>(highest, cost);
  return highest;
}

// Sure cost of 1.5 m seen from 99.1 m with a margin of 5 mm a metre: 100 (1.5 - 0.4955) / 1.5 = 67.
inline int sureCostFarAway() {
  TickMapping mapping = standingMapping();
  mapping.map.seesGround = false;
  mapping.map.marginPerM = 0.005;
  const std::array points{SensorPoint{0, 99.1F, 0.1F, 1.5F}};
  const MappedTick tick = mapped(mapping, points);
  return costAt(tick, tick.sightings.sureCost, 99.1, 0.1);
}

}  // namespace understory
