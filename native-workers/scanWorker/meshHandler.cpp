// The mesh method.
#include "scanWorker/meshHandler.h"

#include "core/detail/simplify.h"
#include "core/fieldReader.h"
#include "core/voxels/leafSample.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

template <typename Value>
std::span<const std::byte> bytesOf(const std::vector<Value>& values) {
  return std::as_bytes(std::span(values));
}

struct MeshRequest {
  std::size_t model = 0;
  std::size_t maxTriangles = 0;
};

MeshRequest parseRequest(const Frame& request, std::size_t models) {
  return readObject(request.header.at("body"), "request", [&](FieldReader& body) {
    namespace at = fields::meshRequest;
    return MeshRequest{body.index(at::model, models, "models"),
                       body.integer<std::size_t>(at::maxTriangles)};
  });
}

Message replyOf(const std::shared_ptr<const Mesh>& mesh, bool isWhole) {
  Message reply;
  reply.body = {{"triangles", mesh->triangles.size()}, {"isWhole", isWhole}};
  reply.storage = mesh;
  reply.columns = {
      {"position", "f32", 3 * mesh->vertices.size(), bytesOf(mesh->vertices)},
      {"index", "u32", 3 * mesh->triangles.size(), bytesOf(mesh->triangles)},
      {"material", "u16", mesh->materialOfTriangle.size(), bytesOf(mesh->materialOfTriangle)}};
  return reply;
}

}  // namespace

Message handleSceneMesh(const TracedScene& scene, const Frame& request, Call& call,
                        LastParts& last) {
  const auto [model, maxTriangles] = parseRequest(request, scene.scene().models.size());
  const Watch watch = watchOf(call);
  const Model& asked = scene.scene().models[model];
  if (asked.voxels) {
    return replyOf(
        std::make_shared<const Mesh>(leafSample(*asked.voxels, maxTriangles, asked.volumeMaterial)),
        false);
  }
  if (!last.parts || last.model != model) {
    last.parts.reset();
    last.parts = std::make_unique<const MeshParts>(partsOf(scene.triangles().meshOf(model), watch));
    last.model = model;
  }
  const auto mesh = std::make_shared<const Mesh>(simplify(*last.parts, maxTriangles, watch));
  return replyOf(mesh, mesh->triangles.size() == last.parts->order.size());
}

}  // namespace understory
