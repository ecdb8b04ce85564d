// The scene as the tracer sees it: models with their own triangles, and instances that place them.
// Plain data; `assembleScene` makes it from a recipe. Metres, ENU world, right-handed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/maths/maths.h"
#include "core/optics/atmosphere.h"
#include "core/optics/material.h"
#include "core/optics/weather.h"
#include "core/scene/foliage.h"
#include "core/scene/landscape.h"
#include "core/scene/textures.h"

namespace understory {

struct LearnedModel;
struct VoxelModel;

// Triangles of one model in its own frame. No triangle is degenerate.
struct Mesh {
  std::vector<Vec3f> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint16_t> materialOfTriangle;  // same length as triangles
  MeshTextures textures;
};

struct Model {
  std::string name;
  Mesh mesh;
  Vec3d centreM;  // taken off the coordinates of its file; instances have it in their positions
  std::size_t degenerateTriangles = 0;    // dropped from the source
  std::size_t nonPlanarFaces = 0;         // polygons of the source, as polygon.h says
  std::size_t selfIntersectingFaces = 0;  // polygons of the source
  std::uint32_t blades = 0;               // grass patches only
  Foliage foliage;                        // plants only
  bool isPlant = false;                   // grown, not from a file
  bool isLitter = false;                  // dead leaves on the ground
  std::int32_t barkMaterial = -1;         // plants only: the material of their wood
  Boundsf bounds;
  bool sways = false;            // in the wind
  std::vector<Vec2f> footprint;  // convex, counter-clockwise; empty: stops no vehicle
  // The learned model (core/learned/learnedModel.h), otherwise null. `mesh` has the triangles of its surface.
  std::shared_ptr<const LearnedModel> learned;
  // The voxel model (core/voxels/voxelGrid.h), otherwise null; `mesh` is empty then.
  std::shared_ptr<const VoxelModel> voxels;
  std::string volumeHash;            // of either: of all that it is read from
  std::uint16_t volumeMaterial = 0;  // of its elements or leaves: index in the scene's materials
};

// The motion of what is stationary.
inline constexpr std::uint16_t noMotion = 0xFFFF;

struct Instance {
  std::uint32_t id = 0;  // from 1
  std::uint16_t model = 0;
  std::uint16_t classId = 0;
  Vec3d positionM;
  Quatd rotation;  // worldFromModel
  double scale = 1.0;
  // Index of the motion (core/scene/motions.h) that displaces it from here; noMotion: it is stationary.
  std::uint16_t motion = noMotion;

  bool isMoving() const { return motion != noMotion; }
};

struct ScatterOutcome {
  std::string name;
  std::size_t requested = 0;
  std::size_t placed = 0;
};

struct Scene {
  std::vector<Material> materials;
  std::vector<std::string> classes;
  std::vector<Model> models;
  std::vector<Instance> instances;  // in order of id
  // Their plants have numbers after those of the instances.
  std::vector<Landscape> landscapes;
  std::size_t motions = 0;  // 0: everything is stationary
  // World coordinates of the scene's origin, which positions are relative to. Why: single precision ends at
  // centimetres some 100 km from it. No recipe has another than (0, 0, 0) yet.
  Vec3d originM;
  std::vector<ScatterOutcome> scatters;
  // Height of the ground's surface at a place; null or 0 everywhere without a ground.
  GroundHeight groundHeightM;
  Atmosphere atmosphere;
  Weather weather;
  std::optional<Wind> wind;       // none: nothing sways
  std::uint64_t windSeed = 0;     // of the phases of what sways
  std::uint32_t mirrorDepth = 4;  // max mirrors on the path of a ray
  std::string hash;               // sceneHash.h says over what

  // The landscape that has the plant of this number, which is no instance's.
  const Landscape& landscapeOf(std::uint32_t number) const;
  // An instance, or a plant of a landscape as one.
  Instance instanceAt(std::uint32_t number) const;
  // The model of either.
  std::uint16_t modelOf(std::uint32_t number) const;
  // Instances, and plants that are not left out.
  std::uint64_t countInstances() const;
};

// The box of a plant about its foot.
Boundsf uprightBounds(const TilePlant& plant, const Model& model);

}  // namespace understory
