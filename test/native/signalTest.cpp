// Echoes and return modes of any beam, on signals made by hand and, against the form for nine rays, at random.
#include <doctest/doctest.h>

#include <bit>

#include "core/error.h"
#include "core/random/philox.h"
#include "core/returns/signal.h"
#include "test/native/support/hits.h"

using namespace understory;

namespace {

SensorRecipe sensorWith(const ReturnsRecipe& returns,
                        Radiometry radiometry = Radiometry::relative) {
  SensorRecipe sensor;
  sensor.maxRangeM = 200.0;
  sensor.returns = returns;
  sensor.radiometry = radiometry;
  return sensor;
}

ReturnsRecipe returnsOf(ReturnMode mode, double cutoffM, double resolutionM = 0.0) {
  ReturnsRecipe returns;
  returns.mode = mode;
  returns.signalCutoffM = cutoffM;
  returns.rangeResolutionM = resolutionM;
  return returns;
}

// Keeps what the evaluator only views.
struct Evaluated {
  std::vector<SignalHit> hits;
  std::vector<PulseReturn> returns;
  std::vector<int> returnOfHit;  // by SignalHit::index
};

Evaluated evaluate(std::vector<SignalHit> hits, const SensorRecipe& sensor) {
  SignalEvaluator evaluator(sensor);
  const auto returns = evaluator.evaluate(hits);
  CHECK(returns.size() <= evaluator.maxReturns());
  Evaluated out{hits, {returns.begin(), returns.end()}, std::vector<int>(hits.size())};
  for (std::size_t hit = 0; hit < hits.size(); ++hit) {
    out.returnOfHit.at(hits[hit].index) = evaluator.returnOfHit()[hit];
  }
  return out;
}

Evaluated evaluate(std::vector<SignalHit> hits, const ReturnsRecipe& returns,
                   Radiometry radiometry = Radiometry::relative) {
  return evaluate(std::move(hits), sensorWith(returns, radiometry));
}

bool isSameFloat(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// Up to nine hits; a third of the pulses with ranges and intensities from few values, so that they tie.
std::vector<SignalHit> randomSignal(RandomStream& random) {
  const bool isCoarse = random.uniform() < 1.0 / 3.0;
  const auto valueIn = [&](double from, double to, double step) {
    const double value = random.uniform(from, to);
    return static_cast<float>(isCoarse ? step * std::floor(value / step) : value);
  };
  std::vector<SignalHit> hits;
  for (std::uint32_t ray = 0; ray < 9; ++ray) {
    if (random.uniform() < 0.3) continue;
    hits.push_back(hitAt(valueIn(4.0, 7.0, 0.5), valueIn(0.0, 1.0, 0.25), ninth, ray,
                         random.nextWord() % 3, random.nextWord() % 3));
    hits.back().index = static_cast<std::uint32_t>(hits.size() - 1);
  }
  return hits;
}

}  // namespace

TEST_CASE("nine equal rays, each its own echo: bit for bit what the paper's form gives") {
  RandomStream random(7, RandomPurpose::beam, 1);
  std::size_t differences = 0;
  std::size_t returned = 0;
  for (int pulse = 0; pulse < 100'000; ++pulse) {
    const std::vector<SignalHit> hits = randomSignal(random);
    std::vector<RayHit> rays;
    std::vector<std::uint32_t> hitOfRay;
    for (const SignalHit& hit : hits) {
      if (hit.intensity <= 0.0F) continue;  // no echo
      hitOfRay.push_back(hit.index);
      rays.push_back({hit.rangeM, hit.intensity, hit.weight, hit.instance, hit.primitive});
    }
    for (const ReturnMode mode :
         {ReturnMode::strongest, ReturnMode::last, ReturnMode::first, ReturnMode::closest}) {
      for (const bool isWindowed : {false, true}) {
        ReturnsRecipe recipe = returnsOf(mode, 1.0);
        recipe.window = isWindowed;
        const auto one = evaluateReturns(rays, recipe);
        const std::vector<PulseReturn> expected(one ? 1 : 0, one.value_or(PulseReturn{}));
        const std::size_t count = expected.size();
        SignalEvaluator evaluator(sensorWith(recipe));
        std::vector<SignalHit> ordered = hits;
        const std::span<const PulseReturn> found = evaluator.evaluate(ordered);
        returned += count;
        bool isSame = found.size() == count;
        for (std::size_t echo = 0; isSame && echo < count; ++echo) {
          isSame = isSameFloat(found[echo].rangeM, expected[echo].rangeM) &&
                   isSameFloat(found[echo].intensity, expected[echo].intensity) &&
                   isSameFloat(found[echo].beamShare, expected[echo].beamShare) &&
                   ordered[found[echo].decidingHit].index == hitOfRay[expected[echo].decidingHit];
        }
        differences += isSame ? 0 : 1;
      }
    }
  }
  CHECK(differences == 0);
  CHECK(returned > 700'000);
}

TEST_CASE("hits are one echo up to 3.3255 standard deviations of the pulse apart, then two") {
  // The ghost of reference values: sensor 5 m up, half the beam on a patch at z = 2.0, half on one at 1.7 or 0.5.
  const auto patches = [](float farM) {
    return std::vector<SignalHit>{hitAt(3.0F, 0.5F, 0.5F, 0, 1), hitAt(farM, 0.5F, 0.5F, 1, 2)};
  };
  const ReturnsRecipe all = returnsOf(ReturnMode::all, 0.5, 0.5);
  const Evaluated ghost = evaluate(patches(3.3F), all);
  REQUIRE(ghost.returns.size() == 1);
  CHECK(ghost.returns[0].rangeM == doctest::Approx(3.15).epsilon(1e-7));
  CHECK(ghost.returns[0].beamShare == 1.0F);
  const Evaluated apart = evaluate(patches(4.5F), all);
  REQUIRE(apart.returns.size() == 2);
  CHECK(apart.returns[0].rangeM == 3.0F);
  CHECK(apart.returns[1].rangeM == 4.5F);
  CHECK(apart.returns[1].beamShare == 0.5F);
  // 3.3255 * 0.28 * 0.5 m = 0.4656 m.
  CHECK(evaluate(patches(3.46F), all).returns.size() == 1);
  CHECK(evaluate(patches(3.47F), all).returns.size() == 2);
}

TEST_CASE(
    "rays that follow each other closely are one echo, however far from the first to the last") {
  std::vector<SignalHit> slope;
  for (std::uint32_t ray = 0; ray < 6; ++ray) {
    slope.push_back(hitAt(10.0F + 0.25F * static_cast<float>(ray), 0.5F, 1.0F / 6.0F, ray));
  }
  const Evaluated out = evaluate(slope, returnsOf(ReturnMode::all, 0.1, 0.75));
  REQUIRE(out.returns.size() == 1);
  CHECK(out.returns[0].rangeM == doctest::Approx(10.625).epsilon(1e-7));
}

TEST_CASE("an echo's range is the mean by signal, its intensity the mean over its rays") {
  const std::vector<SignalHit> uneven{hitAt(10.0F, 0.25F, 0.75F, 0), hitAt(10.4F, 0.75F, 0.25F, 1)};
  const Evaluated out = evaluate(uneven, returnsOf(ReturnMode::strongest, 1.0, 0.5));
  REQUIRE(out.returns.size() == 1);
  // Either sends 0.1875 back.
  CHECK(out.returns[0].rangeM == doctest::Approx(10.2).epsilon(1e-6));
  CHECK(out.returns[0].intensity == doctest::Approx(0.375).epsilon(1e-6));
  // Both rays add as much: the nearest wins the tie.
  CHECK(out.hits[out.returns[0].decidingHit].ray == 0);
}

TEST_CASE("several weak rays of one echo are stronger than a single bright one") {
  const std::vector<SignalHit> signal{hitAt(5.0F, 0.9F, 0.1F, 0), hitAt(9.0F, 0.4F, 0.1F, 1),
                                      hitAt(9.1F, 0.4F, 0.1F, 2), hitAt(9.2F, 0.5F, 0.1F, 3)};
  const Evaluated merged = evaluate(signal, returnsOf(ReturnMode::strongest, 1.0, 0.5));
  CHECK(merged.returns[0].rangeM ==
        doctest::Approx((0.4 * 9.0 + 0.4 * 9.1 + 0.5 * 9.2) / 1.3).epsilon(1e-6));
  CHECK(merged.hits[merged.returns[0].decidingHit].ray == 3);
  CHECK(evaluate(signal, returnsOf(ReturnMode::strongest, 1.0)).returns[0].rangeM == 5.0F);
}

TEST_CASE(
    "all returns the first echoes by range, as many as asked for, none lost to an equal range") {
  ReturnsRecipe all = returnsOf(ReturnMode::all, 0.0);
  all.maxReturns = 4;
  const Evaluated out = evaluate(shrubHits, all);
  REQUIRE(out.returns.size() == 4);
  CHECK(out.returns[0].rangeM == 10.0F);
  CHECK(out.returns[1].rangeM == 10.1F);
  CHECK(out.returns[2].rangeM == 10.5F);
  CHECK(out.returns[3].rangeM == 14.0F);
  CHECK(out.returnOfHit == std::vector<int>{4, 3, 1, 0, 2, 0});
  const std::vector<SignalHit> equal{hitAt(8.0F, 0.5F, ninth, 0, 2),
                                     hitAt(8.0F, 0.4F, ninth, 1, 1)};
  const Evaluated two = evaluate(equal, all);
  REQUIRE(two.returns.size() == 2);
  CHECK(two.hits[two.returns[0].decidingHit].instance == 1);
  CHECK(two.hits[two.returns[1].decidingHit].instance == 2);
}

TEST_CASE("below the detection threshold a group of hits is lost, and the next one counts") {
  // Groups of 1 m: three rays from 10 m, 0.3 + 0.1 + 0.8; three from 14 m, 0.2 + 0.22 + 0.25.
  ReturnsRecipe returns = returnsOf(ReturnMode::closest, 1.0);
  returns.detectionThreshold = 0.66 / 9.0;
  CHECK(evaluate(shrubHits, returns).returns[0].rangeM == 10.0F);
  returns.mode = ReturnMode::last;
  CHECK(evaluate(shrubHits, returns).returns[0].rangeM == 14.2F);
  returns.detectionThreshold = 0.68 / 9.0;
  CHECK(evaluate(shrubHits, returns).returns[0].rangeM == 10.5F);
  returns.detectionThreshold = 1.19 / 9.0;
  CHECK(evaluate(shrubHits, returns).returns.size() == 1);
  returns.detectionThreshold = 1.21 / 9.0;
  CHECK(evaluate(shrubHits, returns).returns.empty());
  // A cutoff of less than the rays are apart parts them: the stem alone is a group of 0.8.
  returns.mode = ReturnMode::closest;
  returns.signalCutoffM = 0.4;
  returns.detectionThreshold = 0.5 / 9.0;
  CHECK(evaluate(shrubHits, returns).returns[0].rangeM == 10.5F);
}

TEST_CASE("the number of rays does not change what is detected") {
  for (const std::uint32_t rays : {1U, 9U, 25U, 1000U}) {
    std::vector<SignalHit> wall;
    for (std::uint32_t ray = 0; ray < rays; ++ray) {
      wall.push_back(hitAt(10.0F + 0.0001F * static_cast<float>(ray), 0.5F,
                           1.0F / static_cast<float>(rays), ray));
    }
    ReturnsRecipe returns = returnsOf(ReturnMode::closest, 1.0);
    returns.detectionThreshold = 0.4999;
    CHECK(evaluate(wall, returns).returns.size() == 1);
    returns.detectionThreshold = 0.5001;
    CHECK(evaluate(wall, returns).returns.empty());
  }
}

TEST_CASE("what sends nothing back is no echo and hides none, whatever the mode") {
  const std::vector<SignalHit> veil{hitAt(5.0F, 0.0F, 0.5F, 0), hitAt(10.0F, 0.4F, 0.5F, 1),
                                    hitAt(20.0F, 0.0F, 0.5F, 2)};
  for (const ReturnMode mode :
       {ReturnMode::strongest, ReturnMode::last, ReturnMode::first, ReturnMode::closest}) {
    const Evaluated out = evaluate(veil, returnsOf(mode, 100.0));
    REQUIRE(out.returns.size() == 1);
    CHECK(out.returns[0].rangeM == 10.0F);
    CHECK(out.returns[0].intensity == 0.4F);
    CHECK(out.returns[0].beamShare == 0.5F);
    CHECK(evaluate({veil[0]}, returnsOf(mode, 100.0)).returns.empty());
  }
}

TEST_CASE("every hit belongs to one return: shares of windows add up to what was hit") {
  // Two surfaces 0.6 m apart and windows of 1 m either side: the middle, 10.3 m, parts them.
  const std::vector<SignalHit> edge{hitAt(10.0F, 0.9F, 0.25F, 0), hitAt(10.1F, 0.9F, 0.25F, 1),
                                    hitAt(10.6F, 0.3F, 0.25F, 2), hitAt(10.7F, 0.3F, 0.25F, 3)};
  for (const bool isWindowed : {false, true}) {
    ReturnsRecipe returns = returnsOf(ReturnMode::strongestAndLast, 1.0, 0.5);
    returns.window = isWindowed;
    const Evaluated out = evaluate(edge, returns);
    REQUIRE(out.returns.size() == 2);
    CHECK(out.returns[0].rangeM == doctest::Approx(10.05).epsilon(1e-6));
    CHECK(out.returns[1].rangeM == doctest::Approx(10.65).epsilon(1e-6));
    CHECK(out.returns[0].beamShare == 0.5F);
    CHECK(out.returns[1].beamShare == 0.5F);
    CHECK(out.returnOfHit == std::vector<int>{1, 1, 2, 2});
    // A wall is one row.
    const std::vector<SignalHit> wall(edge.begin(), edge.begin() + 2);
    REQUIRE(evaluate(wall, returns).returns.size() == 1);
    CHECK(evaluate(wall, returns).returns[0].beamShare == 0.5F);
  }
}

TEST_CASE("the share of a separated echo is that of its own rays, whatever the cutoff") {
  const std::vector<SignalHit> halves{hitAt(20.0F, 1.0F, 0.5F, 0), hitAt(20.2F, 1.0F, 0.5F, 1)};
  for (const double cutoffM : {0.0, 0.05, 0.5}) {
    const Evaluated one = evaluate(halves, returnsOf(ReturnMode::strongest, cutoffM, 0.5));
    CHECK(one.returns[0].beamShare == 1.0F);
    const Evaluated two = evaluate(halves, returnsOf(ReturnMode::all, cutoffM, 0.1));
    REQUIRE(two.returns.size() == 2);
    CHECK(two.returns[0].beamShare == 0.5F);
  }
}

TEST_CASE("the gate asks for more reflectance from fullToM on, and for any at all before it") {
  ReturnsRecipe returns = returnsOf(ReturnMode::closest, 1.0);
  returns.gate = ReflectanceGate{50.0, 120.0, 0.1, 0.8};  // Gschwandtner 2011: HDL-64E S2
  const auto passes = [&](float rangeM, float reflectance) {
    SignalHit hit = hitAt(rangeM, 0.9F, 1.0F, 0);
    hit.reflectance = reflectance;
    return evaluate({hit}, returns).returns.size() == 1;
  };
  CHECK(passes(10.0F, 1e-4F));
  CHECK(passes(50.0F, 1e-4F));
  CHECK_FALSE(passes(10.0F, 0.0F));
  CHECK_FALSE(passes(50.001F, 0.0999F));
  CHECK(passes(50.001F, 0.1002F));
  // Half way: (0.1 + 0.8) / 2.
  CHECK_FALSE(passes(85.0F, 0.449F));
  CHECK(passes(85.0F, 0.451F));
  CHECK_FALSE(passes(120.0F, 0.799F));
  CHECK(passes(120.0F, 0.801F));
  CHECK_FALSE(passes(120.01F, 1.0F));
}

TEST_CASE("what the gate keeps back is neither averaged nor counted, and lies behind the signal") {
  ReturnsRecipe returns = returnsOf(ReturnMode::first, 2.0);
  returns.gate = ReflectanceGate{5.0, 20.0, 0.4, 0.4};
  std::vector<SignalHit> hits{hitAt(10.0F, 0.3F, 0.25F, 0), hitAt(10.5F, 0.5F, 0.25F, 1),
                              hitAt(11.0F, 0.2F, 0.25F, 2), hitAt(11.5F, 0.6F, 0.25F, 3)};
  const Evaluated out = evaluate(hits, returns);
  REQUIRE(out.returns.size() == 1);
  CHECK(out.returns[0].rangeM == 11.0F);
  CHECK(out.returns[0].intensity == doctest::Approx(0.55));
  CHECK(out.returns[0].beamShare == 0.5F);
  CHECK(out.hits[out.returns[0].decidingHit].ray == 1);
  CHECK(out.hits[2].ray == 0);
  CHECK(out.returnOfHit == std::vector<int>{0, 1, 0, 1});
}

TEST_CASE("by the radar equation a return has the power of all its rays") {
  // A wall that fills the spot: whatever the mode, the whole beam comes back.
  std::vector<SignalHit> wall;
  for (std::uint32_t ray = 0; ray < 8; ++ray) {
    wall.push_back(hitAt(20.0F + 0.01F * static_cast<float>(ray), 0.5F / 400.0F, 0.125F, ray));
  }
  for (const ReturnMode mode :
       {ReturnMode::strongest, ReturnMode::last, ReturnMode::first, ReturnMode::closest}) {
    const Evaluated out = evaluate(wall, returnsOf(mode, 1.0), Radiometry::radarEquation);
    CHECK(out.returns[0].intensity == doctest::Approx(0.5 / 400.0).epsilon(1e-6).scale(0));
  }
  // Echoes that the signal parts keep their own: 3 of 8 rays and 5 of 8.
  for (std::size_t ray = 3; ray < wall.size(); ++ray) wall[ray].rangeM += 0.1F;
  const Evaluated parted =
      evaluate(wall, returnsOf(ReturnMode::all, 1.0, 0.05), Radiometry::radarEquation);
  REQUIRE(parted.returns.size() == 2);
  double power = 0.0;
  for (const PulseReturn& echo : parted.returns) power += static_cast<double>(echo.intensity);
  CHECK(power == doctest::Approx(0.5 / 400.0).epsilon(1e-6).scale(0));
  CHECK(parted.returns[0].intensity == doctest::Approx(0.375 * 0.5 / 400.0).epsilon(1e-6).scale(0));
}

TEST_CASE("a ray that ends in two leaves counts once where intensities are averaged over rays") {
  // Ray 0: 40 % of its energy in a leaf, the rest in another right behind; ray 1: all of it in one.
  std::vector<SignalHit> hits{hitAt(10.0F, 0.2F, 0.5F, 0), hitAt(10.2F, 0.1F, 0.5F, 0),
                              hitAt(10.1F, 0.5F, 0.5F, 1)};
  hits[0].weight = 0.2F;
  hits[1].weight = 0.3F;
  for (std::uint32_t index = 0; index < 3; ++index) hits[index].index = index;
  const Evaluated out = evaluate(hits, returnsOf(ReturnMode::first, 1.0));
  CHECK(out.returns[0].intensity == doctest::Approx(0.5 * (0.2 + 0.1) + 0.5 * 0.5).epsilon(1e-6));
  CHECK(out.returns[0].beamShare == doctest::Approx(1.0));
  CHECK(out.returns[0].rangeM ==
        doctest::Approx(0.2 * 10.0 + 0.3 * 10.2 + 0.5 * 10.1).epsilon(1e-6));
}
