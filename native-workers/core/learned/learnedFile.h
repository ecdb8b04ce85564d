// The file of a learned model: one binary little-endian PLY that other programs show as a cloud and a mesh.
//
//   comment Understory learned model 1
//   comment json PART                       the header (src-main/contract/worker/learnedModel.ts) as JSON in ASCII,
//   …                                       cut after every 200 characters
//   element vertex N                        means of elements, then vertices of the surface, then points
//   element face M                          triangles of the surface; without a surface left out
//
// Properties are those of learnedRows.h, in that order; a model without elements has no covariances, one without points
// no normals. Why JSON in pieces: other readers of PLY refuse lines of more than 1,000 characters.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/learned/learnedModel.h"
#include "core/watch.h"

namespace understory {

// Appends to a file; called with pieces of at most a few megabytes.
using WriteBytes = std::function<void(std::string_view bytes)>;

// The same model gives the same bytes. Reports phase 'writing' in rows; throws 'cancelled', or whatever `write` throws.
void writeLearnedModel(const LearnedModel& model, const WriteBytes& write, const Watch& watch = {});

// `file`: its name for errors. Allocates no more than a small multiple of the bytes given. Reports phase 'reading' in
// bytes. Throws 'bad-input' with the file's name, the line or byte and what was expected, for anything that
// writeLearnedModel does not write, values that are out of bounds included; 'cancelled'.
LearnedModel readLearnedModel(std::span<const std::byte> bytes, const std::string& file,
                              const Watch& watch = {});

// The header alone: the model without elements, surface and points. `bytes` may end anywhere behind 'end_header'.
struct LearnedHeader {
  LearnedModel model;
  std::uint32_t version = 0;
  std::size_t elements = 0;
  std::size_t surfaceVertices = 0;
  std::size_t triangles = 0;
  std::size_t points = 0;
};
LearnedHeader readLearnedHeader(std::string_view text, const std::string& file);

}  // namespace understory
