// Closed forms of learned models, as numbers that tests and mutants judge (PHYSICS.md, 2.6).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/learned/elementShape.h"
#include "core/maths/normal.h"
#include "core/random/philox.h"
#include "test/native/support/learned.h"
#include "test/native/support/scenes.h"

namespace understory {

// A sensor that fires so many pulses a second along x, or sweeps over `halfWidthRad` on either side of it.
inline SensorRecipe fastBeam(double divergenceRad, double halfWidthRad = 0.0) {
  SensorRecipe sensor = singleBeam(divergenceRad, ReturnMode::all, 1.0);
  sensor.scan.rateHz = 10.0;
  sensor.scan.minAzimuthRad = -halfWidthRad;
  sensor.scan.maxAzimuthRad = halfWidthRad;
  sensor.scan.slotsPerScan = 1000;
  sensor.slotsPerSecond = 1e4;
  sensor.minRangeM = 0.0;
  sensor.returns.rangeResolutionM = 1e-4;
  sensor.returns.maxReturns = 16;
  return sensor;
}

// The same, reporting the strongest of whatever it meets at any distance from each other.
inline SensorRecipe strongestBeam(double divergenceRad) {
  SensorRecipe sensor = fastBeam(divergenceRad);
  sensor.returns.rangeResolutionM = 0.0;
  sensor.returns.mode = ReturnMode::strongest;
  return sensor;
}

// Layers of round elements `stepM` apart before a wall 15 m ahead, seen by nine rays or one.
struct Layers {
  float permeability = 0.8F;
  float stepM = 0.05F;
  float sigmaM = 0.012F;
  double spotM = 0.1;  // at 10 m
  float wallReflectance = 0.6F;

  LearnedModel model() const {
    LearnedModel layers;
    layers.mahalanobisLimit = 2.0;
    for (int layer = 0; layer < 4; ++layer) {
      for (int left = -20; left <= 20; ++left) {
        for (int up = -1; up <= 1; ++up) {
          addElement(layers,
                     {10.0F + 0.5F * static_cast<float>(layer), stepM * static_cast<float>(left),
                      stepM * static_cast<float>(up)},
                     sigmaM, permeability, 0.4F);
        }
      }
    }
    return layers;
  }

  std::unique_ptr<const TracedScene> scene(std::size_t threads = 2) const {
    SceneMaker maker;
    const auto grey = maker.material(wallReflectance);
    maker.place(maker.model(wallMesh(6.0F, 4, grey)), {15.0, 0.0, 0.0});
    maker.place(maker.learned(model()), {});
    return maker.build(testDevice(threads));
  }

  ScanJob job(double seconds) const {
    ScanJob job = standingJob(fastBeam(spotM / 10.0, 0.08), {}, seconds);
    job.withMisses = true;
    return job;
  }
};

// The shares of pulses by what they met, and what is expected of their lines.
struct Transmission {
  double pulses = 0.0;
  double passed = 0.0;          // sum of shares on the wall
  double expected = 0.0;        // of the same: products of permeabilities along each line
  double variance = 0.0;        // of the same
  double wallEnergy = 0.0;      // sum of share times intensity on the wall
  double expectedEnergy = 0.0;  // products times reflectance times cosine
  double worstShareSum = 0.0;   // greatest |sum of shares of a pulse - 1|

  double error() const { return (passed - expected) / std::sqrt(variance); }
};

inline Transmission transmissionOf(const Layers& layers, double seconds = 2.0) {
  const auto scene = layers.scene();
  const ScanTable table = scanAll(*scene, layers.job(seconds));
  const LearnedModel model = layers.model();
  std::vector<ElementShape> shapes;
  for (std::size_t index = 0; index < model.elements.size(); ++index) {
    // Sweeps are level: only the middle row can be met.
    if (model.elements.meansM[index].z != 0.0F && layers.stepM > 2.0F * layers.sigmaM) continue;
    shapes.push_back(elementShape(model.elements.meansM[index], model.elements.covariancesM2[index],
                                  layers.permeability, 2.0));
  }
  Transmission sum;
  double shares = 1.0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const auto returnNo = table.at<std::uint8_t>(ReturnColumn::returnNo, row);
    if (returnNo <= 1) {
      sum.worstShareSum = std::max(sum.worstShareSum, std::abs(shares - 1.0));
      shares = 0.0;
      const double azimuthRad = table.real(ReturnColumn::azimuthRad, row);
      const Vec3f axis = toFloat({std::cos(azimuthRad), std::sin(azimuthRad), 0.0});
      double passes = 1.0;
      for (const ElementShape& shape : shapes) {
        if (onLine(shape, {}, axis).distanceSquared < 4.0F) {
          passes *= static_cast<double>(layers.permeability);
        }
      }
      sum.pulses += 1.0;
      sum.expected += passes;
      sum.variance += passes * (1.0 - passes);
      sum.expectedEnergy +=
          passes * static_cast<double>(layers.wallReflectance) * std::cos(azimuthRad);
    }
    if (returnNo == 0) continue;
    const double share = table.real(ReturnColumn::beamShare, row);
    shares += share;
    if (table.at<std::uint8_t>(ReturnColumn::learnedPart, row) != 0) continue;
    sum.passed += share;
    sum.wallEnergy += share * table.real(ReturnColumn::intensity, row);
  }
  sum.worstShareSum = std::max(sum.worstShareSum, std::abs(shares - 1.0));
  return sum;
}

// Elements on the axis of a beam, at x, each of its sigma and permeability; nothing behind.
struct RangeMixture {
  struct Part {
    float xM;
    float sigmaM;
    float permeability;
  };
  // In order of their means; the first reaches behind the sensor, the others overlap.
  std::vector<Part> parts{{0.1F, 0.1F, 0.5F}, {2.0F, 0.3F, 0.3F}, {2.2F, 0.05F, 0.6F}};

  // Distribution function of the range, all pulses being 1.
  double below(double rangeM) const {
    double sum = 0.0;
    double left = 1.0;
    for (const Part& part : parts) {
      const double mean = static_cast<double>(part.xM);
      const double sigma = static_cast<double>(part.sigmaM);
      const double behind = normalIntegral(-mean / sigma);
      const double share = (normalIntegral((rangeM - mean) / sigma) - behind) / (1.0 - behind);
      const double permeability = static_cast<double>(part.permeability);
      sum += left * (1.0 - permeability) * std::max(0.0, share);
      left *= permeability;
    }
    return sum;
  }
  double none() const {
    double left = 1.0;
    for (const Part& part : parts) left *= static_cast<double>(part.permeability);
    return left;
  }
};

struct MixtureFit {
  double ks = 0.0;         // sqrt(n) times the greatest difference, misses being ranges at infinity
  double noneError = 0.0;  // of the number of misses, in standard errors
};

inline MixtureFit fitOf(const RangeMixture& mixture, double divergenceRad, double seconds = 2.0) {
  SceneMaker maker;
  maker.material(0.5F);
  LearnedModel model;
  for (const auto& part : mixture.parts) {
    addElement(model, {part.xM, 0.0F, 0.0F}, part.sigmaM, part.permeability);
  }
  maker.place(maker.learned(std::move(model)), {});
  const auto scene = maker.build();
  ScanJob job = standingJob(strongestBeam(divergenceRad), {}, seconds);
  job.withMisses = true;
  const ScanTable table = scanAll(*scene, job);
  std::vector<double> ranges;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (table.at<std::uint8_t>(ReturnColumn::returnNo, row) == 0) continue;
    ranges.push_back(table.real(ReturnColumn::rangeM, row));
  }
  std::ranges::sort(ranges);
  const auto count = static_cast<double>(table.rows);
  double worst = 0.0;
  for (std::size_t index = 0; index < ranges.size(); ++index) {
    const double expected = mixture.below(ranges[index]);
    const auto rank = static_cast<double>(index);
    worst = std::max(
        {worst, std::abs(rank / count - expected), std::abs((rank + 1.0) / count - expected)});
  }
  const double none = mixture.none();
  const double misses = count - static_cast<double>(ranges.size());
  return {worst * std::sqrt(count),
          (misses - none * count) / std::sqrt(count * none * (1.0 - none))};
}

// An element before a wall, with a sensor of range noise: standard deviation of what is reported less what is drawn.
struct NoiseOf {
  double elementSigmaM = 0.0;
  double wallSigmaM = 0.0;
};

inline NoiseOf noiseOf(double rangeSigmaM) {
  SceneMaker maker;
  const auto grey = maker.material(0.5F);
  maker.place(maker.model(wallMesh(2.0F, 1, grey)), {8.0, 0.0, 0.0});
  LearnedModel model;
  addElement(model, {5.0F, 0.0F, 0.0F}, 0.1F, 0.5F);
  maker.place(maker.learned(std::move(model)), {});
  const auto scene = maker.build();
  SensorRecipe sensor = strongestBeam(0.0);
  sensor.noise.rangeSigmaM = rangeSigmaM;
  const ScanTable table = scanAll(*scene, standingJob(sensor, {}, 1.0));
  double squares[2] = {0.0, 0.0};
  double counts[2] = {0.0, 0.0};
  for (std::size_t row = 0; row < table.rows; ++row) {
    const bool isWall = table.at<std::uint8_t>(ReturnColumn::learnedPart, row) == 0;
    const double errorM =
        table.real(ReturnColumn::rangeM, row) - table.real(ReturnColumn::rangeCleanM, row);
    squares[isWall ? 1 : 0] += errorM * errorM;
    counts[isWall ? 1 : 0] += 1.0;
  }
  return {std::sqrt(squares[0] / counts[0]), std::sqrt(squares[1] / counts[1])};
}

// Two long elements that a line pierces in another order than that of their centres: the share of pulses that end on
// the one whose mean on the line is first. Both are opaque, so that it is all of them.
inline double firstByMean() {
  SceneMaker maker;
  maker.material(0.5F);
  LearnedModel model;
  // A leaning rod: its centre is at x = 6, y = 3, where the line is nearest to it at about x = 4.
  addElement(model, {6.0F, 3.0F, 0.0F}, 0.05F, 0.0F);
  model.elements.covariancesM2[0] = {4.0F, 6.0F, 0.0F, 9.01F, 0.0F, 0.0025F};
  addElement(model, {5.0F, 0.0F, 0.0F}, 0.05F, 0.0F);
  maker.place(maker.learned(std::move(model)), {});
  const auto scene = maker.build();
  const ScanTable table = scanAll(*scene, standingJob(strongestBeam(0.0), {}, 0.1));
  double first = 0.0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    first += table.at<std::uint32_t>(ReturnColumn::triangleId, row) == 0 ? 1.0 : 0.0;
  }
  return first / static_cast<double>(table.rows);
}

// Greatest difference between ranges drawn on an element that reaches behind the sensor, and the inverse of its law at
// the same random numbers.
inline double truncationErrorM() {
  Scene scene;
  scene.models.emplace_back().learned = std::make_shared<LearnedModel>();
  scene.instances.push_back({7, 0, 0, {}, {}, 1.0});
  const LearnedDraws draws(scene, 3, 5);
  double worstM = 0.0;
  const auto ofInstance = pulseBlock(3, RandomPurpose::learnedInstance, 0, 7, 0);
  const std::uint64_t seed = std::uint64_t{ofInstance[0]} << 32U | ofInstance[1];
  for (std::uint64_t pulse = 0; pulse < 2000; ++pulse) {
    const auto block = pulseBlock(seed, RandomPurpose::learnedPass, 5, pulse, 11);
    const double below = uniformFrom(block[2], block[3]);
    const double behind = normalIntegral(-0.05 / 0.1);
    const double expectedM = 0.05 + 0.1 * normalQuantile(below + (1.0 - below) * behind);
    const float foundM = draws.rangeM(0, 11, pulse, 0.05F, 0.1F);
    worstM = std::max(worstM, std::abs(static_cast<double>(foundM) - expectedM));
  }
  return worstM;
}

}  // namespace understory
