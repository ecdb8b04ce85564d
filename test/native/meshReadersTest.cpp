// Mesh files: every format, other units and axes, and files that are not what they say.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/scene/readers/meshReaders.h"
#include "test/native/support/meshFiles.h"
#include "test/native/support/meshMeasures.h"
#include "test/native/support/refusals.h"

using namespace understory;

namespace {

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string_view noFile(const std::string& name) {
  throw UnderstoryError(ErrorCode::notFound, "there is no " + name);
}

MeshBuilder obj(const std::string& text, const MeshSource& options = metresZUp) {
  return readObj(bytesOf(text), "a.obj", options, noFile);
}
MeshBuilder objFile(const std::string& path) {
  return convertMeshFile(loadMeshFile(path, MeshFormat::obj, {}), metresZUp, {});
}
MeshBuilder ply(const std::string& text) { return readPly(bytesOf(text), "a.ply", metresZUp); }
MeshBuilder stl(const std::string& text) { return readStl(bytesOf(text), "a.stl", metresZUp); }

template <typename T>
void append(std::string& out, T value, bool isBigEndian = false) {
  std::array<char, sizeof(T)> raw{};
  std::memcpy(raw.data(), &value, sizeof value);
  if (isBigEndian) std::reverse(raw.begin(), raw.end());
  out.append(raw.data(), raw.size());
}

// A tetrahedron of volume 1/6 with properties in an unusual order among others.
std::string binaryPly(bool isBigEndian, std::uint32_t faces = 4) {
  std::string out = "ply\nformat binary_" + std::string(isBigEndian ? "big" : "little") +
                    "_endian 1.0\ncomment made by a test\nelement vertex 4\nproperty uchar red\n"
                    "property double z\nproperty float x\nproperty short y\nelement face " +
                    std::to_string(faces) +
                    "\nproperty list uchar float weights\nproperty list ushort int vertex_index\n"
                    "end_header\n";
  const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& [x, y, z] : corners) {
    append(out, std::uint8_t{9}, isBigEndian);
    append(out, z, isBigEndian);
    append(out, static_cast<float>(x), isBigEndian);
    append(out, static_cast<std::int16_t>(y), isBigEndian);
  }
  const std::int32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  for (const auto& triangle : triangles) {
    append(out, std::uint8_t{1}, isBigEndian);
    append(out, 0.5F, isBigEndian);
    append(out, std::uint16_t{3}, isBigEndian);
    for (const std::int32_t corner : triangle) append(out, corner, isBigEndian);
  }
  return out;
}

std::string binaryStl(std::uint32_t promised, std::uint32_t written) {
  std::string out = "solid is how this binary file starts";
  out.resize(80, ' ');
  append(out, promised);
  for (std::uint32_t n = 0; n < written; ++n) {
    for (const int value : {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}) {
      append(out, static_cast<float>(value));
    }
    append(out, std::uint16_t{0});
  }
  return out;
}

const std::string squareObj =
    "# a square and a sliver\r\nmtllib a.mtl\r\nv 0 0 0\r\nv 2 0 0\r\nv 2 2 0\r\nv 0 2 0\r\n"
    "vn 0 0 1\r\nusemtl bark\r\nf 1//1 2//1 3//1 4//1\r\nusemtl other\r\nf -4 -3 -3\r\nf 1/1 2/1 4/1\r\n";

}  // namespace

TEST_CASE("OBJ: polygons, index forms, materials by name, CRLF") {
  MeshSource options = metresZUp;
  options.material = 1;
  options.materials = {{"bark", 5}};
  const auto mtl = [](const std::string& name) -> std::string_view {
    CHECK(name == "a.mtl");
    return "newmtl bark\nKd 1 1 1\n";
  };
  const MeshBuilder builder = readObj(bytesOf(squareObj), "a.obj", options, mtl);
  CHECK(builder.mesh.triangles.size() == 3);
  CHECK(builder.degenerateTriangles == 1);
  CHECK(builder.mesh.materialOfTriangle == std::vector<std::uint16_t>{5, 5, 1});
  CHECK(areaM2(builder.mesh) == doctest::Approx(6.0));
}

TEST_CASE("OBJ: what is wrong is named with its line") {
  // A material file that is missing is none: the host notes it.
  CHECK(obj(squareObj).mesh.triangles.size() == 3);
  CHECK(
      mentions(refusalOf([] { obj("v 0 0 0\nv 1 zero 0\n"); }), "line 2: expected three numbers"));
  CHECK(mentions(refusalOf([] { obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"); }), "line 4"));
  CHECK(mentions(refusalOf([] { obj("v 0 0 0\nf 1 1\n"); }), "three corners"));
  CHECK(mentions(refusalOf([] { obj("v 0 0 0\nf 1 -2 1\n"); }), "line 2"));
  CHECK(mentions(refusalOf([] { obj("v 0 0 0\nf 1 99999999999999999999 1\n"); }), "vertex number"));
  MeshSource options = metresZUp;
  options.materials = {{"wood", 0}};
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl bark\nf 1 2 3\n";
  CHECK(mentions(refusalOf([&] { obj(text, options); }), "'wood' in the file, which has bark"));
}

TEST_CASE(
    "vertices that are no numbers, or beyond what can be traced, are refused with their place") {
  for (const char* bad : {"nan", "inf", "-inf", "1e300", "2e9"}) {
    const std::string vertex = std::string("1 ") + bad + " 0\n";
    CAPTURE(bad);
    const std::string triangle = "v 0 0 0\nv " + vertex + "v 0 1 0\nf 1 2 3\n";
    CHECK(mentions(refusalOf([&] { obj(triangle); }),
                   "a.obj, line 2: expected coordinates of vertex 2 within 1e+09 m, found 1 "));
    CHECK(mentions(
        refusalOf([&] {
          ply("ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\n"
              "property double z\nelement face 1\nproperty list uchar int vertex_indices\n"
              "end_header\n0 0 0\n" +
              vertex + "0 1 0\n3 0 1 2\n");
        }),
        "a.ply, line 11: expected coordinates of vertex 2"));
    CHECK(mentions(refusalOf([&] {
                     stl("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex " + vertex +
                         "vertex 0 1 0\nendloop\nendfacet\n");
                   }),
                   "expected coordinates of vertex 2"));
  }
  std::string binary = binaryStl(2, 2);
  const float bad = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(binary.data() + 84 + 50 + 12, &bad, sizeof bad);
  CHECK(mentions(refusalOf([&] { stl(binary); }), "byte 134: expected coordinates of vertex 4"));
  MeshSource options = metresZUp;
  options.unitM = 1e-3;
  CHECK(obj("v 0 0 0\nv 2e9 0 0\nv 0 2e9 0\nf 1 2 3\n", options).mesh.triangles.size() == 1);
}

TEST_CASE("units and the up axis of a file are turned into metres and z up") {
  MeshSource options = metresZUp;
  options.unitM = 0.01;
  options.upAxis = UpAxis::y;
  const MeshBuilder builder =
      obj("v 0 0 0\nv 100 0 0\nv 0 200 0\nv 0 0 -300\nf 1 2 3\nf 1 2 4\n", options);
  const Boundsf bounds = boundsOf(builder.mesh);
  CHECK(bounds.max.x == doctest::Approx(1.0F));
  CHECK(bounds.max.y == doctest::Approx(3.0F));
  CHECK(bounds.max.z == doctest::Approx(2.0F));
}

TEST_CASE("PLY: ascii and both byte orders give the same tetrahedron") {
  for (const bool isBigEndian : {false, true}) {
    const MeshBuilder builder = ply(binaryPly(isBigEndian));
    CHECK(builder.mesh.triangles.size() == 4);
    CHECK(volumeM3(builder.mesh) == doctest::Approx(1.0 / 6.0));
    CHECK(isClosed(builder.mesh));
  }
  const MeshBuilder ascii =
      ply("ply\nformat ascii 1.0\nelement face 2\nproperty list uchar uint vertex_indices\n"
          "element vertex 5\nproperty float y\nproperty float x\nproperty float z\nend_header\n"
          "4 0 3 2 1\n2 0 1\n0 0 0\n0 1 0\n1 1 0\n1 0 0\n5 5 5\n");
  CHECK(ascii.mesh.triangles.size() == 2);
  CHECK(ascii.degenerateTriangles == 1);
  CHECK(areaM2(ascii.mesh) == doctest::Approx(1.0));
}

TEST_CASE("PLY: lying, truncated and senseless files are refused before much is allocated") {
  CHECK(mentions(refusalOf([] { ply("plyy\n"); }), "'ply' at the start"));
  CHECK(
      mentions(refusalOf([] { ply("ply\nformat ascii 1.0\nelement vertex 1\n"); }), "end_header"));
  CHECK(mentions(refusalOf([] { ply("ply\nproperty int x\n"); }), "'element' before"));
  CHECK(mentions(refusalOf([] { ply("ply\nelement vertex -3\n"); }), "a count"));
  CHECK(mentions(refusalOf([] { ply("ply\nformat ascii 1.0\nend_header\n"); }), "x, y and z"));
  const std::string lie =
      "ply\nformat ascii 1.0\nelement vertex 18446744073709551615\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list int int vertex_index\nend_header\n0 0 0\n";
  CHECK(mentions(refusalOf([&] { ply(lie); }), "18446744073709551615 rows of element vertex"));
  CHECK(mentions(refusalOf([] { ply(binaryPly(false, 4000000000U)); }), "4000000000 rows"));
  CHECK(mentions(refusalOf([] { ply(binaryPly(false, 5)); }), "byte"));
  std::string longList = binaryPly(false);
  longList[longList.size() - 14] = '\xff';  // the count of the last face's corners
  longList[longList.size() - 13] = '\xff';
  CHECK(mentions(refusalOf([&] { ply(longList); }), "65535 items of a list"));
  std::string badCorner = binaryPly(false);
  badCorner[badCorner.size() - 1] = '\x7f';
  CHECK(mentions(refusalOf([&] { ply(badCorner); }), "vertex numbers below 4"));
}

TEST_CASE("STL: ascii and binary, also a binary one that starts with 'solid'") {
  const MeshBuilder ascii = stl(
      "solid a thing with facet in its name\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n"
      "   vertex 1 0 0\n   vertex 0 1e0 0\n  endloop\n endfacet\nendsolid a thing\n");
  CHECK(ascii.mesh.triangles.size() == 1);
  CHECK(areaM2(ascii.mesh) == doctest::Approx(0.5));
  const MeshBuilder binary = stl(binaryStl(3, 3));
  CHECK(binary.mesh.triangles.size() == 3);
  CHECK(mentions(refusalOf([] { stl(binaryStl(4000000000U, 1)); }), "its 4000000000 triangles"));
  CHECK(mentions(refusalOf([] { stl(std::string(100, '\0')); }), "84 + 50 bytes"));
  CHECK(mentions(refusalOf([] { stl(""); }), "starts with 'solid'"));
  CHECK(mentions(
      refusalOf([] { stl("solid x\nfacet normal 0 0 1\nouter loop\nvertex 1 2\nendloop"); }),
      "line 5: expected three numbers"));
}

TEST_CASE("readers survive every truncation and every changed byte of good files") {
  const std::string asciiStl =
      "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
      "endloop\nendfacet\nendsolid\n";
  const auto survives = [](const std::string& text) {
    for (const auto& read :
         {+[](const std::string& t) { obj(t); }, +[](const std::string& t) { ply(t); },
          +[](const std::string& t) { stl(t); }}) {
      try {
        read(text);
      } catch (const UnderstoryError& error) {
        REQUIRE(error.code == ErrorCode::badInput);
      }
    }
  };
  for (const std::string& good :
       {squareObj, binaryPly(false), binaryPly(true), binaryStl(2, 2), asciiStl}) {
    for (std::size_t at = 0; at < good.size(); ++at) {
      survives(good.substr(0, at));
      for (const char change : {'\0', '\xff', '9', ' ', '\n'}) {
        std::string changed = good;
        changed[at] = change;
        survives(changed);
      }
    }
  }
}

TEST_CASE("a mesh file is found, read and refused by its path") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "understory-mesh-test";
  std::filesystem::create_directories(folder);
  const auto path = [&](const char* name) { return (folder / name).string(); };
  std::ofstream(path("a.mtl")) << "newmtl bark\n";
  std::ofstream(path("a.obj")) << squareObj;
  std::ofstream(path("flat.obj")) << "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n";
  CHECK(objFile(path("a.obj")).mesh.triangles.size() == 3);
  CHECK(mentions(refusalOf([&] { objFile(path("flat.obj")); }), "(1 without area were dropped)"));
  CHECK_THROWS_WITH_AS(objFile(path("none.obj")), doctest::Contains("none.obj"), UnderstoryError);
  CHECK_THROWS_AS(objFile(folder.string()), UnderstoryError);
  std::filesystem::remove_all(folder);
}

TEST_CASE("material files of an OBJ lie in its folder, are small, and are parsed once") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "understory-material-test";
  fs::create_directories(folder / "mesh" / "in");
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  write("outside.mtl", "newmtl bark\n");
  write("mesh/in/a.mtl", "newmtl bark\n");
  const std::string square = "v 0 0 0\nv 2 0 0\nv 2 2 0\nusemtl bark\nf 1 2 3\n";
  const auto load = [&](const std::string& head) {
    write("mesh/a.obj", head + square);
    return loadMeshFile((folder / "mesh" / "a.obj").string(), MeshFormat::obj, {});
  };
  const auto isRead = [&](const std::string& name) {
    const MeshFileBytes file = load("mtllib " + name + "\n");
    CHECK(convertMeshFile(file, metresZUp, {}).mesh.triangles.size() == 1);
    return file.beside.at(name).has_value();
  };
  CHECK(isRead("in/a.mtl"));
  CHECK(isRead("in/../in/a.mtl"));
  CHECK_FALSE(isRead("../outside.mtl"));
  CHECK_FALSE(isRead((folder / "outside.mtl").string()));
  CHECK_FALSE(isRead("in"));
  // Files that a comment or another statement mentions are not read.
  CHECK(load("# mtllib in/a.mtl\no mtllib in/a.mtl\n").beside.empty());
  // Sparse, so that it takes no room on the disk.
  write("mesh/large.mtl", "newmtl bark\n");
  fs::resize_file(folder / "mesh" / "large.mtl", maxMaterialFileBytes + 1);
  CHECK_FALSE(isRead("large.mtl"));
  CHECK_FALSE(load("mtllib large.mtl\n").beside.at("large.mtl"));
  fs::remove_all(folder);

  std::size_t readings = 0;
  const auto mtl = [&](const std::string&) -> std::string_view {
    ++readings;
    return "newmtl bark\n";
  };
  std::string text;
  for (int line = 0; line < 20'000; ++line) text += "mtllib a.mtl\n";
  text += square;
  const auto bytes = std::as_bytes(std::span(text));
  readObj(bytes, "a.obj", metresZUp, mtl);
  CHECK(readings == 1);
}
