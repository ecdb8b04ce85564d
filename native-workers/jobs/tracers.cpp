// Scenes of triangles alone have a tracer of their own: their rays pay for no other source.
#include "jobs/tracers.h"

namespace understory {

std::unique_ptr<const BatchTracer> makeTracer(const TracedScene& scene, const PulseJob& job,
                                              TraceOptions options) {
  if (scene.hasTrianglesOnly()) {
    return std::make_unique<const SourceTracer<EmbreeScene>>(scene.triangles(), scene.truth(),
                                                             job.sensor, job.trajectory, options);
  }
  return std::make_unique<const SourceTracer<TracedScene::Sources>>(
      scene.sources(), scene.truth(), job.sensor, job.trajectory, options);
}

}  // namespace understory
