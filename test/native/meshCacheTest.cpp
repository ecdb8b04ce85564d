// The mesh cache: what is recalled is what was made; what has changed, is damaged or foreign is made again.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "core/assembly/assemble.h"
#include "core/assembly/meshCache.h"
#include "core/assembly/meshCodec.h"
#include "scanWorker/meshFolder.h"
#include "test/native/support/plants.h"

using namespace understory;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// A folder of this test's own, gone with it.
struct Folder {
  Folder() : path(fs::temp_directory_path() / ("meshCacheTest-" + std::to_string(::getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;
};

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// A store in memory that counts.
struct CountingStore {
  std::map<std::string, std::vector<std::byte>> entries;
  int found = 0;
  int kept = 0;
  MeshStore store{[this](const std::string& name) -> std::optional<std::vector<std::byte>> {
                    const auto entry = entries.find(name);
                    if (entry == entries.end()) return std::nullopt;
                    ++found;
                    return entry->second;
                  },
                  [this](const std::string& name, std::span<const std::byte> bytes) {
                    ++kept;
                    entries[name].assign(bytes.begin(), bytes.end());
                  }};
};

json grass(int blades, int seed = 4) {
  return {{"kind", "plant"},
          {"seed", seed},
          {"materials", {{"grass", 1}}},
          {"plant", withHeading({{"generator", "grass-patch"},
                                 {"blades", blades},
                                 {"segments", 22},
                                 {"patchRadiusM", 0.25},
                                 {"heightM", {0.1, 0.5}},
                                 {"widthM", {0.003, 0.008}},
                                 {"leanDeg", {5, 40}},
                                 {"bendDeg", {10, 60}},
                                 {"foldDeg", 40},
                                 {"material", "grass"}})}};
}

json objSource(const fs::path& file) {
  return {{"kind", "mesh"},
          {"file", file.string()},
          {"format", "obj"},
          {"unitM", 1.0},
          {"upAxis", "z"},
          {"material", 0},
          {"materials", json::object()}};
}

// A strip of triangles, long enough to be kept.
std::string objText(double heightM) {
  std::string text = "mtllib strip.mtl\n";
  constexpr int columns = 12'000;
  for (int column = 0; column <= columns; ++column) {
    const std::string x = std::to_string(column);
    text += "v " + x + " 0 0\nv " + x + " 1 " + std::to_string(heightM) + "\n";
  }
  for (int column = 0; column < columns; ++column) {
    const auto corner = [&](int offset) { return " " + std::to_string(2 * column + offset); };
    text +=
        "f" + corner(1) + corner(3) + corner(2) + "\nf" + corner(2) + corner(3) + corner(4) + "\n";
  }
  return text;
}

ModelTriangles make(const json& document, const MeshStore* store) {
  constexpr std::size_t materials = 2;
  const json model{{"materials", {0, 1}}, {"source", document}};
  FieldReader reader(model, "model");
  const ModelSource source = readModelSource(reader, fields::model::source);
  return cachedModelTriangles(source, materials, {}, store, {});
}

bool isSame(const ModelTriangles& a, const ModelTriangles& b) {
  const auto isSamePoint = [](Vec3f p, Vec3f q) { return p.x == q.x && p.y == q.y && p.z == q.z; };
  const Mesh& m = a.builder.mesh;
  const Mesh& n = b.builder.mesh;
  return std::equal(m.vertices.begin(), m.vertices.end(), n.vertices.begin(), n.vertices.end(),
                    isSamePoint) &&
         m.triangles == n.triangles && m.materialOfTriangle == n.materialOfTriangle &&
         a.builder.degenerateTriangles == b.builder.degenerateTriangles && a.blades == b.blades &&
         a.barkMaterial == b.barkMaterial;
}

std::string text32() { return "0123456789abcdef0123456789abcdef"; }

}  // namespace

TEST_CASE("a plant is recalled as it was grown, and grown again for any other parameter") {
  CountingStore counting;
  const ModelTriangles made = make(grass(300), &counting.store);
  CHECK(counting.kept == 1);
  const ModelTriangles recalled = make(grass(300), &counting.store);
  CHECK(counting.found == 1);
  CHECK(isSame(made, recalled));
  CHECK(isSame(made, make(grass(300), nullptr)));
  CHECK(recalled.blades == 300);
  make(grass(301), &counting.store);
  make(grass(300, 5), &counting.store);
  json other = grass(300);
  other["materials"]["grass"] = 0;
  make(other, &counting.store);
  CHECK(counting.kept == 4);
  CHECK(counting.found == 1);
}

TEST_CASE("what is quickly made is not kept") {
  CountingStore counting;
  make(grass(100), &counting.store);  // 8,800 triangles
  make({{"kind", "sphere"}, {"radiusM", 1.0}, {"rings", 200}, {"material", 0}}, &counting.store);
  CHECK(counting.entries.empty());
}

TEST_CASE("a mesh file is known by its bytes and its material file's, not by its path") {
  const Folder folder;
  CountingStore counting;
  write(folder.path / "strip.mtl", "newmtl a\n");
  write(folder.path / "a.obj", objText(0.0));
  const ModelTriangles made = make(objSource(folder.path / "a.obj"), &counting.store);
  CHECK(made.builder.mesh.triangles.size() == 24'000);
  fs::copy(folder.path / "a.obj", folder.path / "b.obj");
  CHECK(isSame(made, make(objSource(folder.path / "b.obj"), &counting.store)));
  CHECK(counting.found == 1);
  write(folder.path / "a.obj", objText(2.0));
  CHECK_FALSE(isSame(made, make(objSource(folder.path / "a.obj"), &counting.store)));
  write(folder.path / "strip.mtl", "newmtl b\n");
  make(objSource(folder.path / "b.obj"), &counting.store);
  CHECK(counting.found == 1);
  CHECK(counting.kept == 3);
  fs::remove(folder.path / "strip.mtl");
  // Without its material file it is another mesh.
  make(objSource(folder.path / "b.obj"), &counting.store);
  CHECK(counting.found == 1);
  CHECK(counting.kept == 4);
}

TEST_CASE("an entry that is damaged anywhere, cut short or misnamed is none") {
  ModelTriangles model;
  model.builder.addVertex(Vec3f{0, 0, 0});
  model.builder.addVertex(Vec3f{1, 0, 0});
  model.builder.addVertex(Vec3f{0, 1, 0});
  model.builder.addTriangle(0, 1, 2, 1);
  const std::vector<std::byte> whole = encodeMesh(model, text32());
  REQUIRE(decodeMesh(whole, text32(), 2));
  CHECK(isSame(model, *decodeMesh(whole, text32(), 2)));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::byte> damaged = whole;
    damaged[at] ^= std::byte{0x40};
    CAPTURE(at);
    CHECK_FALSE(decodeMesh(damaged, text32(), 2));
    CHECK_FALSE(decodeMesh(std::span(whole).first(at), text32(), 2));
  }
  std::vector<std::byte> longer = whole;
  longer.push_back({});
  CHECK_FALSE(decodeMesh(longer, text32(), 2));
  CHECK_FALSE(decodeMesh(whole, "f" + text32().substr(1), 2));
  CHECK_FALSE(decodeMesh(whole, text32(), 1));  // material 1 of one
}

TEST_CASE("a damaged entry in the store is made and kept again") {
  CountingStore counting;
  const ModelTriangles made = make(grass(300), &counting.store);
  std::vector<std::byte>& entry = counting.entries.begin()->second;
  const std::vector<std::byte> whole = entry;
  entry.resize(entry.size() / 2);
  CHECK(isSame(made, make(grass(300), &counting.store)));
  CHECK(counting.kept == 2);
  CHECK(counting.entries.begin()->second == whole);
}

TEST_CASE("a folder whose files cannot be written is reported once, with the reason") {
  const Folder folder;
  const std::vector<std::byte> entry(100, std::byte{7});
  // Folders have the names of the files that are written aside.
  for (const std::string name : {"a", "b"}) {
    fs::create_directories(folder.path / (name + "-" + std::to_string(::getpid()) + ".part"));
  }
  std::vector<std::string> failures;
  const auto report = [&](const std::string& failure) { failures.push_back(failure); };
  const MeshStore store = meshFolder(folder.path, meshFolderBytes, report);
  store.keep("a", entry);
  store.keep("b", entry);
  CHECK_FALSE(store.find("a"));
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].find("cannot be written: Is a directory") != std::string::npos);
  store.keep("c", entry);
  CHECK(store.find("c"));
}

TEST_CASE("the folder keeps entries whole, within its bound, and forgives the disk") {
  const Folder folder;
  const fs::path place = folder.path / "not" / "there" / "yet";
  const MeshStore store = meshFolder(place, 2'500);
  const std::vector<std::byte> thousand(1'000, std::byte{7});
  store.keep("a", thousand);
  store.keep("b", thousand);
  REQUIRE(store.find("a"));
  CHECK(*store.find("a") == thousand);
  const auto hoursAgo = [](int hours) {
    return fs::file_time_type::clock::now() - std::chrono::hours(hours);
  };
  fs::last_write_time(place / "a.mesh", hoursAgo(5));
  fs::last_write_time(place / "b.mesh", hoursAgo(4));
  write(place / "c-1.part", "left behind");
  fs::last_write_time(place / "c-1.part", hoursAgo(2));
  CHECK(store.find("a"));  // used: b is the older one now
  store.keep("d", thousand);
  CHECK(store.find("a"));
  CHECK_FALSE(store.find("b"));
  CHECK(store.find("d"));
  CHECK_FALSE(fs::exists(place / "c-1.part"));
  store.keep("large", std::vector<std::byte>(3'000));
  CHECK_FALSE(store.find("large"));
  write(folder.path / "file", "no folder");
  const MeshStore nowhere = meshFolder(folder.path / "file");
  nowhere.keep("a", thousand);
  CHECK_FALSE(nowhere.find("a"));
}
