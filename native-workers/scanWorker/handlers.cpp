// The table of methods.
#include "scanWorker/handlers.h"

#include <iostream>
#include <new>
#include <stdexcept>

#include "core/error.h"
#include "core/fieldReader.h"
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
  reply.body = {{"worker", "scanWorker"},      {"version", workerVersion()},
                {"engine", UNDERSTORY_ENGINE}, {"embree", state.device->embreeVersion()},
                {"isa", state.device->isa()},  {"threads", state.device->threads()}};
  return reply;
}

const EmbreeScene& builtScene(const WorkerState& state) {
  if (!state.scene) {
    throw UnderstoryError(ErrorCode::badInput, "no scene has been built: scene.build comes first");
  }
  return *state.scene;
}

json errorBody(ErrorCode code, const char* message, json details = json::object()) {
  return {{"code", wordOf(code)}, {"message", message}, {"details", std::move(details)}};
}

// An exception on its way into an `error` frame.
json describe(const std::exception& error) {
  if (const auto* own = dynamic_cast<const UnderstoryError*>(&error)) {
    return errorBody(own->code, own->what(), own->details);
  }
  if (dynamic_cast<const ProtocolError*>(&error) != nullptr) {
    return errorBody(ErrorCode::protocol, error.what());
  }
  if (dynamic_cast<const json::exception*>(&error) != nullptr) {
    return errorBody(ErrorCode::badInput, error.what());
  }
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return errorBody(ErrorCode::workerFailed, "the worker ran out of memory");
  }
  // A container that no memory could hold, asked for by sizes in a request.
  if (dynamic_cast<const std::length_error*>(&error) != nullptr) {
    return errorBody(ErrorCode::workerFailed, "the worker cannot hold so much");
  }
  return errorBody(ErrorCode::internal, error.what());
}

// The body of a request that has no fields.
void requireNoFields(const Frame& request) {
  readObject(request.header.value("body", json()), "request", [](FieldReader&) {});
}

}  // namespace

std::string workerVersion() { return UNDERSTORY_VERSION; }

ServerMethods workerMethods(WorkerState& state) {
  ServerMethods server;
  const auto guarded = [&state](auto handler) -> Handler {
    return [&state, handler](const Frame& request, Call& call) {
      if (call.isCancelled()) throw cancelledError();
      Message reply = handler(request, call);
      state.testSwitches.beforeAnswer();
      return reply;
    };
  };
  server.quick[std::string(methods::hello)] = guarded([&state](const Frame& request, Call&) {
    requireNoFields(request);
    return handleHello(state);
  });
  server.heavy[std::string(methods::scenePlan)] =
      guarded([&state](const Frame& request, Call& call) {
        return handleScenePlan(request, call, state.meshStore.get());
      });
  server.heavy[std::string(methods::sceneBuild)] =
      guarded([&state](const Frame& request, Call& call) {
        state.lastParts = {};
        return handleSceneBuild(state.device, request, call, state.meshStore.get(), state.scene);
      });
  server.heavy[std::string(methods::sceneInstances)] =
      guarded([&state](const Frame& request, Call&) {
        return handleSceneInstances(builtScene(state), request);
      });
  server.heavy[std::string(methods::sceneMesh)] =
      guarded([&state](const Frame& request, Call& call) {
        return handleSceneMesh(builtScene(state), request, call, state.lastParts);
      });
  server.heavy[std::string(methods::sensorDescribe)] =
      guarded([](const Frame& request, Call&) { return handleDescribe(request); });
  server.heavy[std::string(methods::scan)] = guarded([&state](const Frame& request, Call& call) {
    return handleScan(builtScene(state), request, call, state.testSwitches);
  });
  server.heavy[std::string(methods::scanRays)] =
      guarded([&state](const Frame& request, Call& call) {
        return handleRays(builtScene(state), request, call, state.testSwitches);
      });
  server.heavy[std::string(methods::scanWaveforms)] =
      guarded([&state](const Frame& request, Call& call) {
        return handleWaveforms(builtScene(state), request, call, state.testSwitches);
      });
  server.heavy[std::string(methods::render)] = guarded([&state](const Frame& request, Call& call) {
    return handleRender(builtScene(state), request, call);
  });
  server.heavy[std::string(methods::benchRaw)] =
      guarded([&state](const Frame& request, Call& call) {
        return handleBenchRaw(builtScene(state), request, call);
      });
  server.heavy[std::string(methods::benchNative)] =
      guarded([&state](const Frame& request, Call& call) {
        return handleBenchNative(builtScene(state), request, call);
      });
  server.describe = describe;
  server.log = [](const std::string& line) { logLine("error", line); };
  return server;
}

void logLine(const std::string& level, const std::string& message) {
  std::cerr << json{{"level", level}, {"message", message}}.dump(-1, ' ', false,
                                                                 json::error_handler_t::replace) +
                   "\n";
}

}  // namespace understory
