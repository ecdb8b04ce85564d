// Renders of a scene: sun, sky and shadows on its materials' colours. For display, not for
// measuring; scans trace the same geometry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/landscapeScene.h"
#include "surfaces/embree/movingScene.h"
#include "surfaces/embree/swayingScene.h"
#include "surfaces/embree/voxelScene.h"

namespace understory {

// Sources of what is drawn, at time 0. Null: nothing of it.
struct RenderSources {
  const EmbreeScene& triangles;
  const MovingScene* moving = nullptr;
  const SwayingScene* swaying = nullptr;  // plants in the wind
  const VoxelScene* voxels = nullptr;
  const LandscapeScene* landscapes = nullptr;
};

// REP-103: yaw counter-clockwise from x, pitch positive down.
struct RenderView {
  Vec3d positionM;
  double yawRad = 0.0;
  double pitchRad = 0.0;
  double verticalFovRad = 0.9;
  double orthographicHeightM = 0.0;  // above 0: an orthographic view of this height instead
  std::uint32_t widthPx = 1280;
  std::uint32_t heightPx = 720;
  std::uint32_t samplesPerPixel = 8;
};

// 3 * widthPx * heightPx bytes, red, green, blue, rows from the top. The same image on any number of
// threads. `watch`: phase 'picture' in rows, from the calling thread. Throws 'cancelled', and 'bad-input' for sizes of
// 0, above 16384 pixels a side or 4096 samples. Learned elements are not drawn; `scene` is the truth of what is.
std::vector<std::uint8_t> renderPicture(const RenderSources& sources, const SceneTruth& scene,
                                        const RenderView& view, const Watch& watch);

}  // namespace understory
