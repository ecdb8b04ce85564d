// Sheets that were seen from both sides: fences, nets, and boards too thin for two faces of their own.
#pragma once

#include <vector>

#include "learn/cellCloud.h"

namespace understory {

// Turns normals so that those of one sheet are on one side of it. Why: an implicit surface is where normals agree on what is
// outside; where they point both ways within one kernel, it has holes. A cell is of a sheet where beams met its plane from both
// sides within the radius, those of each side near one plane. Other cells keep their normals, and most of those beside a sheet
// decide its side. A pure function of its arguments.
void turnSheets(const Beams& beams, const CellCloud& cloud, double radiusM,
                std::vector<Vec3f>& normals, const Watch& watch);

}  // namespace understory
