// Mutations do what their names say. Linked with the sources compiled as in scanWorkerMutants.
#include "core/mutation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/returns/noise.h"
#include "core/returns/signal.h"
#include "core/sensor/beamSampler.h"
#include "core/sensor/mutatedSensor.h"
#include "test/native/support/hits.h"
#include "test/native/support/sensors.h"

using namespace understory;

namespace {

struct MutationGuard {
  explicit MutationGuard(std::string_view name) { setMutation(name); }
  ~MutationGuard() { setMutation("none"); }
};

SensorRecipe sensorOf(ReturnMode mode, double cutoffM) {
  SensorRecipe sensor;
  sensor.maxRangeM = 200.0;
  sensor.returns.mode = mode;
  sensor.returns.signalCutoffM = cutoffM;
  return sensor;
}

std::vector<PulseReturn> returnsOf(std::vector<SignalHit> hits, const SensorRecipe& sensor) {
  SignalEvaluator evaluator(sensor);
  const auto returns = evaluator.evaluate(hits);
  return {returns.begin(), returns.end()};
}

}  // namespace

TEST_CASE("mutations of returns do what their names say") {
  const SensorRecipe strongest = sensorOf(ReturnMode::strongest, 0.05);
  {
    const MutationGuard guard("strongest-is-closest");
    CHECK(returnsOf(shrubHits, mutated(strongest))[0].rangeM == 10.0F);
  }
  {
    const MutationGuard guard("cutoff-ignored");
    const SensorRecipe sensor = mutated(sensorOf(ReturnMode::first, 0.5));
    CHECK(returnsOf(shrubHits, sensor)[0].beamShare == doctest::Approx(6.0 / 9.0));
  }
  {
    const MutationGuard guard("fourth-power");
    SensorRecipe radar = strongest;
    radar.radiometry = Radiometry::radarEquation;
    CHECK(returnsOf({hitAt(20.0F, 0.5F / 400.0F, 1.0F, 0)}, radar)[0].intensity ==
          doctest::Approx(0.5 / 160000.0).scale(0));
    CHECK(returnsOf({hitAt(20.0F, 0.5F, 1.0F, 0)}, strongest)[0].intensity == 0.5F);
  }
  {
    const MutationGuard guard("centre-miss-drops-pulse");
    SignalEvaluator evaluator(strongest);
    evaluator.setAxisRay(8);
    std::vector<SignalHit> hits = shrubHits;
    CHECK(evaluator.evaluate(hits).empty());
    hits.push_back(hitAt(30.0F, 0.1F, ninth, 8));
    CHECK(evaluator.evaluate(hits).size() == 1);
  }
  SignalEvaluator evaluator(strongest);
  evaluator.setAxisRay(8);
  std::vector<SignalHit> hits = shrubHits;
  CHECK(evaluator.evaluate(hits).size() == 1);
  CHECK(returnsOf(shrubHits, mutated(strongest))[0].rangeM == 10.5F);
  CHECK_THROWS_AS(setMutation("no-such-error"), UnderstoryError);
}

TEST_CASE("a mutant draws a laser's bias for each return") {
  SensorRecipe sensor = hdl64e(10.0);
  sensor.noise.laserBiasSigmaM = 0.025;
  const MutationGuard guard("bias-of-each-ray");
  const RangeNoise noise(sensor, 1);
  constexpr std::size_t count = 10'000;
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t pulse = 0; pulse < count; ++pulse) {
    CleanReturn clean;
    clean.pulse = pulse;
    clean.ring = 3;
    clean.rangeM = 20.0F;
    clean.intensity = 1.0F;
    const double errorM = static_cast<double>(noise.reported(clean).value()) - 20.0;
    sum += errorM;
    squares += errorM * errorM;
  }
  const double meanM = sum / count;
  const double deviationM = std::sqrt(squares / count - meanM * meanM);
  CHECK(std::abs(deviationM / 0.025 - 1.0) < 4.0 / std::sqrt(2.0 * count));
}

TEST_CASE("a beam off its centre lies half a half-divergence to the left") {
  for (const bool isDithered : {false, true}) {
    SensorRecipe sensor = lms291();
    sensor.beam.shape = SpotShape::elliptical;
    sensor.beam.divergenceHorizontalRad = 0.0129;
    sensor.beam.divergenceVerticalRad = 0.004;
    sensor.beam.stencil = StencilKind::rays;
    sensor.beam.rays = {25, {BeamProfile::uniform}, RaySampling::stratified, isDithered};
    std::vector<StencilRay> straight(25);
    BeamSampler(sensor, 1).draw(4, straight);
    const MutationGuard guard("stencil-off-centre");
    std::vector<StencilRay> off(25);
    BeamSampler(sensor, 1).draw(4, off);
    for (std::size_t ray = 0; ray < off.size(); ++ray) {
      CHECK(off[ray].left - straight[ray].left ==
            doctest::Approx(0.5 * std::tan(0.5 * 0.0129)).scale(0));
      CHECK(off[ray].up == straight[ray].up);
    }
  }
}
