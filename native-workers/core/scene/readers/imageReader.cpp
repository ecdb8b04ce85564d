// PNG by libpng's simplified interface, JPEG by libjpeg with errors as a jump.
#include "core/scene/readers/imageReader.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

#include "core/error.h"

// Why last: jpeglib.h uses names of stdio without including it.
#include <jpeglib.h>

namespace understory {

namespace {

UnderstoryError badImage(const std::string& file, const std::string& expected) {
  return UnderstoryError(ErrorCode::badInput, file + ": expected " + expected,
                         {{"file", file}, {"expected", expected}});
}

void expectSize(std::uint64_t columns, std::uint64_t rows, std::uint64_t maxTexels,
                const std::string& file) {
  if (columns >= 1 && rows >= 1 && columns <= maxImageSide && rows <= maxImageSide &&
      columns * rows <= maxTexels) {
    return;
  }
  throw badImage(file, "an image of at most " + std::to_string(maxImageSide) +
                           " columns and rows and " + std::to_string(maxTexels) +
                           " texels, found " + std::to_string(columns) + " by " +
                           std::to_string(rows));
}

TextureImage readPng(std::string_view bytes, const std::string& file, std::uint64_t maxTexels) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  const auto fail = [&] {
    const std::string reason = png.message;
    png_image_free(&png);
    return badImage(file, "a PNG image (" + reason + ")");
  };
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) throw fail();
  TextureImage image;
  image.hasAlpha = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  try {
    expectSize(png.width, png.height, maxTexels, file);
    image.texels.resize(std::size_t{png.width} * png.height);
  } catch (...) {
    png_image_free(&png);
    throw;
  }
  image.columns = png.width;
  image.rows = png.height;
  png.format = PNG_FORMAT_RGBA;
  if (png_image_finish_read(&png, nullptr, image.texels.data(), 0, nullptr) == 0) throw fail();
  return image;
}

struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  std::array<char, JMSG_LENGTH_MAX> message;
};

[[noreturn]] void onJpegError(j_common_ptr jpeg) {
  auto* const errors = reinterpret_cast<JpegErrors*>(jpeg->err);
  errors->base.format_message(jpeg, errors->message.data());
  std::longjmp(errors->back, 1);
}

// Decodes into `rgb`. False where libjpeg fails. Why apart: nothing with a destructor may be made between setjmp and
// the jump.
bool decodeJpeg(jpeg_decompress_struct& jpeg, JpegErrors& errors, std::string_view bytes,
                std::uint64_t maxTexels, std::vector<std::uint8_t>& rgb, bool& isTooLarge) {
  if (setjmp(errors.back) != 0) return false;
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(bytes.data()),
               static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&jpeg, TRUE);
  isTooLarge = jpeg.image_width > maxImageSide || jpeg.image_height > maxImageSide ||
               std::uint64_t{jpeg.image_width} * jpeg.image_height > maxTexels;
  if (isTooLarge) return true;
  jpeg.out_color_space = JCS_RGB;
  jpeg_start_decompress(&jpeg);
  const std::size_t stride = std::size_t{3} * jpeg.output_width;
  rgb.resize(stride * jpeg.output_height);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = rgb.data() + stride * jpeg.output_scanline;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  // It reports a truncated or damaged file as a warning.
  if (jpeg.err->num_warnings > 0) return false;
  jpeg_finish_decompress(&jpeg);
  return true;
}

TextureImage readJpeg(std::string_view bytes, const std::string& file, std::uint64_t maxTexels) {
  jpeg_decompress_struct jpeg{};
  JpegErrors errors{};
  jpeg.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = onJpegError;
  errors.base.output_message = [](j_common_ptr) {};
  // The text of a warning: libjpeg stores none.
  std::strcpy(errors.message.data(), "damaged or truncated");
  jpeg_create_decompress(&jpeg);
  std::vector<std::uint8_t> rgb;
  bool isTooLarge = false;
  const bool isRead = decodeJpeg(jpeg, errors, bytes, maxTexels, rgb, isTooLarge);
  const std::uint32_t columns = jpeg.image_width;
  const std::uint32_t rows = jpeg.image_height;
  jpeg_destroy_decompress(&jpeg);
  if (isTooLarge) expectSize(columns, rows, maxTexels, file);
  if (!isRead) {
    throw badImage(file, "a whole JPEG image (" + std::string(errors.message.data()) + ")");
  }
  TextureImage image;
  image.columns = columns;
  image.rows = rows;
  image.texels.resize(std::size_t{columns} * rows);
  for (std::size_t texel = 0; texel < image.texels.size(); ++texel) {
    image.texels[texel] = {rgb[3 * texel], rgb[3 * texel + 1], rgb[3 * texel + 2], 255};
  }
  return image;
}

}  // namespace

TextureImage readImage(std::string_view bytes, const std::string& file, std::uint64_t maxTexels) {
  if (bytes.substr(0, 4) == "\x89PNG") return readPng(bytes, file, maxTexels);
  if (bytes.substr(0, 2) == "\xFF\xD8") return readJpeg(bytes, file, maxTexels);
  throw badImage(file, "a PNG or JPEG image");
}

std::uint8_t minAlphaOf(double threshold) {
  return static_cast<std::uint8_t>(std::min(255.0, std::ceil(255.0 * threshold)));
}

void setAlphaByBrightness(TextureImage& image) {
  for (auto& [red, green, blue, alpha] : image.texels) {
    // Rec. 709.
    alpha = static_cast<std::uint8_t>(
        std::min(255.0, 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.5));
  }
}

}  // namespace understory
