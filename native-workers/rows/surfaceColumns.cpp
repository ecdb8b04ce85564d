// Colour, motion and learned part of the surface that was hit.
#include "rows/surfaceColumns.h"

#include <limits>
#include <optional>

#include "core/learned/learnedModel.h"
#include "core/scene/motions.h"
#include "core/scene/surfaceColour.h"
#include "core/scene/sway.h"
#include "core/sensor/trajectory.h"
#include "rows/fillRows.h"

namespace understory {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// None of what is no object: false alarms, and drops, whose fall is not simulated.
Vec3d velocityOfHit(const RowContext& context, const Row& row) {
  if (!hitsObject(row)) return {none, none, none};
  const Instance instance = context.scene.instanceAt(row.echo->instance);
  const std::int64_t timeNs = row.slot->timeNs;
  if (instance.isMoving()) return velocityAt(context.motions, instance, timeNs, hitPointM(row));
  if (!sways(context.scene, instance)) return {};
  return swayOf(context.scene, instance).velocityMPerS(hitPointM(row).z, timeNs);
}

bool isMoving(const RowContext& context, const Row& row) {
  if (!hitsObject(row)) return false;
  const Instance instance = context.scene.instanceAt(row.echo->instance);
  return instance.isMoving() || sways(context.scene, instance);
}

}  // namespace

void fillMotionColumn(ReturnColumn column, const RowContext& context, std::span<const Row> rows,
                      std::byte* bytes) {
  const auto fillVelocity = [&](double Vec3d::*axis) {
    fillMeasured(rows, bytes, [&, axis](const Row& row, const TracedReturn&) {
      return velocityOfHit(context, row).*axis;
    });
  };
  switch (column) {
    case ReturnColumn::isMoving:
      return fill<std::uint8_t>(rows, bytes,
                                [&](const Row& row) { return isMoving(context, row) ? 1 : 0; });
    case ReturnColumn::velocityXMPerS:
      return fillVelocity(&Vec3d::x);
    case ReturnColumn::velocityYMPerS:
      return fillVelocity(&Vec3d::y);
    case ReturnColumn::velocityZMPerS:
      return fillVelocity(&Vec3d::z);
    case ReturnColumn::radialVelocityMPerS:
      return fillMeasured(rows, bytes, [&](const Row& row, const TracedReturn& echo) {
        // Mirrors and water turn the ray: the way grows by other directions than the one that is seen.
        if (echo.turnedIncidenceRad >= 0.0F) return none;
        const Vec3d ofSensor = velocityAt(context.trajectory, row.slot->timeNs);
        const Vec3d direction = normalized(toDouble(echo.rayDirection));
        return dot(velocityOfHit(context, row) - ofSensor, direction);
      });
    default:
      refuseColumn();
  }
}

void fillColour(ReturnColumn channel, const RowContext& context, std::span<const Row> rows,
                std::byte* bytes) {
  const std::size_t index =
      channel == ReturnColumn::red ? 0 : (channel == ReturnColumn::green ? 1 : 2);
  fill<std::uint8_t>(rows, bytes, [&](const Row& row) -> std::uint8_t {
    if (!hitsObject(row)) return 0;
    const TracedReturn& echo = *row.echo;
    const Instance instance = context.scene.instanceAt(echo.instance);
    const std::int64_t timeNs = row.slot->timeNs;
    Vec3d pointM = unswayed(context.scene, instance, timeNs, hitPointM(row));
    if (instance.isMoving()) pointM = undisplaced(context.motions, instance, timeNs, pointM);
    return surfaceColour(context.scene, echo.instance, echo.primitive, echo.material,
                         pointM)[index];
  });
}

void fillLearnedColumn(ReturnColumn column, const RowContext& context, std::span<const Row> rows,
                       std::byte* bytes) {
  const auto primitiveOfRow = [&](const Row& row) -> std::optional<LearnedPrimitive> {
    if (!hitsObject(row)) return std::nullopt;
    const LearnedModel* model =
        context.scene.models[context.scene.modelOf(row.echo->instance)].learned.get();
    if (model == nullptr) return std::nullopt;
    return primitiveOf(*model, row.echo->primitive);
  };
  if (column == ReturnColumn::support) {
    return fill<std::uint32_t>(rows, bytes, [](const Row& row) { return row.support; });
  }
  fill<std::uint8_t>(rows, bytes, [&](const Row& row) {
    const auto met = primitiveOfRow(row);
    return met ? 1U + static_cast<unsigned>(met->part) : 0U;
  });
}

}  // namespace understory
