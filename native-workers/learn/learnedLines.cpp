// Trees of the three parts of a model. What is drawn over what they give: core/learned/learnedDraws.h.
#include "learn/learnedLines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/learned/elementShape.h"
#include "core/learned/learnedDraws.h"
#include "learn/volumeModel.h"

namespace understory {
namespace {

bool isMetBefore(const MetMember& a, const MetMember& b) {
  if (alongLineOrder(a, b)) return true;
  return !alongLineOrder(b, a) && a.primitive < b.primitive;
}

}  // namespace

LearnedLines::LearnedLines(const LearnedModel& model, const Watch& watch)
    : model_(model),
      ellipsoids_(gaussiansOf(model.elements), model.mahalanobisLimit, model.counting),
      triangles_(TriangleMesh{model.surface.verticesM, model.surface.triangles}) {
  const auto radiusM = static_cast<float>(model.pointRadiusM);
  const Vec3f half{radiusM, radiusM, radiusM};
  std::vector<Boundsf> boxes;
  boxes.reserve(model.points.size());
  for (const Vec3f position : model.points.positionsM) {
    boxes.push_back({position - half, position + half});
  }
  points_ = BoxTree(boxes, watch);
}

void LearnedLines::meet(Vec3f originM, Vec3f direction, double maxM,
                        std::vector<MetMember>& met) const {
  met.clear();
  const Observations& elements = model_.elements.seen;
  const auto firstElement = static_cast<std::uint32_t>(model_.surface.size());
  ellipsoids_.alongLine(
      originM, direction, maxM, [&](std::uint32_t element, const Crossing& crossing) {
        met.push_back({{crossing.rangeM, crossing.sigmaM,
                        static_cast<double>(elements.permeability[element]), false},
                       elements.support[element],
                       firstElement + element});
      });
  const Observations& surface = model_.surface.seen;
  triangles_.alongLine(originM, direction, maxM, [&](std::uint32_t triangle, double rangeM) {
    const double sigmaM =
        surfaceSigmaM(model_, dot(triangles_.normalOf(triangle), toDouble(direction)));
    met.push_back({{rangeM, sigmaM, static_cast<double>(surface.permeability[triangle]), true},
                   surface.support[triangle],
                   triangle});
  });
  meetPoint(originM, direction, maxM, met);
  std::ranges::sort(met, isMetBefore);
}

// The point of least distance from the line (Browning 2012, eq. 9 to 11): a surface.
void LearnedLines::meetPoint(Vec3f originM, Vec3f direction, double maxM,
                             std::vector<MetMember>& met) const {
  const Vec3d from = toDouble(originM);
  const Vec3d along = toDouble(direction);
  const auto firstPoint =
      static_cast<std::uint32_t>(model_.surface.size() + model_.elements.size());
  double nearest2 = model_.pointRadiusM * model_.pointRadiusM;
  std::optional<MetMember> found;
  std::uint32_t foundPoint = 0;
  points_.alongLine(originM, direction, static_cast<float>(maxM), [&](std::uint32_t point) {
    const Vec3d offset = toDouble(model_.points.positionsM[point]) - from;
    const double rangeM = dot(offset, along);
    if (!(rangeM > 0.0) || rangeM > maxM) return;
    const Vec3d aside = offset - along * rangeM;
    const double distance2 = dot(aside, aside);
    if (distance2 > nearest2 || (distance2 == nearest2 && (!found || point > foundPoint))) return;
    nearest2 = distance2;
    foundPoint = point;
    const double sigmaM = surfaceSigmaM(model_, dot(toDouble(model_.points.normals[point]), along));
    // Points have no support (PHYSICS.md, 2.6): none is under-sampled.
    found = MetMember{{rangeM, sigmaM, 0.0, true}, sparseSupport, firstPoint + point};
  });
  if (found) met.push_back(*found);
}

DrawnRange drawRange(const std::vector<MetMember>& met, std::uint64_t seed, std::uint64_t beam,
                     const RangeWindow& window) {
  constexpr std::uint32_t instance = 0;
  constexpr std::uint8_t firstReturn = 1;
  const LearnedDraws draws(seed);
  const auto passes = [&](const MetMember& member) {
    return draws.passes(instance, member.primitive, beam, static_cast<float>(member.permeability));
  };
  DrawnRange drawn{std::numeric_limits<double>::quiet_NaN(), false, false};
  for (std::size_t at = 0; at < met.size(); ++at) {
    drawn.isUnderSampled = drawn.isUnderSampled || met[at].support < sparseSupport;
    if (passes(met[at])) continue;
    if (met[at].isSurface) {
      drawn.rangeM = met[at].rangeM + surfaceErrorM(seed, 0, beam, firstReturn, met[at].sigmaM);
      break;
    }
    drawn.isVolume = true;
    drawn.rangeM = static_cast<double>(draws.rangeM(instance, met[at].primitive, beam,
                                                    static_cast<float>(met[at].rangeM),
                                                    static_cast<float>(met[at].sigmaM)));
    // The shorter is returned (Browning 2012, section 4.5): it ends at the first triangle that the beam does not pass.
    for (std::size_t behind = at + 1; behind < met.size(); ++behind) {
      if (met[behind].rangeM >= drawn.rangeM) break;
      if (!met[behind].isSurface || passes(met[behind])) continue;
      drawn.rangeM = met[behind].rangeM;
      break;
    }
    break;
  }
  if (!(drawn.rangeM >= window.minM && drawn.rangeM <= window.maxM)) {
    drawn.rangeM = std::numeric_limits<double>::quiet_NaN();
  }
  return drawn;
}

}  // namespace understory
