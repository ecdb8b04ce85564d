// The tracer of a job: chooses the sources of hits that the scene has, once, as a template parameter.
#pragma once

#include <memory>

#include "jobs/pulseJob.h"
#include "jobs/tracedScene.h"
#include "pulses/batchTracer.h"

namespace understory {

// Scene and job outlive the tracer. `watch`: of the trees of what moves. Throws 'cancelled'.
std::unique_ptr<const BatchTracer> makeTracer(const TracedScene& scene, const PulseJob& job,
                                              TraceOptions options, const Watch& watch);

}  // namespace understory
