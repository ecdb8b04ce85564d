// Bytes of a mesh file, and its triangles by format.
#include "core/scene/readers/meshFile.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <string_view>

#include "core/error.h"
#include "core/scene/readers/fileText.h"
#include "core/scene/readers/meshReaders.h"

namespace understory {

namespace {

namespace fs = std::filesystem;

std::string readText(const std::string& path, const Watch& watch) {
  constexpr std::size_t blockBytes = std::size_t{16} << 20U;
  std::string text(fileSizeBytes(path), '\0');
  std::ifstream stream(path, std::ios::binary);
  for (std::size_t at = 0; at < text.size() && stream; at += blockBytes) {
    watch.throwIfCancelled();
    const std::size_t size = std::min(blockBytes, text.size() - at);
    stream.read(text.data() + at, static_cast<std::streamsize>(size));
  }
  if (!stream)
    throw UnderstoryError(ErrorCode::io, "'" + path + "' cannot be read", {{"file", path}});
  return text;
}

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

}  // namespace

std::uint64_t fileSizeBytes(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw UnderstoryError(ErrorCode::notFound, "there is no mesh file '" + path + "'",
                          {{"file", path}});
  }
  if (!fs::is_regular_file(path, error)) {
    throw UnderstoryError(ErrorCode::io, "'" + path + "' is no file", {{"file", path}});
  }
  const std::uintmax_t size = fs::file_size(path, error);
  if (error)
    throw UnderstoryError(ErrorCode::io, "'" + path + "': " + error.message(), {{"file", path}});
  return size;
}

std::optional<Vec3f> modelPosition(const MeshFileOptions& options, double x, double y, double z) {
  const Vec3d upright = options.isYUp ? Vec3d{x, -z, y} : Vec3d{x, y, z};
  const Vec3d positionM = upright * options.unitM;
  const auto isInside = [](double coordinate) { return std::abs(coordinate) <= maxCoordinateM; };
  if (!isInside(positionM.x) || !isInside(positionM.y) || !isInside(positionM.z)) {
    return std::nullopt;
  }
  return toFloat(positionM);
}

std::string finiteVertexExpected(std::uint64_t number, double x, double y, double z) {
  std::ostringstream found;
  found << "coordinates of vertex " << number << " within " << maxCoordinateM << " m, found " << x
        << ' ' << y << ' ' << z;
  return found.str();
}

MeshFileBytes loadMeshFile(const std::string& path, MeshFormat format, const Watch& watch) {
  MeshFileBytes file{fs::path(path).filename().string(), readText(path, watch), {}};
  if (format != MeshFormat::obj) return file;
  std::uint64_t leftBytes = maxMaterialBytes;
  for (const std::string& name : materialFilesOf(file.text)) {
    std::optional<std::string>& text = file.beside[name];
    // Without a text the reader refuses it, with the line that names it.
    if (!staysInside(name)) continue;
    const std::string besidePath = (fs::path(path).parent_path() / name).string();
    try {
      if (fileSizeBytes(besidePath) > std::min(maxMaterialFileBytes, leftBytes)) continue;
      text = readText(besidePath, watch);
      leftBytes -= std::min<std::uint64_t>(leftBytes, text->size());
    } catch (const UnderstoryError& error) {
      if (error.code == ErrorCode::cancelled) throw;
    }
  }
  return file;
}

MeshBuilder convertMeshFile(const MeshFileBytes& file, const MeshFileOptions& options,
                            const Watch& watch) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(file.text));
  const std::string& name = file.name;
  const auto readBeside = [&file](const std::string& beside) -> std::string_view {
    const auto found = file.beside.find(beside);
    if (found != file.beside.end() && found->second) return *found->second;
    throw UnderstoryError(ErrorCode::notFound, "there is no material file '" + beside + "'");
  };
  MeshBuilder builder = options.format == MeshFormat::obj
                            ? readObj(bytes, name, options, readBeside, watch)
                        : options.format == MeshFormat::ply ? readPly(bytes, name, options, watch)
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
