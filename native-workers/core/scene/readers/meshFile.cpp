#include "core/scene/readers/meshFile.h"

#include <filesystem>
#include <fstream>
#include <vector>

#include "core/error.h"
#include "core/scene/readers/meshReaders.h"

namespace understory {

namespace {

namespace fs = std::filesystem;

std::string readText(const std::string& path) {
  std::string text(fileSizeBytes(path), '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream || static_cast<std::size_t>(stream.gcount()) != text.size()) {
    throw UnderstoryError("io", "'" + path + "' cannot be read", {{"file", path}});
  }
  return text;
}

}  // namespace

std::uint64_t fileSizeBytes(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw UnderstoryError("not-found", "there is no mesh file '" + path + "'", {{"file", path}});
  }
  if (!fs::is_regular_file(path, error)) {
    throw UnderstoryError("io", "'" + path + "' is no file", {{"file", path}});
  }
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw UnderstoryError("io", "'" + path + "': " + error.message(), {{"file", path}});
  return size;
}

Vec3f modelPosition(const MeshFileOptions& options, double x, double y, double z) {
  const Vec3d upright = options.isYUp ? Vec3d{x, -z, y} : Vec3d{x, y, z};
  return toFloat(upright * options.unitM);
}

MeshBuilder readMeshFile(const std::string& path, const MeshFileOptions& options) {
  const std::string text = readText(path);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  const std::string name = fs::path(path).filename().string();
  const auto readBeside = [&path](const std::string& beside) {
    return readText((fs::path(path).parent_path() / beside).string());
  };
  MeshBuilder builder = options.format == MeshFormat::obj
                            ? readObj(bytes, name, options, readBeside)
                        : options.format == MeshFormat::ply ? readPly(bytes, name, options)
                                                            : readStl(bytes, name, options);
  if (builder.mesh.triangles.empty()) {
    const std::string dropped = std::to_string(builder.degenerateTriangles);
    throw UnderstoryError("bad-input",
                          name + ": expected at least one triangle with area (" + dropped +
                              " without area were dropped)",
                          {{"file", name}, {"degenerate", builder.degenerateTriangles}});
  }
  return builder;
}

}  // namespace understory
