// How fast a scene is scanned: rays per second of the whole path from pulse to packed columns.
//   scanBench SCENE_RECIPE.json SENSOR_RECIPE.json X Y Z YAW_RAD SECONDS [ISA] [THREADS]
// The documents are those of src-main/contract/recipe.ts. Prints one JSON line.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <span>
#include <thread>

#include "core/error.h"
#include "core/scene/assemble.h"
#include "core/sensor/sensorRecipe.h"
#include "trace/scan.h"

int main(int count, char** words) {
  using namespace understory;
  const std::vector<std::string> args(words + 1, words + count);
  if (args.size() < 7) {
    std::cerr << "scanBench SCENE.json SENSOR.json X Y Z YAW_RAD SECONDS [ISA] [THREADS]\n";
    return 2;
  }
  try {
    const std::string isa = args.size() > 7 ? args[7] : bestIsa();
    const std::size_t threads =
        args.size() > 8 ? std::stoul(args[8]) : std::max(1U, std::thread::hardware_concurrency());
    const auto device = std::make_shared<const EmbreeDevice>(isa, threads);
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&start] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    Scene assembled = assembleScene(nlohmann::json::parse(std::ifstream(args[0])), {}, {});
    const double assembledAt = seconds();
    const EmbreeScene scene(device, std::move(assembled), {});
    const double builtAt = seconds();
    ScanJob job;
    job.sensor = parseSensorRecipe(nlohmann::json::parse(std::ifstream(args[1])));
    job.trajectory = {{0},
                      {{{std::stod(args[2]), std::stod(args[3]), std::stod(args[4])},
                        rotationAbout({0.0, 0.0, 1.0}, std::stod(args[5]))}}};
    job.toNs = static_cast<std::int64_t>(std::stod(args[6]) * 1e9);
    job.columns = {ReturnColumn::timeNs,     ReturnColumn::ring,     ReturnColumn::returnNo,
                   ReturnColumn::rangeM,     ReturnColumn::intensity, ReturnColumn::xM,
                   ReturnColumn::yM,         ReturnColumn::zM,        ReturnColumn::objectId,
                   ReturnColumn::classId,    ReturnColumn::xSensorM,  ReturnColumn::ySensorM,
                   ReturnColumn::zSensorM};
    ScanSink sink;
    sink.takeChunk = [](const ScanChunk&) {};
    const double scanFrom = seconds();
    const ScanTotals totals = scan(scene, job, sink);
    const double wall = seconds() - scanFrom;
    std::cout << nlohmann::json{{"isa", isa},
                                {"threads", threads},
                                {"assembleSeconds", assembledAt},
                                {"buildSeconds", builtAt - assembledAt},
                                {"embreeMB", device->memoryBytes() / 1000000},
                                {"rays", totals.rays},
                                {"returns", totals.returns},
                                {"scanSeconds", wall},
                                {"MrayPerSecond", static_cast<double>(totals.rays) / wall / 1e6},
                                {"hash", totals.hash}}
              << "\n";
  } catch (const UnderstoryError& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
