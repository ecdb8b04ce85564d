// Wavefront OBJ. Why not a library: the few statements a scene needs, every error with its line, and
// nothing in a file from elsewhere may lead outside what was read.
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/scene/readers/fileText.h"
#include "core/scene/readers/imageReader.h"
#include "core/scene/readers/meshImages.h"
#include "core/scene/readers/meshReaders.h"

namespace understory {

namespace {

struct ObjState {
  const std::string& file;
  const MeshSource& options;
  MeshBuilder& builder;
  std::set<std::string, std::less<>> materialNames;
  std::uint16_t material = 0;
  std::vector<std::uint32_t> polygon;   // reused to save allocations
  std::set<std::string> materialFiles;  // parsed
  MeshImages images;
  std::vector<Vec2f> textureVertices;
  std::vector<Vec2f> coordinates;                             // of the polygon
  std::map<std::string, MtlMaterial, std::less<>> materials;  // images as ReadImage names them
  std::map<std::string, std::uint16_t> paintOfMaterial;
  std::uint16_t paint = Paint::none;
};

void readVertex(ObjState& state, TextWords& words) {
  double position[3] = {};
  for (double& value : position) {
    if (!parseWord(words.next(true), value)) {
      throw badLine(state.file, words.line, "three numbers after 'v'");
    }
  }
  const auto& [x, y, z] = position;
  const std::optional<Vec3f> positionM =
      modelPosition(state.options, state.builder.centreM, x, y, z);
  if (!positionM) {
    throw badLine(state.file, words.line,
                  finiteVertexExpected(state.builder.mesh.vertices.size() + 1, x, y, z));
  }
  state.builder.addVertex(*positionM);
}

void readTextureVertex(ObjState& state, TextWords& words) {
  double u = 0.0;
  double v = 0.0;
  const bool isRead = parseWord(words.next(true), u);
  const std::string_view second = words.next(true);
  if (!isRead || (!second.empty() && !parseWord(second, v)) ||
      !(std::abs(u) <= maxTextureCoordinate && std::abs(v) <= maxTextureCoordinate)) {
    throw badLine(state.file, words.line, "one or two finite numbers after 'vt'");
  }
  state.textureVertices.push_back({static_cast<float>(u), static_cast<float>(v)});
}

// The texture coordinate of a corner: its second index.
Vec2f coordinateOfCorner(const ObjState& state, std::string_view corner, std::size_t line) {
  const std::size_t slash = corner.find('/');
  std::int64_t index = 0;
  const auto known = static_cast<std::int64_t>(state.textureVertices.size());
  if (slash != std::string_view::npos) {
    const std::string_view rest = corner.substr(slash + 1);
    parseWord(rest.substr(0, rest.find('/')), index);
  }
  const std::int64_t fromZero = index > 0 ? index - 1 : known + index;
  if (index == 0 || fromZero < 0 || fromZero >= known) {
    throw badLine(state.file, line,
                  "a texture coordinate among the " + std::to_string(known) +
                      " above in a face whose material has an image, found '" +
                      std::string(corner.substr(0, 40)) + "'; 'textures: false' ignores images");
  }
  return state.textureVertices[static_cast<std::size_t>(fromZero)];
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
  state.coordinates.clear();
  for (std::string_view corner = words.next(true); !corner.empty(); corner = words.next(true)) {
    state.polygon.push_back(vertexOfCorner(state, corner, words.line));
    if (state.paint != Paint::none) {
      state.coordinates.push_back(coordinateOfCorner(state, corner, words.line));
    }
  }
  if (state.polygon.size() < 3) {
    throw badLine(state.file, words.line, "three corners or more in a face");
  }
  if (!state.builder.addPolygon(state.polygon, state.material, state.paint, state.coordinates)) {
    throw badLine(state.file, words.line, concaveCornersExpected());
  }
}

// Why no failure: a mesh without its material file has all its faces and the names of their materials. The host notes it.
void readMaterialFile(ObjState& state, const std::string& name, const ReadBeside& readBeside,
                      const Watch& watch) {
  if (!state.materialFiles.insert(name).second) return;
  watch.throwIfCancelled();
  std::string_view text;
  try {
    text = readBeside(name);
  } catch (const UnderstoryError& error) {
    if (error.code != ErrorCode::notFound) throw;
    return;
  }
  for (const auto& [material, mtl] : parseMtl(text)) {
    state.materialNames.emplace(material);
    MtlMaterial& known = state.materials[material];
    if (!mtl.colourImage.empty()) known.colourImage = imageBeside(name, mtl.colourImage);
    if (!mtl.alphaImage.empty()) known.alphaImage = imageBeside(name, mtl.alphaImage);
  }
}

// The index of the paint of a material; Paint::none where it has no image.
std::uint16_t paintOf(ObjState& state, std::string_view material, std::size_t line) {
  const auto mtl = state.materials.find(material);
  if (!state.options.textures || mtl == state.materials.end()) return Paint::none;
  const auto known = state.paintOfMaterial.find(std::string(material));
  if (known != state.paintOfMaterial.end()) return known->second;
  const Paint paint{state.images.indexOf(mtl->second.colourImage, ImageUse::colour, line),
                    state.images.indexOf(mtl->second.alphaImage, ImageUse::cut, line)};
  const bool hasImage = paint.colour != Paint::none || paint.alpha != Paint::none;
  const std::uint16_t index = hasImage ? state.images.addPaint(paint, line) : Paint::none;
  state.paintOfMaterial[std::string(material)] = index;
  return index;
}

void useMaterial(ObjState& state, std::string_view name, std::size_t line) {
  state.materialNames.emplace(name);
  const auto found = state.options.materials.find(std::string(name));
  state.material = found == state.options.materials.end() ? state.options.material : found->second;
  state.paint = paintOf(state, name, line);
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
                    const MeshSource& options, const ReadBeside& readBeside, const Watch& watch,
                    const ReadImage& readImage) {
  MeshBuilder builder;
  builder.mesh.textures.minAlpha = minAlphaOf(options.alphaThreshold);
  ObjState state{.file = file,
                 .options = options,
                 .builder = builder,
                 .materialNames = {},
                 .material = options.material,
                 .polygon = {},
                 .materialFiles = {},
                 .images = MeshImages(file, readImage, builder.mesh.textures),
                 .textureVertices = {},
                 .coordinates = {},
                 .materials = {},
                 .paintOfMaterial = {}};
  TextWords words{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
  Meter meter(watch, "reading", bytes.size());
  while (words.at < words.text.size()) {
    meter.advanceTo(words.at);
    const std::string_view statement = words.next(true);
    const std::size_t line = words.line;
    if (statement == "v") {
      readVertex(state, words);
    } else if (statement == "vt") {
      readTextureVertex(state, words);
    } else if (statement == "f") {
      readFace(state, words);
    } else if (statement == "usemtl") {
      useMaterial(state, words.restOfLine(), line);
      continue;
    } else if (statement == "mtllib") {
      readMaterialFile(state, std::string(words.restOfLine()), readBeside, watch);
      continue;
    }
    words.restOfLine();
  }
  expectMaterialNames(state);
  return builder;
}

}  // namespace understory
