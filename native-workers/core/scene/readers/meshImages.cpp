// One map for each use, since a cut may need another alpha than the file has.
#include "core/scene/readers/meshImages.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/scene/readers/fileText.h"
#include "core/scene/readers/imageReader.h"

namespace understory {

std::optional<TextureImage> MeshImages::decode(const std::string& name) {
  std::string_view bytes;
  try {
    if (!read_) return std::nullopt;
    bytes = read_(name);
  } catch (const UnderstoryError& error) {
    if (error.code != ErrorCode::notFound) throw;
    return std::nullopt;
  }
  try {
    return readImage(bytes, name, std::min(maxImageTexels, leftTexels_));
  } catch (const UnderstoryError& error) {
    throw UnderstoryError(error.code,
                          std::string(error.what()) + "; 'textures: false' ignores images",
                          error.details);
  }
}

std::uint16_t MeshImages::indexOf(const std::string& name, ImageUse use, std::size_t line) {
  if (name.empty()) return Paint::none;
  auto& known = use == ImageUse::cut ? cuts_ : colours_;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  std::optional<TextureImage> decoded = decode(name);
  // Why no failure: a mesh without an image has all its faces. The host notes it.
  if (!decoded) return known[name] = Paint::none;
  TextureImage image = *std::move(decoded);
  leftTexels_ -= image.texels.size();
  if (use == ImageUse::cut && !image.hasAlpha) setAlphaByBrightness(image);
  if (textures_.images.size() >= Paint::none) throw badLine(file_, line, "fewer images");
  const auto index = static_cast<std::uint16_t>(textures_.images.size());
  known[name] = index;
  if (image.hasAlpha) colours_[name] = cuts_[name] = index;
  textures_.images.push_back(std::move(image));
  return index;
}

std::uint16_t MeshImages::addPaint(Paint paint, std::size_t line) {
  if (textures_.paints.size() >= Paint::none) throw badLine(file_, line, "fewer materials");
  textures_.paints.push_back(paint);
  return static_cast<std::uint16_t>(textures_.paints.size() - 1);
}

}  // namespace understory
