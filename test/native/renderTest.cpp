// Pictures: what is seen where, in either projection, and the same on any number of threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/scene/primitives.h"
#include "render/render.h"
#include "test/native/support/scenes.h"

using namespace understory;

namespace {

Material coloured(const std::string& name, const std::array<float, 3>& colourRgb) {
  Material material{name, 0.5};
  material.colourRgb = colourRgb;
  return material;
}

// A red box of 2 m above a green ground, 10 m ahead of the eye at the origin, 1 m up.
std::unique_ptr<const TracedScene> redBoxScene(std::size_t threads = 2) {
  Scene scene;
  scene.materials = {coloured("green", {0.1F, 0.8F, 0.1F}), coloured("red", {0.8F, 0.1F, 0.1F})};
  scene.classes = {"thing"};
  for (Mesh mesh : {makePlane(100, 100, 1, 0).mesh, makeBox({2, 2, 2}, 1).mesh}) {
    Model model;
    for (const Vec3f vertex : mesh.vertices) extend(model.bounds, vertex);
    model.mesh = std::move(mesh);
    scene.models.push_back(std::move(model));
  }
  scene.instances = {{1, 0, 0, {0, 0, 0}, {}, 1.0}, {2, 1, 0, {10, 0, 1}, {}, 1.0}};
  return std::make_unique<const TracedScene>(testDevice(threads), std::move(scene), Watch{});
}

RenderView straightAhead() {
  RenderView view;
  view.positionM = {0, 0, 1};
  view.verticalFovRad = 0.6;
  view.widthPx = 96;
  view.heightPx = 64;
  view.samplesPerPixel = 4;
  return view;
}

enum class Seen { red, green, sky };

Seen seenAt(const RenderView& view, const std::vector<std::uint8_t>& rgb, std::size_t column,
            std::size_t row) {
  const std::uint8_t* at = rgb.data() + 3 * (row * view.widthPx + column);
  if (at[0] > at[1] && at[0] > at[2]) return Seen::red;
  return at[1] > at[2] ? Seen::green : Seen::sky;
}

}  // namespace

TEST_CASE("a view shows every object at its place") {
  const auto scene = redBoxScene();
  const RenderView view = straightAhead();
  const auto rgb = renderPicture({scene->triangles()}, scene->truth(), view, {});
  REQUIRE(rgb.size() == 3U * 96 * 64);
  CHECK(seenAt(view, rgb, 48, 32) == Seen::red);
  CHECK(seenAt(view, rgb, 48, 2) == Seen::sky);
  CHECK(seenAt(view, rgb, 48, 62) == Seen::green);
  CHECK(seenAt(view, rgb, 5, 60) == Seen::green);
  CHECK(seenAt(view, rgb, 5, 10) == Seen::sky);
}

TEST_CASE("the edges of an orthographic view from above are where its height says") {
  const auto scene = redBoxScene();
  RenderView view = straightAhead();
  view.positionM = {10, 0, 50};
  view.pitchRad = 0.5 * piRad;
  view.orthographicHeightM = 8.0;  // 8 pixels a metre: the box covers 16 x 16 about the middle
  const auto rgb = renderPicture({scene->triangles()}, scene->truth(), view, {});
  for (std::size_t row = 0; row < 64; ++row) {
    for (std::size_t column = 0; column < 96; ++column) {
      const bool isBox = row >= 24 && row < 40 && column >= 40 && column < 56;
      REQUIRE((seenAt(view, rgb, column, row) == Seen::red) == isBox);
    }
  }
}

TEST_CASE("yaw turns to the left and pitch down") {
  const auto scene = redBoxScene();
  RenderView view = straightAhead();
  view.yawRad = 0.2;  // the box moves to the right
  auto rgb = renderPicture({scene->triangles()}, scene->truth(), view, {});
  CHECK(seenAt(view, rgb, 48, 32) != Seen::red);
  CHECK(seenAt(view, rgb, 69, 32) == Seen::red);
  view = straightAhead();
  view.pitchRad = 0.2;  // the box moves up
  rgb = renderPicture({scene->triangles()}, scene->truth(), view, {});
  CHECK(seenAt(view, rgb, 48, 11) == Seen::red);
  CHECK(seenAt(view, rgb, 48, 40) == Seen::green);
}

TEST_CASE("a picture is the same on one thread and two, can be cancelled and refuses odd sizes") {
  const RenderView view = straightAhead();
  const auto on = [&](std::size_t threads) {
    const auto scene = redBoxScene(threads);
    return renderPicture({scene->triangles()}, scene->truth(), view, {});
  };
  CHECK(on(1) == on(2));
  const auto scene = redBoxScene();
  const std::atomic<bool> isCancelled{true};
  Watch watch;
  watch.isCancelled = &isCancelled;
  CHECK_THROWS_AS(renderPicture({scene->triangles()}, scene->truth(), view, watch),
                  UnderstoryError);
  RenderView empty = view;
  empty.widthPx = 0;
  CHECK_THROWS_AS(renderPicture({scene->triangles()}, scene->truth(), empty, {}), UnderstoryError);
}

TEST_CASE("a leaf card shows its image, and what lies behind its holes") {
  // Two by two texels on the side of 2 m that faces the camera: red and a hole above, a hole and blue below.
  Scene scene;
  scene.materials = {coloured("grey", {0.5F, 0.5F, 0.5F})};
  scene.classes = {"thing"};
  Model model;
  model.mesh.vertices = {{0, 1, -1}, {0, -1, -1}, {0, -1, 1}, {0, 1, 1}};
  model.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  model.mesh.materialOfTriangle = {0, 0};
  for (const Vec3f vertex : model.mesh.vertices) extend(model.bounds, vertex);
  TextureImage image;
  image.columns = 2;
  image.rows = 2;
  image.texels = {{255, 0, 0, 255}, {0, 255, 0, 0}, {0, 255, 0, 0}, {0, 0, 255, 255}};
  MeshTextures& textures = model.mesh.textures;
  textures.images = {image};
  textures.paints = {{0, 0}};
  textures.paintOfTriangle = {0, 0};
  textures.coordinatesOfTriangle = {{Vec2f{0, 0}, Vec2f{1, 0}, Vec2f{1, 1}},
                                    {Vec2f{0, 0}, Vec2f{1, 1}, Vec2f{0, 1}}};
  scene.models.push_back(std::move(model));
  scene.instances = {{1, 0, 0, {10, 0, 1}, {}, 1.0}};
  const TracedScene traced(testDevice(2), std::move(scene), Watch{});
  RenderView view = straightAhead();
  view.orthographicHeightM = 4.0;  // 16 pixels a metre: the card covers 32 x 32 about the middle
  const auto rgb = renderPicture({traced.triangles()}, traced.truth(), view, {});
  for (std::size_t row = 0; row < 64; ++row) {
    for (std::size_t column = 0; column < 96; ++column) {
      const bool isOn = row >= 16 && row < 48 && column >= 32 && column < 64;
      const bool isTop = row < 32;
      const bool isLeft = column < 48;
      const std::uint8_t* at = rgb.data() + 3 * (row * view.widthPx + column);
      CAPTURE(row);
      CAPTURE(column);
      // A red texel has no blue; the sky has all three.
      if (isOn && isTop == isLeft) {
        REQUIRE((at[0] > 0) == isTop);
        REQUIRE(at[1] == 0);
        REQUIRE((at[2] > 0) == !isTop);
      } else {
        REQUIRE(std::min({at[0], at[1], at[2]}) > 30);
      }
    }
  }
}
