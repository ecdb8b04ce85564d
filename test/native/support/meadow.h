// Grass for tests: tufts of thin blades on a flat ground.
#pragma once

#include <cmath>
#include <memory>

#include "core/random/philox.h"
#include "test/native/support/scenes.h"

namespace understory {

// A tuft of thin blades, each one triangle, leaning at random; materials 0 and 1 by turns.
inline Mesh tuftMesh(std::uint64_t seed) {
  Mesh mesh;
  RandomStream random(seed, RandomPurpose::plant, 0);
  for (std::uint32_t blade = 0; blade < 200; ++blade) {
    const Vec3d footM{random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.0};
    const double turnRad = random.uniform(0.0, 2.0 * piRad);
    const Vec3d acrossM{0.004 * std::cos(turnRad), 0.004 * std::sin(turnRad), 0.0};
    const Vec3d tipM = footM + Vec3d{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2),
                                     random.uniform(0.3, 0.8)};
    for (const Vec3d corner : {footM + acrossM, footM - acrossM, tipM}) {
      mesh.vertices.push_back(toFloat(corner));
    }
    mesh.triangles.push_back({3 * blade, 3 * blade + 1, 3 * blade + 2});
    mesh.materialOfTriangle.push_back(static_cast<std::uint16_t>(blade % 2));
  }
  return mesh;
}

// 3000 tufts on 50 x 50 m. `maker` has materials 0 (also the ground's) and 1, and any objects among them.
inline std::unique_ptr<const TracedScene> meadowAround(SceneMaker& maker, std::size_t threads) {
  const std::uint16_t ground = maker.model(wallMesh(60.0F, 4, 0));
  maker.place(ground, {0.0, 0.0, 0.0}, rotationAbout({0.0, 1.0, 0.0}, -0.5 * piRad));
  const std::uint16_t tuft = maker.model(tuftMesh(3));
  RandomStream random(7, RandomPurpose::scatter, 0);
  for (int copy = 0; copy < 3000; ++copy) {
    const Vec3d placeM{random.uniform(-25.0, 25.0), random.uniform(-25.0, 25.0), 0.0};
    maker.place(tuft, placeM, rotationAbout({0.0, 0.0, 1.0}, random.uniform(0.0, 2.0 * piRad)),
                random.uniform(0.8, 1.2));
  }
  return maker.build(testDevice(threads));
}

// The same, diffuse, and nothing else.
inline std::unique_ptr<const TracedScene> meadow(std::size_t threads) {
  SceneMaker maker;
  maker.material(0.5F);
  maker.material(0.3F);
  return meadowAround(maker, threads);
}

}  // namespace understory
