// W in steps, and the hits of its maxima.
#include "core/returns/echoes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/mutation.h"
#include "core/returns/maxima.h"
#include "core/sensor/stencil.h"

namespace understory {
namespace {

constexpr double sigmaOfResolution = 0.28;
constexpr double oneEchoOfResolution = 0.6;
constexpr float bellReach = 5.0F;
// W of equal parts is off by at most 1/128 between steps.
constexpr float stepsPerSigma = 4.0F;
constexpr float maxSteps = 4096.0F;
constexpr std::size_t stepsPerBlock = 16;

// Unsigned: beyond the reach sums of bits overflow, and are left out.
using WholeLanes = std::uint32_t __attribute__((vector_size(sizeof(Lanes))));

// exp(-x^2/2) within 3e-6 of it, 0 beyond the reach: 2^n times a polynomial in the rest (Remez, degree 5).
UNDERSTORY_INLINE void bell(const Lanes& x, Lanes& value) {
  constexpr float halfLog2E = 0.72134752F;
  constexpr float toInteger = 12582912.0F;  // 1.5 * 2^23: adding it rounds
  const Lanes square = x * x;
  const Lanes power = square * -halfLog2E;
  const Lanes shifted = power + toInteger;
  const Lanes rest = power - (shifted - toInteger);
  const Lanes fraction =
      1.0F + rest * (0.69314718F +
                     rest * (0.24022651F +
                             rest * (0.05550411F + rest * (0.00961813F + rest * 0.00133336F))));
  const WholeLanes scaled =
      reinterpret_cast<WholeLanes>(fraction) + (reinterpret_cast<WholeLanes>(shifted) << 23);
  const auto isWithin = reinterpret_cast<WholeLanes>(square <= bellReach * bellReach);
  value = reinterpret_cast<Lanes>(scaled & isWithin);
}

// W at startM + k stepM, k = 0, 1 … in blocks.
UNDERSTORY_LANES
void sampleSignal(std::span<const EchoFinder::Part> parts, float startM, float stepM,
                  std::span<float> samples) {
  constexpr Lanes lane{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (std::size_t first = 0; first < samples.size(); first += stepsPerBlock) {
    const Lanes atM = startM + stepM * (static_cast<float>(first) + lane);
    Lanes sum{};
    for (const EchoFinder::Part& part : parts) {
      const bool isBefore = part.atM + part.reachM < atM[0];
      if (isBefore || part.atM - part.reachM > atM[stepsPerBlock - 1]) continue;
      Lanes value;
      bell((atM - part.atM) * part.perM, value);
      sum += part.height * value;
    }
    store(&samples[first], sum);
  }
}

}  // namespace

RaySpread::RaySpread(const SensorRecipe& sensor) {
  const BeamRecipe& beam = sensor.beam;
  const std::size_t rays = beam.stencil == StencilKind::rays ? beam.rays.count : raysPerPulse;
  const double share = 1.0 / std::sqrt(static_cast<double>(rays));
  apertureM_ =
      static_cast<float>(share * std::max(beam.apertureHorizontalM, beam.apertureVerticalM));
  divergenceRad_ = static_cast<float>(
      share * std::max(beam.divergenceHorizontalRad, beam.divergenceVerticalRad));
}

double pulseSigmaM(double rangeResolutionM) { return sigmaOfResolution * rangeResolutionM; }

EchoFinder::EchoFinder(double rangeResolutionM)
    : resolutionM_(rangeResolutionM),
      sigmaM_(static_cast<float>(pulseSigmaM(rangeResolutionM))),
      oneEchoM_(oneEchoOfResolution * rangeResolutionM) {}

std::span<const std::size_t> EchoFinder::slices(std::span<const EchoHit> hits) {
  std::size_t from = 0;
  for (std::size_t hit = 1; hit < hits.size(); ++hit) {
    if (static_cast<double>(hits[hit].rangeM - hits[from].rangeM) < resolutionM_) continue;
    ends_.push_back(hit);
    from = hit;
  }
  ends_.push_back(hits.size());
  return ends_;
}

std::span<const std::size_t> EchoFinder::find(std::span<const EchoHit> hits) {
  ends_.clear();
  if (resolutionM_ <= 0.0) {
    for (std::size_t hit = 0; hit < hits.size(); ++hit) ends_.push_back(hit + 1);
    return ends_;
  }
  if (activeMutation() == Mutation::echoesInSlices) return slices(hits);
  const float nearestM = hits.front().rangeM;
  if (isOneEcho(nearestM, hits.back().rangeM)) {
    ends_.push_back(hits.size());
    return ends_;
  }
  parts_.clear();
  for (const EchoHit& hit : hits) {
    const float sigmaM = std::sqrt(sigmaM_ * sigmaM_ + hit.spreadM * hit.spreadM);
    const float perM = 1.0F / sigmaM;
    parts_.push_back({hit.rangeM - nearestM, bellReach * sigmaM, perM, hit.signal * perM});
  }
  reachesBackM_.resize(hits.size());
  float reachM = std::numeric_limits<float>::infinity();
  for (std::size_t hit = hits.size(); hit-- > 0;) {
    reachM = std::min(reachM, parts_[hit].atM - parts_[hit].reachM);
    reachesBackM_[hit] = reachM;
  }
  // Where no part reaches, W is 0.
  std::size_t from = 0;
  reachM = 0.0F;
  for (std::size_t hit = 0; hit < hits.size(); ++hit) {
    reachM = std::max(reachM, parts_[hit].atM + parts_[hit].reachM);
    if (hit + 1 < hits.size() && reachesBackM_[hit + 1] <= reachM) continue;
    splitStretch(from, hit + 1);
    from = hit + 1;
  }
  return ends_;
}

// Hits [from, to) whose parts touch. W has its maxima between the outermost of them.
void EchoFinder::splitStretch(std::size_t from, std::size_t to) {
  const float startM = parts_[from].atM;
  const float lengthM = parts_[to - 1].atM - startM;
  if (isOneEcho(0.0F, lengthM)) {
    ends_.push_back(to);
    return;
  }
  float perM = 0.0F;  // of the sharpest
  for (std::size_t hit = from; hit < to; ++hit) perM = std::max(perM, parts_[hit].perM);
  const float steps = std::min(std::ceil(lengthM * stepsPerSigma * perM), maxSteps);
  const float stepM = lengthM / steps;
  const std::size_t samples = static_cast<std::size_t>(steps) + 1;
  samples_.resize((samples + stepsPerBlock - 1) / stepsPerBlock * stepsPerBlock);
  sampleSignal(std::span(parts_).subspan(from, to - from), startM, stepM, samples_);
  std::size_t end = from;
  forEachMaximum(std::span<const float>(samples_).first(samples),
                 [&](std::size_t, std::size_t valley) {
                   const float valleyM = startM + static_cast<float>(valley) * stepM;
                   const std::size_t first = end;
                   while (end < to && parts_[end].atM <= valleyM) ++end;
                   if (end > first) ends_.push_back(end);
                 });
  // Hits whose signal is too small a number.
  if (end < to) ends_.push_back(to);
}

}  // namespace understory
