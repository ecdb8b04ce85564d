// Balls at a time, and their sums along a line.
#include "core/weather/plume.h"

#include <algorithm>
#include <cmath>

#include "contract/contract.h"

namespace understory {
namespace {

constexpr std::int64_t dustStepNs = 10'000'000;
constexpr std::int64_t lastsNs = bounds::puffLastsNs;
constexpr double secondsPerNs = 1e-9;
// Beyond it a ball is left out: 6e-5 of its dust.
constexpr double ballReachSigmas = 4.0;
// Balls of a smaller optical depth are left out of a line.
constexpr double minDustDepth = 1e-6;

constexpr std::size_t ballsOfGroup = 8;

DustGroup groupOf(std::span<const DustBall> balls, std::size_t from, std::size_t to) {
  DustGroup group{{}, 0.0, from, to};
  const std::span<const DustBall> part = balls.subspan(from, to - from);
  for (const DustBall& ball : part) {
    group.centreM = group.centreM + ball.atM * (1.0 / static_cast<double>(part.size()));
  }
  for (const DustBall& ball : part) {
    group.radiusM =
        std::max(group.radiusM, length(ball.atM - group.centreM) + ballReachSigmas * ball.sigmaM);
  }
  return group;
}

}  // namespace

Plume::Plume(const PlumeLaw& law, std::span<const Puff> puffs, Vec3d originM)
    : law_(law), puffs_(puffs.begin(), puffs.end()) {
  for (Puff& puff : puffs_) puff.atM = puff.atM - originM;
}

std::int64_t Plume::stepOf(std::int64_t timeNs) {
  return timeNs / dustStepNs - (timeNs % dustStepNs < 0 ? 1 : 0);
}

void Plume::ballsAt(std::int64_t step, DustBalls& dust) const {
  std::vector<DustBall>& balls = dust.balls;
  balls.clear();
  for (const Puff& puff : puffs_) {
    const std::int64_t ageNs = step * dustStepNs - puff.raisedNs;
    if (ageNs < 0 || ageNs > lastsNs) continue;
    const double ageS = static_cast<double>(ageNs) * secondsPerNs;
    const double sigmaM = std::sqrt(law_.firstM * law_.firstM + 2.0 * law_.mixingM2PerS * ageS);
    // Dust leaves the air as much as there is at the ground.
    const double fallen =
        law_.settlingMPerS * std::sqrt(2.0 / piRad) * (sigmaM - law_.firstM) / law_.mixingM2PerS;
    const double volumeM3 = std::pow(2.0 * piRad, 1.5) * sigmaM * sigmaM * sigmaM / 2.0;
    balls.push_back(
        {{puff.atM.x + law_.windMPerS[0] * ageS, puff.atM.y + law_.windMPerS[1] * ageS, puff.atM.z},
         sigmaM,
         puff.extinctionM2 * std::exp(-fallen) / volumeM3});
  }
  dust.groups.clear();
  for (std::size_t from = 0; from < balls.size(); from += ballsOfGroup) {
    dust.groups.push_back(groupOf(balls, from, std::min(from + ballsOfGroup, balls.size())));
  }
}

bool DustLine::follow(const DustBalls& dust, Vec3d startM, Vec3d axis, double toM) {
  passages_.clear();
  extinctionPerM_.clear();
  double firstM = toM;
  double lastM = 0.0;
  const auto meet = [&](const DustBall& ball) {
    const Vec3d way = ball.atM - startM;
    const double atM = dot(way, axis);
    const double reachM = ballReachSigmas * ball.sigmaM;
    const double missM2 = dot(way, way) - atM * atM;
    if (missM2 > reachM * reachM || atM + reachM <= 0.0 || atM - reachM >= toM) return;
    const double nearest =
        ball.extinctionPerM * std::exp(-0.5 * missM2 / (ball.sigmaM * ball.sigmaM));
    if (nearest * ball.sigmaM < minDustDepth) return;
    passages_.push_back({atM, nearest, ball.sigmaM});
    firstM = std::min(firstM, atM - reachM);
    lastM = std::max(lastM, atM + reachM);
  };
  for (const DustGroup& group : dust.groups) {
    const Vec3d way = group.centreM - startM;
    const double atM = dot(way, axis);
    const bool isBeside = dot(way, way) - atM * atM > group.radiusM * group.radiusM;
    if (isBeside || atM + group.radiusM <= 0.0 || atM - group.radiusM >= toM) continue;
    for (std::size_t ball = group.from; ball < group.to; ++ball) meet(dust.balls[ball]);
  }
  if (passages_.empty()) return false;
  first_ = static_cast<std::size_t>(std::max(firstM, 0.0) / sliceM_);
  const auto end = static_cast<std::size_t>(std::ceil(std::min(lastM, toM) / sliceM_));
  extinctionPerM_.assign(end - first_, 0.0);
  for (const Passage& passage : passages_) add(passage);
  depth_.resize(slices() + 1);
  depth_[0] = 0.0;
  for (std::size_t slice = 0; slice < slices(); ++slice) {
    depth_[slice + 1] = depth_[slice] + extinctionPerM_[slice] * sliceM_;
  }
  return true;
}

// exp(-x²/2) at equal steps of x, each by that before it: two products a slice.
void DustLine::add(const Passage& passage) {
  const double reachM = ballReachSigmas * passage.sigmaM;
  const auto limited = [&](double rangeM) {
    const double slice = std::floor(rangeM / sliceM_) - static_cast<double>(first_);
    return static_cast<std::size_t>(std::clamp(slice, 0.0, static_cast<double>(slices())));
  };
  const std::size_t from = limited(passage.atM - reachM);
  const std::size_t to = limited(passage.atM + reachM);
  const double step = sliceM_ / passage.sigmaM;
  const double start = (rangeM(from) - passage.atM) / passage.sigmaM;
  double value = passage.extinctionPerM * std::exp(-0.5 * start * start);
  double ratio = std::exp(-step * (start + 0.5 * step));
  const double ratioOfRatios = std::exp(-step * step);
  for (std::size_t slice = from; slice < to; ++slice) {
    extinctionPerM_[slice] += value;
    value *= ratio;
    ratio *= ratioOfRatios;
  }
}

double DustLine::maxExtinctionPerM(std::size_t slices) const {
  const auto end = extinctionPerM_.begin() + static_cast<std::ptrdiff_t>(slices);
  return *std::max_element(extinctionPerM_.begin(), end);
}

std::size_t DustLine::slicesBefore(double rangeM) const {
  const double slice = std::floor(rangeM / sliceM_) - static_cast<double>(first_);
  return static_cast<std::size_t>(std::clamp(slice, 0.0, static_cast<double>(slices())));
}

double DustLine::depthAt(double rangeM) const {
  const std::size_t slice = slicesBefore(rangeM);
  if (slice == slices()) return depth_.back();
  const double part = rangeM / sliceM_ - static_cast<double>(first_ + slice);
  return depth_[slice] + std::max(part, 0.0) * extinctionPerM_[slice] * sliceM_;
}

}  // namespace understory
