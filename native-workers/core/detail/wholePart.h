// A part as it is, with its own vertices, each once.
#pragma once

#include "core/detail/meshParts.h"

namespace understory {

void addWholePart(const MeshParts& all, const MeshPart& part, Mesh& mesh);

}  // namespace understory
