// Intensity of a ray's hit (PHYSICS.md, 1.2): what a surface sends back to where the light came from, and what
// distance and air leave of it.
#pragma once

#include "contract/sensorRecipe.h"
#include "core/optics/air.h"
#include "core/optics/material.h"

namespace understory {

// The share that a surface sends back of the light that meets it at an angle of incidence of this cosine (0 to 1), a
// white diffuse surface head on being 1. Lambert: reflectance times the cosine. Rough: Oren and Nayar 1994.
// Retroreflector: its gain head on, half of it at its half width, a Gaussian of the angle; never less than
// its diffuse reflectance gives; its back, and the films on glass and water, by Lambert. A mirror sends nothing back.
double backscatter(const Surface& surface, double reflectance, double cosIncidence,
                   bool isFront = true);

// Reflectance of a diffuse surface that would send as much back at this angle: what a reflectance gate reads.
double equivalentReflectance(const Surface& surface, double reflectance, double cosIncidence,
                             bool isFront = true);

// The energy that arrives of it: times what the air leaves, / D², A the length of the path in air, D the distance over which
// the light spreads as it returns (RayPath says which), both in metres, D above 0.
float receivedSignal(float backscattered, const Air& air, double airM, double spreadM);

}  // namespace understory
