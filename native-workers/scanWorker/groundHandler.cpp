// The ground of learned models as columns.
#include "scanWorker/groundHandler.h"

#include <memory>
#include <vector>

#include "core/learned/learnedGround.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

// The columns of a LearnedGround that are not vectors of numbers in it.
struct GroundColumns {
  LearnedGround ground;
  std::vector<std::uint32_t> instanceId;
  std::vector<std::uint32_t> body;
  std::vector<std::uint32_t> start{0};
  std::vector<float> cornerX;
  std::vector<float> cornerY;
  std::vector<float> coverX;
  std::vector<float> coverY;
};

std::vector<PlacedLearned> placedSurfaces(const TracedScene& scene) {
  std::vector<PlacedLearned> placed;
  for (const Instance& instance : scene.scene().instances) {
    const LearnedModel* model = scene.scene().models[instance.model].learned.get();
    if (model == nullptr) continue;
    const MeshView mesh = scene.triangles().meshOf(instance.model);
    placed.push_back({instance.id,
                      {instance.positionM, instance.rotation, instance.scale},
                      mesh.vertices,
                      mesh.triangles,
                      model,
                      instance.isMoving()});
  }
  return placed;
}

}  // namespace

Message handleSceneGround(const TracedScene& scene, Call& call) {
  auto made = std::make_shared<GroundColumns>();
  made->ground = learnedGround(placedSurfaces(scene), scene.scene().groundHeightM, watchOf(call));
  const LearnedGround& ground = made->ground;
  for (const LearnedGround::Outline& outline : ground.obstacles) {
    made->instanceId.push_back(outline.instanceId);
    made->body.push_back(outline.body);
    for (const Vec2f cornerM : outline.cornersM) {
      made->cornerX.push_back(cornerM.x);
      made->cornerY.push_back(cornerM.y);
    }
    made->start.push_back(static_cast<std::uint32_t>(made->cornerX.size()));
  }
  for (const Vec2f centreM : ground.coverM) {
    made->coverX.push_back(centreM.x);
    made->coverY.push_back(centreM.y);
  }
  Message reply;
  reply.body = {{"columns", ground.columns},
                {"rows", ground.rows},
                {"originM", ground.originM},
                {"stepM", ground.stepM}};
  namespace at = columns::ground;
  reply.columns = {
      viewOf(at::heightM, ground.heightsM), viewOf(at::outlineInstanceId, made->instanceId),
      viewOf(at::outlineBody, made->body),  viewOf(at::outlineStart, made->start),
      viewOf(at::cornerXM, made->cornerX),  viewOf(at::cornerYM, made->cornerY),
      viewOf(at::coverXM, made->coverX),    viewOf(at::coverYM, made->coverY)};
  reply.storage = std::move(made);
  return reply;
}

}  // namespace understory
