// Beams of N rays against the profiles they represent: weights, moments, laws of energy, strata, reproducibility.
#include "core/sensor/beamSampler.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/sensor/describe.h"
#include "test/native/support/sensors.h"

using namespace understory;

namespace {

const double halfLeft = std::tan(0.5 * 0.0129);
const double halfUp = std::tan(0.5 * 0.004);

SensorRecipe beamOf(SpotShape shape, BeamRays rays) {
  SensorRecipe sensor = lms291();
  sensor.beam.shape = shape;
  sensor.beam.divergenceHorizontalRad = 0.0129;
  sensor.beam.divergenceVerticalRad = shape == SpotShape::circular ? 0.0129 : 0.004;
  sensor.beam.stencil = StencilKind::rays;
  sensor.beam.rays = std::move(rays);
  return sensor;
}

BeamRays rowOf(std::uint32_t count, BeamProfile profile) {
  // A cone: brightest in the middle, nothing at the edge.
  return {count, {profile, {{0.0, 1.0}, {1.0, 0.0}}}};
}

BeamMoments momentsOf(const SensorRecipe& sensor, std::size_t pulses = 1) {
  return describeSensor(sensor, {1, pulses, 0}).beam;
}

// <s^2> of one axis in squares of the half axis, in closed form.
double axisSquared(SpotShape shape, BeamProfile profile) {
  const bool isRectangular = shape == SpotShape::rectangular;
  switch (profile) {
    case BeamProfile::uniform:
      return isRectangular ? 1.0 / 3.0 : 1.0 / 4.0;
    case BeamProfile::gaussian:
      // Reference value of the cut Gaussian: <r^2> = W^2/2 (1 - 4.5 / (e^4.5 - 1)) = 0.4747 W^2.
      return 0.25 * (1.0 - 4.5 / (std::exp(4.5) - 1.0));
    case BeamProfile::tabulated:
      // A cone (1 - s): <s^2> = (1/4 - 1/5) / (1/2 - 1/3) = 3/10; of an outline, 1/2 or 2/3 lie along an axis.
      return isRectangular ? 0.2 : 0.15;
  }
  return 0.0;
}

constexpr std::array shapes{SpotShape::circular, SpotShape::elliptical, SpotShape::rectangular};
constexpr std::array profiles{BeamProfile::uniform, BeamProfile::gaussian, BeamProfile::tabulated};

// Largest distance of a sample's distribution from a law.
double kolmogorovSmirnov(std::vector<double> sample, const std::function<double(double)>& law) {
  std::sort(sample.begin(), sample.end());
  double largest = 0.0;
  for (std::size_t index = 0; index < sample.size(); ++index) {
    const double expected = law(sample[index]);
    const auto count = static_cast<double>(sample.size());
    largest = std::max({largest, std::abs(static_cast<double>(index) / count - expected),
                        std::abs(static_cast<double>(index + 1) / count - expected)});
  }
  return largest;
}

std::vector<StencilRay> raysOf(const BeamSampler& sampler, std::uint64_t firstPulse,
                               std::size_t pulses) {
  const std::size_t rays = sampler.raysPerPulse();
  std::vector<StencilRay> drawn(rays * pulses);
  for (std::size_t pulse = 0; pulse < pulses; ++pulse) {
    sampler.draw(firstPulse + pulse, std::span(drawn).subspan(pulse * rays, rays));
  }
  return drawn;
}

bool isSame(const std::vector<StencilRay>& a, const std::vector<StencilRay>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const StencilRay& x, const StencilRay& y) {
                      return x.left == y.left && x.up == y.up && x.weight == y.weight;
                    });
}

}  // namespace

TEST_CASE(
    "a fixed beam of N rays has the weight, the centroid and the second moments of its profile") {
  for (const SpotShape shape : shapes) {
    for (const BeamProfile profile : profiles) {
      for (const std::uint32_t count : {3U, 4U, 7U, 9U, 10U, 100U, 1000U, 1021U}) {
        CAPTURE(static_cast<int>(shape));
        CAPTURE(static_cast<int>(profile));
        CAPTURE(count);
        const SensorRecipe sensor = beamOf(shape, rowOf(count, profile));
        const double vertical = shape == SpotShape::circular ? halfLeft : halfUp;
        const BeamMoments beam = momentsOf(sensor);
        // Sums of up to 1021 numbers: 1021 roundings of 1.1e-16 at most.
        CHECK(std::abs(beam.weight - 1.0) < 1.2e-13);
        CHECK(std::abs(beam.left) < 1.2e-13 * halfLeft);
        CHECK(std::abs(beam.up) < 1.2e-13 * vertical);
        const double along = axisSquared(shape, profile);
        CHECK(beam.leftSquared == doctest::Approx(along * halfLeft * halfLeft).epsilon(1e-12));
        CHECK(beam.upSquared == doctest::Approx(along * vertical * vertical).epsilon(1e-12));
        CHECK(std::abs(beam.leftUp) < 1.2e-13 * halfLeft * vertical);
      }
    }
  }
}

TEST_CASE("the profile that a sensor's rays represent has its moments in closed form") {
  for (const SpotShape shape : shapes) {
    for (const BeamProfile profile : profiles) {
      const SpotProfile spot(beamOf(shape, rowOf(10, profile)).beam);
      const double vertical = shape == SpotShape::circular ? halfLeft : halfUp;
      const double along = axisSquared(shape, profile);
      CHECK(spot.leftSquared() == doctest::Approx(along * halfLeft * halfLeft).epsilon(1e-13));
      CHECK(spot.upSquared() == doctest::Approx(along * vertical * vertical).epsilon(1e-13));
    }
  }
  // As published: 0.475 W^2 to its three digits.
  const SpotProfile gaussian(beamOf(SpotShape::circular, rowOf(10, BeamProfile::gaussian)).beam);
  CHECK(std::abs((gaussian.leftSquared() + gaussian.upSquared()) / (halfLeft * halfLeft) - 0.475) <
        0.0005);
  // A table may say what a name says: a flat one is the uniform spot, of either shape.
  for (const SpotShape shape : shapes) {
    const SpotProfile flat(
        beamOf(shape, {10, {BeamProfile::tabulated, {{0.0, 2.0}, {0.4, 2.0}, {1.0, 2.0}}}}).beam);
    const SpotProfile uniform(beamOf(shape, rowOf(10, BeamProfile::uniform)).beam);
    for (const double across : {0.03, 0.2, 0.5, 0.71}) {
      const SpotPoint a = flat.at(across, 0.3);
      const SpotPoint b = uniform.at(across, 0.3);
      CHECK(std::abs(a.left - b.left) < 1e-14 * halfLeft);
      CHECK(std::abs(a.up - b.up) < 1e-14 * halfLeft);
    }
  }
}

TEST_CASE("one ray is the axis, two lie above each other") {
  const BeamSampler one(beamOf(SpotShape::circular, rowOf(1, BeamProfile::gaussian)), 1);
  REQUIRE(one.raysPerPulse() == 1);
  CHECK(one.rays()[0].left == 0.0);
  CHECK(one.rays()[0].up == 0.0);
  CHECK(one.rays()[0].weight == 1.0);
  const BeamSampler two(beamOf(SpotShape::circular, rowOf(2, BeamProfile::uniform)), 1);
  CHECK(std::abs(two.rays()[0].left) < 1e-17);
  CHECK(two.rays()[0].up == doctest::Approx(0.5 * halfLeft).scale(0));
  CHECK(two.rays()[1].up == doctest::Approx(-0.5 * halfLeft).scale(0));
}

TEST_CASE("a stencil's nine rays are every pulse's, in their own order") {
  const SensorRecipe sensor = lms291();
  const BeamSampler sampler(sensor, 1);
  const auto stencil = makeStencil(sensor.beam);
  CHECK(!sampler.isPerPulse());
  CHECK(isSame(raysOf(sampler, 77, 1), {stencil.begin(), stencil.end()}));
}

TEST_CASE("neighbours in the list of rays are neighbours in the beam, from left to right") {
  for (const auto& [isRandom, isDithered] :
       {std::pair{false, false}, {true, false}, {false, true}}) {
    BeamRays recipe = rowOf(1000, BeamProfile::uniform);
    recipe.sampling = isRandom ? RaySampling::random : RaySampling::stratified;
    recipe.dither = isDithered;
    const BeamSampler sampler(beamOf(SpotShape::circular, recipe), 1);
    const std::vector<StencilRay> rays = raysOf(sampler, 5, 1);
    double sum = 0.0;
    for (std::size_t ray = 1; ray < rays.size(); ++ray) {
      sum += std::hypot(rays[ray].left - rays[ray - 1].left, rays[ray].up - rays[ray - 1].up);
    }
    // Each ray's share of the disc is as large as a square of this side, 0.056 radii; any two points of a disc
    // are 0.9 radii apart in the mean.
    const double side = halfLeft * std::sqrt(piRad / 1000.0);
    CHECK(sum / 999.0 < 2.0 * side);
    CHECK(rays.front().left > 0.5 * halfLeft);
    CHECK(rays.back().left < -0.5 * halfLeft);
    CHECK(rays[500].weight == 1.0 / 1000.0);
  }
}

TEST_CASE("fixed rays of a Gaussian beam hold the energy of their profile within any distance") {
  for (const SpotShape shape : shapes) {
    const double vertical = shape == SpotShape::circular ? halfLeft : halfUp;
    const BeamSampler sampler(beamOf(shape, rowOf(1000, BeamProfile::gaussian)), 1);
    for (const double within : {0.25, 0.5, 0.75, 1.0, 1.25}) {
      CAPTURE(within);
      const auto count =
          std::count_if(sampler.rays().begin(), sampler.rays().end(), [&](const StencilRay& ray) {
            return std::hypot(ray.left / halfLeft, ray.up / vertical) <= within;
          });
      // Two mirror images at a time change sides. Middles of the strata alone are wrong by 0.026.
      const double law = -std::expm1(-2.0 * within * within) / -std::expm1(-4.5);
      CHECK(std::abs(static_cast<double>(count) / 1000.0 - law) < 0.003);
    }
  }
}

TEST_CASE("random and dithered rays follow the law of their profile") {
  const double kept = 1.0 - std::exp(-4.5);
  const auto lawOf = [kept](BeamProfile profile) -> std::function<double(double)> {
    if (profile == BeamProfile::uniform) return [](double s) { return s * s; };
    if (profile == BeamProfile::gaussian) {
      return [kept](double s) { return (1.0 - std::exp(-2.0 * s * s)) / kept; };
    }
    return [](double s) { return 3.0 * s * s - 2.0 * s * s * s; };  // of a cone
  };
  for (const SpotShape shape : shapes) {
    const double vertical = shape == SpotShape::circular ? halfLeft : halfUp;
    for (const BeamProfile profile : profiles) {
      for (const bool isRandom : {true, false}) {
        CAPTURE(static_cast<int>(shape));
        CAPTURE(static_cast<int>(profile));
        CAPTURE(isRandom);
        BeamRays rays = rowOf(100, profile);
        rays.sampling = isRandom ? RaySampling::random : RaySampling::stratified;
        rays.dither = !isRandom;
        const BeamSampler sampler(beamOf(shape, rays), 1);
        CHECK(sampler.isPerPulse());
        const bool hasOutline = shape == SpotShape::rectangular && profile != BeamProfile::gaussian;
        std::vector<double> distances;
        std::vector<double> turns;
        for (const StencilRay& ray : raysOf(sampler, 0, 500)) {
          const double left = ray.left / halfLeft;
          const double up = ray.up / vertical;
          const double outline = std::max(std::abs(left), std::abs(up));
          distances.push_back(hasOutline ? outline : std::hypot(left, up));
          // Along a square's outline its sides are as long as each other, and even.
          const double angle = std::atan2(up, left) / (2.0 * piRad);
          const double side = std::floor(angle * 4.0 + 0.5) / 4.0;
          const double along = std::tan((angle - side) * 2.0 * piRad);
          turns.push_back(hasOutline ? side + 0.125 * along + 0.5 : angle + 0.5);
        }
        // Half of the last side lies at either end of the range.
        for (double& turn : turns) turn -= std::floor(turn);
        // 50,000 draws, seed 1: 0.1 % critical value. Dithered draws stay far below it.
        const double critical = 1.95 / std::sqrt(50'000.0);
        CHECK(kolmogorovSmirnov(distances, lawOf(profile)) < critical);
        CHECK(kolmogorovSmirnov(turns, [](double turn) { return turn; }) < critical);
      }
    }
  }
}

TEST_CASE("dithered rays stay in their strata, whose middles are the fixed rays") {
  // Twelve rays of a rectangle: three strips from left to right of four each, down, up, down.
  BeamRays rays = rowOf(12, BeamProfile::uniform);
  rays.dither = true;
  const BeamSampler sampler(beamOf(SpotShape::rectangular, rays), 3);
  constexpr std::array<int, 12> rows{0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3};
  const std::vector<StencilRay> drawn = raysOf(sampler, 1'000'000, 300);
  for (std::size_t index = 0; index < drawn.size(); ++index) {
    const std::size_t ray = index % 12;
    const double across = 0.5 - 0.5 * drawn[index].left / halfLeft;
    const double along = 0.5 - 0.5 * drawn[index].up / halfUp;
    const auto strip = static_cast<double>(ray / 4);
    REQUIRE((across * 3.0 > strip - 1e-12 && across * 3.0 < strip + 1.0 + 1e-12));
    REQUIRE((along * 4.0 > rows[ray] - 1e-12 && along * 4.0 < rows[ray] + 1.0 + 1e-12));
    REQUIRE(drawn[index].weight == 1.0 / 12.0);
  }
  // Four rays of a disc: its quarters, counter-clockwise from the upper left.
  BeamRays four = rowOf(4, BeamProfile::gaussian);
  four.dither = true;
  const BeamSampler quarters(beamOf(SpotShape::elliptical, four), 3);
  const std::vector<StencilRay> inQuarters = raysOf(quarters, 0, 300);
  for (std::size_t index = 0; index < inQuarters.size(); ++index) {
    REQUIRE((inQuarters[index].left > 0.0) == (index % 4 < 2));
    REQUIRE((inQuarters[index].up > 0.0) == (index % 4 == 0 || index % 4 == 3));
  }
}

TEST_CASE("random and dithered beams have the moments of their profile in the mean over pulses") {
  for (const bool isRandom : {true, false}) {
    BeamRays rays = rowOf(9, BeamProfile::uniform);
    rays.sampling = isRandom ? RaySampling::random : RaySampling::stratified;
    rays.dither = !isRandom;
    const BeamMoments beam = momentsOf(beamOf(SpotShape::circular, rays), 20'000);
    const double squared = halfLeft * halfLeft;
    // 180,000 points of a disc, seed 1: left^2 has standard deviation 1/4 R^2, left 1/2 R; five standard errors
    // of independent ones, which strata only make smaller.
    const double root = std::sqrt(180'000.0);
    CHECK(beam.weight == doctest::Approx(1.0).epsilon(1e-11));
    CHECK(std::abs(beam.left) < 5.0 * 0.5 * halfLeft / root);
    CHECK(std::abs(beam.up) < 5.0 * 0.5 * halfLeft / root);
    CHECK(std::abs(beam.leftSquared - squared / 4.0) < 5.0 * 0.25 * squared / root);
    CHECK(std::abs(beam.upSquared - squared / 4.0) < 5.0 * 0.25 * squared / root);
  }
}

TEST_CASE("a pulse's rays are a pure function of seed, sensor and number") {
  BeamRays rays = rowOf(50, BeamProfile::gaussian);
  rays.dither = true;
  SensorRecipe sensor = beamOf(SpotShape::circular, rays);
  const BeamSampler sampler(sensor, 7);
  const std::vector<StencilRay> together = raysOf(sampler, 100, 3);
  const std::vector<StencilRay> last = raysOf(BeamSampler(sensor, 7), 102, 1);
  CHECK(isSame(last, {together.begin() + 100, together.end()}));
  CHECK(isSame(raysOf(sampler, 100, 3), together));
  CHECK(!isSame(raysOf(sampler, 100, 1), raysOf(sampler, 101, 1)));
  CHECK(!isSame(raysOf(sampler, 100, 1), raysOf(sampler, 100 + (1ULL << 32U), 1)));
  CHECK(!isSame(raysOf(sampler, 100, 1), raysOf(BeamSampler(sensor, 8), 100, 1)));
  sensor.stream = 1;
  CHECK(!isSame(raysOf(sampler, 100, 1), raysOf(BeamSampler(sensor, 7), 100, 1)));
}

TEST_CASE("a table that is no profile is refused") {
  using Table = std::vector<std::array<double, 2>>;
  for (const Table& table :
       {Table{{0.0, 1.0}}, Table{{0.1, 1.0}, {1.0, 1.0}}, Table{{0.0, 1.0}, {0.0, 1.0}},
        Table{{0.0, 0.0}, {1.0, 0.0}}, Table{{0.0, 1.0}, {1.0, -1.0}}}) {
    const SensorRecipe sensor = beamOf(SpotShape::circular, {9, {BeamProfile::tabulated, table}});
    CHECK_THROWS_AS(BeamSampler(sensor, 1), UnderstoryError);
  }
}
