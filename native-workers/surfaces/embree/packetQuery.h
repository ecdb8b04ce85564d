// Packets of rays through Embree: coherently where that loses nothing, one by one where it would.
#pragma once

#include <cstddef>
#include <cstdint>

#include "surfaces/embree/embree.h"

namespace understory {

class PacketQuery {
 public:
  // `valid`: -1 for each lane to trace, 0 for the others; aligned as the packet.
  // Why two queries: Embree 3.13 loses rays of a coherent packet in which a component of the direction changes
  // its sign close to 0 (test/repro/lostRays.test.ts), or is negative and almost 0
  // (test/repro/almostLevelRays.test.ts). Such packets are few.
  template <std::size_t Width>
  void intersect(const int* valid, RTCScene scene, typename PacketOf<Width>::RayHit& packet) {
    intersect(valid, scene, packet, isCoherent<Width>(valid, packet.ray));
  }
  // The same where isCoherent() is known.
  template <typename Packet>
  void intersect(const int* valid, RTCScene scene, Packet& packet, bool isCoherent) {
    (isCoherent ? coherent_ : incoherent_).intersect(valid, scene, packet);
  }

  // As RayQuery::setPulses.
  void setPulses(PassedPulses pulses) {
    coherent_.setPulses(pulses);
    incoherent_.setPulses(pulses);
  }

  // As RayQuery::setTimes.
  void setTimes(const std::int64_t* timesNs) {
    coherent_.setTimes(timesNs);
    incoherent_.setTimes(timesNs);
  }
  // As RayQuery::setInstance.
  void setInstance(std::uint32_t number) {
    coherent_.setInstance(number);
    incoherent_.setInstance(number);
  }

  // Whether all rays lie in one octant.
  template <std::size_t Width, typename Rays>
  [[gnu::always_inline]] static bool isCoherent(const int* valid, const Rays& rays) {
    int active = 0;
    int negativeX = 0;
    int negativeY = 0;
    int negativeZ = 0;
    int almostZero = 0;
    for (std::size_t lane = 0; lane < Width; ++lane) {
      active -= valid[lane];
      negativeX -= rays.dir_x[lane] < 0.0F ? valid[lane] : 0;
      negativeY -= rays.dir_y[lane] < 0.0F ? valid[lane] : 0;
      negativeZ -= rays.dir_z[lane] < 0.0F ? valid[lane] : 0;
      almostZero |= valid[lane] & (isAlmostZero(rays.dir_x[lane]) | isAlmostZero(rays.dir_y[lane]) |
                                   isAlmostZero(rays.dir_z[lane]));
    }
    const auto haveOneSign = [active](int negative) { return negative == 0 || negative == active; };
    return almostZero == 0 && haveOneSign(negativeX) && haveOneSign(negativeY) &&
           haveOneSign(negativeZ);
  }

 private:
  // Where Embree sorts rays by octant it takes such a component for negative, where it divides by it, for
  // +1e-18 (its min_rcp_input): the ray lies outside of its own packet's frustum. 1 or 0, without a branch.
  [[gnu::always_inline]] static int isAlmostZero(float component) {
    return static_cast<int>(component < 0.0F) & static_cast<int>(component > -1e-18F);
  }

  RayQuery coherent_{true};
  RayQuery incoherent_{false};
};

}  // namespace understory
