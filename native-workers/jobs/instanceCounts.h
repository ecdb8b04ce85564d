// Counts by instances of a scene; of plants of landscapes only those that were counted are stored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace understory {

class InstanceCounts {
 public:
  explicit InstanceCounts(std::size_t instances = 0) : ofInstances_(instances, 0) {}

  void add(std::uint32_t number, std::uint32_t count = 1) {
    if (number < ofInstances_.size()) {
      ofInstances_[number] += count;
    } else {
      ofPlants_[number] += count;
    }
  }
  void add(const InstanceCounts& other) {
    for (const auto& [number, count] : other.counted()) add(number, count);
  }
  // (number, count) above 0, by number.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> counted() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(ofPlants_.begin(), ofPlants_.end());
    std::ranges::sort(pairs);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t number = 0; number < ofInstances_.size(); ++number) {
      if (ofInstances_[number] > 0) all.emplace_back(number, ofInstances_[number]);
    }
    all.insert(all.end(), pairs.begin(), pairs.end());
    return all;
  }
  bool operator==(const InstanceCounts& other) const { return counted() == other.counted(); }

 private:
  std::vector<std::uint32_t> ofInstances_;
  std::unordered_map<std::uint32_t, std::uint32_t> ofPlants_;  // by number
};

}  // namespace understory
