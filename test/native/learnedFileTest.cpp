// Files of learned models: what is written is read, and what is not as it is written is refused with its place.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "core/scene/readers/meshReaders.h"
#include "test/native/support/learned.h"
#include "test/native/support/meshFiles.h"
#include "test/native/support/refusals.h"

using namespace understory;

namespace {

LearnedModel everyPart() {
  LearnedModel model;
  model.kind = LearnedKind::hybrid;
  model.originM = {456'000.25, 5'428'000.5, 210.0};
  model.surfaceSigmaM = 0.015;
  model.incidenceSigmaM = 0.0014;
  model.sensor = {"hdl-64e", 1.0, 100.0, LearnedSensor::Detection{0.1, 50.0, 0.5, 1e-6}};
  model.classes = {"surface", "grass \"tall\"\n", "Bäume"};
  model.logHashes = {std::string(64, 'a'), std::string(64, 'b')};
  model.engine = "0.1.0 avx2";
  model.parameters = {
      {"voxelM", 0.3}, {"minPoints", 5}, {"restart", true}, {"note", std::string(900, '\\')}};
  addElement(model, {1.0F, 2.0F, 3.0F}, 0.1F, 0.8F);
  model.elements.covariancesM2[0] = {0.04F, 0.01F, 0.0F, 0.03F, -0.005F, 0.02F};
  addElement(model, {-1.0F, 2.5F, 0.5F}, 0.2F, 0.0F, 0.3F);
  model.elements.seen.classIds[1] = 2;
  addTriangle(model, {0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, 0.25F);
  addPoint(model, {5.0F, 5.0F, 5.0F}, {0.0F, 0.6F, 0.8F});
  return model;
}

LearnedModel readLearned(const std::string& bytes) {
  return readLearnedModel(std::as_bytes(std::span(bytes)), "site.ply");
}

std::string refusalOfFile(const std::string& bytes) {
  return refusalOf([&] { readLearned(bytes); });
}

// The bytes with a value of another row, counted from the end of the file.
template <typename Value>
std::string withValue(std::string bytes, std::size_t beforeEnd, Value value) {
  std::memcpy(bytes.data() + bytes.size() - beforeEnd, &value, sizeof value);
  return bytes;
}

bool isSameSeen(const Observations& a, const Observations& b) {
  return a.permeability == b.permeability && a.hits == b.hits && a.misses == b.misses &&
         a.support == b.support && a.reflectance == b.reflectance && a.classIds == b.classIds;
}

std::string withText(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

constexpr std::size_t observedBytes = 26;
constexpr std::size_t faceBytes = 13 + observedBytes;
constexpr std::size_t vertexBytes = 12 + 12 + 3 + 24 + observedBytes;

std::string corpusFile(const std::string& name) {
  std::ifstream file(std::string(UNDERSTORY_TEST_FOLDER) + "/fuzz/corpus/learned/" + name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("a learned model is read as it was written, bit by bit") {
  const LearnedModel model = everyPart();
  const std::string bytes = fileOf(model);
  const LearnedModel found = readLearned(bytes);
  CHECK(fileOf(found) == bytes);
  CHECK(found.kind == LearnedKind::hybrid);
  CHECK(found.originM.y == model.originM.y);
  CHECK(found.classes == model.classes);
  CHECK(found.parameters == model.parameters);
  CHECK(found.logHashes == model.logHashes);
  CHECK(found.sensor->detection == model.sensor->detection);
  CHECK(found.elements.covariancesM2 == model.elements.covariancesM2);
  CHECK(isSameSeen(found.elements.seen, model.elements.seen));
  CHECK(found.surface.triangles == model.surface.triangles);
  CHECK(isSameSeen(found.surface.seen, model.surface.seen));
  CHECK(found.points.positionsM[0].x == 5.0F);
  CHECK(found.points.normals[0].z == 0.8F);
  CHECK(primitivesOf(found) == 4);
}

TEST_CASE("the coordinate reference system is read as it was written, and may be missing") {
  LearnedModel model = everyPart();
  CHECK(readLearned(fileOf(model)).crs.empty());
  CHECK(fileOf(model).find("\"crs\"") == std::string::npos);
  for (const std::string crs :
       {"EPSG:25832", "PROJCS[\"Gauß-Krüger\",\n  UNIT[\"metre\",1]]\nend_header\n"}) {
    model.crs = crs;
    const std::string bytes = fileOf(model);
    CHECK(readLearned(bytes).crs == crs);
    CHECK(fileOf(readLearned(bytes)) == bytes);
  }
}

TEST_CASE("the header is read without the rows") {
  const std::string bytes = fileOf(everyPart());
  const LearnedHeader header =
      readLearnedHeader(bytes.substr(0, bytes.find("end_header\n") + 11), "a.ply");
  CHECK(header.elements == 2);
  CHECK(header.surfaceVertices == 3);
  CHECK(header.triangles == 1);
  CHECK(header.points == 1);
}

TEST_CASE("other readers find a cloud and a mesh") {
  const std::string bytes = fileOf(everyPart());
  const MeshBuilder mesh = readPly(std::as_bytes(std::span(bytes)), "site.ply", metresZUp);
  CHECK(mesh.mesh.vertices.size() == 6);
  CHECK(mesh.mesh.triangles.size() == 1);
  for (std::size_t at = 0; at < bytes.find("end_header");) {
    const std::size_t end = bytes.find('\n', at);
    CHECK(end - at < 1000);
    at = end + 1;
  }
}

TEST_CASE("models of one part have no columns of the others") {
  LearnedModel voxels;
  addElement(voxels, {}, 0.1F, 0.5F);
  LearnedModel surface;
  addTriangle(surface, {}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, 0.0F);
  LearnedModel points;
  addPoint(points, {}, {0.0F, 0.0F, 1.0F});
  const LearnedModel none;
  for (const LearnedModel& model : {voxels, surface, points, none}) {
    const std::string bytes = fileOf(model);
    CHECK(fileOf(readLearned(bytes)) == bytes);
  }
  CHECK(fileOf(voxels).find("element face") == std::string::npos);
  CHECK(fileOf(surface).find("covariance_xx") == std::string::npos);
  CHECK(fileOf(voxels).find("property float nx") == std::string::npos);
}

TEST_CASE("a file that is not as it was written is refused with its place") {
  const std::string bytes = fileOf(everyPart());
  const std::size_t points = faceBytes + vertexBytes;
  const std::size_t elements = points + 5 * vertexBytes;
  CHECK(refusalOfFile("ply\n") == "site.ply, line 2: expected 'end_header'");
  CHECK(
      refusalOfFile(withText(bytes, "binary_little", "binary_big")).find("binary_little_endian") !=
      std::string::npos);
  CHECK(refusalOfFile(withText(bytes, "learned model 1", "learned model 2"))
            .find("expected the comment 'Understory learned model 1'") != std::string::npos);
  CHECK(refusalOfFile(withText(bytes, "\"counting\"", "\"cuonting\"")).find("learned model: ") ==
        0);
  CHECK(refusalOfFile(withText(bytes, "comment json {", "comment json [")).find("expected JSON") !=
        std::string::npos);
  CHECK(refusalOfFile(withText(bytes, "float permeability", "float permeablity"))
            .find("property 'permeability' as number 16 of element vertex, found 'permeablity'") !=
        std::string::npos);
  CHECK(refusalOfFile(withText(bytes, "element vertex 6", "element vertex 7")).find("6 vertices") !=
        std::string::npos);
  CHECK(refusalOfFile(withText(bytes, "element face 1", "element face 2"))
            .find("bytes of rows, found") != std::string::npos);
  CHECK(refusalOfFile(withText(bytes, "element face 1", "element face 18446744073709551615"))
            .find("at most 4294967295") != std::string::npos);
  CHECK(refusalOfFile(bytes + "x").find("bytes of rows, found") != std::string::npos);
  CHECK(refusalOfFile(bytes.substr(0, bytes.size() - 1)).find("site.ply, byte ") == 0);
  const std::string firstRow = "site.ply, byte " + std::to_string(bytes.size() - elements);
  CHECK(refusalOfFile(withValue(bytes, elements, NAN)) ==
        firstRow + ": expected coordinates within 1e9 m");
  CHECK(refusalOfFile(withValue(bytes, elements - 27, -0.04F)) ==
        firstRow + ": expected a covariance that is positive definite");
  CHECK(refusalOfFile(withValue(bytes, elements - 27 - 24, 1.5F)) ==
        firstRow + ": expected a permeability of 0 to 1, found 1.500000");
  CHECK(refusalOfFile(withValue(bytes, observedBytes - 24, std::uint16_t{3}))
            .find("a class below 3, found 3") != std::string::npos);
  CHECK(
      refusalOfFile(withValue(bytes, observedBytes - 16, NAN)).find("a reflectance of 0 to 1e6") !=
      std::string::npos);
  CHECK(refusalOfFile(withValue(bytes, points - 12, 2.0F)).find("a normal of length 1") !=
        std::string::npos);
  for (const std::int32_t corner : {1, 5}) {
    CHECK(refusalOfFile(withValue(bytes, faceBytes - 1, corner))
              .find("corners from 2 and below 5, found " + std::to_string(corner)) !=
          std::string::npos);
  }
  CHECK(refusalOfFile(withValue(bytes, faceBytes, std::uint8_t{4})).find("faces of 3 corners") !=
        std::string::npos);
}

TEST_CASE("the corpus of the fuzz target is what is written") {
  CHECK(corpusFile("hybrid.ply") == fileOf(everyPart()));
}

TEST_CASE("a file of version 1, whose faces count vertices of the surface, is read as before") {
  const std::string bytes = corpusFile("hybrid-version-1.ply");
  CHECK(bytes != fileOf(everyPart()));
  CHECK(fileOf(readLearned(bytes)) == fileOf(everyPart()));
  CHECK(refusalOfFile(withValue(bytes, faceBytes - 1, 3)).find("below 3, found 3") !=
        std::string::npos);
}
