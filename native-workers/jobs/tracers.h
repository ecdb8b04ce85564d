// The tracer of a job: chooses the sources of hits that the scene has, once, as a template parameter.
#pragma once

#include <memory>

#include "jobs/pulseJob.h"
#include "pulses/batchTracer.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

// Scene and job outlive the tracer.
std::unique_ptr<const BatchTracer> makeTracer(const EmbreeScene& scene, const PulseJob& job,
                                              TraceOptions options);

}  // namespace understory
