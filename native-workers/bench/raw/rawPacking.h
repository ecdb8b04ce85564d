// The packings of rays that the raw benchmark has, by name: how many travel together, and in which order.
#pragma once

#include <string>
#include <vector>

#include "surfaces/embree/embreeScene.h"

namespace understory {

enum class RawKind { single, packet4, packet8, packet16, stream };

// azimuth, columns and rays are those of aim/rayGroups.h; slots: all lasers of a slot, then the next.
enum class RawOrder { azimuth, columns, rays, slots };

struct RawPackingKind {
  RawKind kind;
  RawOrder order;
};

// Rays in a packet; 1 for single rays and streams.
std::size_t widthOf(RawKind kind);

// Throws UnderstoryError 'bad-input' for a name that is none, 'unsupported' where the device lacks it.
RawPackingKind parseRawPacking(const EmbreeDevice& device, const std::string& name);

}  // namespace understory
