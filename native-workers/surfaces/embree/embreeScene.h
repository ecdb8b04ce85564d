// The scene inside Embree: one device, one BVH for each model, one instance for each placed copy.
// Embree's own types stay opaque here; files of trace include surfaces/embree/embree.h for them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/detail/meshParts.h"
#include "core/scene/scene.h"

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
  std::size_t threads() const { return threads_; }
  // "3.13.5"
  std::string embreeVersion() const;
  // Bytes that Embree holds now, buffers included.
  std::int64_t memoryBytes() const { return memoryBytes_.load(); }

 private:
  struct ThreadLimit;

  RTCDeviceTy* device_ = nullptr;
  std::string isa_;
  std::size_t threads_;
  std::unique_ptr<ThreadLimit> limit_;
  std::atomic<std::int64_t> memoryBytes_{0};
};

// What shading a hit on an instance needs, in one cache line.
struct alignas(64) InstanceShading {
  std::array<float, 12> worldFromModel{};  // rotation, column by column, each padded to four
  std::uint32_t id = 0;
  std::uint16_t classId = 0;
  std::uint16_t material = 0;  // of every triangle, where materialOfTriangle is null
  const std::uint16_t* materialOfTriangle = nullptr;

  std::uint16_t materialOf(std::uint32_t triangle) const {
    return materialOfTriangle == nullptr ? material : materialOfTriangle[triangle];
  }
  // A vector of the model's frame in the world's, its length unchanged.
  Vec3f inWorld(Vec3f v) const {
    const std::array<float, 12>& m = worldFromModel;
    return {m[0] * v.x + m[4] * v.y + m[8] * v.z, m[1] * v.x + m[5] * v.y + m[9] * v.z,
            m[2] * v.x + m[6] * v.y + m[10] * v.z};
  }
};

// Phases: 'building' in triangles, 'instances' and 'top-level' in instances. `progress` is called from
// any thread, also from several at once.
struct BuildControl {
  std::function<void(const char* phase, std::size_t done, std::size_t total)> progress;
  const std::atomic<bool>* isCancelled = nullptr;
};

// A built scene. In Embree's hits instID[0] is the index in scene().instances (and shading()), geomID
// is 0, primID the triangle of the model. Immutable after construction; traced by many threads.
class EmbreeScene {
 public:
  // Takes the scene's triangles over: scene().models[i].mesh keeps its materials only. Throws
  // 'cancelled'; 'bad-input' when a model or material index does not exist.
  EmbreeScene(std::shared_ptr<const EmbreeDevice> device, Scene scene, const BuildControl& control);
  ~EmbreeScene();
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  RTCSceneTy* top() const { return top_; }
  const EmbreeDevice& device() const { return *device_; }
  const Scene& scene() const { return scene_; }
  const std::vector<InstanceShading>& shading() const { return shading_; }
  // The triangles of a model, where Embree holds them; valid as long as the scene.
  MeshView meshOf(std::size_t model) const;

 private:
  void buildModels(const BuildControl& control);
  void placeInstances(const BuildControl& control);
  void release();

  std::shared_ptr<const EmbreeDevice> device_;
  Scene scene_;
  std::vector<RTCSceneTy*> models_;
  std::vector<std::size_t> verticesOfModel_;
  RTCSceneTy* top_ = nullptr;
  std::vector<InstanceShading> shading_;
};

}  // namespace understory
