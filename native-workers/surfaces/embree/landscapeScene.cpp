// Squares as sheared instances of tiles, plants of a tile as boxes that rays enter.
#include "surfaces/embree/landscapeScene.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "surfaces/embree/framedTrace.h"
#include "surfaces/embree/modelFrame.h"
#include "surfaces/embree/userGeometry.h"

namespace understory {

// A plane over a square: heightM + slopeX * x + slopeY * y, from its south-west corner.
struct SquarePlane {
  double heightM = 0.0;
  double slopeX = 0.0;
  double slopeY = 0.0;

  double at(double xM, double yM) const { return heightM + slopeX * xM + slopeY * yM; }
};

struct TileSquare {
  const Landscape* landscape = nullptr;
  const GroundHeight* groundHeightM = nullptr;
  std::uint32_t square = 0;
  SquarePlane plane;
};

// A plant of a tile, for rays.
struct TracedPlant {
  RTCSceneTy* model = nullptr;
  ModelFrame frame;  // relative to its foot
  Boundsf reachM;    // in the tile, whichever square it lies in
};

struct TileBvh {
  TopLevel top;
  std::vector<TracedPlant> plants;  // by number in the tile
  std::span<const TileSquare> squares;

  explicit TileBvh(RTCDeviceTy* device) : top(device) {}
};

namespace {

// Rays of a square's tile in the frame of one of its plants: the shear of the square is undone.
class PlantFrame {
 public:
  PlantFrame(const TileSquare& square, const TracedPlant& plant, PlantIndices place)
      : frame_(plant.frame),
        slopeX_(static_cast<float>(square.plane.slopeX)),
        slopeY_(static_cast<float>(square.plane.slopeY)) {
    const Vec3d own = square.landscape->plantAt(place).positionM;
    const Vec3d foot = square.landscape->positionOf(place, *square.groundHeightM);
    footM_ = toFloat({own.x, own.y, foot.z - square.plane.at(own.x, own.y)});
  }

  FramedLine enter(std::size_t, unsigned, const FramedLine& line) const {
    return {frame_.point(upright(line.originM - footM_)),
            frame_.direction(upright(line.direction))};
  }
  // Shading turns normals into the world.
  Vec3f leave(std::size_t, Vec3f normal) const { return normal; }

 private:
  Vec3f upright(Vec3f v) const { return {v.x, v.y, v.z + slopeX_ * v.x + slopeY_ * v.y}; }

  const ModelFrame& frame_;
  float slopeX_;
  float slopeY_;
  Vec3f footM_;
};

const TileBvh& treeAt(const void* tree) { return *static_cast<const TileBvh*>(tree); }

void meetPlant(const RTCIntersectFunctionNArguments* arguments) {
  const TileBvh& tree = treeAt(arguments->geometryUserPtr);
  const TileSquare& square = tree.squares[arguments->context->instID[0]];
  const PlantIndices place{square.square, arguments->primID};
  if (square.landscape->isLeftOut(place)) return;
  const TracedPlant& plant = tree.plants[place.plant];
  PlantFrame frame(square, plant, place);
  traceFramed(*arguments, {plant.model, square.landscape->numberOf(place)}, frame);
}

void boundPlant(const RTCBoundsFunctionArguments* arguments) {
  setBounds(*arguments->bounds_o,
            treeAt(arguments->geometryUserPtr).plants[arguments->primID].reachM);
}

// Through the ground at the corners, by least squares.
SquarePlane planeOf(const Landscape& landscape, std::uint32_t square,
                    const GroundHeight& groundHeightM) {
  const double westM = landscape.westOf(square);
  const double southM = landscape.southOf(square);
  const double sideM = landscape.sideM;
  const auto atM = [&](double x, double y) {
    return groundHeightM(westM + sideM * x, southM + sideM * y);
  };
  const std::array cornersM{atM(0, 0), atM(1, 0), atM(0, 1), atM(1, 1)};
  SquarePlane plane;
  plane.slopeX = (cornersM[1] + cornersM[3] - cornersM[0] - cornersM[2]) / (2.0 * sideM);
  plane.slopeY = (cornersM[2] + cornersM[3] - cornersM[0] - cornersM[1]) / (2.0 * sideM);
  const double meanM = 0.25 * (cornersM[0] + cornersM[1] + cornersM[2] + cornersM[3]);
  plane.heightM = meanM - 0.5 * sideM * (plane.slopeX + plane.slopeY);
  return plane;
}

// The least and the greatest of some numbers.
struct Range {
  double from = std::numeric_limits<double>::infinity();
  double to = -std::numeric_limits<double>::infinity();

  void add(double value) {
    from = std::min(from, value);
    to = std::max(to, value);
  }
};

// How the squares of a tile differ.
struct TileSpread {
  Range slopeX;
  Range slopeY;
  std::vector<Range> footM;  // by plant: above the plane of its square
  bool isUsed = false;
};

void extendSpread(const TileSquare& square, TileSpread& spread) {
  const Landscape& landscape = *square.landscape;
  spread.isUsed = true;
  spread.slopeX.add(square.plane.slopeX);
  spread.slopeY.add(square.plane.slopeY);
  landscape.forEachPlantOf(square.square, [&](PlantIndices place) {
    const Vec3d own = landscape.plantAt(place).positionM;
    const Vec3d foot = landscape.positionOf(place, *square.groundHeightM);
    spread.footM[place.plant].add(foot.z - square.plane.at(own.x, own.y));
  });
}

// The box of a plant in its tile, whichever square it lies in: sheared against the slope of each.
Boundsf reachOf(const TilePlant& plant, std::size_t number, const Model& model,
                const TileSpread& spread) {
  Boundsf reach;
  const Range& footM = spread.footM[number];
  if (isEmpty(model.bounds) || footM.from > footM.to) return reach;
  const Boundsf upright = uprightBounds(plant, model);
  for (const float x : {upright.min.x, upright.max.x}) {
    for (const float y : {upright.min.y, upright.max.y}) {
      for (const double slopeX : {spread.slopeX.from, spread.slopeX.to}) {
        for (const double slopeY : {spread.slopeY.from, spread.slopeY.to}) {
          const double sunkM = slopeX * static_cast<double>(x) + slopeY * static_cast<double>(y);
          const auto at = [&](double footZ, float z) {
            return toFloat({plant.positionM.x + static_cast<double>(x),
                            plant.positionM.y + static_cast<double>(y),
                            footZ + static_cast<double>(z) - sunkM});
          };
          extend(reach, at(footM.from, upright.min.z));
          extend(reach, at(footM.to, upright.max.z));
        }
      }
    }
  }
  // Rounding of rays in a square that lies far away, and of boxes.
  constexpr float slackM = 0.01F;
  const Vec3f slack{slackM, slackM, slackM};
  return {reach.min - slack, reach.max + slack};
}

std::array<float, 12> shearOf(const TileSquare& square) {
  const Landscape& landscape = *square.landscape;
  return {1.0F,
          0.0F,
          static_cast<float>(square.plane.slopeX),
          0.0F,
          1.0F,
          static_cast<float>(square.plane.slopeY),
          0.0F,
          0.0F,
          1.0F,
          static_cast<float>(landscape.westOf(square.square)),
          static_cast<float>(landscape.southOf(square.square)),
          static_cast<float>(square.plane.heightM)};
}

}  // namespace

LandscapeScene::LandscapeScene(const EmbreeScene& models, const Scene& scene, const Watch& watch)
    : top_(models.device().handle()) {
  for (const Landscape& landscape : scene.landscapes) {
    for (std::uint32_t square = 0; square < landscape.squares(); ++square) {
      if (square % 4096 == 0) watch.throwIfCancelled();
      if (landscape.plantsOf(square).empty()) continue;
      squares_.push_back({&landscape, &scene.groundHeightM, square,
                          planeOf(landscape, square, scene.groundHeightM)});
    }
  }
  std::size_t next = 0;
  for (const Landscape& landscape : scene.landscapes) {
    std::vector<TileSpread> spreads;
    for (const std::vector<TilePlant>& tile : landscape.tiles) {
      spreads.emplace_back().footM.resize(tile.size());
    }
    const std::size_t first = next;
    for (; next < squares_.size() && squares_[next].landscape == &landscape; ++next) {
      if (next % 256 == 0) {
        watch.throwIfCancelled();
        if (watch.onProgress) watch.onProgress("landscapes", next, squares_.size());
      }
      extendSpread(squares_[next], spreads[landscape.tileOf[squares_[next].square]]);
    }
    const std::size_t firstTile = tiles_.size();
    for (std::size_t tile = 0; tile < landscape.tiles.size(); ++tile) {
      tiles_.push_back(std::make_unique<TileBvh>(models.device().handle()));
      TileBvh& tree = *tiles_.back();
      tree.squares = squares_;
      for (std::size_t number = 0; number < landscape.tiles[tile].size(); ++number) {
        const TilePlant& plant = landscape.tiles[tile][number];
        tree.plants.push_back({models.model(plant.model),
                               ModelFrame({Vec3d{}, plant.rotation, plant.scale}),
                               reachOf(plant, number, scene.models[plant.model], spreads[tile])});
      }
      if (!spreads[tile].isUsed) continue;
      attachUserGeometry(tree.top.device(), tree.top.handle(), tree.plants.size(), &tree,
                         {boundPlant, meetPlant});
      tree.top.commit({nullptr, watch.isCancelled});
    }
    for (std::size_t number = first; number < next; ++number) {
      const TileBvh& tree = *tiles_[firstTile + landscape.tileOf[squares_[number].square]];
      top_.place(static_cast<std::uint32_t>(number), tree.top.handle(), shearOf(squares_[number]));
    }
  }
  if (!squares_.empty()) top_.commit(watch);
}

LandscapeScene::~LandscapeScene() = default;

}  // namespace understory
