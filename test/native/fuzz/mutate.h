// Deterministic mutations of bytes and of JSON values.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace understory {

// Not std::uniform_int_distribution, whose numbers differ between libraries.
class FuzzRandom {
 public:
  explicit FuzzRandom(std::uint64_t seed) : engine_(seed) {}
  // Below `count`, which is at least 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  bool oneIn(std::size_t count) { return below(count) == 0; }

 private:
  std::mt19937_64 engine_;
};

// A few changes: bits, bytes, numbers as text, parts removed, doubled, moved or taken from `other`.
inline std::string mutatedBytes(std::string text, const std::string& other, FuzzRandom& random) {
  static const std::array<std::string, 16> words{"0",
                                                 "-1",
                                                 "1e309",
                                                 "nan",
                                                 "inf",
                                                 "4294967296",
                                                 "18446744073709551616",
                                                 "-0",
                                                 "1e-320",
                                                 "\n",
                                                 " ",
                                                 std::string(1, '\0'),
                                                 "\xff\xff\xff\xff",
                                                 "\x7f\xff\xff\xff",
                                                 "999999999",
                                                 "\x80"};
  const std::size_t changes = 1 + random.below(6);
  for (std::size_t change = 0; change < changes; ++change) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = random.below(std::min<std::size_t>(text.size() - at, 32) + 1);
    switch (random.below(7)) {
      case 0:
        if (at < text.size()) {
          text[at] =
              static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << random.below(8)));
        }
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
        break;
      case 2:
        text.replace(at, length, words[random.below(words.size())]);
        break;
      case 3:
        text.erase(at, length);
        break;
      case 4:
        text.insert(random.below(text.size() + 1), text.substr(at, length));
        break;
      case 5:
        text.resize(at);
        break;
      default: {
        const std::size_t from = random.below(other.size() + 1);
        text.insert(at, other.substr(from, 1 + random.below(64)));
      }
    }
  }
  return text;
}

inline nlohmann::json oddValue(FuzzRandom& random) {
  using nlohmann::json;
  static const std::array<json, 20> values{nullptr,
                                           true,
                                           0,
                                           -1,
                                           1,
                                           0.5,
                                           1e300,
                                           -1e-320,
                                           4294967295U,
                                           4294967296ULL,
                                           18446744073709551615ULL,
                                           65536,
                                           "",
                                           "cylinder",
                                           "strongest",
                                           json::array(),
                                           json::object(),
                                           json::array({1, 2, 3}),
                                           json::array({json::array()}),
                                           1e9};
  return values[random.below(values.size())];
}

// Changes a few values anywhere: another value, one removed, one doubled, a key renamed.
inline void mutateJson(nlohmann::json& value, FuzzRandom& random) {
  if (!value.is_structured() || value.empty()) {
    value = oddValue(random);
    return;
  }
  const std::size_t index = random.below(value.size());
  auto child = value.begin();
  std::advance(child, static_cast<std::ptrdiff_t>(index));
  if (!random.oneIn(4) && child->is_structured() && !child->empty())
    return mutateJson(*child, random);
  switch (random.below(4)) {
    case 0:
      value.erase(child);
      break;
    case 1:
      if (value.is_array()) {
        value.push_back(nlohmann::json(*child));
      } else {
        value[child.key() + "X"] = nlohmann::json(*child);
      }
      break;
    default:
      *child = oddValue(random);
  }
}

}  // namespace understory
