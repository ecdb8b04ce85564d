// Intensity of a ray's hit (PHYSICS.md, 1.2): what a surface sends back to where the light came from, and what
// distance and air leave of it.
#pragma once

#include "core/optics/material.h"
#include "core/sensor/sensorRecipe.h"

namespace understory {

// What a surface sends back of the light that meets it at an angle of incidence of this cosine (0 to 1), a
// white diffuse surface head on being 1. Lambert: reflectance times the cosine. Rough: Oren and Nayar 1994.
// Retroreflector: its gain head on, half of it at its half width, a Gaussian of the angle; never less than
// its diffuse reflectance gives. A mirror sends nothing back.
double backscatter(const Surface& surface, double reflectance, double cosIncidence);

// What is left of it over a range, the whole path there and back: 1 with Radiometry::relative, otherwise
// exp(-2 alpha R) / R², R in metres and above 0.
double distanceFactor(Radiometry radiometry, double extinctionPerM, double rangeM);

}  // namespace understory
