// Permeabilities by the rule `owner` (PHYSICS.md, 2.5): each element returns as many of the log's beams, by the law that
// models are drawn by, as it returned in the log.
#pragma once

#include <vector>

#include "learn/beamReach.h"
#include "learn/counting.h"
#include "learn/piercedModel.h"

namespace understory {

// Hits N_h of an element are the shares of the log's returns that are likeliest its own; N_h + N_m is the number of
// beams that reach it by the model. A return without an owner is of something else: it has passed what lies before it,
// and what lies behind it says nothing. A pure function of its arguments.
// `ownerOf`: the part of each beam's end, noGroup where it has none. `maxCrossings`: as in Counting.
BeamCounts balancedCounts(const Beams& beams, PiercedModel& parts,
                          const std::vector<std::uint32_t>& ownerOf, std::size_t maxCrossings,
                          const BeamReach& reach, const Watch& watch);

}  // namespace understory
