// Dust that wheels have raised (PHYSICS.md, 2.10): puffs along the ways of vehicles, each from then on a ball of dust that
// drifts with the wind, spreads and settles. The extinction of a ball at a distance d from its centre is
//   extinctionPerM exp(-d² / 2 sigma²),
// its lower half folded up at the ground that it was raised from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/maths/maths.h"
#include "core/optics/weather.h"

namespace understory {

// Dust at the time at which it was raised.
struct Puff {
  Vec3d atM;
  std::int64_t raisedNs = 0;
  double extinctionM2 = 0.0;  // cross-section of all of it
};

// A puff at a later time.
struct DustBall {
  Vec3d atM;
  double sigmaM = 0.0;
  double extinctionPerM = 0.0;  // at its centre
};

// Neighbours, all within a sphere.
struct DustGroup {
  Vec3d centreM;
  double radiusM = 0.0;
  std::size_t from = 0;  // balls [from, to)
  std::size_t to = 0;
};

struct DustBalls {
  std::vector<DustBall> balls;
  std::vector<DustGroup> groups;
};

class Plume {
 public:
  Plume() = default;
  // `originM`: of the scene, in the frame of the puffs.
  Plume(const PlumeLaw& law, std::span<const Puff> puffs, Vec3d originM);

  bool isEmpty() const { return puffs_.empty(); }
  const PlumeLaw& law() const { return law_; }
  // Dust moves in steps of time, at multiples of their length: what a pulse meets depends on its time alone.
  static std::int64_t stepOf(std::int64_t timeNs);
  // The balls at a step of time, of puffs that were raised before it.
  void ballsAt(std::int64_t step, DustBalls& dust) const;

 private:
  PlumeLaw law_;
  std::vector<Puff> puffs_;  // relative to the origin of the scene
};

// The dust along a straight line: slices of equal length, from 0. One for each thread.
class DustLine {
 public:
  // `sliceM`: length of a slice; dust changes little along it.
  explicit DustLine(double sliceM) : sliceM_(sliceM) {}

  // Whether there is any up to a range on the line from `startM` along `axis`, of length 1.
  bool follow(const DustBalls& dust, Vec3d startM, Vec3d axis, double toM);

  double sliceM() const { return sliceM_; }
  std::size_t slices() const { return extinctionPerM_.size(); }
  double rangeM(std::size_t slice) const {
    return (static_cast<double>(first_ + slice) + 0.5) * sliceM_;
  }
  double extinctionPerM(std::size_t slice) const { return extinctionPerM_[slice]; }
  // The greatest of the first slices.
  double maxExtinctionPerM(std::size_t slices) const;
  // Optical depth, one way, to the middle of a slice.
  double depthOf(std::size_t slice) const {
    return depth_[slice] + 0.5 * extinctionPerM_[slice] * sliceM_;
  }
  // Slices in front of a range.
  std::size_t slicesBefore(double rangeM) const;
  // Optical depth, one way.
  double depthAt(double rangeM) const;

 private:
  // A ball as the line passes it.
  struct Passage {
    double atM = 0.0;             // nearest to the centre
    double extinctionPerM = 0.0;  // there
    double sigmaM = 0.0;
  };
  void add(const Passage& passage);

  double sliceM_;
  std::size_t first_ = 0;
  std::vector<Passage> passages_;
  std::vector<double> extinctionPerM_;  // by slice
  std::vector<double> depth_;           // in front of each slice, and behind the last
};

}  // namespace understory
