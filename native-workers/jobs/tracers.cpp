// One kind of source so far: triangles.
#include "jobs/tracers.h"

namespace understory {

std::unique_ptr<const BatchTracer> makeTracer(const EmbreeScene& scene, const PulseJob& job,
                                              TraceOptions options) {
  return std::make_unique<const SourceTracer<EmbreeScene>>(scene, scene.truth(), job.sensor,
                                                           job.trajectory, options);
}

}  // namespace understory
