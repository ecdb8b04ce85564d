// The table of methods.
#include "scanWorker/handlers.h"

#include <algorithm>
#include <iostream>
#include <new>
#include <stdexcept>

#include "core/error.h"
#include "core/fieldReader.h"
#include "scanWorker/benchHandlers.h"
#include "scanWorker/describeHandler.h"
#include "scanWorker/elementsHandler.h"
#include "scanWorker/evaluateHandler.h"
#include "scanWorker/frameHandler.h"
#include "scanWorker/groundHandler.h"
#include "scanWorker/learnHandler.h"
#include "scanWorker/raysHandler.h"
#include "scanWorker/renderHandler.h"
#include "scanWorker/scanHandler.h"
#include "scanWorker/sceneHandlers.h"
#include "scanWorker/signalHandler.h"
#include "scanWorker/truthHandlers.h"
#include "scanWorker/viewHandlers.h"
#include "scanWorker/voxelBeamsHandler.h"
#include "scanWorker/waveformHandler.h"

namespace understory {
namespace {

using nlohmann::json;

Message handleHello(const WorkerState& state) {
  Message reply;
  const EmbreeDevice& device = *state.device;
  reply.body = {{"worker", "scanWorker"},      {"version", workerVersion()},
                {"engine", UNDERSTORY_ENGINE}, {"learner", UNDERSTORY_LEARNER},
                {"isa", device.isa()},         {"embree", device.embreeVersion()},
                {"threads", device.threads()}, {"reciprocals", device.reciprocals()}};
  return reply;
}

const TracedScene& builtScene(const WorkerState& state) {
  if (!state.scene) {
    throw UnderstoryError(ErrorCode::badInput, "no scene has been built: scene.build comes first");
  }
  return *state.scene;
}

json errorBody(ErrorCode code, const char* message, json details = json::object()) {
  return {{"code", wordOf(code)}, {"message", message}, {"details", std::move(details)}};
}

// An exception as the contents of an `error` frame.
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

// Refuses columns that the method does not take, as FieldReader refuses fields.
void requireKnownColumns(const Frame& request, const Method& method) {
  for (const ColumnView& column : request.columns) {
    if (std::ranges::find(method.columns, column.name) != method.columns.end()) continue;
    std::string known;
    for (const std::string_view name : method.columns) {
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    throwBadInput("request", "columns." + column.name,
                  known.empty() ? "no columns" : "no such column, only " + known,
                  "unrecognized_keys");
  }
}

}  // namespace

std::string workerVersion() { return UNDERSTORY_VERSION; }

ServerMethods workerMethods(WorkerState& state) {
  ServerMethods server;
  const auto guarded = [&state](const Method& method, auto handler) -> Handler {
    return [&state, &method, handler](const Frame& request, Call& call) {
      if (call.isCancelled()) throw cancelledError();
      requireKnownColumns(request, method);
      Message reply = handler(request, call);
      state.testSwitches.beforeAnswer();
      return reply;
    };
  };
  const auto quick = [&](const Method& method, auto handler) {
    server.quick[std::string(method.name)] = guarded(method, handler);
  };
  const auto heavy = [&](const Method& method, auto handler) {
    server.heavy[std::string(method.name)] = guarded(method, handler);
  };
  const auto overlapping = [&](const Method& method, auto handler) {
    server.overlapping[std::string(method.name)] = guarded(method, handler);
  };
  quick(methods::hello, [&state](const Frame& request, Call&) {
    requireNoFields(request);
    return handleHello(state);
  });
  heavy(methods::scenePlan, [&state](const Frame& request, Call& call) {
    return handleScenePlan(request, call, state.meshStore.get());
  });
  heavy(methods::sceneBuild, [&state](const Frame& request, Call& call) {
    state.lastParts = {};
    state.frames.clear();
    return handleSceneBuild(state.device, request, call, state.meshStore.get(), state.scene);
  });
  heavy(methods::sceneInstances, [&state](const Frame& request, Call&) {
    return handleSceneInstances(builtScene(state), request);
  });
  heavy(methods::scenePlants, [&state](const Frame& request, Call&) {
    requireNoFields(request);
    return handleScenePlants(builtScene(state), request);
  });
  heavy(methods::sceneHeightAt, [&state](const Frame& request, Call&) {
    return handleHeightAt(builtScene(state), request);
  });
  heavy(methods::sceneMesh, [&state](const Frame& request, Call& call) {
    return handleSceneMesh(builtScene(state), request, call, state.lastParts);
  });
  heavy(methods::sceneGround, [&state](const Frame& request, Call& call) {
    requireNoFields(request);
    return handleSceneGround(builtScene(state), call);
  });
  heavy(methods::truthPlants, [&state](const Frame& request, Call& call) {
    return handlePlantTruth(builtScene(state), request, call);
  });
  heavy(methods::truthVoxels, [&state](const Frame& request, Call& call) {
    return handleVoxelTruth(builtScene(state), request, call);
  });
  heavy(methods::truthGaps, [&state](const Frame& request, Call& call) {
    return handleGapTruth(builtScene(state), request, call);
  });
  heavy(methods::sensorDescribe,
        [](const Frame& request, Call&) { return handleDescribe(request); });
  overlapping(methods::scan, [&state](const Frame& request, Call& call) {
    return handleScan(builtScene(state), request, call, state.testSwitches, state.ranks,
                      {state.mapper, state.frames});
  });
  server.files[std::string(methods::scanWrite.name)] =
      guarded(methods::scanWrite,
              [&state](const Frame& request, Call&) { return handleWrite(state.frames, request); });
  heavy(methods::scanRays, [&state](const Frame& request, Call& call) {
    return handleRays(builtScene(state), request, call, state.testSwitches);
  });
  heavy(methods::scanWaveforms, [&state](const Frame& request, Call& call) {
    return handleWaveforms(builtScene(state), request, call, state.testSwitches);
  });
  heavy(methods::scanSignal, [&state](const Frame& request, Call& call) {
    return handleSignal(builtScene(state), request, call);
  });
  heavy(methods::render, [&state](const Frame& request, Call& call) {
    return handleRender(builtScene(state), request, call);
  });
  heavy(methods::learnModel, [](const Frame& request, Call& call) {
    return handleLearn(request, call, UNDERSTORY_LEARNER);
  });
  heavy(methods::learnEvaluate,
        [](const Frame& request, Call& call) { return handleEvaluate(request, call); });
  heavy(methods::logCompare,
        [](const Frame& request, Call& call) { return handleCompare(request, call); });
  heavy(methods::logVoxels,
        [](const Frame& request, Call& call) { return handleVoxelBeams(request, call); });
  heavy(methods::learnElements, [&state](const Frame& request, Call& call) {
    return handleElements(state.views, request, call);
  });
  heavy(methods::learnSample, [&state](const Frame& request, Call& call) {
    return handleSample(state.views, request, call);
  });
  heavy(methods::learnPlace, [&state](const Frame& request, Call& call) {
    return handlePlace(state.views, request, call);
  });
  heavy(methods::logCloud, [&state](const Frame& request, Call& call) {
    return handleCloud(state.views, request, call);
  });
  heavy(methods::benchRaw, [&state](const Frame& request, Call& call) {
    return handleBenchRaw(builtScene(state), request, call);
  });
  heavy(methods::benchNative, [&state](const Frame& request, Call& call) {
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
