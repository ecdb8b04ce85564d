// Building: progress of every phase, cancelling within each of them, and the memory that it takes.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include "core/assembly/assemble.h"
#include "core/assembly/memoryEstimate.h"
#include "core/error.h"
#include "test/native/support/scenes.h"

using namespace understory;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// Reports of a watch, from any thread; cancels at the first report of one phase.
struct Watched {
  std::string cancelIn;
  std::atomic<bool> isCancelled{false};
  std::mutex mutex;
  std::set<std::string> phases;

  void tell(const std::string& phase, std::size_t done, std::size_t total) {
    const std::lock_guard lock(mutex);
    CHECK(done <= total);
    phases.insert(phase);
    if (phase == cancelIn) isCancelled = true;
  }
  std::function<void(const std::string&, std::size_t, std::size_t)> teller() {
    return [this](const std::string& phase, std::size_t done, std::size_t total) {
      tell(phase, done, total);
    };
  }
};

// A sheet of 2 * side * side triangles as binary PLY.
void writePly(const fs::path& path, std::uint32_t side) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&file](const auto& value) {
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
  };
  file << "ply\nformat binary_little_endian 1.0\nelement vertex " << (side + 1) * (side + 1)
       << "\nproperty float x\nproperty float y\nproperty float z\nelement face " << side * side
       << "\nproperty list uchar int vertex_indices\nend_header\n";
  for (std::uint32_t row = 0; row <= side; ++row) {
    for (std::uint32_t column = 0; column <= side; ++column) {
      put(std::array<float, 3>{static_cast<float>(column), static_cast<float>(row), 0.0F});
    }
  }
  for (std::uint32_t row = 0; row < side; ++row) {
    for (std::uint32_t column = 0; column < side; ++column) {
      const std::uint32_t corner = row * (side + 1) + column;
      put(std::uint8_t{4});
      put(std::array<std::uint32_t, 4>{corner, corner + 1, corner + side + 2, corner + side + 1});
    }
  }
}

json recipeOf(json source, int copies) {
  return {{"seed", 1},
          {"materials", {{{"name", "m"}, {"reflectance", 0.5}, {"colourRgb", {1, 1, 1}}}}},
          {"classes", {"thing"}},
          {"models", {{{"name", "model"}, {"solid", "none"}, {"source", std::move(source)}}}},
          {"instances", json::array()},
          {"scatters",
           {{{"firstId", 1},
             {"name", "s"},
             {"class", 0},
             {"model", 0},
             {"count", copies},
             {"pattern", "uniform"},
             {"minSpacingM", 0},
             {"areaM", {{0, 0}, {9, 0}, {9, 9}}},
             {"yawRad", {0, 6}},
             {"scale", {1, 1}},
             {"tiltRad", {0, 0}},
             {"keepClear", json::array()}}}},
          {"ground", -1}};
}

json boxSource() { return {{"kind", "box"}, {"sizeM", {1, 1, 1}}, {"material", 0}}; }

// Assembles and builds; the code of what it threw, or "".
std::string build(const json& recipe, Watched& watched) {
  AssembleOptions options;
  options.watch = {watched.teller(), &watched.isCancelled};
  Watch control;
  control.onProgress = watched.teller();
  control.isCancelled = &watched.isCancelled;
  try {
    const TracedScene scene(testDevice(), assembleScene(recipe, {}, options), control);
  } catch (const UnderstoryError& error) {
    return std::string(wordOf(error.code));
  }
  return "";
}

std::string buildCancelledIn(const json& recipe, const std::string& phase) {
  Watched watched;
  watched.cancelIn = phase;
  const std::string code = build(recipe, watched);
  CHECK(watched.phases.contains(phase));
  return code;
}

}  // namespace

TEST_CASE("every phase of a build tells where it is, and stops when it is cancelled") {
  const fs::path file =
      fs::temp_directory_path() / ("buildTest-" + std::to_string(::getpid()) + ".ply");
  writePly(file, 400);
  const json mesh = recipeOf({{"kind", "mesh"},
                              {"file", file.string()},
                              {"format", "ply"},
                              {"unitM", 1.0},
                              {"upAxis", "z"},
                              {"material", 0},
                              {"materials", json::object()}},
                             1);
  const json scatter = recipeOf(boxSource(), 60'000);
  Watched whole;
  CHECK(build(mesh, whole) == "");
  for (const char* phase :
       {"models", "reading", "vertices", "triangles", "building", "top-level"}) {
    CAPTURE(phase);
    CHECK(whole.phases.contains(phase));
    CHECK(buildCancelledIn(mesh, phase) == "cancelled");
  }
  for (const char* phase : {"scatters", "instances", "top-level"}) {
    CAPTURE(phase);
    CHECK(buildCancelledIn(scatter, phase) == "cancelled");
  }
  fs::remove(file);
}

TEST_CASE("a cancelled build leaves nothing in Embree") {
  const auto device = testDevice();
  const std::int64_t before = device->memoryBytes();
  Watched watched;
  watched.cancelIn = "top-level";
  Watch control;
  control.onProgress = watched.teller();
  control.isCancelled = &watched.isCancelled;
  Scene scene = assembleScene(recipeOf(boxSource(), 60'000), {}, {});
  CHECK_THROWS_AS(TracedScene(device, std::move(scene), control), UnderstoryError);
  CHECK(device->memoryBytes() == before);
}

TEST_CASE("the estimate covers what Embree holds, and is not far above it") {
  const auto device = testDevice();
  const std::int64_t before = device->memoryBytes();
  SceneMaker maker;
  maker.place(maker.model(wallMesh(10.0F, 300, maker.material(0.5F))), {});
  const auto scene = maker.build(device);
  const auto held = static_cast<double>(device->memoryBytes() - before);
  const auto estimated =
      static_cast<double>(estimateModelBytes(180'000) + estimateInstanceBytes(1));
  // Held 75 to 111 bytes a triangle, of 150 that the height of the build may take.
  CHECK(held < estimated);
  CHECK(held > 0.4 * estimated);
}
