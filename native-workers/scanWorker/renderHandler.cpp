// The render method.
#include "scanWorker/renderHandler.h"

#include "render/render.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

RenderView parseView(const nlohmann::json& body) {
  const auto& positionM = body.at("positionM");
  RenderView view;
  view.positionM = {positionM.at(0).get<double>(), positionM.at(1).get<double>(),
                    positionM.at(2).get<double>()};
  view.yawRad = body.at("yawRad").get<double>();
  view.pitchRad = body.at("pitchRad").get<double>();
  view.verticalFovRad = body.at("verticalFovRad").get<double>();
  view.orthographicHeightM = body.value("orthographicHeightM", 0.0);
  view.widthPx = body.at("widthPx").get<std::uint32_t>();
  view.heightPx = body.at("heightPx").get<std::uint32_t>();
  view.samplesPerPixel = body.at("samplesPerPixel").get<std::uint32_t>();
  return view;
}

}  // namespace

Message handleRender(const EmbreeScene& scene, const Frame& request, Call& call) {
  const auto pixels = std::make_shared<const std::vector<std::uint8_t>>(
      renderPicture(scene, parseView(request.header.at("body")), watchOf(call)));
  Message reply;
  reply.columns = {{"rgb", "u8", pixels->size(), std::as_bytes(std::span(*pixels))}};
  reply.storage = pixels;
  return reply;
}

}  // namespace understory
