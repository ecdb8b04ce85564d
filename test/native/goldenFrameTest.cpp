// The golden frames of test/wire, which the TypeScript side reads and writes too.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "protocol/frame.h"

using namespace understory;

namespace {

const std::string goldenFolder = std::string(UNDERSTORY_TEST_FOLDER) + "/wire/golden/";

std::vector<std::byte> bytesOfFile(const std::string& name) {
  std::ifstream file(goldenFolder + name, std::ios::binary);
  REQUIRE(file);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

template <typename Value>
double valueAt(const ColumnView& column, std::size_t index) {
  Value value;
  std::memcpy(&value, column.bytes.data() + index * sizeof(Value), sizeof(Value));
  return static_cast<double>(value);
}

double valueOf(const ColumnView& column, std::size_t index) {
  if (column.type == "u8") return valueAt<std::uint8_t>(column, index);
  if (column.type == "u16") return valueAt<std::uint16_t>(column, index);
  if (column.type == "u32") return valueAt<std::uint32_t>(column, index);
  if (column.type == "i32") return valueAt<std::int32_t>(column, index);
  if (column.type == "u64") return valueAt<std::uint64_t>(column, index);
  if (column.type == "i64") return valueAt<std::int64_t>(column, index);
  if (column.type == "f32") return valueAt<float>(column, index);
  return valueAt<double>(column, index);
}

// Values that JSON has no number for: null means NaN, text the infinities and minus zero.
double expectedValue(const nlohmann::json& value) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

}  // namespace

TEST_CASE("golden frames are read as their manifest says") {
  const nlohmann::json manifest =
      nlohmann::json::parse(std::ifstream(goldenFolder + "manifest.json"));
  REQUIRE(manifest.size() >= 3);
  for (const nlohmann::json& golden : manifest) {
    CAPTURE(golden.at("file").get<std::string>());
    std::vector<Frame> frames;
    FrameReader reader;
    reader.push(bytesOfFile(golden.at("file").get<std::string>()),
                [&](Frame&& frame) { frames.push_back(std::move(frame)); });
    REQUIRE(reader.isIdle());
    REQUIRE(frames.size() == 1);
    nlohmann::json header = golden.at("header");
    header.erase("columns");
    CHECK(frames[0].header == header);
    REQUIRE(frames[0].columns.size() == golden.at("columns").size());
    for (std::size_t column = 0; column < frames[0].columns.size(); ++column) {
      const nlohmann::json& expected = golden.at("columns")[column];
      const ColumnView& found = frames[0].columns[column];
      CHECK(found.name == expected.at("name").get<std::string>());
      CHECK(found.type == expected.at("type").get<std::string>());
      REQUIRE(found.count == expected.at("values").size());
      for (std::size_t index = 0; index < found.count; ++index) {
        const double value = valueOf(found, index);
        const bool isSingle = found.type == "f32";
        const double exact = expectedValue(expected.at("values")[index]);
        const double wanted = isSingle ? static_cast<double>(static_cast<float>(exact)) : exact;
        const bool isSame = value == wanted && std::signbit(value) == std::signbit(wanted);
        CHECK((isSame || (std::isnan(value) && std::isnan(wanted))));
      }
    }
  }
}
