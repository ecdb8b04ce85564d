// `scene.plan`, `scene.build`, `scene.instances`, `scene.plants`, `scene.heightAt`.
#pragma once

#include <memory>

#include "core/assembly/meshStore.h"
#include "jobs/tracedScene.h"
#include "protocol/rpc.h"

namespace understory {

// SceneRequest -> SceneSummary, without building anything. `meshStore` may be null, here and below.
Message handleScenePlan(const Frame& request, Call& call, const MeshStore* meshStore);

// SceneRequest -> SceneSummary; the scene is built into `scene`, in place of the one before, which is
// released first: two large scenes would not fit. A build that fails or is cancelled gives its memory
// back.
Message handleSceneBuild(const std::shared_ptr<const EmbreeDevice>& device, const Frame& request,
                         Call& call, const MeshStore* meshStore,
                         std::unique_ptr<const TracedScene>& scene);

// HeightRequest -> HeightReply.
Message handleHeightAt(const TracedScene& scene, const Frame& request);

// InstancesRequest -> InstancesReply with the columns of instanceColumnNames.
Message handleSceneInstances(const TracedScene& scene, const Frame& request);

// Ids of plants of landscapes -> rows of those that there are, with the same columns.
Message handleScenePlants(const TracedScene& scene, const Frame& request);

}  // namespace understory
