// Draws of permeabilities, ranges and reflectances.
#include "core/learned/learnedDraws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/learned/learnedModel.h"
#include "core/maths/normal.h"
#include "core/mutation.h"
#include "core/random/philox.h"

namespace understory {
namespace {

// Ids are unique in a scene, indices change with what else it has.
std::uint64_t seedOf(std::uint64_t seed, std::uint32_t instanceId) {
  const auto block = pulseBlock(seed, RandomPurpose::learnedInstance, 0, instanceId, 0);
  return std::uint64_t{block[0]} << 32U | block[1];
}

std::uint64_t keyOf(std::uint64_t pulse) {
  return activeMutation() == Mutation::oneDrawForAllPulses ? 0 : pulse;
}

// Within (0, 1).
double openUniform(std::uint32_t high, std::uint32_t low) {
  return uniformFrom(high, low) + 0x1.0p-54;
}

}  // namespace

LearnedDraws::LearnedDraws(const Scene& scene, std::uint64_t seed, std::uint32_t stream)
    : stream_(stream) {
  for (const Instance& instance : scene.instances) {
    const Model& model = scene.models[instance.model];
    const bool isDrawn = model.learned != nullptr || model.voxels != nullptr;
    seedOfInstance_.push_back(isDrawn ? seedOf(seed, instance.id) : 0);
  }
}

LearnedDraws::LearnedDraws(std::uint64_t seed) : stream_(0), seedOfInstance_{seedOf(seed, 1)} {}

bool LearnedDraws::passes(std::uint32_t instance, std::uint32_t primitive, std::uint64_t pulse,
                          float permeability) const {
  if (permeability <= 0.0F) return false;
  const auto random = pulseBlock(seedOfInstance_[instance], RandomPurpose::learnedPass, stream_,
                                 keyOf(pulse), primitive);
  return uniformFrom(random[0], random[1]) < static_cast<double>(permeability);
}

float LearnedDraws::rangeM(std::uint32_t instance, std::uint32_t primitive, std::uint64_t pulse,
                           float meanM, float sigmaM) const {
  const auto random = pulseBlock(seedOfInstance_[instance], RandomPurpose::learnedPass, stream_,
                                 keyOf(pulse), primitive);
  const double below = openUniform(random[2], random[3]);
  const auto mean = static_cast<double>(meanM);
  const auto sigma = static_cast<double>(sigmaM);
  if (activeMutation() == Mutation::rangesRedrawn) {
    double range = mean + sigma * normalQuantile(below);
    for (std::uint32_t again = 1; range <= 0.0 && again < 1000; ++again) {
      const auto other = pulseBlock(seedOfInstance_[instance] + again, RandomPurpose::learnedPass,
                                    stream_, pulse, primitive);
      range = mean + sigma * normalQuantile(openUniform(other[2], other[3]));
    }
    return static_cast<float>(range);
  }
  return std::max(static_cast<float>(truncatedNormal(below, mean, sigma)),
                  std::numeric_limits<float>::min());
}

float LearnedDraws::reflectance(std::uint32_t instance, std::uint32_t primitive,
                                std::uint64_t pulse, float mean, float sigma) const {
  if (sigma <= 0.0F) return mean;
  const double normal =
      normalPair(pulseBlock(seedOfInstance_[instance], RandomPurpose::learnedReflectance, stream_,
                            keyOf(pulse), primitive))[0];
  return std::max(0.0F, mean + sigma * static_cast<float>(normal));
}

LeafKey leafKey(std::uint64_t seed, std::uint32_t stream, std::uint64_t pulse) {
  return pulseBlock(seed, RandomPurpose::voxelLeaf, stream, pulse, 0);
}

double truncatedNormal(double below, double meanM, double sigmaM) {
  // The share above, in place of the one below: of shares near 1 it has all digits.
  const double above = (1.0 - below) * normalIntegral(meanM / sigmaM);
  if (above < 0.5) return meanM - sigmaM * normalQuantile(above);
  const double share = below + (1.0 - below) * normalIntegral(-meanM / sigmaM);
  return meanM + sigmaM * normalQuantile(share);
}

double surfaceSigmaM(const LearnedModel& model, double cosIncidence) {
  constexpr double minCosine = 0.1;
  const double cosine = std::clamp(std::abs(cosIncidence), minCosine, 1.0);
  const double byIncidence =
      model.incidenceSigmaM * std::sqrt(1.0 - cosine * cosine) / (cosine * cosine);
  return std::sqrt(model.surfaceSigmaM * model.surfaceSigmaM + byIncidence * byIncidence);
}

double surfaceErrorM(std::uint64_t seed, std::uint32_t stream, std::uint64_t pulse,
                     std::uint8_t returnNo, double sigmaM) {
  if (sigmaM <= 0.0) return 0.0;
  return sigmaM *
         normalPair(pulseBlock(seed, RandomPurpose::learnedRange, stream, pulse, returnNo))[0];
}

}  // namespace understory
