// Scenes of stationary triangles alone have a tracer of their own: their rays pay for no other source.
#include "jobs/tracers.h"

namespace understory {
namespace {

// The scene's sources, and what moves where it is during a job.
class SourcesInMotion {
 public:
  using Combined = TracedScene::Sources;

  SourcesInMotion(const TracedScene& scene, const Motions& motions, const Watch& watch)
      : moving_(scene.triangles(), scene.scene(), motions, watch),
        volumes_(MovingVolumes::of(scene.volumes(), scene.scene(), motions)),
        combined_(scene.triangles(), moving_, scene.swaying(), scene.voxels(), scene.landscapes(),
                  scene.further()) {}

  const Combined& combined() const { return combined_; }
  // Null: none.
  const MovingVolumes* volumes() const { return volumes_.get(); }

 private:
  MovingScene moving_;
  std::unique_ptr<const MovingVolumes> volumes_;
  Combined combined_;
};

}  // namespace

std::unique_ptr<const BatchTracer> makeTracer(const TracedScene& scene, const PulseJob& job,
                                              TraceOptions options, const Watch& watch) {
  options.puffs = job.puffs;
  if (scene.hasStillTrianglesOnly()) {
    return std::make_unique<const SourceTracer<EmbreeScene>>(scene.triangles(), scene.truth(),
                                                             job.sensor, job.trajectory, options);
  }
  using Tracer = SourceTracer<TracedScene::Sources>;
  if (job.motions.list.empty()) {
    return std::make_unique<const Tracer>(scene.sources(), scene.truth(), job.sensor,
                                          job.trajectory, options);
  }
  checkMotions(scene.scene(), job.motions);
  const auto held = std::make_shared<const SourcesInMotion>(scene, job.motions, watch);
  return std::make_unique<const Tracer>(
      std::shared_ptr<const TracedScene::Sources>(held, &held->combined()),
      scene.truth(held->volumes()), job.sensor, job.trajectory, options);
}

}  // namespace understory
