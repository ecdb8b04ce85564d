// The mesh method.
#include "scanWorker/meshHandler.h"

#include "core/detail/simplify.h"
#include "core/error.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

constexpr std::size_t minTriangles = 50;

template <typename Value>
std::span<const std::byte> bytesOf(const std::vector<Value>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

Message handleSceneMesh(const EmbreeScene& scene, const Frame& request, Call& call,
                        LastParts& last) {
  const nlohmann::json& body = request.header.at("body");
  const auto model = body.at("model").get<std::size_t>();
  const auto maxTriangles = body.at("mostTriangles").get<std::size_t>();
  if (model >= scene.scene().models.size()) {
    throw UnderstoryError("bad-input", "scene.mesh: there is no such model");
  }
  if (maxTriangles < minTriangles) {
    throw UnderstoryError("bad-input", "scene.mesh: expected at least 50 triangles");
  }
  const Watch watch = watchOf(call);
  if (!last.parts || last.model != model) {
    last.parts.reset();
    last.parts = std::make_unique<const MeshParts>(partsOf(scene.meshOf(model), watch));
    last.model = model;
  }
  const auto mesh = std::make_shared<const Mesh>(simplify(*last.parts, maxTriangles, watch));
  Message reply;
  reply.body = {{"triangles", mesh->triangles.size()},
                {"isWhole", mesh->triangles.size() == last.parts->order.size()}};
  reply.storage = mesh;
  reply.columns = {{"position", "f32", 3 * mesh->vertices.size(), bytesOf(mesh->vertices)},
                   {"index", "u32", 3 * mesh->triangles.size(), bytesOf(mesh->triangles)},
                   {"material", "u16", mesh->materialOfTriangle.size(),
                    bytesOf(mesh->materialOfTriangle)}};
  return reply;
}

}  // namespace understory
