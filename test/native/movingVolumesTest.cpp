// Learned models that move: lines meet their elements, points and triangles where they are when the pulse leaves, against
// the motion in closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "surfaces/embree/movingVolumes.h"
#include "test/native/support/learnedChecks.h"
#include "test/native/support/motions.h"

using namespace understory;

namespace {

constexpr double speedMPerS = 20.0;
constexpr double turnRadPerS = 3.0;

// Along x, while it turns about the vertical through the centre.
Pose onTheMove(double seconds) {
  return {{speedMPerS * seconds, 0.0, 0.0}, rotationAbout({0.0, 0.0, 1.0}, turnRadPerS * seconds)};
}

Vec3d movedM(Vec3d atRestM, double seconds) {
  const double angleRad = turnRadPerS * seconds;
  return {std::cos(angleRad) * atRestM.x - std::sin(angleRad) * atRestM.y + speedMPerS * seconds,
          std::sin(angleRad) * atRestM.x + std::cos(angleRad) * atRestM.y, atRestM.z};
}

}  // namespace

TEST_CASE("a line meets the first element of all models where they are at its time") {
  std::mt19937 random(5);
  const auto uniform = [&](double from, double to) { return from + (to - from) * shareOf(random); };
  constexpr float sigmaM = 0.15F;
  LearnedModel ball;
  ball.mahalanobisLimit = 2.0;
  addElement(ball, {0.0F, 0.0F, 0.0F}, sigmaM, 0.0F);
  SceneMaker maker;
  maker.material(0.5F);
  const auto model = maker.learned(std::move(ball));
  std::vector<Vec3d> centresM;
  for (int index = 0; index < 200; ++index) {
    centresM.push_back({uniform(-10, 10), uniform(-10, 10), uniform(-1, 1)});
    maker.place(model, centresM.back(), {}, index % 2 == 0 ? 1.0 : 2.0);
    // Half of them; the others stay.
    if (index % 4 >= 2) maker.move();
  }
  const auto built = maker.build();
  const Motions motions = motionsOf(-1, 6, onTheMove);
  const auto volumes = MovingVolumes::of(built->volumes(), built->scene(), motions);
  REQUIRE(volumes != nullptr);
  const LearnedDraws draws(built->scene(), 1, 0);
  std::size_t met = 0;
  std::size_t metMoving = 0;
  for (int group = 0; group < 200; ++group) {
    PulseLines lines;
    for (std::size_t line = 0; line < PulseLines::width; ++line) {
      const double azimuthRad = uniform(0.0, 2.0 * piRad);
      lines.add({0.5F, 0.2F, 0.1F},
                toFloat({std::cos(azimuthRad), std::sin(azimuthRad), uniform(-0.02, 0.02)}), line,
                static_cast<std::int64_t>(uniform(-0.1, 0.5) * 1e9));
      const Vec3f unit =
          normalized(Vec3f{lines.directionX[line], lines.directionY[line], lines.directionZ[line]});
      lines.directionX[line] = unit.x;
      lines.directionY[line] = unit.y;
      lines.directionZ[line] = unit.z;
    }
    LineHits hits;
    LineTrails trails;
    volumes->first(lines, 30.0F, draws, hits, &trails);
    for (std::size_t line = 0; line < lines.count; ++line) {
      const Vec3d originM{0.5, 0.2, 0.1};
      const Vec3d direction =
          toDouble({lines.directionX[line], lines.directionY[line], lines.directionZ[line]});
      const double seconds = static_cast<double>(lines.timeNs[line]) * 1e-9;
      double expectedM = std::numeric_limits<double>::infinity();
      std::size_t expected = 0;
      bool isClose = false;
      for (std::size_t index = 0; index < centresM.size(); ++index) {
        const Vec3d at = index % 4 >= 2 ? movedM(centresM[index], seconds) : centresM[index];
        const double alongM = dot(at - originM, direction);
        const double offM = length(at - originM - direction * alongM);
        const double reachM = 2.0 * static_cast<double>(sigmaM) * (index % 2 == 0 ? 1.0 : 2.0);
        if (alongM <= 0.0 || alongM > 30.0) continue;
        // At its edge the rounding of the line decides.
        isClose |= std::abs(offM - reachM) < 1e-4;
        if (offM >= reachM || alongM >= expectedM) continue;
        expectedM = alongM;
        expected = index;
      }
      if (isClose) continue;
      REQUIRE(hits.isHit(line) == std::isfinite(expectedM));
      if (!hits.isHit(line)) continue;
      ++met;
      metMoving += expected % 4 >= 2 ? 1 : 0;
      CHECK(hits.instance[line] == expected);
      CHECK(hits.meanM[line] == doctest::Approx(expectedM).epsilon(2e-5));
      CHECK(trails[line].minUntil(hits.meanM[line], 0) == 50);
    }
  }
  CHECK(met > 2000);
  CHECK(metMoving > 700);
}

TEST_CASE("points of a moving model have their place and normal at the time of the line") {
  LearnedModel board;
  board.pointRadiusM = 0.1;
  for (int left = -40; left <= 40; ++left) {
    for (int up = -3; up <= 3; ++up) {
      addPoint(board, {8.0F, 0.1F * static_cast<float>(left), 0.1F * static_cast<float>(up)},
               {-1.0F, 0.0F, 0.0F});
    }
  }
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.learned(std::move(board)), {});
  maker.move();
  const auto built = maker.build();
  const Motions motions = motionsOf(0, 2, onTheMove);
  const auto volumes = MovingVolumes::of(built->volumes(), built->scene(), motions);
  REQUIRE(volumes != nullptr);
  const LearnedDraws draws(built->scene(), 1, 0);
  for (std::int64_t timeNs = 0; timeNs < 150'000'000; timeNs += 1'777'777) {
    PulseLines lines;
    lines.add({0.0F, 0.0F, 0.01F}, {1.0F, 0.0F, 0.0F}, 1, timeNs);
    LineHits hits;
    volumes->first(lines, 50.0F, draws, hits, nullptr);
    REQUIRE(hits.isHit(0));
    const double seconds = static_cast<double>(timeNs) * 1e-9;
    const double angleRad = turnRadPerS * seconds;
    // The board's plane is 8 m from the centre, square to the turned x axis. The point beside the line is at most 5 cm
    // from it along the board.
    const double planeM = speedMPerS * seconds + 8.0 / std::cos(angleRad);
    CHECK(std::abs(static_cast<double>(hits.rangeM[0]) - planeM) <
          0.05 * std::tan(angleRad) + 1e-3);
    CHECK(hits.normal[0].x == doctest::Approx(-std::cos(angleRad)).epsilon(1e-6));
    CHECK(std::abs(static_cast<double>(hits.normal[0].y) + std::sin(angleRad)) < 1e-6);
  }
}

TEST_CASE("a scan meets a moving learned model alike on both paths, and each part at its range") {
  SceneMaker maker;
  const auto grey = maker.material(0.6F);
  maker.place(maker.model(wallMesh(3.0F, 1, grey)), {40.0, 0.0, 0.0});
  LearnedModel model;
  model.mahalanobisLimit = 2.0;
  addElement(model, {9.0F, 0.0F, 0.0F}, 0.1F, 0.75F);
  addTriangle(model, {10.0F, -3.0F, -3.0F}, {10.0F, 3.0F, -3.0F}, {10.0F, 0.0F, 4.0F}, 0.5F, 0.3F);
  model.pointRadiusM = 0.05;
  addPoint(model, {11.0F, 0.0F, 0.01F}, {-1.0F, 0.0F, 0.0F});
  maker.place(maker.learned(std::move(model)), {});
  maker.move();
  const auto built = maker.build();
  ScanJob job = standingJob(strongestBeam(0.0005), {}, 1.0);
  job.motions = motionsOf(0, 11, [](double seconds) {
    return Pose{{speedMPerS * seconds, 0.0, 0.0}, {}};
  });
  const ScanTable fast = scanAll(*built, job);
  job.alwaysFollowsPaths = true;
  const ScanTable slow = scanAll(*built, job);
  CHECK(fast.bytes == slow.bytes);
  REQUIRE(fast.rows == 10'000);
  std::array<double, 4> share{};
  double worstM = 0.0;
  double sumM = 0.0;
  double sumOfSquaresM2 = 0.0;
  for (std::size_t row = 0; row < fast.rows; ++row) {
    const auto part = fast.at<std::uint8_t>(ReturnColumn::learnedPart, row);
    const double seconds = 1e-4 * static_cast<double>(row);
    const double errorM = fast.real(ReturnColumn::rangeM, row) - speedMPerS * seconds;
    if (part == 1U + static_cast<unsigned>(LearnedPart::element)) {
      share[1] += 1e-4;
      sumM += errorM - 9.0;
      sumOfSquaresM2 += (errorM - 9.0) * (errorM - 9.0);
    } else if (part == 1U + static_cast<unsigned>(LearnedPart::surface)) {
      share[2] += 1e-4;
      worstM = std::max(worstM, std::abs(errorM - 10.0));
    } else {
      REQUIRE(part == 1U + static_cast<unsigned>(LearnedPart::point));
      share[3] += 1e-4;
      worstM = std::max(worstM, std::abs(errorM - 11.0));
    }
  }
  // Four standard deviations of shares of 10,000 pulses; the mean of 2,500 ranges of sigma 0.1 m.
  CHECK(std::abs(share[1] - 0.25) < 0.0174);
  CHECK(std::abs(share[2] - 0.375) < 0.0194);
  CHECK(std::abs(share[3] - 0.375) < 0.0194);
  CHECK(worstM < 1e-4);
  const double pulses = 1e4 * share[1];
  CHECK(std::abs(sumM / pulses) < 4.0 * 0.1 / std::sqrt(pulses));
  CHECK(sumOfSquaresM2 / pulses == doctest::Approx(0.01).epsilon(4.0 * std::sqrt(2.0 / pulses)));
}

TEST_CASE("a learned model with a motion is where the scene has it in jobs without motions") {
  const auto sceneOf = [](bool moves) {
    SceneMaker maker;
    maker.material(0.6F);
    LearnedModel model = randomElements(300);
    for (int up = -3; up <= 3; ++up) {
      addPoint(model, {6.0F, 0.0F, 0.1F * static_cast<float>(up)}, {-1.0F, 0.0F, 0.0F});
    }
    maker.place(maker.learned(std::move(model)), {12.0, 1.0, 0.0},
                rotationAbout({0.0, 0.0, 1.0}, 0.4));
    if (moves) maker.move();
    return maker.build();
  };
  const ScanJob job = standingJob(fastBeam(0.01, 0.5), {}, 0.2);
  const ScanTable still = scanAll(*sceneOf(false), job);
  const ScanTable moving = scanAll(*sceneOf(true), job);
  REQUIRE(still.rows > 1000);
  REQUIRE(still.rows == moving.rows);
  for (std::size_t row = 0; row < still.rows; ++row) {
    CHECK(moving.real(ReturnColumn::rangeM, row) ==
          doctest::Approx(still.real(ReturnColumn::rangeM, row)).epsilon(1e-5));
  }
}
