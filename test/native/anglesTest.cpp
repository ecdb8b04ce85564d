// Angles from sines and cosines against the C library's in double precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/maths/angles.h"
#include "rows/incidenceAngles.h"

using namespace understory;

TEST_CASE("the angle of a sine and a cosine is right to 2e-7, and to its last digits near 0") {
  double largest = 0.0;
  double largestOfSmall = 0.0;
  constexpr int steps = 200000;
  for (int step = 0; step <= steps; ++step) {
    const double angle = std::acos(0.0) * step / steps;
    for (const double length : {1.0, 0.37}) {
      const auto sine = static_cast<float>(length * std::sin(angle));
      const auto cosine = static_cast<float>(length * std::cos(angle));
      const double expected = std::atan2(static_cast<double>(sine), static_cast<double>(cosine));
      const double error = std::abs(static_cast<double>(angleOf(sine, cosine)) - expected);
      largest = std::max(largest, error);
      if (expected > 0.0 && expected < 1e-3) {
        largestOfSmall = std::max(largestOfSmall, error / expected);
      }
    }
  }
  CHECK(largest < 2e-7);
  CHECK(largestOfSmall < 2e-7);
  CHECK(angleOf(0.0F, 1.0F) == 0.0F);
  CHECK(angleOf(1.0F, 0.0F) == static_cast<float>(std::acos(0.0)));
  CHECK(angleOf(1e-20F, 1.0F) == 1e-20F);
}

TEST_CASE("angles of rows are those of single ones, to the bit") {
  IncidenceRows rows;
  for (std::size_t row = 0; row < maxIncidenceRows; ++row) {
    const double angle = 1.5707 * static_cast<double>(row) / maxIncidenceRows;
    rows.sineSquared[row] = static_cast<float>(std::sin(angle) * std::sin(angle));
    rows.cosine[row] = static_cast<float>(std::cos(angle));
  }
  for (const std::size_t count : {std::size_t{1}, std::size_t{17}, maxIncidenceRows}) {
    std::vector<float> angles(maxIncidenceRows, -1.0F);
    incidenceAngles(rows, count, angles.data());
    for (std::size_t row = 0; row < count; ++row) {
      CHECK(angles[row] == angleOf(std::sqrt(rows.sineSquared[row]), rows.cosine[row]));
    }
    if (count < maxIncidenceRows) CHECK(angles[count] == -1.0F);
  }
}
