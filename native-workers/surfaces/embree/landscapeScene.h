// The plants of landscapes (core/scene/landscape.h), a source of hits beside EmbreeScene: one tree for each tile over the
// boxes of its plants, and one over the squares that have them. A square shears its tile with the slope of the ground
// there, so that the plants of a tile lie near one plane; rays that enter the box of one are traced to its model where
// it is. Memory grows with tiles and squares, not with plants.
#pragma once

#include <memory>
#include <vector>

#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/topLevel.h"
#include "surfaces/hits.h"

namespace understory {

struct TileSquare;
struct TileBvh;

class LandscapeScene {
 public:
  static constexpr bool isStill = true;

  // Both outlive it. `watch`: phase 'landscapes' in squares. Throws as TopLevel.
  LandscapeScene(const EmbreeScene& models, const Scene& scene, const Watch& watch);
  ~LandscapeScene();

  bool isEmpty() const { return squares_.empty(); }
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    top_.nearest(rays, active, hits);
  }
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    return top_.nearest(ray, fromM, limitM);
  }
  // Whether anything lies between.
  bool isBlocked(const PathRay& ray, float fromM, float limitM) const {
    return !isEmpty() && nearest(ray, fromM, limitM).isHit;
  }

 private:
  TopLevel top_;
  std::vector<std::unique_ptr<TileBvh>> tiles_;
  std::vector<TileSquare> squares_;  // by their number in the tree
};

}  // namespace understory
