// Sheets that were seen from both sides, and slabs, as permeable surfaces (PHYSICS.md, 2.5).
#include <doctest/doctest.h>
#include <tbb/global_control.h>

#include "learn/learnModel.h"
#include "learn/learnedLines.h"
#include "test/native/support/surfaces.h"

using namespace understory;

namespace {

// Beams from both sides at a board of 6 m by 6 m across x, of which so many pass; seen by every seventh beam from a fifth place.
Beams boardFromBothSides(double thickM, double passes, double noiseM, std::size_t count,
                         double turnDeg = 0.0) {
  constexpr std::array<Vec3d, 5> places{
      {{8, 1, 2}, {-8, -1, 1}, {9, -2, 0}, {-7, 2, -1}, {7, 0.5, -2}}};
  Beams beams;
  const double cosine = std::cos(turnDeg * piRad / 180.0);
  const double sine = std::sin(turnDeg * piRad / 180.0);
  const auto turned = [&](Vec3d v) {
    return Vec3d{cosine * v.x - sine * v.y, sine * v.x + cosine * v.y, v.z};
  };
  RandomStream random(7, RandomPurpose::pointing, 11);
  for (std::size_t at = 0; at < count; ++at) {
    const Vec3d from = places[at % 7 == 0 ? 4 : at % 4];
    const Vec3d to{from.x > 0.0 ? 0.5 * thickM : -0.5 * thickM, random.uniform(-2.2, 2.2),
                   random.uniform(-2.2, 2.2)};
    if (random.uniform() < passes) {
      addMiss(beams, turned(from), turned(to - from));
    } else {
      addReturn(beams, turned(from), turned(to - from),
                length(to - from) + noiseM * normalNumber(random));
    }
  }
  return beams;
}

// The share of the beams that end within 1.4 m of the middle, or pass there, that pass.
double shareThroughMiddle(const Beams& beams, double noiseM) {
  const Triangles triangles(meshOf(beams, {}));
  const BeamCounts counts = balancedOn(beams, triangles, noiseM);
  return sharePassed(beams, triangles, counts, [&](std::size_t beam) {
    const Vec3d from = toDouble(beams.originM[beam]);
    const Vec3d along = toDouble(beams.direction[beam]);
    return length(from - along * dot(from, along)) < 1.2;
  });
}

}  // namespace

TEST_CASE("sheets that are seen from both sides keep their transmission") {
  constexpr double noiseM = 0.02;
  for (const double passes : {0.3, 0.7, 0.9}) {
    CAPTURE(passes);
    const Beams beams = boardFromBothSides(0.0, passes, noiseM, 40000);
    CHECK(std::abs(shareThroughMiddle(beams, noiseM) - passes) < 0.02);
  }
}

TEST_CASE("walls that are seen from both sides pass less than 1 %, however thin") {
  for (const double thickM : {0.0, 0.1, 0.2, 0.3}) {
    for (const double turnDeg : {0.0, 45.0}) {
      CAPTURE(thickM);
      CAPTURE(turnDeg);
      const Beams beams = boardFromBothSides(thickM, 0.0, 0.01, 30000, turnDeg);
      CHECK(shareThroughMiddle(beams, 0.01) < 0.01);
    }
  }
}

TEST_CASE("a slab keeps its optical depth as a permeable surface") {
  for (const double depth : {0.3, 3.0}) {
    CAPTURE(depth);
    Beams beams;
    addSlab(beams, 1.5, depth / 1.5, 100'000);
    const Triangles triangles(meshOf(beams, {}));
    const BeamCounts counts = balancedOn(beams, triangles, 0.0);
    const double passed = sharePassed(beams, triangles, counts, [&](std::size_t beam) {
      const Vec3d middle = toDouble(beams.originM[beam]) + toDouble(beams.direction[beam]) * 6.0;
      return std::abs(middle.y) <= 0.8 && std::abs(middle.z) <= 0.8;
    });
    CHECK(-std::log(passed) / depth == doctest::Approx(1.0).epsilon(0.06));
  }
}

TEST_CASE("sheets are the same on any number of threads") {
  const Beams beams = boardFromBothSides(0.0, 0.5, 0.01, 20000);
  const auto meshOn = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return meshOf(beams, {});
  };
  const TriangleMesh one = meshOn(1);
  const TriangleMesh three = meshOn(3);
  CHECK(one.triangles == three.triangles);
  CHECK(one.verticesM.size() == three.verticesM.size());
}

TEST_CASE("a hybrid of plants and a fence passes what both let pass, wherever the plants are") {
  constexpr double fencePasses = 0.7;
  constexpr double depth = 1.2;
  for (const double plantsFromM : {8.5, 10.5}) {
    CAPTURE(plantsFromM);
    Beams beams;
    RandomStream random(7, RandomPurpose::pointing, 12);
    for (int at = 0; at < 100'000; ++at) {
      const Vec3d from{0.0, at % 2 == 0 ? 1.0 : -1.0, 0.5};
      const Vec3d along =
          normalized(Vec3d{10.0, random.uniform(-2, 2) - from.y, random.uniform(-2, 2) - from.z});
      const double inPlantsM = -std::log(1.0 - random.uniform()) / depth * along.x;
      const double plantsM =
          inPlantsM < 1.0 ? plantsFromM + inPlantsM : std::numeric_limits<double>::infinity();
      const double fenceM = random.uniform() < fencePasses ? horizonM : 10.0;
      const double endM = std::min(plantsM, fenceM);
      if (endM >= horizonM) {
        addMiss(beams, from, along);
      } else {
        addReturn(beams, from, along, endM / along.x + 0.01 * normalNumber(random));
      }
    }
    LearnOptions options;
    options.kind = LearnedKind::hybrid;
    const LearnedModel model = learnModel(beams, {{LogHead{}}, {""}}, options, {});
    CHECK(model.surface.size() > 0);
    CHECK(model.elements.size() > 0);
    const LearnedLines lines(model);
    std::vector<MetMember> met;
    double passed = 0.0;
    double truth = 0.0;
    double count = 0.0;
    for (std::size_t beam = 0; beam < beams.size(); beam += 5) {
      const Vec3f along = beams.direction[beam];
      const Vec3f at = beams.originM[beam] + along * (10.0F / along.x);
      if (std::abs(at.y) > 1.2F || std::abs(at.z) > 1.2F) continue;
      lines.meet(beams.originM[beam], along, horizonM, met);
      double passes = 1.0;
      for (const MetMember& member : met) passes *= member.permeability;
      passed += passes;
      truth += fencePasses * std::exp(-depth / static_cast<double>(along.x));
      count += 1.0;
    }
    // Three standard errors of the log itself are 0.01.
    CHECK(std::abs(passed / count - truth / count) < 0.015);
  }
}
