// Bytes of a mesh file, and its triangles by format.
#include "core/scene/readers/meshFile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/regularFile.h"
#include "core/scene/readers/fileText.h"
#include "core/scene/readers/meshReaders.h"

namespace understory {

namespace {

namespace fs = std::filesystem;

// Whether a line has nothing but blanks before `at`.
bool beginsLine(std::string_view text, std::size_t at) {
  while (at > 0 && TextWords::isBlank(text[at - 1])) --at;
  return at == 0 || text[at - 1] == '\n';
}

// The names after the statement `mtllib`.
std::set<std::string> materialFilesOf(std::string_view text) {
  constexpr std::string_view keyword = "mtllib";
  std::set<std::string> names;
  for (std::size_t at = text.find(keyword); at != std::string_view::npos;
       at = text.find(keyword, at)) {
    TextWords words{text, at + keyword.size()};
    const std::string_view name = words.restOfLine();
    if (beginsLine(text, at)) names.emplace(name);
    at = words.at;
  }
  return names;
}

// Whether a name stays in the folder that it is relative to.
bool staysInside(const fs::path& name) {
  const fs::path normal = name.lexically_normal();
  return !normal.empty() && normal.is_relative() && *normal.begin() != "..";
}

// Reads files in the folder of a mesh, each and all of them up to a number of bytes.
struct Beside {
  fs::path folder;
  std::uint64_t maxFileBytes;
  std::uint64_t leftBytes;

  // Nothing where a file must not or cannot be read: the reader refuses it, with the line that names it.
  std::optional<std::string> read(const std::string& name, const Watch& watch) {
    if (!staysInside(name)) return std::nullopt;
    const std::string path = (folder / name).string();
    try {
      std::string text = RegularFile(path, std::min(maxFileBytes, leftBytes)).readText(watch);
      leftBytes -= std::min<std::uint64_t>(leftBytes, text.size());
      return text;
    } catch (const UnderstoryError& error) {
      if (error.code == ErrorCode::cancelled) throw;
      return std::nullopt;
    }
  }
};

// The name of an image after its options: each starts with '-' and has the values that the format gives it.
std::string imageName(std::string_view rest) {
  constexpr std::array<std::pair<std::string_view, int>, 13> options{{{"-blendu", 1},
                                                                      {"-blendv", 1},
                                                                      {"-boost", 1},
                                                                      {"-bm", 1},
                                                                      {"-cc", 1},
                                                                      {"-clamp", 1},
                                                                      {"-imfchan", 1},
                                                                      {"-mm", 2},
                                                                      {"-o", 3},
                                                                      {"-s", 3},
                                                                      {"-t", 3},
                                                                      {"-texres", 1},
                                                                      {"-type", 1}}};
  TextWords words{rest};
  for (;;) {
    const std::size_t before = words.at;
    const std::string_view word = words.next(true);
    const auto* const option = std::find_if(options.begin(), options.end(),
                                            [&](const auto& known) { return known.first == word; });
    if (option == options.end()) {
      words.at = before;
      return std::string(words.restOfLine());
    }
    for (int value = 0; value < option->second; ++value) {
      // -o, -s and -t have one to three numbers.
      const std::size_t beforeValue = words.at;
      double number = 0.0;
      if (!parseWord(words.next(true), number) && value > 0) {
        words.at = beforeValue;
        break;
      }
    }
  }
}

// The part of a coordinate that is taken off the mesh: whole kilometres.
double farPart(double coordinateM) {
  return std::abs(coordinateM) <= maxOwnCoordinateM ? 0.0
                                                    : 1000.0 * std::round(coordinateM / 1000.0);
}

}  // namespace

Vec3d farPartOf(Vec3d positionM) {
  return {farPart(positionM.x), farPart(positionM.y), farPart(positionM.z)};
}

std::optional<Vec3f> modelPosition(const MeshSource& options, std::optional<Vec3d>& centreM,
                                   double x, double y, double z) {
  const Vec3d upright = options.upAxis == UpAxis::y ? Vec3d{x, -z, y} : Vec3d{x, y, z};
  const Vec3d positionM = upright * options.unitM;
  const auto isInside = [](double coordinate) { return std::abs(coordinate) <= maxCoordinateM; };
  if (!isInside(positionM.x) || !isInside(positionM.y) || !isInside(positionM.z)) {
    return std::nullopt;
  }
  if (!centreM) centreM = farPartOf(positionM);
  return toFloat(positionM - *centreM);
}

std::string finiteVertexExpected(std::uint64_t number, double x, double y, double z) {
  std::ostringstream found;
  found << "coordinates of vertex " << number << " within " << maxCoordinateM << " m, found " << x
        << ' ' << y << ' ' << z;
  return found.str();
}

std::map<std::string, MtlMaterial> parseMtl(std::string_view text) {
  std::map<std::string, MtlMaterial> materials;
  MtlMaterial* material = nullptr;
  TextWords words{text};
  while (words.at < words.text.size()) {
    const std::string_view statement = words.next(true);
    if (statement == "newmtl") {
      material = &materials[std::string(words.restOfLine())];
      continue;
    }
    const std::string_view rest = words.restOfLine();
    if (material == nullptr) continue;
    if (statement == "map_Kd") material->colourImage = imageName(rest);
    if (statement == "map_d") material->alphaImage = imageName(rest);
  }
  return materials;
}

std::string imageBeside(const std::string& mtlFile, const std::string& image) {
  // Why: programs on Windows write names with backslashes.
  std::string name = image;
  std::replace(name.begin(), name.end(), '\\', '/');
  return (fs::path(mtlFile).parent_path() / name).lexically_normal().generic_string();
}

MeshFileBytes loadMeshFile(const std::string& path, MeshFormat format, const Watch& watch,
                           bool usesTextures) {
  MeshFileBytes file{fs::path(path).filename().string(),
                     RegularFile(path, maxMeshFileBytes).readText(watch),
                     {},
                     {}};
  Beside images{fs::path(path).parent_path(), maxImageFileBytes, maxImageBytes};
  const auto addImage = [&](const std::string& image) {
    if (!file.images.contains(image)) file.images[image] = images.read(image, watch);
  };
  if (format == MeshFormat::ply && usesTextures) {
    for (const std::string& name : imagesOfPly(file.text)) addImage(imageBeside("", name));
  }
  if (format != MeshFormat::obj) return file;
  Beside materials{fs::path(path).parent_path(), maxMaterialFileBytes, maxMaterialBytes};
  for (const std::string& name : materialFilesOf(file.text)) {
    file.beside[name] = materials.read(name, watch);
  }
  if (!usesTextures) return file;
  for (const auto& [name, text] : file.beside) {
    if (!text) continue;
    for (const auto& [materialName, material] : parseMtl(*text)) {
      for (const std::string& inFile : {material.colourImage, material.alphaImage}) {
        if (!inFile.empty()) addImage(imageBeside(name, inFile));
      }
    }
  }
  return file;
}

MeshBuilder convertMeshFile(const MeshFileBytes& file, const MeshSource& options,
                            const Watch& watch) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(file.text));
  const std::string& name = file.name;
  const auto readBeside = [&file](const std::string& beside) -> std::string_view {
    const auto found = file.beside.find(beside);
    if (found != file.beside.end() && found->second) return *found->second;
    throw UnderstoryError(ErrorCode::notFound, "there is no material file '" + beside + "'");
  };
  const ReadImage readImage = [&file](const std::string& image) -> std::string_view {
    const auto found = file.images.find(image);
    if (found != file.images.end() && found->second) return *found->second;
    throw UnderstoryError(ErrorCode::notFound, "there is no image '" + image + "'");
  };
  MeshBuilder builder = options.format == MeshFormat::obj
                            ? readObj(bytes, name, options, readBeside, watch, readImage)
                        : options.format == MeshFormat::ply
                            ? readPly(bytes, name, options, watch, readImage)
                            : readStl(bytes, name, options, watch);
  if (builder.mesh.triangles.empty()) {
    const std::string dropped = std::to_string(builder.degenerateTriangles);
    throw UnderstoryError(ErrorCode::badInput,
                          name + ": expected at least one triangle with area (" + dropped +
                              " without area were dropped)",
                          {{"file", name}, {"degenerate", builder.degenerateTriangles}});
  }
  return builder;
}

}  // namespace understory
