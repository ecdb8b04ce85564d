// Trees of the three parts of a model, and draws over what they give.
#include "learn/learnedLines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random/philox.h"
#include "learn/volumeModel.h"

namespace understory {
namespace {

constexpr std::uint32_t sparseSupport = 10;

// One after another: what they are for does not change their number.
class BeamDraws {
 public:
  BeamDraws(std::uint64_t seed, std::uint64_t beam) : seed_(seed), beam_(beam) {}
  std::array<double, 2> next() {
    const auto block = pulseBlock(seed_, RandomPurpose::evaluation, 0, beam_, number_++);
    return {uniformFrom(block[0], block[1]), uniformFrom(block[2], block[3])};
  }
  double normal() {
    return normalPair(pulseBlock(seed_, RandomPurpose::evaluation, 0, beam_, number_++))[0];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t beam_;
  std::uint32_t number_ = 0;
};

// By trial: at most a half lies at or below 0 for a mean above 0.
double drawAboveZero(const LineMember& member, BeamDraws& draws) {
  for (int trial = 0; trial < 64; ++trial) {
    const double rangeM = member.rangeM + member.sigmaM * draws.normal();
    if (rangeM > 0.0) return rangeM;
  }
  return member.rangeM;
}

}  // namespace

LearnedLines::LearnedLines(const LearnedModel& model)
    : model_(model),
      noise_{model.surfaceSigmaM, model.incidenceSigmaM, 0},
      ellipsoids_(gaussiansOf(model.elements), model.mahalanobisLimit, model.surfaceSigmaM),
      triangles_(TriangleMesh{model.surface.verticesM, model.surface.triangles}) {
  const auto radiusM = static_cast<float>(model.pointRadiusM);
  const Vec3f half{radiusM, radiusM, radiusM};
  std::vector<Boundsf> boxes;
  boxes.reserve(model.points.size());
  for (const Vec3f position : model.points.positionsM) {
    boxes.push_back({position - half, position + half});
  }
  points_ = BoxTree(boxes);
}

void LearnedLines::meet(Vec3f originM, Vec3f direction, double maxM,
                        std::vector<MetMember>& met) const {
  met.clear();
  const Observations& elements = model_.elements.seen;
  ellipsoids_.alongLine(
      originM, direction, maxM, [&](std::uint32_t element, const Crossing& crossing) {
        met.push_back({{crossing.rangeM, crossing.sigmaM,
                        static_cast<double>(elements.permeability[element]), false},
                       elements.support[element]});
      });
  const Observations& surface = model_.surface.seen;
  triangles_.alongLine(originM, direction, maxM, [&](std::uint32_t triangle, double rangeM) {
    const double sigmaM = noise_.at(dot(triangles_.normalOf(triangle), toDouble(direction)));
    met.push_back({{rangeM, sigmaM, static_cast<double>(surface.permeability[triangle]), true},
                   surface.support[triangle]});
  });
  meetPoint(originM, direction, maxM, met);
  std::ranges::sort(met, alongLineOrder);
}

// The point of least distance from the line (Browning 2012, eq. 9 to 11): a surface.
void LearnedLines::meetPoint(Vec3f originM, Vec3f direction, double maxM,
                             std::vector<MetMember>& met) const {
  const Vec3d from = toDouble(originM);
  const Vec3d along = toDouble(direction);
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
    const double sigmaM = noise_.at(dot(toDouble(model_.points.normals[point]), along));
    found = MetMember{{rangeM, sigmaM, 0.0, true}, sparseSupport};
  });
  if (found) met.push_back(*found);
}

DrawnRange drawRange(const std::vector<MetMember>& met, std::uint64_t seed, std::uint64_t beam,
                     double maxM) {
  BeamDraws draws(seed, beam);
  DrawnRange drawn{std::numeric_limits<double>::quiet_NaN(), false};
  for (std::size_t at = 0; at < met.size(); ++at) {
    drawn.isUnderSampled = drawn.isUnderSampled || met[at].support < sparseSupport;
    if (draws.next()[0] < met[at].permeability) continue;
    if (met[at].isSurface) {
      drawn.rangeM = met[at].rangeM + met[at].sigmaM * draws.normal();
    } else {
      drawn.rangeM = drawAboveZero(met[at], draws);
      // It ends at the first triangle behind the element that the beam does not pass.
      for (std::size_t behind = at + 1; behind < met.size(); ++behind) {
        const MetMember& surface = met[behind];
        if (!surface.isSurface || surface.rangeM > drawn.rangeM) continue;
        if (draws.next()[0] < surface.permeability) continue;
        drawn.rangeM = surface.rangeM + surface.sigmaM * draws.normal();
        break;
      }
    }
    break;
  }
  if (!(drawn.rangeM > 0.0 && drawn.rangeM <= maxM)) {
    drawn.rangeM = std::numeric_limits<double>::quiet_NaN();
  }
  return drawn;
}

}  // namespace understory
