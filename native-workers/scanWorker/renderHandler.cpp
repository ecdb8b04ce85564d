// The render method.
#include "scanWorker/renderHandler.h"

#include "core/fieldReader.h"
#include "render/render.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

RenderView parseView(FieldReader& body) {
  namespace at = fields::renderRequest;
  RenderView view;
  const auto positionM = body.numbers<3>(at::positionM);
  view.positionM = {positionM[0], positionM[1], positionM[2]};
  view.yawRad = body.number(at::yawRad);
  view.pitchRad = body.number(at::pitchRad);
  view.verticalFovRad = body.number(at::verticalFovRad);
  view.orthographicHeightM = body.number(at::orthographicHeightM, 0.0);
  view.widthPx = body.integer<std::uint32_t>(at::widthPx);
  view.heightPx = body.integer<std::uint32_t>(at::heightPx);
  view.samplesPerPixel = body.integer<std::uint32_t>(at::samplesPerPixel);
  return view;
}

}  // namespace

Message handleRender(const TracedScene& scene, const Frame& request, Call& call) {
  const auto pixels = std::make_shared<const std::vector<std::uint8_t>>(renderPicture(
      {scene.triangles(), &scene.resting(), &scene.swaying(), &scene.voxels(), &scene.landscapes()},
      scene.truth(), readObject(request.header.at("body"), "request", parseView), watchOf(call)));
  Message reply;
  reply.columns = {{"rgb", "u8", pixels->size(), std::as_bytes(std::span(*pixels))}};
  reply.storage = pixels;
  return reply;
}

}  // namespace understory
