// Light at smooth faces: Fresnel's equations, thin panes, refraction (PHYSICS.md, 1.2).
#pragma once

#include "core/maths/maths.h"

namespace understory {

// Shares of the light that meets a face or a pane; of unpolarised light, the mean of s and p. What is missing to 1 is
// absorbed.
struct SplitLight {
  double transmitted = 0.0;
  double mirrored = 0.0;
};

// One face between two media. `index`: refractive index of the medium behind it over that before it, above 0;
// `cosIncidence`: 0 to 1. Beyond the angle of total reflection all is mirrored. Fresnel 1823; Born and Wolf, Principles
// of Optics, 1.5.2.
SplitLight splitAtFace(double cosIncidence, double index);

// A thin pane of parallel faces, all reflections inside it added up without interference: with F of one face and
// A = exp(-a d / cos t') for each polarisation, T = A (1 - F)² / (1 - A² F²), R = F (1 + A T).
SplitLight splitAtPane(double cosIncidence, double index, double absorptionPerM, double thicknessM);

// Direction, of length 1, behind a face between media as in splitAtFace; `normal` of length 1 points to where the light
// comes from. It has no meaning for light that is totally reflected.
Vec3d refracted(Vec3d direction, Vec3d normal, double index);

}  // namespace understory
