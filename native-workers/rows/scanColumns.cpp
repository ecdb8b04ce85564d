// Column by column over the rows of a batch.
#include "rows/scanColumns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "rows/batchRows.h"
#include "rows/fillRows.h"
#include "rows/incidenceAngles.h"
#include "rows/surfaceColumns.h"

namespace understory {
namespace {

double rangeOf(const TracedReturn& echo) { return static_cast<double>(echo.reported.rangeM); }

// The reported point: on the pulse's axis at the returned range. Behind mirrors it is a virtual one.
double worldPoint(const Row& row, float rangeM, double Vec3d::*axis) {
  const SlotFrame& slot = *row.slot;
  return slot.originM.*axis + static_cast<double>(rangeM) * (slot.ahead.*axis * row.laser->cosine +
                                                             slot.zenith.*axis * row.laser->sine);
}

// The axis of the pulse in the world, as the sensor reports it.
double beamDirection(const Row& row, double Vec3d::*axis) {
  return row.slot->ahead.*axis * row.laser->cosine + row.slot->zenith.*axis * row.laser->sine;
}

// A false alarm: the signal of the threshold, and no width.
void fillShapeColumn(ReturnColumn column, const RowContext& context, std::span<const Row> rows,
                     std::byte* bytes) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const Detector& detector = context.detector;
  const auto gainOf = [&](const TracedReturn& echo) {
    return detector.gainAt(static_cast<double>(echo.cleanRangeM));
  };
  const auto signalOf = [&](const Row& row, const TracedReturn& echo) {
    return row.shape == nullptr ? detector.threshold() / gainOf(echo)
                                : static_cast<double>(row.shape->signal);
  };
  switch (column) {
    case ReturnColumn::echoWidthM:
      return fillMeasured(rows, bytes, [](const Row& row, const TracedReturn&) {
        return row.shape == nullptr ? none : static_cast<double>(row.shape->widthM);
      });
    case ReturnColumn::amplitude:
      return fillMeasured(rows, bytes, signalOf);
    case ReturnColumn::snr:
      return fillMeasured(rows, bytes, [&](const Row& row, const TracedReturn& echo) {
        const double counted = signalOf(row, echo) * gainOf(echo);
        return detector.hasNoise() ? counted / detector.sigma() : none;
      });
    case ReturnColumn::intensityClean:
      return fillMeasured(rows, bytes, [](const Row& row, const TracedReturn& echo) {
        return row.shape == nullptr ? echo.reported.intensity : row.shape->cleanIntensity;
      });
    default:
      refuseColumn();
  }
}

// TracedReturn::incidenceRad() of at most maxIncidenceRows rows.
void fillIncidence(std::span<const Row> rows, std::byte* bytes) {
  IncidenceRows angles;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    static constexpr TracedReturn none{};
    const TracedReturn& echo = rows[row].echo == nullptr ? none : *rows[row].echo;
    const Vec3f across = cross(echo.normal, echo.rayDirection);
    angles.sineSquared[row] = dot(across, across);
    angles.cosine[row] = std::abs(dot(echo.normal, echo.rayDirection));
  }
  std::array<float, maxIncidenceRows> angleRad;
  incidenceAngles(angles, rows.size(), angleRad.data());
  fillMeasured(rows, bytes, [&](const Row& row, const TracedReturn& echo) {
    const float straight = angleRad[static_cast<std::size_t>(&row - rows.data())];
    return echo.turnedIncidenceRad < 0.0F ? straight : echo.turnedIncidenceRad;
  });
}

void fillSensorColumn(ReturnColumn column, std::span<const Row> rows, std::byte* bytes) {
  switch (column) {
    case ReturnColumn::xSensorM:
      return fillMeasured(rows, bytes, [](const Row& row, const TracedReturn& echo) {
        return row.slot->leverM.x + rangeOf(echo) * row.laser->cosine * row.slot->cosAzimuth;
      });
    case ReturnColumn::ySensorM:
      return fillMeasured(rows, bytes, [](const Row& row, const TracedReturn& echo) {
        return row.slot->leverM.y + rangeOf(echo) * row.laser->cosine * row.slot->sinAzimuth;
      });
    case ReturnColumn::zSensorM:
      return fillMeasured(rows, bytes, [](const Row& row, const TracedReturn& echo) {
        return row.slot->leverM.z + rangeOf(echo) * row.laser->sine;
      });
    default:
      refuseColumn();
  }
}

// Points in the world: of the reported and of the clean range, and of the hit.
void fillWorldColumn(ReturnColumn column, std::span<const Row> rows, std::byte* bytes) {
  using Echo = TracedReturn;
  switch (column) {
    case ReturnColumn::xM:
      return fillMeasured(rows, bytes, [](const Row& row, const Echo& e) {
        return worldPoint(row, e.reported.rangeM, &Vec3d::x);
      });
    case ReturnColumn::yM:
      return fillMeasured(rows, bytes, [](const Row& row, const Echo& e) {
        return worldPoint(row, e.reported.rangeM, &Vec3d::y);
      });
    case ReturnColumn::zM:
      return fillMeasured(rows, bytes, [](const Row& row, const Echo& e) {
        return worldPoint(row, e.reported.rangeM, &Vec3d::z);
      });
    case ReturnColumn::xCleanM:
      return fillMeasured(rows, bytes, [](const Row& row, const Echo& e) {
        return worldPoint(row, e.cleanRangeM, &Vec3d::x);
      });
    case ReturnColumn::yCleanM:
      return fillMeasured(rows, bytes, [](const Row& row, const Echo& e) {
        return worldPoint(row, e.cleanRangeM, &Vec3d::y);
      });
    case ReturnColumn::zCleanM:
      return fillMeasured(rows, bytes, [](const Row& row, const Echo& e) {
        return worldPoint(row, e.cleanRangeM, &Vec3d::z);
      });
    case ReturnColumn::hitXM:
      return fillMeasured(rows, bytes,
                          [](const Row& row, const Echo&) { return hitPointM(row).x; });
    case ReturnColumn::hitYM:
      return fillMeasured(rows, bytes,
                          [](const Row& row, const Echo&) { return hitPointM(row).y; });
    case ReturnColumn::hitZM:
      return fillMeasured(rows, bytes,
                          [](const Row& row, const Echo&) { return hitPointM(row).z; });
    default:
      refuseColumn();
  }
}

// Where the beam of a row starts, or its direction; misses have them too.
void fillBeamColumn(ReturnColumn column, std::span<const Row> rows, std::byte* bytes) {
  const auto fillOrigin = [&](double Vec3d::*axis) {
    fill<float>(rows, bytes, [axis](const Row& row) { return row.slot->originM.*axis; });
  };
  const auto fillDirection = [&](double Vec3d::*axis) {
    fill<float>(rows, bytes, [axis](const Row& row) { return beamDirection(row, axis); });
  };
  switch (column) {
    case ReturnColumn::beamOriginXM:
      return fillOrigin(&Vec3d::x);
    case ReturnColumn::beamOriginYM:
      return fillOrigin(&Vec3d::y);
    case ReturnColumn::beamOriginZM:
      return fillOrigin(&Vec3d::z);
    case ReturnColumn::beamDirectionX:
      return fillDirection(&Vec3d::x);
    case ReturnColumn::beamDirectionY:
      return fillDirection(&Vec3d::y);
    case ReturnColumn::beamDirectionZ:
      return fillDirection(&Vec3d::z);
    default:
      refuseColumn();
  }
}

void fillColumn(ReturnColumn column, const RowContext& context, std::span<const Row> rows,
                std::byte* bytes) {
  using Echo = TracedReturn;
  switch (column) {
    case ReturnColumn::timeNs:
      return fill<std::int64_t>(rows, bytes, [](const Row& row) { return row.slot->timeNs; });
    case ReturnColumn::pulse:
      return fill<std::uint64_t>(rows, bytes, [](const Row& row) { return row.pulse; });
    case ReturnColumn::ring:
      return fill<std::uint16_t>(rows, bytes, [](const Row& row) { return row.ring; });
    case ReturnColumn::azimuthRad:
      return fill<float>(rows, bytes, [](const Row& row) { return row.slot->azimuthRad; });
    case ReturnColumn::elevationRad:
      return fill<float>(rows, bytes, [](const Row& row) { return row.laser->elevationRad; });
    case ReturnColumn::returnNo:
      return fill<std::uint8_t>(rows, bytes, [](const Row& row) { return row.returnNo; });
    case ReturnColumn::nReturns:
      return fill<std::uint8_t>(rows, bytes, [](const Row& row) { return row.returnCount; });
    case ReturnColumn::rangeM:
      return fillMeasured(rows, bytes, [](const Row&, const Echo& e) { return e.reported.rangeM; });
    case ReturnColumn::intensity:
      return fillMeasured(rows, bytes,
                          [](const Row&, const Echo& e) { return e.reported.intensity; });
    case ReturnColumn::beamShare:
      return fillMeasured(rows, bytes,
                          [](const Row&, const Echo& e) { return e.reported.beamShare; });
    case ReturnColumn::xM:
    case ReturnColumn::yM:
    case ReturnColumn::zM:
    case ReturnColumn::xCleanM:
    case ReturnColumn::yCleanM:
    case ReturnColumn::zCleanM:
    case ReturnColumn::hitXM:
    case ReturnColumn::hitYM:
    case ReturnColumn::hitZM:
      return fillWorldColumn(column, rows, bytes);
    case ReturnColumn::objectId:
      return fill<std::uint32_t>(rows, bytes, [&](const Row& row) {
        return hitsObject(row) ? context.instances.idOf(row.echo->instance) : 0U;
      });
    case ReturnColumn::classId:
      return fill<std::uint16_t>(rows, bytes, [&](const Row& row) {
        if (row.echo == nullptr) return std::uint16_t{0};
        return hitsObject(row) ? context.instances[row.echo->instance].classId
                               : context.airClasses[row.echo->air];
      });
    case ReturnColumn::incidenceRad:
      return fillIncidence(rows, bytes);
    case ReturnColumn::trueRangeM:
      return fillMeasured(rows, bytes, [](const Row&, const Echo& e) { return e.trueRangeM; });
    case ReturnColumn::xSensorM:
    case ReturnColumn::ySensorM:
    case ReturnColumn::zSensorM:
      return fillSensorColumn(column, rows, bytes);
    case ReturnColumn::normalX:
      return fillMeasured(rows, bytes, [](const Row&, const Echo& e) { return e.normal.x; });
    case ReturnColumn::normalY:
      return fillMeasured(rows, bytes, [](const Row&, const Echo& e) { return e.normal.y; });
    case ReturnColumn::normalZ:
      return fillMeasured(rows, bytes, [](const Row&, const Echo& e) { return e.normal.z; });
    case ReturnColumn::rangeCleanM:
      return fillMeasured(rows, bytes, [](const Row&, const Echo& e) { return e.cleanRangeM; });
    case ReturnColumn::sensorTimeNs:
      return fill<std::int64_t>(
          rows, bytes, [&](const Row& row) { return stampNs(context.sensor, row.slot->timeNs); });
    case ReturnColumn::echoWidthM:
    case ReturnColumn::amplitude:
    case ReturnColumn::snr:
    case ReturnColumn::intensityClean:
      return fillShapeColumn(column, context, rows, bytes);
    case ReturnColumn::triangleId:
      return fill<std::uint32_t>(rows, bytes, [](const Row& row) {
        return row.echo == nullptr ? 0U : row.echo->primitive;
      });
    case ReturnColumn::mirrors:
      return fill<std::uint8_t>(rows, bytes, [](const Row& row) {
        return row.echo == nullptr ? std::uint8_t{0} : row.echo->mirrors;
      });
    case ReturnColumn::red:
    case ReturnColumn::green:
    case ReturnColumn::blue:
      return fillColour(column, context, rows, bytes);
    case ReturnColumn::beamOriginXM:
    case ReturnColumn::beamOriginYM:
    case ReturnColumn::beamOriginZM:
    case ReturnColumn::beamDirectionX:
    case ReturnColumn::beamDirectionY:
    case ReturnColumn::beamDirectionZ:
      return fillBeamColumn(column, rows, bytes);
    case ReturnColumn::isMoving:
    case ReturnColumn::velocityXMPerS:
    case ReturnColumn::velocityYMPerS:
    case ReturnColumn::velocityZMPerS:
    case ReturnColumn::radialVelocityMPerS:
      return fillMotionColumn(column, context, rows, bytes);
    case ReturnColumn::learnedPart:
    case ReturnColumn::support:
      return fillLearnedColumn(column, context, rows, bytes);
    case ReturnColumn::materialId:
      return fill<std::uint16_t>(rows, bytes, [](const Row& row) {
        return row.echo == nullptr ? std::uint16_t{0} : row.echo->material;
      });
  }
}

}  // namespace

AirClasses airClassesOf(const Scene& scene) {
  const auto classOf = [&](std::string_view name) {
    const auto found = std::ranges::find(scene.classes, name);
    return found == scene.classes.end() ? std::numeric_limits<std::uint16_t>::max()
                                        : static_cast<std::uint16_t>(found - scene.classes.begin());
  };
  AirClasses classes{classOf("noise")};
  for (std::size_t kind = 0; kind + 1 < classes.size(); ++kind) {
    classes[kind + 1] = classOf(WordsOf<AirKind>::words[kind]);
  }
  return classes;
}

bool needsShapes(std::span<const ReturnColumn> columns) {
  return std::ranges::any_of(columns, [](ReturnColumn column) {
    return column == ReturnColumn::echoWidthM || column == ReturnColumn::amplitude ||
           column == ReturnColumn::snr || column == ReturnColumn::intensityClean;
  });
}

void fillColumns(const RowContext& context, std::uint64_t batch, const TracedBatch& traced,
                 SlotRange range, std::span<const ReturnColumn> columns, bool withMisses,
                 ColumnRows& out) {
  // Why thread_local: rows of a batch are scratch; a thread reuses them from batch to batch.
  thread_local std::vector<Row> scratch;
  const std::size_t count =
      findRows(context, batch, traced, range, withMisses, scratch, out.rowEnd);
  const std::span<const Row> rows(scratch.data(), count);
  out.columns.resize(columns.size());
  for (std::size_t column = 0; column < columns.size(); ++column) {
    out.columns[column].resize(rows.size() * infoOf(columns[column]).bytes);
  }
  // Why in parts: the returns of a batch are read once for each column, and so many stay in the first cache.
  constexpr std::size_t rowsAtOnce = maxIncidenceRows;
  for (std::size_t first = 0; first < rows.size(); first += rowsAtOnce) {
    const std::span<const Row> part =
        rows.subspan(first, std::min(rowsAtOnce, rows.size() - first));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      fillColumn(columns[column], context, part,
                 out.columns[column].data() + first * infoOf(columns[column]).bytes);
    }
  }
}

}  // namespace understory
