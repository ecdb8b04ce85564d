// Boxes as a geometry of Embree.
#include "surfaces/embree/userScene.h"

#include "surfaces/embree/userGeometry.h"

namespace understory {

void UserScene::build(std::size_t size, const void* data, const BoxFunctions& functions,
                      const Watch& watch) {
  isEmpty_ = size == 0;
  if (isEmpty_) return;
  attachUserGeometry(top_.device(), top_.handle(), size, data, functions);
  // Why without progress: boxes are few beside triangles.
  top_.commit({nullptr, watch.isCancelled});
}

}  // namespace understory
