// Surfaces: the table of marching cubes, planes and spheres out of noisy returns, permeable triangles, noise by incidence,
// and the classes of returns (PHYSICS.md, 2.5).
#include <doctest/doctest.h>
#include <tbb/global_control.h>

#include <map>
#include <set>

#include "learn/cubeTable.h"
#include "learn/learnModel.h"
#include "learn/learnedLines.h"
#include "learn/lineMixture.h"
#include "learn/surfaceNoise.h"
#include "test/native/support/learned.h"
#include "test/native/support/surfaces.h"

using namespace understory;

namespace {

// Beams from a turning sensor 2 m above the ground: ground, and a hedge of turbid medium 1 m high in front of it.
Beams groundAndHedge(std::size_t count) {
  Beams beams;
  RandomStream random(5, RandomPurpose::pointing, 3);
  for (std::size_t at = 0; at < count; ++at) {
    const Vec3d origin{random.uniform(-0.5, 0.5), random.uniform(-4, 4), 2.0};
    const Vec3d direction =
        normalized(Vec3d{1.0, random.uniform(-0.6, 0.6), random.uniform(-0.6, -0.1)});
    const double groundM = -origin.z / direction.z;
    const double entersM = (5.0 - origin.x) / direction.x;
    const double leavesM = std::min((6.0 - origin.x) / direction.x, groundM);
    const double topM = -1.0 / direction.z;  // below 1 m from here on
    const double fromM = std::max(entersM, topM);
    const double free = -std::log(1.0 - random.uniform()) / 2.0;
    const bool isHedge = fromM < leavesM && free < leavesM - fromM;
    const double rangeM = isHedge ? fromM + free : groundM + 0.01 * normalNumber(random);
    addReturn(beams, origin, direction, rangeM);
    beams.label.push_back(
        static_cast<std::uint8_t>(isHedge ? BeamLabel::volume : BeamLabel::surface));
  }
  return beams;
}

LearnSources sourcesOf() {
  LearnSources sources;
  sources.heads.resize(1);
  sources.heads.front().maxRangeM = horizonM;
  sources.hashes = {"00"};
  return sources;
}

}  // namespace

TEST_CASE(
    "every case of marching cubes uses exactly the edges that change sign, and closes between cubes") {
  for (unsigned cubeCase = 0; cubeCase < 256; ++cubeCase) {
    std::set<unsigned> used;
    for (const auto& triangle : cubeTriangles(static_cast<std::uint8_t>(cubeCase))) {
      used.insert(triangle.begin(), triangle.end());
    }
    std::set<unsigned> cut;
    for (unsigned edge = 0; edge < 12; ++edge) {
      const CubeEdge& at = cubeEdges()[edge];
      const bool low = (cubeCase >> at.corner & 1U) != 0;
      const bool high = (cubeCase >> (at.corner | 1U << at.axis) & 1U) != 0;
      if (low != high) cut.insert(edge);
    }
    CHECK(used == cut);
  }
}

TEST_CASE("a sphere of returns becomes a closed mesh of its area, with normals to the sensor") {
  Beams beams;
  RandomStream random(5, RandomPurpose::pointing, 1);
  const double radiusM = 2.0;
  for (int at = 0; at < 60000; ++at) {
    const double z = random.uniform(-1, 1);
    const double turn = random.uniform(0, 2 * piRad);
    const double r = std::sqrt(1 - z * z);
    const Vec3d outwards{r * std::cos(turn), r * std::sin(turn), z};
    addReturn(beams, outwards * (radiusM + 5.0), outwards * -1.0,
              5.0 + 0.005 * normalNumber(random));
  }
  const TriangleMesh mesh = meshOf(beams, {});
  double areaM2 = 0.0;
  double outwardShare = 0.0;
  double worstM = 0.0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> halfEdges;
  for (const auto& triangle : mesh.triangles) {
    const Vec3d a = toDouble(mesh.verticesM[triangle[0]]);
    const Vec3d normal =
        cross(toDouble(mesh.verticesM[triangle[1]]) - a, toDouble(mesh.verticesM[triangle[2]]) - a);
    areaM2 += 0.5 * length(normal);
    outwardShare += dot(normal, a) > 0.0 ? 0.5 * length(normal) : 0.0;
    for (unsigned side = 0; side < 3; ++side) {
      ++halfEdges[{triangle[side], triangle[(side + 1) % 3]}];
    }
  }
  for (const Vec3f vertex : mesh.verticesM) {
    worstM = std::max(worstM, std::abs(length(toDouble(vertex)) - radiusM));
  }
  CHECK(areaM2 == doctest::Approx(4 * piRad * radiusM * radiusM).epsilon(0.03));
  CHECK(outwardShare / areaM2 > 0.999);
  CHECK(worstM < 0.03);
  std::size_t open = 0;
  for (const auto& [edge, count] : halfEdges) {
    if (!halfEdges.contains({edge.second, edge.first})) ++open;
  }
  CHECK(open == 0);
}

TEST_CASE("a plane is met within its noise, and an opaque one passes less than 1 %") {
  Beams beams;
  addPlane(beams, {-6, -8, 1.5}, {0, 0, 0}, {1, 0.1, 0.2}, 0.01, 40000, 5);
  const Triangles triangles(meshOf(beams, {}));
  const BeamCounts counts = balancedOn(beams, triangles, 0.01);
  double passed = 0.0;
  double met = 0.0;
  double squares = 0.0;
  double count = 0.0;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (length(beams.endM(beam)) > 1.4) continue;
    double passes = 1.0;
    double firstM = horizonM;
    triangles.alongLine(beams.originM[beam], beams.direction[beam], horizonM,
                        [&](std::uint32_t triangle, double rangeM) {
                          passes *= counts.permeability(triangle);
                          firstM = std::min(firstM, rangeM);
                        });
    count += 1.0;
    passed += passes;
    if (firstM == horizonM) continue;
    met += 1.0;
    const double residual = static_cast<double>(beams.rangeM[beam]) - firstM;
    squares += residual * residual;
  }
  CHECK(met / count > 0.999);
  CHECK(passed / count < 0.01);
  // The noise, and what the surface keeps of it: a tenth more at most.
  CHECK(std::sqrt(squares / met) < 0.011);
}

TEST_CASE(
    "triangles count what ends near them as hits, what ends behind as misses, and nothing before") {
  Beams beams;
  TriangleMesh mesh;
  mesh.verticesM = {{5, -1, -1}, {5, 1, -1}, {5, 0, 1}};
  mesh.triangles = {{0, 1, 2}};
  for (const double rangeM : {4.6, 5.0, 5.4, 5.6, 20.0, 4.4})
    addReturn(beams, {}, {1, 0, 0}, rangeM);
  addMiss(beams, {}, {1, 0, 0});
  addBeam(beams, {}, {1, 0, 0}, std::nan(""), BeamState::unknown);
  const BeamCounts ofPapers =
      countOnTriangles(beams, {}, Triangles(mesh), {.rule = CountingRule::ellipsoid},
                       BeamReach(horizonM), {})
          .counts;
  CHECK(ofPapers.hits[0] == 3);
  CHECK(ofPapers.misses[0] == 3);
  CHECK(ofPapers.permeability(0) == 0.5);
  // Within four times the offset a return is of the triangle by the other rule.
  const BeamCounts balanced = balancedOn(beams, Triangles(mesh), 0.0);
  CHECK(balanced.hits[0] == doctest::Approx(5.0));
  CHECK(balanced.misses[0] == doctest::Approx(2.0));
}

TEST_CASE("noise on surfaces is learned with its growth by incidence") {
  Beams beams;
  const double sigmaM = 0.012;
  const double incidenceM = 0.003;
  RandomStream random(5, RandomPurpose::pointing, 2);
  for (int at = 0; at < 400000; ++at) {
    // A road, seen from 2 m above up to 78° from its normal.
    const double distance = random.uniform(0.2, 9.5);
    const double turn = random.uniform(0, 2 * piRad);
    const Vec3d origin{random.uniform(-3, 3), random.uniform(-3, 3), 2.0};
    const Vec3d offset{distance * std::cos(turn), distance * std::sin(turn), -2.0};
    const double cosine = 2.0 / length(offset);
    const double grown = std::sqrt(1 - cosine * cosine) / (cosine * cosine);
    const double noiseM = std::hypot(sigmaM, incidenceM * grown);
    addReturn(beams, origin, offset, length(offset) + noiseM * normalNumber(random));
  }
  const SurfaceNoise noise = learnSurfaceNoise(beams, {});
  CHECK(noise.returns > 100000);
  // Ratios: doctest's tolerance is absolute below 1.
  CHECK(noise.sigmaM / sigmaM == doctest::Approx(1.0).epsilon(0.03));
  CHECK(noise.incidenceSigmaM / incidenceM == doctest::Approx(1.0).epsilon(0.05));
}

TEST_CASE("noise on surfaces does not depend on where a wall lies, and is learned up to 80 mm") {
  for (const double sigmaM : {0.0004, 0.005, 0.015, 0.03, 0.05, 0.08}) {
    for (const double wallM : {8.0, 8.02, 8.125, 8.25}) {
      CAPTURE(sigmaM);
      CAPTURE(wallM);
      Beams beams;
      RandomStream random(7, RandomPurpose::pointing, 3);
      for (int at = 0; at < 60000; ++at) {
        const Vec3d offset{wallM, random.uniform(-4, 4), random.uniform(-4, 4)};
        addReturn(beams, {}, offset, length(offset) + sigmaM * normalNumber(random));
      }
      const SurfaceNoise noise = learnSurfaceNoise(beams, {});
      CHECK(noise.returns > 1000);
      CHECK(noise.sigmaM / sigmaM == doctest::Approx(1.0).epsilon(0.05));
      // Seen up to 35° only.
      CHECK(noise.incidenceSigmaM == 0.0);
    }
  }
}

TEST_CASE("noise on surfaces does not depend on how a wall lies to the grid") {
  for (const double sigmaM : {0.015, 0.05}) {
    for (const double tiltDeg : {3.0, 20.0, 30.0, 45.0}) {
      CAPTURE(sigmaM);
      CAPTURE(tiltDeg);
      const double tilt = tiltDeg * piRad / 180.0;
      const Vec3d normal{std::cos(tilt), 0.8 * std::sin(tilt), 0.6 * std::sin(tilt)};
      Beams beams;
      RandomStream random(7, RandomPurpose::pointing, 4);
      for (int at = 0; at < 60000; ++at) {
        const Vec3d direction =
            normalized(Vec3d{1.0, random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4)});
        const double rangeM = 8.0 * normal.x / dot(normal, direction);
        addReturn(beams, {}, direction, rangeM + sigmaM * normalNumber(random));
      }
      const SurfaceNoise noise = learnSurfaceNoise(beams, {});
      // 60,000 returns at most, each once: a standard error of 0.3 %.
      CHECK(noise.returns > 50000);
      CHECK(noise.returns <= beams.size());
      CHECK(noise.sigmaM / sigmaM == doctest::Approx(1.0).epsilon(0.012));
      CHECK(noise.incidenceSigmaM == 0.0);
    }
  }
}

TEST_CASE("an opaque slanted plane passes less than 1 % where ranges have little noise or none") {
  for (const double sigmaM : {0.0, 0.0004}) {
    Beams beams;
    addPlane(beams, {-6, -8, 1.5}, {0, 0, 0}, {1, 0.1, 0.2}, sigmaM, 40000, 6);
    for (const LearnedKind kind : {LearnedKind::voxel, LearnedKind::topDown}) {
      CAPTURE(sigmaM);
      CAPTURE(static_cast<int>(kind));
      LearnOptions options;
      options.kind = kind;
      // Read again: what is flat is a matter of the file, too.
      const std::string file = fileOf(learnModel(beams, sourcesOf(), options, {}));
      const LearnedModel model = readLearnedModel(std::as_bytes(std::span(file)), "plane", {});
      const LearnedLines lines(model);
      double passed = 0.0;
      double count = 0.0;
      std::vector<MetMember> met;
      for (std::size_t beam = 0; beam < beams.size(); ++beam) {
        if (length(beams.endM(beam)) > 1.4) continue;
        lines.meet(beams.originM[beam], beams.direction[beam], horizonM, met);
        passed += passedShare({met.begin(), met.end()});
        count += 1.0;
      }
      CHECK(count > 10000.0);
      CHECK(passed / count < 0.01);
    }
  }
}

TEST_CASE("points have the reflectance of their returns, and 0.5 where those have no intensity") {
  for (const bool hasIntensity : {true, false}) {
    Beams beams;
    addPlane(beams, {-6, -8, 1.5}, {0, 0, 0}, {1, 0.1, 0.2}, 0.0, 4000, 7);
    const Vec3d normal = normalized(Vec3d{1, 0.1, 0.2});
    for (std::size_t beam = 0; hasIntensity && beam < beams.size(); ++beam) {
      const double cosine = std::abs(dot(normal, toDouble(beams.direction[beam])));
      beams.intensity[beam] = static_cast<float>(40.0 * cosine);
    }
    LearnSources sources = sourcesOf();
    sources.heads.front().intensityOfWhite = 100.0;
    LearnOptions options;
    options.kind = LearnedKind::nearestNeighbors;
    const LearnedModel model = learnModel(beams, sources, options, {});
    REQUIRE(model.points.size() == beams.size());
    for (const float reflectance : model.points.seen.reflectance) {
      REQUIRE(reflectance == doctest::Approx(hasIntensity ? 0.4 : 0.5).epsilon(0.001));
    }
    CHECK(model.reflectanceScale ==
          (hasIntensity ? "intensity over that of a white wall" : "unknown: 0.5 is assumed"));
  }
}

TEST_CASE("reflectances are bounded to those of a file of models, whose returns are counted") {
  for (const LearnedKind kind :
       {LearnedKind::nearestNeighbors, LearnedKind::surface, LearnedKind::voxel}) {
    Beams beams;
    addPlane(beams, {-6, -8, 1.5}, {0, 0, 0}, {1, 0.1, 0.2}, 0.0, 4000, 7);
    std::ranges::fill(beams.intensity, 2e6F);
    LearnSources sources = sourcesOf();
    LearnOptions options;
    options.kind = kind;
    for (const double white : {1.0, 1e7}) {
      sources.heads.front().intensityOfWhite = white;
      const std::string file = fileOf(learnModel(beams, sources, options, {}));
      const LearnedModel model = readLearnedModel(std::as_bytes(std::span(file)), "plane", {});
      CHECK(model.parameters["brightReturns"] == (white == 1.0 ? beams.size() : 0));
      const LearnedElements& elements = model.elements;
      for (const Observations& seen : {elements.seen, model.surface.seen, model.points.seen}) {
        for (std::size_t part = 0; part < seen.reflectance.size(); ++part) {
          const float reflectance = seen.reflectance[part];
          // At the edge of a surface no return hits some triangles.
          if (seen.hits[part] == 0) continue;
          if (white == 1.0) REQUIRE(reflectance == 1e6F);
          // A fifth of a white wall, over the cosine of the incidence.
          if (white != 1.0) REQUIRE((reflectance > 0.199F && reflectance < 0.6F));
        }
      }
    }
  }
}

TEST_CASE("a model has the coordinate reference system that logs state") {
  Beams beams;
  addPlane(beams, {-6, -8, 1.5}, {0, 0, 0}, {1, 0.1, 0.2}, 0.0, 4000, 7);
  LearnSources sources = sourcesOf();
  CHECK(learnModel(beams, sources, {}, {}).crs.empty());
  sources.heads.push_back(sources.heads.front());
  sources.hashes.push_back("01");
  sources.heads.back().crs = "EPSG:25832";
  CHECK(learnModel(beams, sources, {}, {}).crs == "EPSG:25832");
}

TEST_CASE(
    "a hybrid model has the ground as surface and the hedge as volume, the same on any threads") {
  const Beams beams = groundAndHedge(60000);
  LearnOptions options;
  options.kind = LearnedKind::hybrid;
  options.seed = 4;
  const auto learned = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return learnModel(beams, sourcesOf(), options, {});
  };
  const LearnedModel model = learned(1);
  const LearnedModel again = learned(4);
  CHECK(model.parameters == again.parameters);
  CHECK(model.parameters.at("classifierAccuracy").get<double>() > 0.9);
  CHECK(model.elements.size() > 100);
  CHECK(model.surface.size() > 100);
  CHECK(model.elements.seen.misses == again.elements.seen.misses);
  CHECK(model.surface.seen.misses == again.surface.seen.misses);
  CHECK(model.surface.triangles == again.surface.triangles);
  double onGround = 0.0;
  for (const Vec3f vertex : model.surface.verticesM) onGround += std::abs(vertex.z) < 0.2F ? 1 : 0;
  CHECK(onGround / static_cast<double>(model.surface.verticesM.size()) > 0.8);
}

TEST_CASE("the mixture of a line integrates to one with what passes") {
  std::vector<LineMember> members{{5.0, 0.3, 0.6, false},
                                  {5.4, 0.02, 0.5, true},
                                  {5.2, 0.1, 0.8, false},
                                  {0.2, 0.3, 0.9, false},
                                  {9.0, 0.05, 0.3, true}};
  sortAlongLine(members);
  double sum = 0.0;
  constexpr double stepM = 0.0005;
  for (double rangeM = stepM / 2; rangeM < 20.0; rangeM += stepM) {
    sum += rangeDensity(members, rangeM) * stepM * 1000.0;
  }
  CHECK(sum + passedShare(members) == doctest::Approx(1.0).epsilon(1e-4));
}
