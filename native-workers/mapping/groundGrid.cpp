// Lowest returns of a tick, taken for ground where they may be.
#include "mapping/groundGrid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/mutation.h"
#include "mapping/groundSurface.h"

namespace understory {
namespace {

// In grass a cell must be wide enough that some pulse reaches the soil.
constexpr double groundCellM = 2.0;
// The lowest return moves the estimate down quickly and up slowly: it is an upper bound of the ground.
constexpr double gainDown = 0.5;
constexpr double gainUp = 0.05;
constexpr double gainWheels = 0.5;
// Steeper than this (22°) no ground is expected, relative to the plane under the wheels.
constexpr double maxGroundSlope = 0.4;
// A lowest return is taken for ground up to so far off that plane, and farther by the slope: a rut, a root, a stone.
constexpr double groundToleranceM = 0.4;
// A lowest return counts where another return of its tick, in its cell or in one around it, is at most so much higher: the
// rise of the steepest ground across a cell. A false alarm below the ground is alone, and would make the ground around it
// a pit of `maxGroundSlope` sides.
constexpr double supportM = maxGroundSlope * groundCellM;
// Cells that were learned from nearby are not changed from afar, where tilt errors are greater.
constexpr double alwaysLearnedM = 20.0;
constexpr double fartherShare = 1.5;
constexpr double muchNearerShare = 0.5;

constexpr float unknownM = std::numeric_limits<float>::infinity();

double planeAt(const WheelPlane& plane, double xM, double yM) {
  return plane.zM + plane.slopeX * (xM - plane.xM) + plane.slopeY * (yM - plane.yM);
}

// Whether no other return is near the lowest return of the cell.
bool isAlone(const LowestReturns& lowest, std::size_t size, std::size_t cell) {
  if (activeMutation() == Mutation::loneReturnsAreGround) return false;
  const double boundM = static_cast<double>(lowest.lowest(cell)) + supportM;
  if (static_cast<double>(lowest.nextLowest(cell)) <= boundM) return false;
  bool isAlone = true;
  forEachAround(size, cell, [&](std::size_t other) {
    if (other != cell && static_cast<double>(lowest.lowest(other)) <= boundM) isAlone = false;
  });
  return isAlone;
}

}  // namespace

GroundLayout::GroundLayout(const TickMap& map)
    : size_(static_cast<std::size_t>(
          std::ceil(static_cast<double>(map.cells) * map.cellM / groundCellM))),
      originXM_(map.originM[0]),
      originYM_(map.originM[1]) {}

std::optional<std::size_t> GroundLayout::cellAt(double xM, double yM) const {
  const double columns = (xM - originXM_) / groundCellM;
  const double rows = (yM - originYM_) / groundCellM;
  const auto size = static_cast<double>(size_);
  if (!(columns >= 0 && rows >= 0 && columns < size && rows < size)) return std::nullopt;
  return static_cast<std::size_t>(rows) * size_ + static_cast<std::size_t>(columns);
}

double GroundLayout::centreXM(std::size_t cell) const {
  return originXM_ + (static_cast<double>(cell % size_) + 0.5) * groundCellM;
}

double GroundLayout::centreYM(std::size_t cell) const {
  return originYM_ + (static_cast<double>(cell / size_) + 0.5) * groundCellM;
}

std::size_t groundCellsOf(const TickMap& map) {
  const std::size_t size = GroundLayout(map).size();
  return size * size;
}

double overPlaneM(const WheelPlane& plane, double xM, double yM, double zM) {
  return zM - plane.zM - plane.slopeX * (xM - plane.xM) - plane.slopeY * (yM - plane.yM);
}

GroundGrid::GroundGrid(const TickMap& map)
    : layout_(map),
      heightM_(groundCellsOf(map), 0.0F),
      fromM_(heightM_.size(), unknownM),
      smoothM_(heightM_.size(), 0.0F) {}

GroundGrid::GroundGrid(const TickMap& map, std::span<const GroundCell> known) : GroundGrid(map) {
  for (const GroundCell& cell : known) {
    if (cell.cell >= heightM_.size()) {
      throw UnderstoryError(ErrorCode::badInput, "a cell of the ground lies outside the map");
    }
    heightM_[cell.cell] = cell.heightM;
    fromM_[cell.cell] = cell.fromM;
  }
}

bool GroundGrid::isKnown(std::size_t cell) const { return fromM_[cell] != unknownM; }

// Takes the tick's lowest return of a cell for ground, unless better is known. Returns whether it did.
bool GroundGrid::settle(const LowestReturns& lowest, const WheelPlane& plane, std::size_t cell) {
  if (lowest.lowest(cell) == unknownM) return false;
  const auto overM = static_cast<double>(lowest.lowest(cell));
  const double dx = layout_.centreXM(cell) - plane.xM;
  const double dy = layout_.centreYM(cell) - plane.yM;
  const double distanceM = std::sqrt(dx * dx + dy * dy);
  if (std::abs(overM) > groundToleranceM + maxGroundSlope * distanceM ||
      isAlone(lowest, layout_.size(), cell)) {
    return false;
  }
  const auto fromM = static_cast<double>(fromM_[cell]);
  if (distanceM > std::max(alwaysLearnedM, fartherShare * fromM)) return false;
  const double heightM = planeAt(plane, layout_.centreXM(cell), layout_.centreYM(cell)) + overM;
  const auto oldM = static_cast<double>(heightM_[cell]);
  const double changeM = heightM - oldM;
  const bool isFresh = !isKnown(cell) || distanceM < muchNearerShare * fromM;
  heightM_[cell] =
      static_cast<float>(isFresh ? heightM : oldM + (changeM < 0 ? gainDown : gainUp) * changeM);
  if (isFresh || distanceM < fromM) fromM_[cell] = static_cast<float>(distanceM);
  return true;
}

// Brings `smoothM_` up to date with the known heights.
void GroundGrid::smoothOver(const WheelPlane& plane) {
  for (std::size_t cell = 0; cell < smoothM_.size(); ++cell) {
    const double planeM = planeAt(plane, layout_.centreXM(cell), layout_.centreYM(cell));
    smoothM_[cell] =
        isKnown(cell) ? static_cast<float>(static_cast<double>(heightM_[cell]) - planeM) : unknownM;
  }
  limitSlope(smoothM_, layout_.size(), maxGroundSlope * groundCellM);
  fillGaps(smoothM_, layout_.size(), [&](std::size_t cell) { return isKnown(cell); });
}

std::vector<GroundCell> GroundGrid::learn(const LowestReturns& lowest, const WheelPlane& plane) {
  const std::optional<std::size_t> under = layout_.cellAt(plane.xM, plane.yM);
  std::vector<GroundCell> changed;
  const auto add = [&](std::size_t cell) {
    changed.push_back({static_cast<std::uint32_t>(cell), heightM_[cell], fromM_[cell]});
  };
  for (std::size_t cell = 0; cell < heightM_.size(); ++cell) {
    if (cell != under && settle(lowest, plane, cell)) add(cell);
  }
  if (under) {
    const double heightM = planeAt(plane, layout_.centreXM(*under), layout_.centreYM(*under));
    const double oldM = isKnown(*under) ? static_cast<double>(heightM_[*under]) : heightM;
    heightM_[*under] = static_cast<float>(oldM + gainWheels * (heightM - oldM));
    fromM_[*under] = 0.0F;
    add(*under);
  }
  smoothOver(plane);
  return changed;
}

double GroundGrid::overPlaneM(double xM, double yM) const {
  const auto last = static_cast<double>(layout_.size()) - 1.001;
  const double x = std::max(0.0, std::min(last, xM / groundCellM - 0.5));
  const double y = std::max(0.0, std::min(last, yM / groundCellM - 0.5));
  const auto column = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  const double u = x - static_cast<double>(column);
  const double v = y - static_cast<double>(row);
  const std::size_t size = layout_.size();
  if (size < 2) return static_cast<double>(smoothM_[0]);
  const auto at = [&](std::size_t cell) { return static_cast<double>(smoothM_[cell]); };
  const std::size_t corner = row * size + column;
  const double south = at(corner) * (1 - u) + at(corner + 1) * u;
  const double north = at(corner + size) * (1 - u) + at(corner + size + 1) * u;
  return south * (1 - v) + north * v;
}

}  // namespace understory
