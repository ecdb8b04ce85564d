// How a surface treats light (src-main/contract/worker/recipe.ts, MaterialRecipe; PHYSICS.md, 1.2).
#pragma once

#include "contract/opticsRecipe.h"

namespace understory {

// Reflectance of a diffuse surface under a film of water of refractive index n = 1.33: of the light that it scatters
// up, the share 1 - 1/n² comes back from the film's face, again and again: rho / (n² (1 - rho) + rho). Angstrom 1925,
// the albedo of various surfaces of ground, Geografiska Annaler 7; Lekner and Dorf 1988 (Applied Optics 27, 1278)
// refine it.
double wetReflectance(double reflectance);

// Diffuse reflectance at a wavelength, with what water takes of it.
double reflectanceAt(const Material& material, double wavelengthNm);

}  // namespace understory
