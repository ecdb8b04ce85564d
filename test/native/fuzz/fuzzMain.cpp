// Mutated inputs for everything that reads bytes from elsewhere: frames, recipes, mesh files, learned models, voxels. Built with
// the address and undefined-behaviour sanitizers. Why not libFuzzer: g++ has none; these mutations are the same on every machine.
//   fuzz CORPUS SECONDS [SEED] [TARGET]
//   fuzz --read-logs    reads the logs that stdin names; a line for each, 'accepted' or why not
// CORPUS has a folder for each target. A target fails where anything is thrown but a refusal.
// Prints the seed of the input under test before it ends; `fuzz CORPUS 0 SEED TARGET` runs that one input.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <span>
#include <vector>

#include "contract/sceneRecipe.h"
#include "contract/sensorRecipe.h"
#include "core/error.h"
#include "core/learned/learnedFile.h"
#include "core/log/logReader.h"
#include "core/scene/readers/meshReaders.h"
#include "core/scene/readers/npzArchive.h"
#include "core/sensor/describe.h"
#include "core/voxels/voxelGrid.h"
#include "protocol/frame.h"
#include "test/native/fuzz/mutate.h"
#include "test/native/support/meshFiles.h"

using namespace understory;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Seed {
  std::string name;
  std::string bytes;
};

std::vector<Seed> readCorpus(const fs::path& folder) {
  std::vector<Seed> seeds;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.push_back({entry.path().filename().string(),
                     {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}});
  }
  std::sort(seeds.begin(), seeds.end(),
            [](const Seed& a, const Seed& b) { return a.name < b.name; });
  if (seeds.empty()) throw std::runtime_error("no corpus in " + folder.string());
  return seeds;
}

void fuzzFrames(const std::vector<Seed>& corpus, FuzzRandom& random) {
  const std::string bytes = mutatedBytes(corpus[random.below(corpus.size())].bytes,
                                         corpus[random.below(corpus.size())].bytes, random);
  FrameReader reader;
  const auto view = std::as_bytes(std::span(bytes));
  const std::size_t piece = 1 + random.below(bytes.size() + 1);
  for (std::size_t from = 0; from < view.size(); from += piece) {
    reader.push(view.subspan(from, std::min(piece, view.size() - from)), [](Frame&& frame) {
      for (const ColumnView& column : frame.columns) {
        // Every byte that a column names can be read.
        unsigned sum = 0;
        for (const std::byte byte : column.bytes) sum += std::to_integer<unsigned>(byte);
        if (sum == 0xFFFFFFFFU) std::cerr << "";
      }
    });
  }
}

void fuzzMeshes(const std::vector<Seed>& corpus, FuzzRandom& random) {
  const Seed& seed = corpus[random.below(corpus.size())];
  const std::string bytes =
      mutatedBytes(seed.bytes, corpus[random.below(corpus.size())].bytes, random);
  const auto view = std::as_bytes(std::span(bytes));
  const std::string material = mutatedBytes("newmtl bark\n", bytes, random);
  const std::string extension = fs::path(seed.name).extension().string();
  MeshBuilder builder;
  if (extension == ".obj") {
    builder = readObj(view, seed.name, metresZUp,
                      [&](const std::string&) { return std::string_view(material); });
  } else {
    builder = extension == ".ply" ? readPly(view, seed.name, metresZUp)
                                  : readStl(view, seed.name, metresZUp);
  }
  for (const auto& triangle : builder.mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      if (corner >= builder.mesh.vertices.size())
        throw std::logic_error("a corner without a vertex");
    }
  }
}

void fuzzLearned(const std::vector<Seed>& corpus, FuzzRandom& random) {
  const Seed& seed = corpus[random.below(corpus.size())];
  const std::string bytes = mutatedBytes(seed.bytes, seed.bytes, random);
  const LearnedModel model = readLearnedModel(std::as_bytes(std::span(bytes)), seed.name);
  std::string again;
  writeLearnedModel(model, [&](std::string_view piece) { again += piece; });
  if (primitivesOf(readLearnedModel(std::as_bytes(std::span(again)), seed.name)) !=
      primitivesOf(model)) {
    throw std::logic_error("a model that is not what was written");
  }
}

void fuzzLogs(const std::vector<Seed>& corpus, FuzzRandom& random) {
  const Seed& seed = corpus[random.below(corpus.size())];
  const std::string bytes = mutatedBytes(seed.bytes, seed.bytes, random);
  const LogReader log(
      [&](std::uint64_t offset, std::span<std::byte> into) {
        if (offset + into.size() > bytes.size()) throw std::logic_error("a read beyond the file");
        const auto whole = std::as_bytes(std::span(bytes));
        std::ranges::copy(whole.subspan(offset, into.size()), into.begin());
      },
      bytes.size(), seed.name);
  readBeams({log}, 1000, {});
}

void fuzzRecipes(const std::vector<Seed>& corpus, FuzzRandom& random) {
  const Seed& seed = corpus[random.below(corpus.size())];
  json recipe = json::parse(seed.bytes);
  const std::size_t changes = 1 + random.below(3);
  for (std::size_t change = 0; change < changes; ++change) mutateJson(recipe, random);
  if (seed.name.starts_with("sensor")) {
    const SensorRecipe sensor = readObject(recipe, "sensor", readSensorRecipe);
    // A recipe that is accepted must be usable. A few pulses, so that an input takes milliseconds.
    if (sensor.beam.rays.count <= 4096) describeSensor(sensor, {1, 1, 500});
  } else {
    readObject(recipe, "recipe", readSceneRecipe);
  }
}

// Sums of archives refuse most that is changed in an array, so that arrays are read alone, too.
void fuzzVoxels(const std::vector<Seed>& corpus, FuzzRandom& random) {
  const Seed& seed = corpus[random.below(corpus.size())];
  const std::string bytes = mutatedBytes(seed.bytes, seed.bytes, random);
  if (!seed.name.ends_with(".npy")) {
    readVoxelArchive(bytes, seed.name, {});
    return;
  }
  const NpyArray array(bytes, "density", seed.name);
  for (std::uint64_t index = 0; index < array.size(); ++index) {
    if (array[index] == 1.2345) std::cerr << "";
  }
}

using Target = void (*)(const std::vector<Seed>&, FuzzRandom&);
const std::map<std::string, Target> targets{{"frames", fuzzFrames},   {"learned", fuzzLearned},
                                            {"logs", fuzzLogs},       {"meshes", fuzzMeshes},
                                            {"recipes", fuzzRecipes}, {"voxels", fuzzVoxels}};

// Whether the input was refused, accepted, or (throws) neither.
bool isAccepted(Target target, const std::vector<Seed>& corpus, std::uint64_t seed) {
  FuzzRandom random(seed);
  try {
    target(corpus, random);
    return true;
  } catch (const UnderstoryError& error) {
    if (error.code == ErrorCode::internal) throw;
  } catch (const ProtocolError&) {
  } catch (const json::exception&) {
  }
  return false;
}

bool run(const std::string& name, Target target, const std::vector<Seed>& corpus, double seconds,
         std::uint64_t firstSeed) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t inputs = 0;
  std::uint64_t accepted = 0;
  do {
    const std::uint64_t seed = firstSeed + inputs++;
    try {
      accepted += isAccepted(target, corpus, seed) ? 1 : 0;
    } catch (const std::exception& error) {
      std::cerr << name << ", seed " << seed << ": " << error.what() << "\n";
      return false;
    }
  } while (std::chrono::steady_clock::now() < end);
  // A corpus that is refused as a whole tests nothing.
  const bool isVacuous = seconds > 0.0 && accepted == 0;
  std::cout << name << ": " << inputs << " inputs from seed " << firstSeed << ", " << accepted
            << " accepted\n";
  return !isVacuous;
}

// For a comparison with the reader in TypeScript (test/fuzz/targets/logs.ts).
int readNamedLogs() {
  for (std::string path; std::getline(std::cin, path);) {
    try {
      readBeams({openLog(path)}, 10'000'000, {});
      std::cout << "accepted" << std::endl;
    } catch (const UnderstoryError& error) {
      if (error.code == ErrorCode::internal) throw;
      std::cout << "refused: " << error.what() << std::endl;
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments == std::vector<std::string>{"--read-logs"}) return readNamedLogs();
  if (arguments.size() < 2) {
    std::cerr << "fuzz CORPUS SECONDS [SEED] [TARGET]\n";
    return 2;
  }
  const double seconds = std::stod(arguments[1]);
  const std::uint64_t seed = arguments.size() > 2 ? std::stoull(arguments[2]) : 1;
  bool isSound = true;
  for (const auto& [name, target] : targets) {
    if (arguments.size() > 3 && arguments[3] != name) continue;
    const double share = arguments.size() > 3 ? 1.0 : 1.0 / static_cast<double>(targets.size());
    isSound = run(name, target, readCorpus(fs::path(arguments[0]) / name), share * seconds, seed) &&
              isSound;
  }
  return isSound ? 0 : 1;
}
