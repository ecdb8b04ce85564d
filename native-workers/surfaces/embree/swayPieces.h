// Rays through a plant in the wind, many side by side: cut at the borders of the slabs of its height, within which the
// plant is sheared evenly, and sheared back into the model at rest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/maths/maths.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/modelFrame.h"

namespace understory {

// A plant as rays meet it (core/scene/sway.h).
struct SwayingPlant {
  RTCSceneTy* model;
  std::uint32_t instance;
  Vec3f rootM;     // relative to Scene::originM
  Boundsf reachM;  // relative to the root: wherever it sways
  ModelFrame frame;
  float slabM;  // height of a slab
  Vec2f towards;
  float leanM;
  float swingM;
  double frequencyHz;
  double phase;
};

// Values by lane.
template <std::size_t Width>
struct LanesOf {
  typedef float Floats __attribute__((vector_size(Width * sizeof(float))));
  typedef int Integers __attribute__((vector_size(Width * sizeof(int))));
};

// Rays in the world.
template <std::size_t Width>
struct RaysInPlant {
  using Floats = typename LanesOf<Width>::Floats;
  using Integers = typename LanesOf<Width>::Integers;

  Floats originX, originY, originZ;  // relative to the root, once the rays have entered
  Floats directionX, directionY, directionZ;
  Floats fromM, toM;  // what is left of each
  Floats inverseZ;
  Floats topM;  // displacement of the plant's top at the ray's time
  Integers slab, lastSlab;
  Integers active;  // -1, or 0: it is past the plant, or has been stopped
};

// The next piece of each, in the frame of the model.
template <std::size_t Width>
struct RayPieces {
  typename PacketOf<Width>::RayHit packet;
  typename LanesOf<Width>::Integers active;
  typename LanesOf<Width>::Floats shear;  // displacement per height
};

// Ends rays where they enter and leave the plant's box; those that pass it are inactive.
void enterPlant(const SwayingPlant& plant, RaysInPlant<1>& rays);
void enterPlant(const SwayingPlant& plant, RaysInPlant<4>& rays);
void enterPlant(const SwayingPlant& plant, RaysInPlant<8>& rays);
void enterPlant(const SwayingPlant& plant, RaysInPlant<16>& rays);

// Takes the next piece of each active ray; those without a further one are inactive then. Without times, masks, ids.
void cutPieces(const SwayingPlant& plant, RaysInPlant<1>& rays, RayPieces<1>& pieces);
void cutPieces(const SwayingPlant& plant, RaysInPlant<4>& rays, RayPieces<4>& pieces);
void cutPieces(const SwayingPlant& plant, RaysInPlant<8>& rays, RayPieces<8>& pieces);
void cutPieces(const SwayingPlant& plant, RaysInPlant<16>& rays, RayPieces<16>& pieces);

}  // namespace understory
