// W in steps, and the hits of its maxima.
#include "core/returns/echoes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/maths/lanes.h"
#include "core/mutation.h"
#include "core/returns/maxima.h"
#include "core/returns/signal.h"
#include "core/sensor/stencil.h"

namespace understory {
namespace {

constexpr double sigmaOfResolution = 0.28;
constexpr double oneEchoOfResolution = 0.6;
constexpr float maxTangent = 1e3F;
constexpr float bellReach = 5.0F;
// W of equal parts is off by at most 1/128 between steps.
constexpr float stepsPerSigma = 4.0F;
constexpr float maxSteps = 4096.0F;

// exp(-x^2/2) within 3e-6 of it, for x within the reach: 2^n times a polynomial in the rest (Remez, degree 5).
UNDERSTORY_INLINE float bell(float x) {
  constexpr float halfLog2E = 0.72134752F;
  constexpr float toInteger = 12582912.0F;  // 1.5 * 2^23: adding it rounds
  const float power = x * x * -halfLog2E;
  const float shifted = power + toInteger;
  const float rest = power - (shifted - toInteger);
  const float fraction =
      1.0F + rest * (0.69314718F +
                     rest * (0.24022651F +
                             rest * (0.05550411F + rest * (0.00961813F + rest * 0.00133336F))));
  const auto exponent = std::bit_cast<std::int32_t>(shifted) << 23;
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(fraction) + exponent);
}

// Adds a part of W to samples at x0, x0 + dx … in its sigmas.
UNDERSTORY_LANES
void addBell(float* __restrict samples, std::size_t count, float x0, float dx, float height) {
#pragma GCC ivdep
  for (std::size_t at = 0; at < count; ++at) {
    samples[at] += height * bell(x0 + dx * static_cast<float>(static_cast<std::int32_t>(at)));
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

float RaySpread::at(float rangeM, float cosIncidence) const {
  const float sine = std::sqrt(std::max(0.0F, 1.0F - cosIncidence * cosIncidence));
  const float tangent = sine < maxTangent * cosIncidence ? sine / cosIncidence : maxTangent;
  return 0.5F * (apertureM_ + rangeM * divergenceRad_) * tangent;
}

double pulseSigmaM(double rangeResolutionM) { return sigmaOfResolution * rangeResolutionM; }

double oneEchoM(double rangeResolutionM) { return oneEchoOfResolution * rangeResolutionM; }

EchoFinder::EchoFinder(double rangeResolutionM)
    : resolutionM_(rangeResolutionM),
      sigmaM_(pulseSigmaM(rangeResolutionM)),
      oneEchoM_(understory::oneEchoM(rangeResolutionM)) {}

std::span<const std::size_t> EchoFinder::slices(std::span<const SignalHit> hits) {
  std::size_t from = 0;
  for (std::size_t hit = 1; hit < hits.size(); ++hit) {
    if (static_cast<double>(hits[hit].rangeM - hits[from].rangeM) < resolutionM_) continue;
    ends_.push_back(hit);
    from = hit;
  }
  ends_.push_back(hits.size());
  return ends_;
}

std::span<const std::size_t> EchoFinder::find(std::span<const SignalHit> hits) {
  ends_.clear();
  if (resolutionM_ <= 0.0) {
    for (std::size_t hit = 0; hit < hits.size(); ++hit) ends_.push_back(hit + 1);
    return ends_;
  }
  if (activeMutation() == Mutation::echoesInSlices) return slices(hits);
  const double nearestM = static_cast<double>(hits.front().rangeM);
  if (static_cast<double>(hits.back().rangeM) - nearestM < oneEchoM_) {
    ends_.push_back(hits.size());
    return ends_;
  }
  parts_.clear();
  for (const SignalHit& hit : hits) {
    const double spreadM = static_cast<double>(hit.spreadM);
    const double sigmaM = std::sqrt(sigmaM_ * sigmaM_ + spreadM * spreadM);
    parts_.push_back({static_cast<float>(static_cast<double>(hit.rangeM) - nearestM),
                      static_cast<float>(sigmaM), static_cast<float>(signalOf(hit) / sigmaM)});
  }
  reachesBackM_.resize(hits.size());
  float reachM = std::numeric_limits<float>::infinity();
  for (std::size_t hit = hits.size(); hit-- > 0;) {
    reachM = std::min(reachM, parts_[hit].atM - bellReach * parts_[hit].sigmaM);
    reachesBackM_[hit] = reachM;
  }
  // Where no part reaches, W is 0.
  std::size_t from = 0;
  reachM = 0.0F;
  for (std::size_t hit = 0; hit < hits.size(); ++hit) {
    reachM = std::max(reachM, parts_[hit].atM + bellReach * parts_[hit].sigmaM);
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
  if (static_cast<double>(lengthM) < oneEchoM_) {
    ends_.push_back(to);
    return;
  }
  float sharpestM = std::numeric_limits<float>::infinity();
  for (std::size_t hit = from; hit < to; ++hit) {
    sharpestM = std::min(sharpestM, parts_[hit].sigmaM);
  }
  const float steps = std::min(std::ceil(lengthM * stepsPerSigma / sharpestM), maxSteps);
  const float stepM = lengthM / steps;
  samples_.assign(static_cast<std::size_t>(steps) + 1, 0.0F);
  for (std::size_t hit = from; hit < to; ++hit) {
    const Part& part = parts_[hit];
    const float reachM = bellReach * part.sigmaM;
    const float first = std::max(0.0F, std::ceil((part.atM - reachM - startM) / stepM));
    const float last = std::min(steps, std::floor((part.atM + reachM - startM) / stepM));
    if (last < first) continue;
    addBell(&samples_[static_cast<std::size_t>(first)], static_cast<std::size_t>(last - first) + 1,
            (startM + first * stepM - part.atM) / part.sigmaM, stepM / part.sigmaM, part.height);
  }
  std::size_t end = from;
  forEachMaximum(std::span<const float>(samples_), [&](std::size_t, std::size_t valley) {
    const float valleyM = startM + static_cast<float>(valley) * stepM;
    const std::size_t first = end;
    while (end < to && parts_[end].atM <= valleyM) ++end;
    if (end > first) ends_.push_back(end);
  });
  // Hits whose signal is too small a number.
  if (end < to) ends_.push_back(to);
}

}  // namespace understory
