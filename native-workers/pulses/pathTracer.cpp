// Pulses to rays, packets, ways, signals and returns.
#include "pulses/pathTracer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "surfaces/embree/firstHits.h"

namespace understory {
namespace {

// Rays that are traced together, in whole pulses: enough for full packets, few enough for a core's cache.
constexpr std::size_t raysPerBatch = 2048;

}  // namespace

// What one call keeps from pulse to pulse.
struct PathTracer::Work {
  Work(const EmbreeScene& scene, const SensorRecipe& sensor, const SceneOptics& optics)
      : follower(scene, optics, rangeLimits(sensor)), evaluator(sensor) {}

  std::uint64_t firstSlot = 0;
  std::uint64_t firstPulse = 0;
  TracedBlock* out = nullptr;
  const PulseVisitor* visitor = nullptr;
  PathFollower follower;
  SignalEvaluator evaluator;
  // Of the batch, by pulse, by pulse and ray, and by pulse and place of the ray.
  std::vector<PulseName> names;
  std::vector<AimedPulse> aims;
  std::vector<StencilRay> drawn;  // where pulses differ in their rays
  std::vector<PathRay> rays;
  std::vector<FacetHit> firstHits;
  // Of the pulse.
  std::vector<PathHit> hits;
  std::vector<std::uint32_t> rayOfHit;
  std::vector<SignalHit> signal;
  std::uint32_t raysThatHit = 0;
};

PathTracer::PathTracer(const EmbreeScene& scene, const SensorRecipe& sensor,
                       const Trajectory& trajectory, const SceneOptics& optics, std::uint64_t seed)
    : scene_(scene),
      sensor_(sensor),
      trajectory_(trajectory),
      optics_(optics),
      seed_(seed),
      numbering_(pulseNumbering(sensor)),
      sampler_(sensor, seed) {
  for (const StencilRay& ray : sampler_.rays()) scales_.push_back(rayScale(ray));
  placeOfRay_.resize(sampler_.raysPerPulse());
  std::vector<std::uint32_t> order(sampler_.raysPerPulse());
  std::iota(order.begin(), order.end(), 0U);
  if (sensor.beam.stencil != StencilKind::rays) {
    std::ranges::stable_sort(order, {}, [&](std::uint32_t ray) { return sampler_.rays()[ray].left; });
  }
  for (std::uint32_t place = 0; place < order.size(); ++place) placeOfRay_[order[place]] = place;
  const auto beforeAxis = [](const StencilRay& a, const StencilRay& b) {
    return std::hypot(a.left, a.up) < std::hypot(b.left, b.up);
  };
  axisRay_ = static_cast<std::uint32_t>(
      std::ranges::min_element(sampler_.rays(), beforeAxis) - sampler_.rays().begin());
}

void PathTracer::trace(std::uint64_t block, SlotRange range, TracedBlock& out,
                       const PulseVisitor* visitor) const {
  Work work(scene_, sensor_, optics_);
  work.evaluator.setAxisRay(axisRay_);
  work.firstSlot = block * slotsPerBlock;
  work.firstPulse = firstPulseOfSlot(numbering_, work.firstSlot);
  work.out = &out;
  work.visitor = visitor;
  const std::size_t pulses = out.firstPulse[slotsPerBlock];
  out.returnPlaces = work.evaluator.mostReturns();
  out.aims.resize(pulses);
  out.returnCounts.resize(pulses);
  out.rayHits.resize(pulses);
  out.returns.resize(pulses * out.returnPlaces);
  if (out.keepsDirections) out.directions.resize(pulses * raysPerPulse());
  const std::size_t step = std::clamp(raysPerBatch / raysPerPulse(), std::size_t{1}, pulsesPerGroup);
  forEachGroup(sensor_, work.firstSlot, [&](const RayGroup& group) {
    const PulseRange wanted = pulsesIn(group, range);
    for (std::size_t first = wanted.from / step * step; first < wanted.to; first += step) {
      const std::size_t end = std::min(first + step, group.slots.size());
      const RayGroup batch{group.slots.subspan(first, end - first), group.laserBlock, group.laser};
      traceBatch(batch, std::max(first, wanted.from) - first, std::min(end, wanted.to) - first, work);
    }
  });
}

// Traces pulses [from, to) of a batch; packets are those of the whole of it.
void PathTracer::traceBatch(const RayGroup& batch, std::size_t from, std::size_t to,
                            Work& work) const {
  const std::size_t rays = raysPerPulse();
  const std::size_t pulses = batch.slots.size();
  const bool isDrawn = sampler_.isPerPulse();
  work.names.clear();
  work.aims.clear();
  work.rays.resize(pulses * rays);
  if (isDrawn) work.drawn.resize(pulses * rays);
  for (std::size_t pulse = 0; pulse < pulses; ++pulse) {
    const std::size_t slot = batch.slots[pulse];
    const std::uint64_t number = work.firstPulse + work.out->firstPulse[slot] + batch.laser;
    const PulseName& name = work.names.emplace_back(
        PulseName{number, work.firstSlot + slot, batch.laserBlock, batch.laser});
    const PulseAxes& axes =
        work.aims.emplace_back(aimedPulse(sensor_, trajectory_, seed_, name)).axes;
    const auto drawn = std::span(work.drawn).subspan(isDrawn ? pulse * rays : 0, isDrawn ? rays : 0);
    if (isDrawn) sampler_.draw(number, drawn);
    for (std::size_t ray = 0; ray < rays; ++ray) {
      const RayScale scale = isDrawn ? rayScale(drawn[ray]) : scales_[ray];
      work.rays[pulse * rays + placeOfRay_[ray]] = {axes.origin, rayDirection(scale, axes)};
    }
  }
  work.firstHits.resize(work.rays.size());
  findFirstHits(scene_, work.rays, from * rays, to * rays, rangeLimits(sensor_).maxM,
                work.firstHits);
  for (std::size_t pulse = from; pulse < to; ++pulse) takePulse(pulse, work);
}

void PathTracer::takePulse(std::size_t pulse, Work& work) const {
  const std::size_t rays = raysPerPulse();
  const std::span<const StencilRay> beam =
      sampler_.isPerPulse() ? std::span<const StencilRay>(work.drawn).subspan(pulse * rays, rays)
                            : sampler_.rays();
  followRays(pulse, beam, work);
  const std::span<const PulseReturn> returns = work.evaluator.evaluate(work.signal);
  const std::size_t number = work.names[pulse].number - work.firstPulse;
  report(pulse, number, returns, work);
  if (work.visitor == nullptr) return;
  (*work.visitor)({work.names[pulse], number, work.aims[pulse], beam, work.hits, work.rayOfHit,
                   work.signal, returns, work.evaluator.returnOfHit()});
}

// The whole ways of a pulse's rays: its hits and its signal.
void PathTracer::followRays(std::size_t pulse, std::span<const StencilRay> beam,
                            Work& work) const {
  work.hits.clear();
  work.rayOfHit.clear();
  work.signal.clear();
  work.raysThatHit = 0;
  for (std::uint32_t ray = 0; ray < beam.size(); ++ray) {
    const std::size_t firstPlace = work.hits.size();
    const std::size_t traced = pulse * beam.size() + placeOfRay_[ray];
    work.follower.follow(work.rays[traced], work.firstHits[traced], work.hits);
    work.raysThatHit += work.hits.size() > firstPlace ? 1 : 0;
    const auto weight = static_cast<float>(beam[ray].weight);
    for (std::size_t place = firstPlace; place < work.hits.size(); ++place) {
      const PathHit& hit = work.hits[place];
      work.rayOfHit.push_back(ray);
      SignalHit& signal = work.signal.emplace_back();
      signal.rangeM = hit.rangeM;
      signal.intensity = hit.intensity;
      signal.weight = weight * hit.share;
      signal.rayWeight = weight;
      signal.reflectance = optics_.reflectances[hit.material];
      signal.ray = ray;
      signal.instance = hit.instance;
      signal.primitive = hit.primitive;
      signal.place = static_cast<std::uint32_t>(place);
    }
  }
}

// Returns with the truth of the hits that decided them, as pulse `number` of the block.
void PathTracer::report(std::size_t pulse, std::size_t number,
                        std::span<const PulseReturn> returns, Work& work) const {
  TracedBlock& out = *work.out;
  out.aims[number] = work.aims[pulse].reported;
  out.rayHits[number] = work.raysThatHit;
  out.returnCounts[number] = static_cast<std::uint8_t>(returns.size());
  for (std::size_t echo = 0; echo < returns.size(); ++echo) {
    const PathHit& hit = work.hits[work.signal[returns[echo].decidingHit].place];
    out.returns[number * out.returnPlaces + echo] = {
        returns[echo], hit.rangeM,    hit.cosIncidence, hit.towards, hit.normal,
        hit.instance,  hit.primitive, hit.material,     hit.mirrors, returns[echo].rangeM};
  }
  if (!out.keepsDirections) return;
  const std::size_t rays = raysPerPulse();
  for (std::size_t ray = 0; ray < rays; ++ray) {
    out.directions[number * rays + ray] = work.rays[pulse * rays + placeOfRay_[ray]].direction;
  }
}

}  // namespace understory
