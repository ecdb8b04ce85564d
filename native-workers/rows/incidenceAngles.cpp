// One loop that is compiled for several instruction sets.
#include "rows/incidenceAngles.h"

#include <cmath>

#include "core/maths/angles.h"
#include "core/maths/lanes.h"

namespace understory {

UNDERSTORY_LANES
void incidenceAngles(const IncidenceRows& rows, std::size_t count, float* angleRad) {
#pragma GCC ivdep
  for (std::size_t row = 0; row < count; ++row) {
    angleRad[row] = angleOf(std::sqrt(rows.sineSquared[row]), rows.cosine[row]);
  }
}

}  // namespace understory
