// Several sources of hits in one scene: triangles in Embree beside spheres in closed form, in packets and single rays.
#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <new>

#include "core/random/philox.h"
#include "jobs/rayScan.h"
#include "surfaces/combined.h"
#include "surfaces/heightAt.h"
#include "test/native/support/scenes.h"
#include "test/native/support/spheres.h"

using namespace understory;

namespace {

static_assert(HitSource<EmbreeScene>);
static_assert(HitSource<Spheres>);
static_assert(HitSource<AnySource>);
static_assert(HitSource<CombinedSource<EmbreeScene, AnySource>>);

// A wall 12 m ahead in triangles. Spheres are instances too, of a model without triangles: one before the wall, one
// behind it, one beside it.
struct MixedScene {
  SceneMaker maker;
  std::shared_ptr<const Spheres> spheres;
  std::unique_ptr<const TracedScene> traced;

  explicit MixedScene(const std::string& isa = bestIsa()) {
    const std::uint16_t grey = maker.material(0.5F);
    maker.place(maker.model(wallMesh(4.0F, 4, grey)), {12.0, 0.0, 0.0});
    const std::uint16_t sphere = maker.model(Mesh{});
    std::vector<Sphere> list;
    for (const Vec3f centreM :
         {Vec3f{8.0F, 0.5F, 0.2F}, Vec3f{15.0F, 0.0F, 0.0F}, Vec3f{9.0F, 7.0F, 0.0F}}) {
      const std::uint32_t id = maker.place(sphere, toDouble(centreM));
      list.push_back({id - 1, centreM, 1.5F});
    }
    spheres = std::make_shared<const Spheres>(list);
    traced = maker.build(testDevice(2, isa), AnySource(spheres));
  }
};

// Rays from the origin towards +x, within some 35 degrees; padded for packets.
struct Rays {
  std::vector<float> zeros;
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> z;

  explicit Rays(std::size_t count)
      : zeros(count + 16), x(count + 16), y(count + 16), z(count + 16) {
    RandomStream random(5, RandomPurpose::scatter, 1);
    for (std::size_t ray = 0; ray < count; ++ray) {
      const Vec3f direction =
          toFloat(normalized(Vec3d{1.0, random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7)}));
      x[ray] = direction.x;
      y[ray] = direction.y;
      z[ray] = direction.z;
    }
  }
  RayLanes lanes() const {
    return {zeros.data(), zeros.data(), zeros.data(), x.data(), y.data(), z.data()};
  }
  PathRay at(std::size_t ray) const { return {{}, {x[ray], y[ray], z[ray]}}; }
};

template <std::size_t Width, typename Source>
std::vector<FacetHit> inPackets(const Source& source, const Rays& rays, std::size_t count) {
  std::vector<FacetHit> hits;
  for (std::size_t first = 0; first < count; first += Width) {
    const std::size_t active = std::min(Width, count - first);
    PacketHits<Width> packet{};
    packet.rangeM.fill(100.0F);
    source.nearest(rays.lanes().from(first), active, packet);
    for (std::size_t lane = 0; lane < active; ++lane) hits.push_back(packet.at(lane));
  }
  return hits;
}

bool isSame(const FacetHit& a, const FacetHit& b, float toleranceM) {
  if (a.isHit != b.isHit) return false;
  return !a.isHit || (a.instance == b.instance && a.primitive == b.primitive &&
                      std::abs(a.rangeM - b.rangeM) <= toleranceM);
}

}  // namespace

TEST_CASE(
    "triangles and spheres in one scene: each ray gets the nearest of both, in packets and alone") {
  const MixedScene scene;
  const TracedScene::Sources& both = scene.traced->sources();
  constexpr std::size_t count = 1003;  // with a packet that is not full
  const Rays rays(count);
  const std::vector<FacetHit> four = inPackets<4>(both, rays, count);
  const std::vector<FacetHit> eight =
      packetWidth(bestIsa()) >= 8 ? inPackets<8>(both, rays, count) : four;
  const std::vector<FacetHit> sixteen =
      packetWidth(bestIsa()) >= 16 ? inPackets<16>(both, rays, count) : four;
  std::size_t onWall = 0;
  std::size_t onSpheres = 0;
  for (std::size_t ray = 0; ray < count; ++ray) {
    CAPTURE(ray);
    const FacetHit wall = scene.traced->triangles().nearest(rays.at(ray), 0.0F, 100.0F);
    const FacetHit sphere = scene.spheres->nearest(rays.at(ray), 0.0F, 100.0F);
    const FacetHit expected =
        !sphere.isHit || (wall.isHit && isBefore(wall, sphere)) ? wall : sphere;
    onWall += expected.isHit && expected.instance == 0 ? 1 : 0;
    onSpheres += expected.isHit && expected.instance > 0 ? 1 : 0;
    // Spheres are the same arithmetic in packets and alone; Embree's packets round differently: at 12 m a few steps of
    // 2^-20 m.
    const float toleranceM = expected.instance == 0 ? 1e-5F : 0.0F;
    CHECK(isSame(both.nearest(rays.at(ray), 0.0F, 100.0F), expected, 0.0F));
    CHECK(isSame(four[ray], expected, toleranceM));
    CHECK(isSame(eight[ray], expected, toleranceM));
    CHECK(isSame(sixteen[ray], expected, toleranceM));
  }
  CHECK(onWall > 50);
  CHECK(onSpheres > 50);
}

TEST_CASE("the order of sources changes no hit, and an empty source is not queried") {
  const MixedScene scene;
  const Spheres none{{}};
  const CombinedSource forward(scene.traced->triangles(), *scene.spheres);
  const CombinedSource backward(none, *scene.spheres, scene.traced->triangles());
  constexpr std::size_t count = 1003;
  const Rays rays(count);
  const std::vector<FacetHit> a = inPackets<4>(forward, rays, count);
  const std::vector<FacetHit> b = inPackets<4>(backward, rays, count);
  std::size_t differing = 0;
  for (std::size_t ray = 0; ray < count; ++ray) {
    differing += isSame(a[ray], b[ray], 0.0F) ? 0 : 1;
    differing += isSame(forward.nearest(rays.at(ray), 0.0F, 100.0F),
                        backward.nearest(rays.at(ray), 0.0F, 100.0F), 0.0F)
                     ? 0
                     : 1;
  }
  CHECK(differing == 0);
  CHECK(none.queries() == 0);
  CHECK(scene.spheres->queries() > 0);
}

TEST_CASE(
    "of two sources at the same range the lower instance is hit, whatever the order of sources") {
  const Spheres low({{1, {5.0F, 0.0F, 0.0F}, 1.0F}});
  const Spheres high({{2, {5.0F, 0.0F, 0.0F}, 1.0F}});
  const Rays rays(64);
  for (const FacetHit& hit : inPackets<8>(CombinedSource(low, high), rays, 64)) {
    if (hit.isHit) CHECK(hit.instance == 1);
  }
  for (const FacetHit& hit : inPackets<8>(CombinedSource(high, low), rays, 64)) {
    if (hit.isHit) CHECK(hit.instance == 1);
  }
  const PathRay ahead{{}, {1.0F, 0.0F, 0.0F}};
  CHECK(CombinedSource(high, low).nearest(ahead, 0.0F, 100.0F).instance == 1);
}

TEST_CASE("a scan of two sources returns both, alike on the fast path and along whole paths") {
  const MixedScene scene;
  CHECK_FALSE(scene.traced->hasStillTrianglesOnly());
  ScanJob job = standingJob(hdl64e(10.0), {}, 0.02);
  job.sensor.returns.mode = ReturnMode::closest;
  job.columns = {ReturnColumn::objectId};
  const auto table = [&](bool alwaysFollowsPaths) {
    job.alwaysFollowsPaths = alwaysFollowsPaths;
    const ScanTable scanned = scanAll(*scene.traced, job);
    std::vector<std::uint32_t> objects;
    for (std::size_t row = 0; row < scanned.rows; ++row) {
      objects.push_back(scanned.at<std::uint32_t>(ReturnColumn::objectId, row));
    }
    return objects;
  };
  const std::vector<std::uint32_t> fast = table(false);
  CHECK(std::count(fast.begin(), fast.end(), 1U) > 100);
  CHECK(std::count(fast.begin(), fast.end(), 2U) > 100);
  CHECK(std::count(fast.begin(), fast.end(), 3U) == 0);  // behind the wall
  CHECK(fast == table(true));
}

TEST_CASE("rays and heights of a scene come from all of its sources") {
  const MixedScene scene;
  std::size_t ofSphere = 0;
  RaySink sink;
  sink.takeChunk = [&](const RayRows& rows) {
    ofSphere += static_cast<std::size_t>(std::ranges::count(rows.objectId, 2U));
  };
  scanRays(*scene.traced, standingJob(hdl64e(10.0), {}, 0.02), sink);
  CHECK(ofSphere > 100);
  const Boundsf boundsM{{-20.0F, -20.0F, -20.0F}, {20.0F, 20.0F, 20.0F}};
  const auto heightM = heightAt(scene.traced->sources(), scene.traced->scene(), boundsM, 9.0, 7.0);
  CHECK(heightM.value_or(0.0) == doctest::Approx(1.5));
}

TEST_CASE("a scene whose further source is empty is traced as triangles alone") {
  SceneMaker maker;
  maker.place(maker.model(wallMesh(4.0F, 4, maker.material(0.5F))), {12.0, 0.0, 0.0});
  const auto none = std::make_shared<const Spheres>(std::vector<Sphere>{});
  const auto alone = maker.build();
  const auto withNone = maker.build(testDevice(), AnySource(none));
  CHECK(withNone->hasStillTrianglesOnly());
  const ScanJob job = standingJob(hdl64e(10.0), {}, 0.02);
  CHECK(scanAll(*withNone, job).bytes == scanAll(*alone, job).bytes);
  CHECK(none->queries() == 0);
}

namespace {

// A source that fails at one of its queries, as one without memory does.
class FailingSource {
 public:
  static constexpr bool isStill = true;

  bool isEmpty() const { return false; }
  template <std::size_t Width>
  void nearest(const RayLanes&, std::size_t, PacketHits<Width>& hits) const {
    if (++queries_ == 100) throw std::bad_alloc();
    hits.instance.fill(noInstance);
  }
  FacetHit nearest(const PathRay&, float, float) const { return {}; }

 private:
  mutable std::atomic<int> queries_{0};
};

}  // namespace

TEST_CASE("what a thread of a scan throws ends the scan and is rethrown") {
  MixedScene mixed;
  const auto scene =
      mixed.maker.build(testDevice(), AnySource(std::make_shared<const FailingSource>()));
  const ScanJob job = standingJob(hdl64e(10.0), {}, 1.0);
  ScanSink sink;
  sink.takeChunk = [](const RowChunk&) {};
  CHECK_THROWS_AS(scan(*scene, job, sink), std::bad_alloc);
}
