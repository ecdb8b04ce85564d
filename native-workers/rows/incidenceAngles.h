// Angles of incidence of many rows at a time.
#pragma once

#include <cstddef>

namespace understory {

inline constexpr std::size_t maxIncidenceRows = 128;

// Sines, squared, and cosines of angles; none below 0.
struct IncidenceRows {
  alignas(64) float sineSquared[maxIncidenceRows] = {};
  alignas(64) float cosine[maxIncidenceRows] = {};
};

// The angles of the first `count` rows: the same bits as angleOf().
void incidenceAngles(const IncidenceRows& rows, std::size_t count, float* angleRad);

}  // namespace understory
