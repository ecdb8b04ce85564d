// The triangles of a scene inside Embree: one device, one BVH for each model, one instance for each placed copy.
// Embree's own types stay opaque here; only surfaces/embree and bench/raw include embree.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/detail/meshParts.h"
#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/embree/topLevel.h"
#include "surfaces/hits.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace understory {

// The best kernel instruction set that this processor has, by the contract's names (sse4.2, avx, avx2,
// avx512); a run's bytes hold for one of them. Throws 'unsupported' below sse4.2.
std::string bestIsa();
// Rays in a packet: 16 with avx512, 8 with avx and avx2, 4 with sse4.2.
std::size_t packetWidth(const std::string& isa);

// Owns an Embree device and the threads that build and trace with it.
class EmbreeDevice {
 public:
  // `threadCount` at least 1. Throws 'unsupported' when the processor or Embree lacks the instruction set.
  EmbreeDevice(const std::string& isaName, std::size_t threadCount);
  ~EmbreeDevice();
  EmbreeDevice(const EmbreeDevice&) = delete;
  EmbreeDevice& operator=(const EmbreeDevice&) = delete;

  RTCDeviceTy* handle() const { return device_; }
  const std::string& isa() const { return isa_; }
  // As reciprocalsHash() of its instruction set.
  const std::string& reciprocals() const { return reciprocals_; }
  std::size_t threads() const { return threads_; }
  // "3.13.5"
  std::string embreeVersion() const;
  // Bytes that Embree holds now, buffers included.
  std::int64_t memoryBytes() const { return memoryBytes_.load(); }

 private:
  struct ThreadLimit;

  RTCDeviceTy* device_ = nullptr;
  std::string isa_;
  std::string reciprocals_;
  std::size_t threads_;
  std::unique_ptr<ThreadLimit> limit_;
  std::atomic<std::int64_t> memoryBytes_{0};
};

// The triangles of what is stationary, a source of hits (surfaces/hits.h), and those of all models. In Embree's hits
// instID[0] is the index in the scene's instances. Immutable after construction; traced by many threads.
class EmbreeScene {
 public:
  static constexpr bool isStill = true;

  // Moves the triangles of `scene`, which outlives it, to Embree: scene.models[i].mesh then has its materials only.
  // `watch`: phases 'building' in triangles, 'instances' and 'top-level' in instances. Throws
  // 'cancelled'; 'bad-input' when a model or material index does not exist.
  EmbreeScene(std::shared_ptr<const EmbreeDevice> device, Scene& scene, const Watch& watch);
  ~EmbreeScene();
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  const EmbreeDevice& device() const { return *device_; }

  bool isEmpty() const { return !hasTriangles_; }
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    top_.nearest(rays, active, hits);
  }
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    return top_.nearest(ray, fromM, limitM);
  }
  // Whether anything lies between.
  bool isBlocked(const PathRay& ray, float fromM, float limitM) const {
    return top_.isBlocked(ray, fromM, limitM);
  }

  // Models whose hits a function may reject: those that let light through or have holes, and permeable learned ones. Others are traced as if there
  // were no such function.
  std::size_t filteredModels() const { return filteredModels_; }

  bool hasTriangles(std::size_t model) const {
    return !scene_.models[model].mesh.materialOfTriangle.empty();
  }
  // For raw tracing only (bench/raw).
  RTCSceneTy* top() const { return top_.handle(); }
  // The tree of a model.
  RTCSceneTy* model(std::size_t index) const { return models_[index]; }
  // The triangles of a model, where Embree holds them; valid as long as the scene.
  MeshView meshOf(std::size_t model) const;

 private:
  void buildModels(std::vector<Model>& models, const Watch& watch);
  void placeInstances(const Watch& watch);
  void release();

  std::shared_ptr<const EmbreeDevice> device_;
  const Scene& scene_;
  std::vector<RTCSceneTy*> models_;
  std::vector<std::size_t> verticesOfModel_;
  TopLevel top_;
  std::size_t filteredModels_ = 0;
  bool hasTriangles_ = false;
};

}  // namespace understory
