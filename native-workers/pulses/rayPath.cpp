// Leg by leg from turn to turn, facet by facet on each leg.
#include "pulses/rayPath.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mutation.h"
#include "core/optics/shading.h"

namespace understory {
namespace {

// Facet normal and incidence, in the same arithmetic as GroupTracer's.
struct Incidence {
  Vec3f normal;
  float cosine;
  bool isFront;  // corners counter-clockwise, seen from where the ray comes from
};

Incidence incidenceOf(Vec3f facet, Vec3f direction) {
  const float along = facet.x * direction.x + facet.y * direction.y + facet.z * direction.z;
  const float squared = facet.x * facet.x + facet.y * facet.y + facet.z * facet.z;
  const float scale = (along > 0.0F ? -1.0F : 1.0F) / std::sqrt(squared);
  return {facet * scale, std::min(1.0F, std::abs(along * scale)), along < 0.0F};
}

// Why apart: near head-on a cosine in single precision is 3.5e-4 rad from its angle.
double exactCosine(Vec3f normal, Vec3f direction) {
  const Vec3d n = toDouble(normal);
  const Vec3d d = toDouble(direction);
  return std::min(1.0, std::abs(dot(n, d)) / (length(n) * length(d)));
}

// How far off a facet a turned leg starts. Why at all: the point is rounded, and behind a neighbouring facet of the
// same flat mirror it would meet that one. 2^-20 of the coordinates is 16 steps of rounding.
float liftM(Vec3f point, float rangeM) {
  return std::max({std::abs(point.x), std::abs(point.y), std::abs(point.z), rangeM}) * 0x1.0p-20F;
}

// Facets of one mesh whose ranges differ by less of them count once (PHYSICS.md, 2.1).
constexpr float sameRangeShare = 1e-6F;

bool endsLight(const MaterialOptics& optics) {
  const SurfaceKind kind = optics.surface.kind;
  return optics.gapFraction <= 0.0 && kind != SurfaceKind::glass && kind != SurfaceKind::water;
}

double indexOf(const MaterialOptics* water) {
  return water == nullptr ? 1.0 : water->surface.refractiveIndex;
}

}  // namespace

void RayPath::start(const PathRay& ray) {
  ray_ = ray;
  waiting_.clear();
  parts_ = 1;
  State first;
  first.leg = ray;
  continueWith(first);
}

void RayPath::continueWith(const State& state) {
  now_ = state;
  passedM_ = 0.0F;
  behindM_ = 0.0F;
  passed_.clear();
  rangesM_.clear();
  if (state.from.instance == noInstance) return;
  passed_.push_back(state.from);
  rangesM_.push_back(-1.0F);
}

bool RayPath::resume() {
  if (waiting_.empty()) return false;
  const State state = waiting_.back();
  waiting_.pop_back();
  continueWith(state);
  return true;
}

bool RayPath::add(const FacetHit& at, std::vector<PathHit>& hits) {
  const Meeting met = meetingOf(at);
  const MaterialOptics& optics = met.optics;
  switch (optics.surface.kind) {
    case SurfaceKind::mirror:
      return addMirror(met);
    case SurfaceKind::glass:
      return addGlass(met, hits);
    case SurfaceKind::water:
      return addWater(met, hits);
    default:
      break;
  }
  const double solid = 1.0 - optics.gapFraction;
  addHit(met, solid, solid, hits);
  double passes = optics.gapFraction;
  if (activeMutation() == Mutation::gapTwice) passes *= passes;
  return passStraight(met, passes, passes);
}

RayPath::Meeting RayPath::meetingOf(const FacetHit& at) {
  const InstanceShading& shading = scene_.instances[at.instance];
  const std::uint16_t material = shading.materialOf(at.primitive);
  const Incidence met = incidenceOf(shading.inWorld(at.facet), now_.leg.direction);
  const auto lengthM = static_cast<double>(at.rangeM);
  const double passes =
      now_.water == nullptr ? 1.0 : std::exp(-now_.water->absorptionPerM * lengthM);
  const bool isLearned = learned_ != nullptr && learned_->modelOf(at.instance) != nullptr;
  if (isLearned) {
    learnedOptics_.reflectance =
        static_cast<double>(learned_->reflectance(at.instance, at.primitive, ray_.pulse));
  }
  return {at,
          isLearned ? learnedOptics_ : optics_.materials[material],
          material,
          met.normal,
          met.cosine,
          met.isFront,
          now_.leg.originM + now_.leg.direction * at.rangeM,
          lengthM,
          passes};
}

bool RayPath::isEndedBy(const LineStop& stop, const FacetHit& at) const {
  return !now_.isTurned && !(at.isHit && at.rangeM <= stop.meanM);
}

bool RayPath::isOpaque(const FacetHit& at) const {
  if (learned_ != nullptr && learned_->modelOf(at.instance) != nullptr) return true;
  return endsLight(optics_.materials[scene_.instances[at.instance].materialOf(at.primitive)]);
}

void RayPath::endAt(const LineStop& stop, float rangeM, std::vector<PathHit>& hits) {
  const LearnedModel& model = *learned_->modelOf(stop.instance);
  const bool isElement = primitiveOf(model, stop.primitive).part == LearnedPart::element;
  const Vec3f facet = isElement ? now_.leg.direction * -1.0F : stop.facet;
  const FacetHit met{rangeM, facet, stop.instance, stop.primitive, true};
  Incidence incidence = incidenceOf(facet, now_.leg.direction);
  if (isElement) incidence.cosine = 1.0F;
  learnedOptics_.reflectance = static_cast<double>(stop.reflectance);
  if (rangeM > limits_.maxM) return;
  addHit({met, learnedOptics_, stop.material, incidence.normal, incidence.cosine, incidence.isFront,
          now_.leg.originM + now_.leg.direction * rangeM, static_cast<double>(rangeM), 1.0},
         1.0, 1.0, hits);
}

// Appends the hit of a facet that takes `share` of what arrives, and sends `back` of what its law says.
void RayPath::addHit(const Meeting& met, double share, double back,
                     std::vector<PathHit>& hits) const {
  const double index = indexOf(now_.water);
  const auto rangeM = static_cast<float>(now_.beforeM + index * met.lengthM);
  const double stays = now_.share * met.passes * share;
  if (rangeM < limits_.minM || stays <= 0.0) return;
  const MaterialOptics& optics = met.optics;
  const bool isLobe = optics.surface.kind == SurfaceKind::retroreflector;
  const double cosine =
      isLobe ? exactCosine(met.normal, now_.leg.direction) : static_cast<double>(met.cosine);
  const double returns = now_.back * met.passes * met.passes * back;
  // Rounded before the distance, as whole groups of rays are (aim/groupKernels.h).
  const auto relative = static_cast<float>(
      returns * backscatter(optics.surface, optics.reflectance, cosine, met.isFront));
  double airM = now_.airM + (now_.water == nullptr ? met.lengthM : 0.0);
  const auto widthM = [&](const Width& width) { return width.atM + width.angle * met.lengthM; };
  double spreadM = index * std::sqrt(widthM(now_.within) * widthM(now_.across));
  // Without water on the path, both are its length.
  const bool isInAir =
      now_.water == nullptr && now_.within.atM == now_.beforeM && now_.across.atM == now_.beforeM;
  if (isInAir) {
    airM = spreadM = static_cast<double>(rangeM);
  }
  const float received = receivedSignal(relative, optics_.air, airM, spreadM);
  const double diffuse =
      returns * equivalentReflectance(optics.surface, optics.reflectance, cosine, met.isFront) *
      std::exp(-2.0 * optics_.air.depth(airM));
  PathHit& hit = hits.emplace_back();
  hit.rangeM = rangeM;
  hit.intensity = optics_.radiometry == Radiometry::relative ? relative : received;
  hit.received = received;
  hit.reflectance = static_cast<float>(diffuse);
  hit.share = static_cast<float>(stays);
  hit.cosIncidence = met.cosine;
  hit.towards = now_.isTurned ? (met.pointM - ray_.originM) * (1.0F / rangeM) : ray_.direction;
  hit.normal = met.normal;
  hit.arrival = now_.leg.direction;
  hit.instance = met.at.instance;
  hit.primitive = met.at.primitive;
  hit.material = met.material;
  hit.mirrors = now_.mirrors;
  hit.isTurned = now_.isTurned;
  hit.isCertain = learned_ != nullptr && learned_->modelOf(hit.instance) != nullptr &&
                  learned_->isCertain(hit.instance);
}

// The rest of the ray, straight on behind the facet.
bool RayPath::passStraight(const Meeting& met, double share, double back) {
  now_.share *= share;
  now_.back *= back;
  if (now_.share * met.passes < minShare || ++now_.facets == maxFacets) return false;
  passed_.push_back({met.at.instance, met.at.primitive});
  rangesM_.push_back(met.at.rangeM);
  passedM_ = met.at.rangeM;
  return true;
}

// The leg that starts on a facet in another direction, in a medium, with all the light that arrives.
RayPath::State RayPath::turnedAt(const Meeting& met, Vec3f direction,
                                 const MaterialOptics* medium) const {
  const float along = dot(direction, met.normal);
  const float liftedM = liftM(met.pointM, met.at.rangeM);
  // The leg starts this much ahead, or behind where the facet faces away.
  const auto aheadM = static_cast<double>(std::abs(along) * liftedM);
  const auto addLength = [](State& state, double lengthM) {
    state.beforeM += indexOf(state.water) * lengthM;
    state.within.atM += state.within.angle * lengthM;
    state.across.atM += state.across.angle * lengthM;
    if (state.water == nullptr) state.airM += lengthM;
  };
  State turned = now_;
  addLength(turned, met.lengthM);
  turned.share *= met.passes;
  turned.back *= met.passes * met.passes;
  if (medium != now_.water) {
    const double index = indexOf(medium) / indexOf(now_.water);
    const double cosines =
        static_cast<double>(std::abs(along)) / static_cast<double>(met.cosine);  // θ' over θ
    turned.within.atM *= cosines;
    turned.within.angle /= index * cosines;
    turned.across.angle /= index;
  }
  turned.water = medium;
  addLength(turned, aheadM);
  turned.leg.originM = met.pointM + met.normal * (along < 0.0F ? -liftedM : liftedM);
  turned.leg.direction = direction;
  turned.isTurned = true;
  turned.from = {met.at.instance, met.at.primitive};
  turned.depthM -= met.lengthM + aheadM;
  return turned;
}

RayPath::State RayPath::mirroredAt(const Meeting& met, double share) const {
  const float back = 2.0F * dot(now_.leg.direction, met.normal);
  State mirrored = turnedAt(met, normalized(now_.leg.direction - met.normal * back), now_.water);
  mirrored.share *= share;
  mirrored.back *= share * share;
  ++mirrored.mirrors;
  return mirrored;
}

bool RayPath::addMirror(const Meeting& met) {
  const bool isOneMore = activeMutation() == Mutation::oneMirrorMore;
  if (now_.mirrors == optics_.mirrorDepth + (isOneMore ? 1U : 0U)) return false;
  continueWith(mirroredAt(met, met.optics.specularReflectance));
  return now_.share >= minShare;
}

// Stores the part of the light that a pane or a face mirrors.
void RayPath::keepMirrored(const Meeting& met, double share) {
  if (now_.mirrors == optics_.mirrorDepth || parts_ == maxParts) return;
  if (now_.share * met.passes * share < minShare) return;
  waiting_.push_back(mirroredAt(met, share));
  ++parts_;
}

// The share behind a film of dirt, foam or cloudy water.
double RayPath::takeFilm(const Meeting& met, std::vector<PathHit>& hits) const {
  const double film = met.optics.reflectance;
  if (film > 0.0) addHit(met, film, 1.0, hits);
  return 1.0 - film;
}

bool RayPath::addGlass(const Meeting& met, std::vector<PathHit>& hits) {
  const double left = takeFilm(met, hits);
  const Surface& pane = met.optics.surface;
  const SplitLight light =
      splitAtPane(static_cast<double>(met.cosine), pane.refractiveIndex / indexOf(now_.water),
                  met.optics.absorptionPerM, pane.thicknessM);
  keepMirrored(met, left * light.mirrored);
  const double straight = left * light.transmitted;
  return passStraight(met, straight, straight * straight);
}

// A leg in air enters the water, one in water leaves it. Sensors are in air.
bool RayPath::addWater(const Meeting& met, std::vector<PathHit>& hits) {
  const double left = takeFilm(met, hits);
  const MaterialOptics* behind = now_.water == nullptr ? &met.optics : nullptr;
  const double index = indexOf(behind) / indexOf(now_.water);
  const SplitLight light = splitAtFace(static_cast<double>(met.cosine), index);
  keepMirrored(met, left * light.mirrored);
  const double passes = left * light.transmitted;
  if (now_.share * met.passes * passes < minShare || now_.facets + 1 == maxFacets) return false;
  const Vec3d direction =
      refracted(normalized(toDouble(now_.leg.direction)), toDouble(met.normal), index);
  State bent = turnedAt(met, toFloat(direction), behind);
  bent.share *= passes;
  bent.back *= passes * passes;
  ++bent.facets;
  const double cosBehind = -dot(direction, toDouble(met.normal));
  bent.depthM = behind == nullptr ? std::numeric_limits<double>::infinity()
                                  : met.optics.surface.depthM / cosBehind;
  continueWith(bent);
  return true;
}

PathRay RayPath::leg() const {
  PathRay leg = now_.leg;
  leg.passed = passed_;
  return leg;
}

// From the last facet on, less what ranges of packets, single rays and instances differ by. Why not below the smallest
// normal number: Embree takes smaller ones for 0.
float RayPath::nearestM() const {
  return std::max({passedM_ * (1.0F - sameRangeShare),
                   std::nextafter(behindM_, std::numeric_limits<float>::infinity()),
                   std::numeric_limits<float>::min()});
}

float RayPath::farthestM() const {
  const double leftM = (static_cast<double>(limits_.maxM) - now_.beforeM) / indexOf(now_.water);
  return static_cast<float>(std::min(leftM, now_.depthM));
}

bool RayPath::isKnown(const FacetHit& hit) const {
  return std::any_of(passed_.begin(), passed_.end(), [&](const FacetId& facet) {
    return facet.instance == hit.instance && facet.primitive == hit.primitive;
  });
}

bool RayPath::isPassed(const FacetHit& hit) const {
  if (isKnown(hit)) return true;
  for (std::size_t index = 0; index < passed_.size(); ++index) {
    const float apartM = std::abs(hit.rangeM - rangesM_[index]);
    if (passed_[index].instance == hit.instance && apartM <= sameRangeShare * hit.rangeM) {
      return true;
    }
  }
  return false;
}

void RayPath::skip(const FacetHit& hit) {
  if (isKnown(hit)) {
    // The source found it again.
    behindM_ = std::max(nearestM(), hit.rangeM);
    return;
  }
  passed_.push_back({hit.instance, hit.primitive});
  rangesM_.push_back(hit.rangeM);
}

}  // namespace understory
