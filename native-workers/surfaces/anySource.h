// A source of hits of any kind behind one type, for scenes that have more than triangles. Costs a virtual call for each
// packet or single ray; a source without anything to hit is not queried (surfaces/combined.h).
#pragma once

#include <memory>
#include <utility>

#include "surfaces/hits.h"

namespace understory {

class AnySource {
 public:
  static constexpr bool isStill = false;

  // Has nothing to hit.
  AnySource() = default;
  // `source` is not null.
  template <HitSource Source>
  explicit AnySource(std::shared_ptr<const Source> source)
      : held_(std::make_unique<const HeldSource<Source>>(std::move(source))) {}

  bool isEmpty() const { return !held_ || held_->isEmpty(); }
  // Only where isEmpty() is false.
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    held_->nearest(rays, active, hits);
  }
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    return held_->nearest(ray, fromM, limitM);
  }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual bool isEmpty() const = 0;
    virtual void nearest(const RayLanes& rays, std::size_t active, PacketHits<4>& hits) const = 0;
    virtual void nearest(const RayLanes& rays, std::size_t active, PacketHits<8>& hits) const = 0;
    virtual void nearest(const RayLanes& rays, std::size_t active, PacketHits<16>& hits) const = 0;
    virtual FacetHit nearest(const PathRay& ray, float fromM, float limitM) const = 0;
  };

  template <HitSource Source>
  struct HeldSource final : Held {
    explicit HeldSource(std::shared_ptr<const Source> held) : source(std::move(held)) {}
    bool isEmpty() const override { return source->isEmpty(); }
    void nearest(const RayLanes& rays, std::size_t active, PacketHits<4>& hits) const override {
      source->nearest(rays, active, hits);
    }
    void nearest(const RayLanes& rays, std::size_t active, PacketHits<8>& hits) const override {
      source->nearest(rays, active, hits);
    }
    void nearest(const RayLanes& rays, std::size_t active, PacketHits<16>& hits) const override {
      source->nearest(rays, active, hits);
    }
    FacetHit nearest(const PathRay& ray, float fromM, float limitM) const override {
      return source->nearest(ray, fromM, limitM);
    }
    std::shared_ptr<const Source> source;
  };

  std::unique_ptr<const Held> held_;
};

}  // namespace understory
