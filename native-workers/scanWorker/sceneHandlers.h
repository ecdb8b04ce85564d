// `scene.plan`, `scene.build`, `scene.instances`.
#pragma once

#include <memory>

#include "protocol/rpc.h"
#include "trace/embreeScene.h"

namespace understory {

// SceneRequest -> SceneSummary, without building anything.
Message handleScenePlan(const Frame& request, Call& call);

// SceneRequest -> SceneSummary; the scene is built into `scene`, in place of the one before, which is
// given up first: two large scenes would not fit.
Message handleSceneBuild(const std::shared_ptr<const EmbreeDevice>& device, const Frame& request,
                         Call& call, std::unique_ptr<const EmbreeScene>& scene);

// {} -> {} with the columns of instanceColumnNames.
Message handleSceneInstances(const EmbreeScene& scene);

}  // namespace understory
