// Mesh files of tests.
#pragma once

#include "contract/modelRecipe.h"

// In metres, with z up.
inline const understory::MeshSource metresZUp{.unitM = 1.0, .upAxis = understory::UpAxis::z};
