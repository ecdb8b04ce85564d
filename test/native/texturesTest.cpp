// Images of meshes: decoded, found by OBJ and MTL, and cut by their alpha where they are hit.
#include <doctest/doctest.h>
#include <png.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

// Why last: jpeglib.h uses names of stdio without including it.
#include <jpeglib.h>

#include "core/scene/readers/imageReader.h"
#include "core/scene/readers/meshReaders.h"
#include "test/native/support/meshFiles.h"
#include "test/native/support/refusals.h"
#include "test/native/support/scenes.h"

using namespace understory;

namespace {

// A PNG of bytes, `channels` each: 1 grey, 3 colour, 4 with alpha.
std::string pngOf(std::uint32_t columns, std::uint32_t rows, int channels,
                  const std::vector<std::uint8_t>& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = columns;
  image.height = rows;
  image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, bytes.data(), 0, nullptr);
  std::string out(size, '\0');
  REQUIRE(png_image_write_to_memory(&image, out.data(), &size, 0, bytes.data(), 0, nullptr) != 0);
  out.resize(size);
  return out;
}

// A JPEG of 24 by 8 texels: a red, a green and a blue stripe, each of one 8 by 8 part of the format, without
// subsampling.
std::string stripesJpeg() {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* out = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &out, &size);
  jpeg.image_width = 24;
  jpeg.image_height = 8;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 100, TRUE);
  jpeg.comp_info[0].h_samp_factor = 1;
  jpeg.comp_info[0].v_samp_factor = 1;
  jpeg_start_compress(&jpeg, TRUE);
  std::vector<std::uint8_t> row(std::size_t{3} * 24, 50);
  for (std::size_t column = 0; column < 24; ++column) row[3 * column + column / 8] = 200;
  for (JSAMPROW line = row.data(); jpeg.next_scanline < 8;) jpeg_write_scanlines(&jpeg, &line, 1);
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  const std::string bytes(reinterpret_cast<const char*>(out), size);
  std::free(out);
  return bytes;
}

// A square of 2 by 2 m in the plane x = 0, its image upright on it as seen along x: u along -y, v along z.
const std::string leafObj =
    "mtllib leaf.mtl\nv 0 1 -1\nv 0 -1 -1\nv 0 -1 1\nv 0 1 1\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl leaf\nf 1/1 2/2 3/3 4/4\n";

struct LeafFiles {
  std::string mtl = "newmtl leaf\nKd 0 1 0\nmap_d -clamp on -s 1 1 1 leaf cut.png\n";
  std::string image;

  MeshBuilder read(const std::string& obj, const MeshSource& options = metresZUp) const {
    return readObj(
        std::as_bytes(std::span(obj)), "a.obj", options,
        [this](const std::string&) -> std::string_view { return mtl; }, {},
        [this](const std::string& name) -> std::string_view {
          CHECK(name == "leaf cut.png");
          if (image.empty()) throw UnderstoryError(ErrorCode::notFound, "none");
          return image;
        });
  }
};

}  // namespace

TEST_CASE("images: colour, grey and alpha, and what is refused") {
  const TextureImage colour = readImage(pngOf(2, 1, 3, {1, 2, 3, 4, 5, 6}), "a.png");
  CHECK(colour.columns == 2);
  CHECK(colour.texels[1] == std::array<std::uint8_t, 4>{4, 5, 6, 255});
  CHECK_FALSE(colour.hasAlpha);
  TextureImage grey = readImage(pngOf(2, 1, 1, {0, 200}), "a.png");
  setAlphaByBrightness(grey);
  CHECK(grey.texels ==
        std::vector<std::array<std::uint8_t, 4>>{{0, 0, 0, 0}, {200, 200, 200, 200}});
  const TextureImage cut = readImage(pngOf(1, 1, 4, {255, 255, 255, 7}), "a.png");
  CHECK(cut.hasAlpha);
  CHECK(cut.texels[0][3] == 7);
  CHECK(mentions(refusalOf([] { readImage("GIF89a", "a.gif"); }), "a.gif: expected a PNG or JPEG"));
  const std::string whole = pngOf(64, 64, 1, std::vector<std::uint8_t>(64 * 64, 3));
  for (std::size_t size = 4; size + 20 < whole.size(); size += 7) {
    CHECK(mentions(refusalOf([&] { readImage(whole.substr(0, size), "a.png"); }),
                   "expected a PNG image"));
  }
  const std::string wide =
      pngOf(maxImageSide + 1, 1, 1, std::vector<std::uint8_t>(maxImageSide + 1));
  CHECK(mentions(refusalOf([&] { readImage(wide, "a.png"); }), "found 16385 by 1"));
  CHECK(mentions(refusalOf([&] { readImage(whole, "a.png", 64 * 64 - 1); }),
                 "4095 texels, found 64 by 64"));
  CHECK(mentions(refusalOf([] { readImage("\xFF\xD8\xFF\xE0 no more", "a.jpg"); }), "whole JPEG"));
}

TEST_CASE("the nearest texel, v upwards, repeated in steps of 1") {
  TextureImage image{2, 2, {{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}, {0, 0, 0, 4}}};
  CHECK(image.at({0.25F, 0.75F})[3] == 1);
  CHECK(image.at({0.75F, 0.75F})[3] == 2);
  CHECK(image.at({0.25F, 0.25F})[3] == 3);
  CHECK(image.at({0.75F, 0.25F})[3] == 4);
  CHECK(image.at({-0.25F, 1.25F})[3] == 4);
  CHECK(image.at({7.25F, -3.25F})[3] == 1);
}

TEST_CASE("images: a JPEG of three stripes, each with its colour, and parts of it refused") {
  const std::string whole = stripesJpeg();
  const TextureImage image = readImage(whole, "a.jpg");
  REQUIRE(image.columns == 24);
  REQUIRE(image.rows == 8);
  CHECK_FALSE(image.hasAlpha);
  for (std::size_t stripe = 0; stripe < 3; ++stripe) {
    const auto& texel = image.texels[4 * 24 + 8 * stripe + 4];
    // Quality 100: steps of the coefficients are 1, so rounding of colours is all that differs.
    for (std::size_t channel = 0; channel < 3; ++channel) {
      CHECK(std::abs(texel[channel] - (channel == stripe ? 200 : 50)) <= 3);
    }
  }
  for (const std::size_t share : {2U, 3U, 5U}) {
    CHECK(mentions(refusalOf([&] {
                     readImage(std::string_view(whole).substr(0, whole.size() / share), "a.jpg");
                   }),
                   "a.jpg: expected a whole JPEG image ("));
  }
}

TEST_CASE("one image for colour and cut is stored once, where it has alpha") {
  LeafFiles files{.mtl = "newmtl leaf\nmap_Kd leaf cut.png\nmap_d leaf cut.png\n",
                  .image = pngOf(1, 1, 4, {1, 2, 3, 4})};
  CHECK(files.read(leafObj).mesh.textures.images.size() == 1);
  files.image = pngOf(1, 1, 3, {1, 2, 3});
  const MeshTextures two = files.read(leafObj).mesh.textures;
  REQUIRE(two.images.size() == 2);
  CHECK(two.images[two.paints[0].colour].texels[0][3] == 255);
  CHECK(two.images[two.paints[0].alpha].texels[0][3] == 2);
}

TEST_CASE("a PLY shows the images of its comments, by vertices or by corners") {
  const std::string png = pngOf(2, 1, 4, {9, 9, 9, 0, 8, 8, 8, 255});
  const std::string start =
      "ply\nformat ascii 1.0\ncomment TextureFile leaf cut.png\nelement vertex 4\n"
      "property float x\nproperty float y\nproperty float z\n";
  const std::string faces = "element face 1\nproperty list uchar int vertex_indices\n";
  const std::string byVertex = start + "property float s\nproperty float t\n" + faces +
                               "end_header\n0 1 -1 0 0\n0 -1 -1 1 0\n0 -1 1 1 1\n0 1 1 0 1\n"
                               "4 0 1 2 3\n";
  const std::string corners = "0 1 -1\n0 -1 -1\n0 -1 1\n0 1 1\n4 0 1 2 3 8 0 0 1 0 1 1 0 1";
  const std::string byCorner =
      start + faces + "property list uchar float texcoord\nend_header\n" + corners + "\n";
  const std::string numbered = start + faces +
                               "property list uchar float texcoord\nproperty int texnumber\n"
                               "end_header\n" +
                               corners;
  const auto read = [&](const std::string& text, bool usesTextures = true) {
    MeshSource options = metresZUp;
    options.textures = usesTextures;
    return readPly(std::as_bytes(std::span(text)), "a.ply", options, {},
                   [&](const std::string& name) -> std::string_view {
                     CHECK(name == "leaf cut.png");
                     return png;
                   })
        .mesh.textures;
  };
  CHECK(imagesOfPly(byVertex) == std::vector<std::string>{"leaf cut.png"});
  for (const std::string& text : {byVertex, byCorner, numbered + " 0\n"}) {
    const MeshTextures painted = read(text);
    REQUIRE(painted.paintOfTriangle.size() == 2);
    CHECK(painted.images.size() == 1);
    CHECK(painted.isHole(0, 0.1F, 0.0F));
    CHECK_FALSE(painted.isHole(0, 0.9F, 0.0F));
  }
  CHECK(read(byVertex, false).isEmpty());
  CHECK(read(numbered + " -1\n").isEmpty());
  const std::string bare =
      start + faces + "end_header\n0 1 -1\n0 -1 -1\n0 -1 1\n0 1 1\n4 0 1 2 3\n";
  CHECK(mentions(refusalOf([&] { read(bare); }), "properties s and t of element vertex"));
  CHECK(read(bare, false).isEmpty());
  std::string few = byCorner;
  few.replace(few.rfind(" 8 0 0 1 0"), 10, " 6 1 0");
  CHECK(mentions(refusalOf([&] { read(few); }), "two numbers of texcoord"));
  // An image that is missing is none: the host notes it.
  CHECK(
      readPly(std::as_bytes(std::span(byVertex)), "a.ply", metresZUp).mesh.textures.images.empty());
}

TEST_CASE("an OBJ is painted with map_d of its material") {
  const LeafFiles files{.image = pngOf(2, 1, 1, {0, 255})};
  const MeshTextures painted = files.read(leafObj).mesh.textures;
  REQUIRE(painted.paintOfTriangle.size() == 2);
  // Triangles (1, 2, 3) and (1, 3, 4): the second corner is at u 1, v 0.
  CHECK(painted.isHole(0, 0.1F, 0.0F));
  CHECK_FALSE(painted.isHole(0, 0.9F, 0.0F));
  const std::string plain = leafObj + "usemtl other\nf 1 2 3\n";
  const MeshTextures partly = files.read(plain).mesh.textures;
  CHECK(partly.paintOfTriangle == std::vector<std::uint16_t>{0, 0, Paint::none});
  MeshSource options = metresZUp;
  options.textures = false;
  CHECK(files.read("usemtl leaf\n" + leafObj, options).mesh.textures.isEmpty());
  options.textures = true;
  options.alphaThreshold = 0.0;
  CHECK_FALSE(files.read(leafObj, options).mesh.textures.isHole(0, 0.1F, 0.0F));
  CHECK(LeafFiles{}.read(leafObj).mesh.textures.isEmpty());
  CHECK(mentions(refusalOf([&] { LeafFiles{.image = "broken"}.read(leafObj); }),
                 "leaf cut.png: expected a PNG or JPEG image"));
  CHECK(mentions(refusalOf([&] { files.read(leafObj + "f 1 2 3\n"); }),
                 "line 12: expected a texture coordinate among the 4 above"));
  CHECK(mentions(refusalOf([&] { files.read("vt inf 0\n" + leafObj); }),
                 "line 1: expected one or two"));
}

TEST_CASE(
    "rays pass where a texel is cut: packets of every width, single rays, and what is blocked") {
  // A checkerboard of 8 by 8 texels on the square, in front of a wall.
  std::vector<std::uint8_t> board;
  for (int texel = 0; texel < 64; ++texel) {
    board.push_back(static_cast<std::uint8_t>((texel % 8 + texel / 8) % 2 == 0 ? 255 : 0));
  }
  const LeafFiles files{.image = pngOf(8, 8, 1, board)};
  for (const char* isa : {"sse4.2", "avx2", "avx512"}) {
    std::shared_ptr<const EmbreeDevice> device;
    try {
      device = testDevice(1, isa);
    } catch (const UnderstoryError&) {
      continue;  // not of this processor
    }
    SceneMaker maker;
    const std::uint16_t grey = maker.material(0.5F);
    CHECK(grey == 0);
    maker.place(maker.model(files.read(leafObj).mesh), {5.0, 0.0, 0.0});
    maker.place(maker.model(wallMesh(4.0F, 1, grey)), {6.0, 0.0, 0.0});
    const auto scene = maker.build(device);
    const EmbreeScene& triangles = scene->triangles();
    CHECK(triangles.filteredModels() == 1);
    std::array<float, 16> x{};
    std::array<float, 16> y{};
    std::array<float, 16> z{};
    std::array<float, 16> one{};
    std::array<float, 16> zero{};
    one.fill(1.0F);
    const auto expect = [&](std::size_t lane, const FacetHit& hit) {
      // Column from +y, row from the top.
      const int column = static_cast<int>(std::floor((1.0F - y[lane]) * 4.0F));
      const int row = static_cast<int>(std::floor((1.0F - z[lane]) * 4.0F));
      const bool isOpaque = (column + row) % 2 == 0;
      CHECK(hit.isHit);
      CHECK(hit.rangeM == doctest::Approx(isOpaque ? 5.0 : 6.0));
      const PathRay ray{{x[lane], y[lane], z[lane]}, {1.0F, 0.0F, 0.0F}};
      CHECK(triangles.nearest(ray, 0.0F, 100.0F).rangeM == hit.rangeM);
      CHECK(triangles.isBlocked(ray, 0.0F, 5.5F) == isOpaque);
    };
    const auto askAll = [&]<std::size_t Width>() {
      for (int row = 0; row < 64; ++row) {
        for (std::size_t first = 0; first < 64; first += Width) {
          for (std::size_t lane = 0; lane < Width; ++lane) {
            y[lane] = 1.0F - (static_cast<float>(first + lane) + 0.5F) / 32.0F;
            z[lane] = 1.0F - (static_cast<float>(row) + 0.5F) / 32.0F;
          }
          PacketHits<Width> hits{};
          hits.rangeM.fill(100.0F);
          triangles.nearest({x.data(), y.data(), z.data(), one.data(), zero.data(), zero.data()},
                            Width, hits);
          for (std::size_t lane = 0; lane < Width; ++lane) expect(lane, hits.at(lane));
        }
      }
    };
    const std::size_t width = packetWidth(isa);
    if (width == 4) askAll.operator()<4>();
    if (width == 8) askAll.operator()<8>();
    if (width == 16) askAll.operator()<16>();
  }
}
