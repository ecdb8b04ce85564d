// The scene methods.
#include "scanWorker/sceneHandlers.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <chrono>
#include <cstring>

#include "core/error.h"
#include "core/assembly/assemble.h"
#include "core/assembly/summary.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

using nlohmann::json;

Scene assembleFrom(const Frame& request, Call& call, const MeshStore* meshStore) {
  const json& body = request.header.at("body");
  AssembleOptions options;
  options.watch = watchOf(call);
  options.meshStore = meshStore;
  options.memoryLimitBytes = body.at("memoryLimitBytes").get<std::uint64_t>();
  std::vector<float> heightsM;
  if (!request.columns.empty()) {
    const ColumnView& column = request.column("heights", "f32");
    heightsM.resize(column.count);
    if (column.count > 0) std::memcpy(heightsM.data(), column.bytes.data(), column.bytes.size());
  }
  return assembleScene(body.at("recipe"), heightsM, options);
}

// At the end of a build, however it ends. Why: it leaves millions of small blocks behind, which the C
// library would keep for this process.
struct GiveMemoryBack {
  GiveMemoryBack() = default;
  ~GiveMemoryBack() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
  }
  GiveMemoryBack(const GiveMemoryBack&) = delete;
  GiveMemoryBack& operator=(const GiveMemoryBack&) = delete;
};

template <typename Value>
ColumnView view(const char* name, const char* type, const std::vector<Value>& values) {
  return {name, type, values.size(), std::as_bytes(std::span(values))};
}

}  // namespace

Message handleScenePlan(const Frame& request, Call& call, const MeshStore* meshStore) {
  Message reply;
  reply.body = summariseScene(assembleFrom(request, call, meshStore));
  return reply;
}

Message handleSceneBuild(const std::shared_ptr<const EmbreeDevice>& device, const Frame& request,
                         Call& call, const MeshStore* meshStore,
                         std::unique_ptr<const EmbreeScene>& scene) {
  const GiveMemoryBack giveMemoryBack;
  scene.reset();
  const auto start = std::chrono::steady_clock::now();
  Scene assembled = assembleFrom(request, call, meshStore);
  Message reply;
  reply.body = summariseScene(assembled);
  scene = std::make_unique<const EmbreeScene>(device, std::move(assembled), watchOf(call));
  reply.body["buildSeconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

Message handleSceneInstances(const EmbreeScene& scene, const Frame& request) {
  const json& body = request.header.at("body");
  const auto rows = std::make_shared<const InstanceColumns>(
      instanceColumns(scene.scene(), body.at("fromRow").get<std::size_t>(),
                      body.at("maxRows").get<std::size_t>()));
  Message reply;
  reply.body = {{"total", scene.scene().instances.size()}};
  reply.storage = rows;
  reply.columns = {view("instance_id", "u32", rows->instanceId),
                   view("model_id", "u16", rows->modelId),
                   view("class_id", "u16", rows->classId),
                   view("x_m", "f64", rows->xM),
                   view("y_m", "f64", rows->yM),
                   view("z_m", "f64", rows->zM),
                   view("qx", "f64", rows->qx),
                   view("qy", "f64", rows->qy),
                   view("qz", "f64", rows->qz),
                   view("qw", "f64", rows->qw),
                   view("scale", "f64", rows->scale),
                   view("min_x_m", "f32", rows->minXM),
                   view("min_y_m", "f32", rows->minYM),
                   view("min_z_m", "f32", rows->minZM),
                   view("max_x_m", "f32", rows->maxXM),
                   view("max_y_m", "f32", rows->maxYM),
                   view("max_z_m", "f32", rows->maxZM)};
  return reply;
}

}  // namespace understory
