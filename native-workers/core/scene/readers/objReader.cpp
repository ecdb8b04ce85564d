// Wavefront OBJ. Why not a library: the few statements a scene needs, every error with its line, and
// nothing in a file from elsewhere may lead outside what was read.
#include <set>
#include <vector>

#include "core/scene/readers/fileText.h"
#include "core/scene/readers/meshReaders.h"

namespace understory {

namespace {

struct ObjState {
  const std::string& file;
  const MeshFileOptions& options;
  MeshBuilder builder;
  std::set<std::string, std::less<>> materialNames;
  std::uint16_t material = 0;
  std::vector<std::uint32_t> polygon;   // reused to save allocations
  std::set<std::string> materialFiles;  // parsed
};

void readVertex(ObjState& state, TextWords& words) {
  double position[3] = {};
  for (double& value : position) {
    if (!parseWord(words.next(true), value)) {
      throw badLine(state.file, words.line, "three numbers after 'v'");
    }
  }
  const auto& [x, y, z] = position;
  const std::optional<Vec3f> positionM = modelPosition(state.options, x, y, z);
  if (!positionM) {
    throw badLine(state.file, words.line,
                  finiteVertexExpected(state.builder.mesh.vertices.size() + 1, x, y, z));
  }
  state.builder.addVertex(*positionM);
}

// "7", "7/1", "7//2", "7/1/2", and negative numbers that count back from the last vertex.
std::uint32_t vertexOfCorner(const ObjState& state, std::string_view corner, std::size_t line) {
  std::int64_t index = 0;
  if (!parseWord(corner.substr(0, corner.find('/')), index) || index == 0) {
    throw badLine(state.file, line,
                  "a vertex number in a face, found '" + std::string(corner.substr(0, 40)) + "'");
  }
  const auto vertices = static_cast<std::int64_t>(state.builder.mesh.vertices.size());
  const std::int64_t fromZero = index > 0 ? index - 1 : vertices + index;
  if (fromZero < 0 || fromZero >= vertices) {
    throw badLine(state.file, line,
                  "a vertex among the " + std::to_string(vertices) + " above, found " +
                      std::to_string(index));
  }
  return static_cast<std::uint32_t>(fromZero);
}

void readFace(ObjState& state, TextWords& words) {
  state.polygon.clear();
  for (std::string_view corner = words.next(true); !corner.empty(); corner = words.next(true)) {
    state.polygon.push_back(vertexOfCorner(state, corner, words.line));
  }
  if (state.polygon.size() < 3) {
    throw badLine(state.file, words.line, "three corners or more in a face");
  }
  if (!state.builder.addPolygon(state.polygon, state.material)) {
    throw badLine(state.file, words.line, concaveCornersExpected());
  }
}

void readMaterialFile(ObjState& state, const std::string& name, std::size_t line,
                      const ReadBeside& readBeside, const Watch& watch) {
  if (!state.materialFiles.insert(name).second) return;
  watch.throwIfCancelled();
  std::string_view text;
  try {
    text = readBeside(name);
  } catch (const UnderstoryError&) {
    throw badLine(state.file, line,
                  "the material file '" + name + "' in the folder of the mesh, of at most 16 MiB");
  }
  TextWords words{text};
  while (words.at < words.text.size()) {
    if (words.next(true) == "newmtl") state.materialNames.emplace(words.next(true));
    words.restOfLine();
  }
}

void useMaterial(ObjState& state, std::string_view name) {
  state.materialNames.emplace(name);
  const auto found = state.options.materials.find(std::string(name));
  state.material = found == state.options.materials.end() ? state.options.material : found->second;
}

void expectMaterialNames(const ObjState& state) {
  std::string known;
  for (const std::string& name : state.materialNames) known += (known.empty() ? "" : ", ") + name;
  for (const auto& [name, index] : state.options.materials) {
    if (state.materialNames.contains(name)) continue;
    throw UnderstoryError(ErrorCode::badInput,
                          state.file + ": expected material '" + name +
                              "' in the file, which has " + (known.empty() ? "none" : known),
                          {{"file", state.file}, {"material", name}});
  }
}

}  // namespace

MeshBuilder readObj(std::span<const std::byte> bytes, const std::string& file,
                    const MeshFileOptions& options, const ReadBeside& readBeside,
                    const Watch& watch) {
  ObjState state{file, options, {}, {}, options.material, {}, {}};
  TextWords words{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
  Meter meter(watch, "reading", bytes.size());
  while (words.at < words.text.size()) {
    meter.advanceTo(words.at);
    const std::string_view statement = words.next(true);
    const std::size_t line = words.line;
    if (statement == "v") {
      readVertex(state, words);
    } else if (statement == "f") {
      readFace(state, words);
    } else if (statement == "usemtl") {
      useMaterial(state, words.restOfLine());
      continue;
    } else if (statement == "mtllib") {
      readMaterialFile(state, std::string(words.restOfLine()), line, readBeside, watch);
      continue;
    }
    words.restOfLine();
  }
  expectMaterialNames(state);
  return std::move(state.builder);
}

}  // namespace understory
