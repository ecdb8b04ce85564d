// The table of methods.
#include "scanWorker/handlers.h"

#include <iostream>
#include <new>
#include <stdexcept>

#include "core/error.h"
#include "scanWorker/benchHandlers.h"
#include "scanWorker/describeHandler.h"
#include "scanWorker/raysHandler.h"
#include "scanWorker/renderHandler.h"
#include "scanWorker/scanHandler.h"
#include "scanWorker/sceneHandlers.h"
#include "scanWorker/waveformHandler.h"

namespace understory {
namespace {

using nlohmann::json;

Message handleHello(const WorkerState& state) {
  Message reply;
  reply.body = {{"worker", "scanWorker"},
                {"version", workerVersion()},
                {"embree", state.device->embreeVersion()},
                {"isa", state.device->isa()},
                {"threads", state.device->threads()}};
  return reply;
}

const EmbreeScene& builtScene(const WorkerState& state) {
  if (!state.scene) {
    throw UnderstoryError("bad-input", "no scene has been built: scene.build comes first");
  }
  return *state.scene;
}

// An exception on its way into an `error` frame.
json describe(const std::exception& error) {
  if (const auto* own = dynamic_cast<const UnderstoryError*>(&error)) {
    return {{"code", own->code}, {"message", own->what()}, {"details", own->details}};
  }
  const char* code = "internal";
  if (dynamic_cast<const ProtocolError*>(&error) != nullptr) code = "protocol";
  if (dynamic_cast<const json::exception*>(&error) != nullptr) code = "bad-input";
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {{"code", "worker-failed"}, {"message", "the worker ran out of memory"}};
  }
  // A container that no memory could hold, asked for by sizes in a request.
  if (dynamic_cast<const std::length_error*>(&error) != nullptr) {
    return {{"code", "worker-failed"}, {"message", "the worker cannot hold so much"}};
  }
  return {{"code", code}, {"message", error.what()}};
}

}  // namespace

std::string workerVersion() { return UNDERSTORY_VERSION; }

ServerMethods workerMethods(WorkerState& state) {
  ServerMethods methods;
  const auto guarded = [&state](auto handler) -> Handler {
    return [&state, handler](const Frame& request, Call& call) {
      if (call.isCancelled()) throw cancelledError();
      Message reply = handler(request, call);
      state.testSwitches.beforeAnswer();
      return reply;
    };
  };
  methods.quick["hello"] =
      guarded([&state](const Frame&, Call&) { return handleHello(state); });
  methods.heavy["scene.plan"] = guarded([&state](const Frame& request, Call& call) {
    return handleScenePlan(request, call, state.meshStore.get());
  });
  methods.heavy["scene.build"] = guarded([&state](const Frame& request, Call& call) {
    state.lastParts = {};
    return handleSceneBuild(state.device, request, call, state.meshStore.get(), state.scene);
  });
  methods.heavy["scene.instances"] = guarded([&state](const Frame& request, Call&) {
    return handleSceneInstances(builtScene(state), request);
  });
  methods.heavy["scene.mesh"] = guarded([&state](const Frame& request, Call& call) {
    return handleSceneMesh(builtScene(state), request, call, state.lastParts);
  });
  methods.heavy["sensor.describe"] =
      guarded([](const Frame& request, Call&) { return handleDescribe(request); });
  methods.heavy["scan"] = guarded([&state](const Frame& request, Call& call) {
    return handleScan(builtScene(state), request, call, state.testSwitches);
  });
  methods.heavy["scan.rays"] = guarded([&state](const Frame& request, Call& call) {
    return handleRays(builtScene(state), request, call, state.testSwitches);
  });
  methods.heavy["scan.waveforms"] = guarded([&state](const Frame& request, Call& call) {
    return handleWaveforms(builtScene(state), request, call, state.testSwitches);
  });
  methods.heavy["render"] = guarded([&state](const Frame& request, Call& call) {
    return handleRender(builtScene(state), request, call);
  });
  methods.heavy["bench.raw"] = guarded([&state](const Frame& request, Call& call) {
    return handleBenchRaw(builtScene(state), request, call);
  });
  methods.heavy["bench.native"] = guarded([&state](const Frame& request, Call& call) {
    return handleBenchNative(builtScene(state), request, call);
  });
  methods.describe = describe;
  methods.log = [](const std::string& line) { logLine("error", line); };
  return methods;
}

void logLine(const std::string& level, const std::string& message) {
  std::cerr << json{{"level", level}, {"message", message}}.dump(
                   -1, ' ', false, json::error_handler_t::replace) +
                   "\n";
}

}  // namespace understory
