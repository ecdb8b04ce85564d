// Measures of models, and rows of their instances.
#include "truth/plantTruth.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mutation.h"
#include "core/scene/foliage.h"
#include "truth/plantParts.h"

namespace understory {
namespace {

constexpr double breastHeightM = 1.3;
constexpr std::uint16_t leafNumber = 0;
constexpr std::uint16_t otherNumber = 1;

// The triangles of a model, with leafNumber as the material of its leaves.
Mesh leavesOf(const Scene& scene, const Model& model, const MeshView& view) {
  Mesh mesh;
  mesh.vertices.assign(view.vertices.begin(), view.vertices.end());
  mesh.triangles.assign(view.triangles.begin(), view.triangles.end());
  for (const std::uint16_t material : view.materialOfTriangle) {
    const bool isLeaf = partOf(scene, model, material) == PlantPart::leaf;
    mesh.materialOfTriangle.push_back(isLeaf ? leafNumber : otherNumber);
  }
  return mesh;
}

void measureCrown(const Foliage& foliage, double footZ, PlantModelTruth& truth) {
  const double sides = activeMutation() == Mutation::truthTwoSided ? 2.0 : 1.0;
  truth.leafAreaM2 = sides * foliage.leafAreaM2;
  truth.crownBaseM = foliage.layers.front().fromM - footZ;
  truth.crownWidthM = 2.0 * std::sqrt(foliage.crownAreaM2 / piRad);
  truth.crownVolumeM3 = foliage.crownVolumeM3();
}

double orNone(std::optional<double> value, double factor) {
  return value ? *value * factor : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::optional<PlantModelTruth> measurePlant(const Scene& scene, const Model& model,
                                            const MeshView& mesh) {
  if (!hasPlantParts(scene, model)) return std::nullopt;
  std::vector<Wood::Triangle> wood;
  Boundsf box;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    const auto part = partOf(scene, model, mesh.materialOfTriangle[index]);
    if (!part) continue;
    const auto& [a, b, c] = mesh.triangles[index];
    for (const std::uint32_t corner : {a, b, c}) extend(box, mesh.vertices[corner]);
    if (part != PlantPart::wood) continue;
    wood.push_back({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]});
  }
  PlantModelTruth truth;
  truth.wood = Wood(wood);
  if (!model.isPlant) {
    const Vec3d low = toDouble(box.min);
    const Vec3d high = toDouble(box.max);
    const Vec3d middle{0.5 * (low.x + high.x), 0.5 * (low.y + high.y), low.z};
    truth.footM = truth.wood.footM().value_or(middle);
  }
  truth.heightM = static_cast<double>(box.max.z) - truth.footM.z;
  if (model.isPlant || !wood.empty()) truth.woodAreaM2 = truth.wood.areaM2();
  truth.woodVolumeM3 = wood.empty() && model.isPlant ? 0.0 : truth.wood.volumeM3();
  const Foliage foliage = measureFoliage(leavesOf(scene, model, mesh), leafNumber);
  if (!foliage.layers.empty()) measureCrown(foliage, truth.footM.z, truth);
  return truth;
}

bool PlantTruth::addRow(const Instance& instance, PlantTruthRows& rows) const {
  const auto& model = models_[instance.model];
  if (!model) return false;
  const double scale = instance.scale;
  const double squared = scale * scale;
  const Vec3d foot =
      worldFromModel(Placement{instance.positionM, instance.rotation, scale}, model->footM) +
      scene_.originM;
  rows.instanceId.push_back(instance.id);
  rows.modelId.push_back(instance.model);
  rows.classId.push_back(instance.classId);
  rows.xM.push_back(foot.x);
  rows.yM.push_back(foot.y);
  rows.zM.push_back(foot.z);
  rows.scale.push_back(scale);
  const double sectionM = model->footM.z + breastHeightM / scale;
  rows.dbhM.push_back(orNone(model->wood.trunkDiameterM(sectionM), scale));
  rows.heightM.push_back(model->heightM * scale);
  rows.crownBaseM.push_back(orNone(model->crownBaseM, scale));
  rows.crownWidthM.push_back(orNone(model->crownWidthM, scale));
  rows.crownVolumeM3.push_back(orNone(model->crownVolumeM3, squared * scale));
  rows.leafAreaM2.push_back(orNone(model->leafAreaM2, squared));
  rows.woodAreaM2.push_back(orNone(model->woodAreaM2, squared));
  rows.woodVolumeM3.push_back(orNone(model->woodVolumeM3, squared * scale));
  return true;
}

}  // namespace understory
