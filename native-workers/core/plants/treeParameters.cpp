// Reads the parameters of a tree (src-main/contract/documents/plant.ts, treeSchema).
#include <array>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/plants/generators.h"
#include "core/plants/treeSkeleton.h"

namespace understory {

namespace {

using nlohmann::json;

CrownShape shapeNamed(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, CrownShape>, 6> shapes{
      {{"conical", CrownShape::conical},
       {"spherical", CrownShape::spherical},
       {"hemispherical", CrownShape::hemispherical},
       {"cylindrical", CrownShape::cylindrical},
       {"tapered", CrownShape::tapered},
       {"flame", CrownShape::flame}}};
  for (const auto& [known, shape] : shapes) {
    if (known == name) return shape;
  }
  throw UnderstoryError("bad-input", "plant: no crown shape is called '" + name + "'");
}

std::uint32_t countOf(const json& value, const char* name, std::uint32_t least) {
  const auto count = value.at(name).get<std::int64_t>();
  constexpr std::int64_t most = 10000;
  if (count < least || count > most) {
    throw UnderstoryError("bad-input", std::string("plant: ") + name + ": expected " +
                                           std::to_string(least) + " to 10000");
  }
  return static_cast<std::uint32_t>(count);
}

double degrees(const json& value, const char* name) {
  return value.at(name).get<double>() * radPerDeg;
}

void parseBends(const json& value, BranchOrder& order) {
  order.curveRad = degrees(value, "curveDeg");
  order.curveVariationRad = degrees(value, "curveVariationDeg");
  order.segments = countOf(value, "segments", 1);
  order.sides = countOf(value, "sides", 3);
}

}  // namespace

TreeParameters parseTree(const json& plant) {
  TreeParameters tree;
  tree.heightM = plant.at("heightM").get<double>();
  tree.crownBaseM = plant.at("crownBaseM").get<double>();
  tree.crownShape = shapeNamed(plant.at("crownShape").get<std::string>());
  tree.ratioPower = plant.at("ratioPower").get<double>();
  tree.attractionUp = plant.at("attractionUp").get<double>();
  const json& trunk = plant.at("trunk");
  tree.trunkRadiusM = trunk.at("radiusM").get<double>();
  tree.flare = trunk.at("flare").get<double>();
  if (!(tree.heightM > tree.crownBaseM && tree.crownBaseM >= 0.0 && tree.trunkRadiusM > 0.0)) {
    throw UnderstoryError("bad-input", "plant: expected 0 <= crownBaseM < heightM");
  }
  BranchOrder trunkOrder;
  parseBends(trunk, trunkOrder);
  tree.orders.push_back(trunkOrder);
  for (const json& level : plant.at("levels")) {
    BranchOrder order;
    order.branches = countOf(level, "branches", 1);
    order.lengthRatio = level.at("lengthRatio").get<double>();
    order.lengthVariation = level.at("lengthVariation").get<double>();
    order.downAngleRad = degrees(level, "downAngleDeg");
    order.downAngleVariationRad = degrees(level, "downAngleVariationDeg");
    order.rotateRad = degrees(level, "rotateDeg");
    order.rotateVariationRad = degrees(level, "rotateVariationDeg");
    parseBends(level, order);
    tree.orders.push_back(order);
  }
  if (tree.orders.size() < 2) throw UnderstoryError("bad-input", "plant: expected a level");
  return tree;
}

}  // namespace understory
