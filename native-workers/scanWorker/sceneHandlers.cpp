// The scene methods.
#include "scanWorker/sceneHandlers.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <chrono>
#include <tuple>

#include "core/assembly/assemble.h"
#include "core/assembly/summary.h"
#include "core/error.h"
#include "core/fieldReader.h"
#include "scanWorker/scanHandler.h"
#include "surfaces/heightAt.h"

namespace understory {
namespace {

Scene assembleFrom(const Frame& request, Call& call, const MeshStore* meshStore) {
  AssembleOptions options;
  options.watch = watchOf(call);
  options.meshStore = meshStore;
  std::vector<float> heightsM;
  if (!request.columns.empty()) heightsM = request.values(TypedColumn<float>{"heights"});
  return readObject(request.header.at("body"), "request", [&](FieldReader& body) {
    namespace at = fields::sceneRequest;
    options.memoryLimitBytes = body.integer<std::uint64_t>(at::memoryLimitBytes);
    return assembleScene(body.any(at::recipe), heightsM, options);
  });
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

Message rowsReply(nlohmann::json body, const std::shared_ptr<const InstanceColumns>& rows) {
  Message reply;
  reply.body = std::move(body);
  reply.storage = rows;
  forEachColumnOfInstanceColumns(
      [&](auto column, const auto& values) { reply.columns.push_back(viewOf(column, values)); },
      *rows);
  return reply;
}

}  // namespace

Message handleScenePlan(const Frame& request, Call& call, const MeshStore* meshStore) {
  Message reply;
  reply.body = summariseScene(assembleFrom(request, call, meshStore));
  return reply;
}

Message handleSceneBuild(const std::shared_ptr<const EmbreeDevice>& device, const Frame& request,
                         Call& call, const MeshStore* meshStore,
                         std::unique_ptr<const TracedScene>& scene) {
  const GiveMemoryBack giveMemoryBack;
  scene.reset();
  const auto start = std::chrono::steady_clock::now();
  Scene assembled = assembleFrom(request, call, meshStore);
  Message reply;
  reply.body = summariseScene(assembled);
  scene = std::make_unique<const TracedScene>(device, std::move(assembled), watchOf(call));
  reply.body["buildSeconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

Message handleHeightAt(const TracedScene& scene, const Frame& request) {
  const auto [xM, yM, ofGround] =
      readObject(request.header.at("body"), "request", [](FieldReader& body) {
        namespace at = fields::heightRequest;
        return std::tuple{body.number(at::xM), body.number(at::yM), body.flag(at::ofGround)};
      });
  auto heightM = heightAt(scene.sources(), scene.scene(), sceneBounds(scene.scene()), xM, yM);
  if (heightM && ofGround) heightM = scene.scene().groundHeightM(xM, yM);
  Message reply;
  reply.body = {{"heightM", heightM ? nlohmann::json(*heightM) : nlohmann::json()}};
  return reply;
}

Message handleSceneInstances(const TracedScene& scene, const Frame& request) {
  const auto rows = std::make_shared<const InstanceColumns>(
      readObject(request.header.at("body"), "request", [&](FieldReader& body) {
        namespace at = fields::instancesRequest;
        const auto fromRow = body.integer<std::size_t>(at::fromRow);
        return instanceColumns(scene.scene(), fromRow, body.integer<std::size_t>(at::maxRows));
      }));
  return rowsReply({{"total", scene.scene().instances.size()}}, rows);
}

Message handleScenePlants(const TracedScene& scene, const Frame& request) {
  const std::vector<std::uint32_t> ids = request.values(columns::plantsRequest::instanceId);
  const auto rows = std::make_shared<const InstanceColumns>(plantColumns(scene.scene(), ids));
  return rowsReply({{"rows", rows->size()}}, rows);
}

}  // namespace understory
