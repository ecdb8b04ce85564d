// Powers of vectors against those of the C library in double precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/maths/lanePowers.h"
#include "core/random/philox.h"

using namespace understory;

TEST_CASE("1 - (1 - u)^p of vectors is that of the C library") {
  RandomStream random(1, RandomPurpose::scatter, 0);
  double worst = 0.0;
  for (int number = 0; number < 400'000; ++number) {
    // Near 0 and near 1, and powers of few and of many leaves in a voxel.
    const double small = std::exp2(-24.0 * random.uniform());
    const auto u = static_cast<float>(number % 2 == 0 ? small : 1.0 - small);
    const float share = std::min(u, 1.0F - 0x1p-24F);
    const auto power = static_cast<float>(std::exp2(-20.0 * random.uniform() * (number % 3)));
    Floats8 result;
    restOfPower(Floats8{} + share, Floats8{} + power, result);
    const double expected =
        -std::expm1(static_cast<double>(power) * std::log1p(-static_cast<double>(share)));
    worst = std::max(worst, std::abs(static_cast<double>(result[3]) - expected) / expected);
  }
  CHECK(worst < 1e-6);
}
