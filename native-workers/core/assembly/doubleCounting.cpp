// Occupied cells of each plant in its own frame, and a grid of where plants stand.
#include "core/assembly/doubleCounting.h"

#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/learned/learnedModel.h"

namespace understory {
namespace {

constexpr double cellM = 0.2;
constexpr double binM = 4.0;
constexpr std::size_t maxShareDivisor = 10;

// Within 2^20 cells of the origin a number of its own; farther ones repeat, which only costs time.
std::uint64_t keyOf(Vec3d at, double sizeM) {
  const auto part = [&](double value) {
    const auto index = static_cast<std::int64_t>(std::floor(value / sizeM));
    return static_cast<std::uint64_t>(index) & 0x1FFFFFU;
  };
  return part(at.x) | part(at.y) << 21U | part(at.z) << 42U;
}

// Cells that corners and middles of a model's triangles lie in.
std::unordered_set<std::uint64_t> occupiedCells(const Mesh& mesh) {
  std::unordered_set<std::uint64_t> cells;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3f middle = (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) * (1.0F / 3.0F);
    for (const Vec3f at : {mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], middle}) {
      cells.insert(keyOf(toDouble(at), cellM));
    }
  }
  return cells;
}

// Plants by place.
class Plants {
 public:
  Plants(const SceneRecipe& recipe, const Scene& scene)
      : scene_(scene), cells_(scene.models.size()) {
    for (std::uint32_t index = 0; index < scene.instances.size(); ++index) {
      const Instance& instance = scene.instances[index];
      const Model& model = scene.models[instance.model];
      const bool isPlant =
          std::holds_alternative<PlantSource>(recipe.models[instance.model].source.shape);
      if (!isPlant || isEmpty(model.bounds)) continue;
      if (cells_[instance.model].empty()) cells_[instance.model] = occupiedCells(model.mesh);
      const Boundsf box =
          worldBounds({instance.positionM, instance.rotation, instance.scale}, model.bounds);
      for (double y = from(box.min.y); y <= static_cast<double>(box.max.y); y += binM) {
        for (double x = from(box.min.x); x <= static_cast<double>(box.max.x); x += binM) {
          bins_[keyOf({x + 0.5 * binM, y + 0.5 * binM, 0.0}, binM)].push_back(index);
        }
      }
    }
  }

  bool isEmpty() const { return bins_.empty(); }

  // The model of a plant that occupies a place; null: there is none.
  const Model* at(Vec3d placeM) const {
    const auto bin = bins_.find(keyOf({placeM.x, placeM.y, 0.0}, binM));
    if (bin == bins_.end()) return nullptr;
    for (const std::uint32_t index : bin->second) {
      const Instance& instance = scene_.instances[index];
      const Quatd& q = instance.rotation;
      const Vec3d own =
          rotate({-q.x, -q.y, -q.z, q.w}, placeM - instance.positionM) * (1.0 / instance.scale);
      if (cells_[instance.model].contains(keyOf(own, cellM))) return &scene_.models[instance.model];
    }
    return nullptr;
  }

 private:
  static bool isEmpty(const Boundsf& bounds) { return understory::isEmpty(bounds); }
  static double from(float valueM) { return binM * std::floor(static_cast<double>(valueM) / binM); }

  const Scene& scene_;
  std::vector<std::unordered_set<std::uint64_t>> cells_;  // by model
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> bins_;
};

}  // namespace

void refuseDoubleCounting(const SceneRecipe& recipe, const Scene& scene, const Watch& watch) {
  std::vector<const Instance*> learned;
  for (const Instance& instance : scene.instances) {
    const LearnedModel* model = scene.models[instance.model].learned.get();
    if (model != nullptr && model->elements.size() > 0) learned.push_back(&instance);
  }
  if (learned.empty()) return;
  const Plants plants(recipe, scene);
  if (plants.isEmpty()) return;
  for (const Instance* instance : learned) {
    const Model& model = scene.models[instance->model];
    const std::vector<Vec3f>& meansM = model.learned->elements.meansM;
    const Placement placement{instance->positionM, instance->rotation, instance->scale};
    std::size_t twice = 0;
    const Model* plant = nullptr;
    for (std::size_t element = 0; element < meansM.size(); ++element) {
      if (element % 65536 == 0) watch.throwIfCancelled();
      const Model* found = plants.at(worldFromModel(placement, toDouble(meansM[element])));
      if (found == nullptr) continue;
      ++twice;
      plant = found;
    }
    if (twice * maxShareDivisor <= meansM.size()) continue;
    const std::size_t percent = 100 * twice / meansM.size();
    throw UnderstoryError(ErrorCode::badInput,
                          "model '" + model.name +
                              "': expected elements where no plant stands, found " +
                              std::to_string(percent) + " % of them in plants such as '" +
                              plant->name + "': the same vegetation would count twice",
                          {{"model", model.name}, {"plant", plant->name}, {"percent", percent}});
  }
}

}  // namespace understory
