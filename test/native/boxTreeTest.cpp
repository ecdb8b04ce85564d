// Against a search through all boxes; as many as are built in several branches at once.
#include "learn/boxTree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/random/philox.h"

namespace understory {
namespace {

constexpr std::uint32_t many = 300'000;

float drawn(std::uint32_t item, std::uint32_t part) {
  const auto random = pulseBlock(7, RandomPurpose::learnedPass, 0, item, part);
  return static_cast<float>(uniformFrom(random[0], random[1]));
}

std::vector<Boundsf> boxesInCube(std::uint32_t count) {
  std::vector<Boundsf> boxes(count);
  for (std::uint32_t item = 0; item < count; ++item) {
    const Vec3f corner{drawn(item, 0), drawn(item, 1), drawn(item, 2)};
    constexpr float sizeM = 0.01F;
    boxes[item] = {corner, corner + Vec3f{sizeM, sizeM, sizeM}};
  }
  return boxes;
}

// Along x, at y and z.
std::vector<std::uint32_t> boxesOnLine(const std::vector<Boundsf>& boxes, float y, float z) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t item = 0; item < boxes.size(); ++item) {
    const Boundsf& box = boxes[item];
    const bool isMet = y >= box.min.y && y <= box.max.y && z >= box.min.z && z <= box.max.z;
    if (isMet && box.max.x >= 0.0F) found.push_back(item);
  }
  return found;
}

}  // namespace

TEST_CASE("a tree of boxes finds all that a line meets") {
  const std::vector<Boundsf> boxes = boxesInCube(many);
  const BoxTree tree(boxes);
  std::size_t total = 0;
  for (int line = 0; line < 50; ++line) {
    const float y = 0.01F + 0.019F * static_cast<float>(line);
    const float z = 0.99F - 0.017F * static_cast<float>(line);
    std::vector<std::uint32_t> found;
    tree.alongLine({-1.0F, y, z}, {1.0F, 0.0F, 0.0F}, 10.0F,
                   [&](std::uint32_t item) { found.push_back(item); });
    std::ranges::sort(found);
    const std::vector<std::uint32_t> expected = boxesOnLine(boxes, y, z);
    CHECK(std::ranges::adjacent_find(found) == found.end());
    CHECK(std::ranges::includes(found, expected));
    total += expected.size();
  }
  CHECK(total > 500);
}

TEST_CASE("building a tree of boxes ends when it is cancelled") {
  const std::atomic<bool> isCancelled = true;
  Watch watch;
  watch.isCancelled = &isCancelled;
  CHECK_THROWS_AS(BoxTree(boxesInCube(many), watch), UnderstoryError);
}

}  // namespace understory
