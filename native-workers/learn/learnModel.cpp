// Which stages each model has, and what its header says.
#include "learn/learnModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "learn/balancedCounts.h"
#include "learn/opaqueCores.h"
#include "learn/parallel.h"
#include "learn/sheets.h"
#include "learn/surfaceModel.h"
#include "learn/surfaceNoise.h"
#include "learn/volumeModel.h"
#include "learn/voxelSize.h"

namespace understory {
namespace {

// The intensity of a white wall, where all logs agree; else 0.
double whiteOf(const LearnSources& sources) {
  const std::optional<double> first = sources.heads.front().intensityOfWhite;
  const bool agree = std::ranges::all_of(
      sources.heads, [&](const LogHead& head) { return head.intensityOfWhite == first; });
  return agree ? first.value_or(0.0) : 0.0;
}

std::optional<LearnedSensor> sensorOf(const LearnSources& sources, double maxRangeM) {
  const LogHead& first = sources.heads.front();
  const bool agree = std::ranges::all_of(sources.heads, [&](const LogHead& head) {
    return head.sensor == first.sensor && head.maxRangeM == first.maxRangeM;
  });
  if (!agree) return {};
  LearnedSensor sensor;
  sensor.id = first.sensor;
  sensor.minRangeM = first.minRangeM.value_or(0.0);
  sensor.maxRangeM = maxRangeM;
  if (first.detection && first.detection->rangeM > 0.0) {
    sensor.detection = {first.detection->reflectance, first.detection->rangeM,
                        first.detection->probability, first.detection->falseAlarmsPerPulse};
  }
  return sensor;
}

// The coordinate reference system of the logs that state one; src-main/services/learning refuses several.
std::string statedSystem(const std::vector<LogHead>& heads) {
  const auto stated =
      std::ranges::find_if(heads, [](const LogHead& head) { return !head.crs.empty(); });
  return stated == heads.end() ? std::string() : stated->crs;
}

// One model under way.
class Learner {
 public:
  Learner(const Beams& beams, const LearnSources& sources, const LearnOptions& options,
          const Watch& watch)
      : beams_(beams),
        sources_(sources),
        options_(options),
        watch_(watch),
        reach_(beams, sources.heads) {
    white_ = whiteOf(sources);
  }

  LearnedModel run() {
    noise_ = learnSurfaceNoise(beams_, watch_);
    switch (options_.kind) {
      case LearnedKind::nearestNeighbors:
        learnPoints();
        break;
      case LearnedKind::surface:
        learnSurface(surfaceOfReturns({}, CountingRule::ellipsoid), false);
        break;
      case LearnedKind::permeableSurface:
        learnPermeableSurface();
        break;
      case LearnedKind::voxel:
        learnVoxels();
        break;
      case LearnedKind::topDown:
        learnTopDown();
        break;
      case LearnedKind::hybrid:
        learnHybrid();
        break;
    }
    if (primitivesOf(model_) == 0) {
      throw UnderstoryError(
          ErrorCode::badInput,
          "the logs have too few returns beside each other: the model would be empty");
    }
    describe();
    return std::move(model_);
  }

 private:
  VolumeOptions volumeOptions() const {
    return {options_.counting, noise_.sigmaM, options_.mahalanobisLimit, options_.minSigmaM,
            white_};
  }

  void learnVoxels() {
    if (options_.choosesVoxel) {
      options_.voxelM = chooseVoxelSize(beams_, volumeOptions(), options_.minPoints, options_.seed,
                                        reach_, watch_);
    }
    const PointGroups groups =
        groupForModel(beams_, options_.voxelM, options_.minPoints, options_.counting, watch_);
    learnElements(groups, returnsOf(beams_).size());
  }

  // `returns`: that the groups were made of.
  void learnElements(const PointGroups& groups, std::size_t returns) {
    model_.elements = elementsOf(beams_, groups, volumeOptions(), reach_, watch_);
    lostReturns_ += returns - groups.members.size();
    const VolumeOptions options = volumeOptions();
    nameOpaqueElements(
        Ellipsoids(gaussiansOf(model_.elements), options.mahalanobisLimit, options.counting));
  }

  void nameOpaqueElements(const Ellipsoids& ellipsoids) {
    cores_.add(opaqueCores(beams_, model_.elements.seen.permeability, ellipsoids, reach_, watch_));
  }

  // Clusters of the beams given; of all where there are none.
  PointGroups clustersOf(const std::vector<std::uint32_t>& members) const {
    TopDownOptions options;
    options.means = options_.means;
    options.stopPoints = options_.stopPoints;
    options.minPoints = options_.minPoints;
    options.restarts = options_.restarts;
    options.seed = options_.seed;
    return groupTopDown(beams_, members, options, watch_);
  }

  void learnTopDown() { learnElements(clustersOf({}), returnsOf(beams_).size()); }

  // A surface of the returns given, all where there are none, and what is counted on it.
  struct Surface {
    CellCloud cloud;
    Triangles triangles;
    TriangleCounts counts;
  };

  Surface surfaceOfReturns(const std::vector<std::uint32_t>& members, CountingRule rule) {
    const SurfaceOptions& options = options_.surface;
    Surface surface{thinnedCloud(beams_, members, cellOfKernel(options.kernelM), watch_), {}, {}};
    std::vector<Vec3f> normals = normalsOf(surface.cloud, options.kernelM, watch_);
    turnSheets(beams_, surface.cloud, options.kernelM, normals, watch_);
    surface.triangles = Triangles(surfaceOf(surface.cloud, normals, options, watch_));
    surface.counts = countOnTriangles(beams_, members, surface.triangles,
                                      {rule, options_.hitOffsetM, white_}, reach_, watch_);
    for (const std::uint32_t beam : members.empty() ? returnsOf(beams_) : members) {
      if (surface.counts.ownerOf[beam] == noGroup) ++lostReturns_;
    }
    return surface;
  }

  void learnSurface(const Surface& surface, bool isPermeable) {
    model_.surface = describedSurface(beams_, surface.cloud, surface.triangles, surface.counts,
                                      isPermeable, watch_);
    if (!isPermeable) return;
    cores_.add(opaqueTriangles(beams_, model_.surface, surface.counts.ownerOf, volumeOptions(),
                               reach_, watch_));
  }

  // Triangles and elements of the groups. By the rule `owner` their permeabilities are balanced together. Why: returns of one
  // would else be beams that the other returned, too.
  void learnSurfaceAndElements(Surface surface, const PointGroups& groups) {
    const VolumeOptions options = volumeOptions();
    const std::vector<Gaussian> gaussians = fitGaussians(beams_, groups, options.minSigmaM, watch_);
    const Ellipsoids ellipsoids(gaussians, options.mahalanobisLimit, options.counting);
    std::vector<std::uint32_t> ownerOf = surface.counts.ownerOf;
    const std::size_t triangles = surface.triangles.size();
    for (std::size_t group = 0; group < groups.size(); ++group) {
      for (std::size_t at = groups.starts[group]; at < groups.starts[group + 1]; ++at) {
        ownerOf[groups.members[at]] = static_cast<std::uint32_t>(triangles + group);
      }
    }
    PiercedModel parts(surface.triangles, ellipsoids, options.noiseM);
    const BeamCounts counts =
        balancedCounts(beams_, parts, ownerOf, maxCrossingsOfAllLines, reach_, watch_);
    surface.counts.counts = counts.part(0, triangles);
    learnSurface(surface, true);
    if (groups.size() == 0) return;
    model_.elements = elementsOf(beams_, groups, gaussians, counts.part(triangles, parts.size()),
                                 options, watch_);
    nameOpaqueElements(ellipsoids);
  }

  void learnPermeableSurface() {
    Surface surface = surfaceOfReturns({}, options_.counting);
    if (options_.counting == CountingRule::owner) {
      learnSurfaceAndElements(std::move(surface), {});
    } else {
      learnSurface(surface, true);
    }
  }

  void learnPoints() {
    const CellCloud cloud =
        thinnedCloud(beams_, {}, cellOfKernel(options_.surface.kernelM), watch_);
    const std::vector<Vec3f> normals = normalsOf(cloud, options_.surface.kernelM, watch_);
    const std::vector<std::uint32_t> cellOf = groupOfBeam(cloud.groups, beams_.size());
    LearnedPoints& points = model_.points;
    for (const std::uint32_t beam : returnsOf(beams_)) {
      if (cellOf[beam] == noGroup) {
        ++lostReturns_;
        continue;
      }
      const Vec3f normal = normals[cellOf[beam]];
      points.positionsM.push_back(toFloat(beams_.endM(beam)));
      points.normals.push_back(normal);
      Observations& seen = points.seen;
      seen.permeability.push_back(0.0F);
      seen.hits.push_back(1);
      seen.misses.push_back(0);
      seen.support.push_back(1);
      const MeanReflectance reflectance = reflectanceOf(beams_, &beam, 1, white_);
      const double cosine =
          std::max(std::abs(static_cast<double>(dot(normal, beams_.direction[beam]))), 0.1);
      const bool isKnown = white_ > 0.0 && !std::isnan(beams_.intensity[beam]);
      seen.reflectance.push_back(
          isKnown ? surfaceReflectance(static_cast<double>(reflectance.mean) / cosine)
                  : reflectance.mean);
      seen.reflectanceSigma.push_back(0.0F);
      seen.classIds.push_back(classOf(beams_, &beam, 1));
    }
  }

  void learnHybrid() {
    const CellCloud cloud =
        thinnedCloud(beams_, {}, cellOfClassifier(options_.classifier.radiusM), watch_);
    const Neighbours neighbours(cloud.meanM);
    const ShapeScores scores = shapeScores(cloud, neighbours, options_.classifier.radiusM, watch_);
    if (options_.learnsClassifier) {
      classifier_ = learnClassifier(cloud, neighbours, scores, beams_.label, options_.classifier,
                                    options_.seed, watch_);
      options_.classifier = classifier_.options;
    }
    const std::vector<std::uint8_t> isVolume =
        volumeCells(cloud, neighbours, scores, options_.classifier, watch_);
    std::vector<std::uint32_t> surfaceBeams;
    std::vector<std::uint32_t> volumeBeams;
    const std::vector<std::uint32_t> cellOf = groupOfBeam(cloud.groups, beams_.size());
    for (std::uint32_t beam = 0; beam < beams_.size(); ++beam) {
      if (cellOf[beam] == noGroup) {
        if (beams_.isReturn(beam)) ++lostReturns_;
        continue;
      }
      (isVolume[cellOf[beam]] != 0 ? volumeBeams : surfaceBeams).push_back(beam);
    }
    PointGroups clusters;
    if (!volumeBeams.empty()) clusters = clustersOf(volumeBeams);
    if (surfaceBeams.empty()) {
      learnElements(clusters, volumeBeams.size());
    } else if (options_.counting == CountingRule::owner) {
      lostReturns_ += volumeBeams.size() - clusters.members.size();
      learnSurfaceAndElements(surfaceOfReturns(surfaceBeams, options_.counting), clusters);
    } else {
      learnSurface(surfaceOfReturns(surfaceBeams, options_.counting), true);
      if (!volumeBeams.empty()) learnElements(clusters, volumeBeams.size());
    }
    surfaceReturns_ = surfaceBeams.size();
    volumeReturns_ = volumeBeams.size();
  }

  void describe() {
    model_.kind = options_.kind;
    model_.originM = sources_.heads.front().originM;
    model_.crs = statedSystem(sources_.heads);
    model_.counting = options_.counting;
    model_.mahalanobisLimit = options_.mahalanobisLimit;
    model_.surfaceSigmaM = noise_.sigmaM;
    model_.minSigmaM = options_.minSigmaM;
    model_.incidenceSigmaM = noise_.incidenceSigmaM;
    model_.pointRadiusM = options_.pointRadiusM;
    model_.sensor = sensorOf(sources_, reach_.maxM());
    const bool hasIntensity =
        std::ranges::any_of(beams_.intensity, [](float value) { return !std::isnan(value); });
    model_.reflectanceScale = white_ > 0.0 && hasIntensity ? "intensity over that of a white wall"
                                                           : "unknown: 0.5 is assumed";
    if (!beams_.classIds.empty() && !sources_.heads.front().classes.empty()) {
      model_.classes = sources_.heads.front().classes;
    }
    model_.logHashes = sources_.hashes;
    model_.seed = options_.seed;
    model_.parameters = parameters();
  }

  // Returns with more than a model holds.
  std::size_t brightReturns() const {
    if (!(white_ > 0.0)) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(beams_.intensity, [&](float intensity) {
      return static_cast<double>(intensity) / white_ > maxReflectance;
    }));
  }

  nlohmann::json parameters() const {
    const LearnedKind kind = options_.kind;
    const bool hasSurface = kind == LearnedKind::surface || kind == LearnedKind::permeableSurface ||
                            kind == LearnedKind::hybrid;
    nlohmann::json values{{"noiseReturns", noise_.returns},
                          {"returnsWithoutPart", lostReturns_},
                          {"brightReturns", brightReturns()},
                          {"returnsBeyondRange", reach_.beyond(beams_)}};
    if (hasSurface || kind == LearnedKind::nearestNeighbors) {
      values["kernelM"] = options_.surface.kernelM;
    }
    if (hasSurface) {
      values["gridM"] = options_.surface.gridM;
      values["hitOffsetM"] = options_.hitOffsetM;
    }
    if (kind == LearnedKind::voxel) {
      values["voxelM"] = options_.voxelM;
      values["choosesVoxel"] = options_.choosesVoxel;
    }
    if (kind == LearnedKind::topDown || kind == LearnedKind::hybrid) {
      values["means"] = options_.means;
      values["stopPoints"] = options_.stopPoints;
      values["restarts"] = options_.restarts;
    }
    if (kind == LearnedKind::voxel || kind == LearnedKind::topDown || kind == LearnedKind::hybrid) {
      values["minPoints"] = options_.minPoints;
      values["minSigmaM"] = options_.minSigmaM;
    }
    if (kind != LearnedKind::surface && kind != LearnedKind::nearestNeighbors) {
      values["opaqueCores"] = cores_.parts;
      values["opaqueCorePassed"] = cores_.passedShare();
      const Vec3d maxPassedAtM = model_.originM + cores_.maxPassedAtM;
      values["opaqueCoreMaxPassedAtXM"] = maxPassedAtM.x;
      values["opaqueCoreMaxPassedAtYM"] = maxPassedAtM.y;
      values["opaqueCoreMaxPassedAtZM"] = maxPassedAtM.z;
    }
    if (kind == LearnedKind::hybrid) {
      const ClassifierOptions& classifier = options_.classifier;
      values["radiusM"] = classifier.radiusM;
      values["defaultSphericity"] = classifier.defaultSphericity;
      values["minNeighbours"] = classifier.minNeighbours;
      values["filterNeighbours"] = classifier.filterNeighbours;
      values["filterRadiusM"] = classifier.filterRadiusM;
      values["distanceWeight"] = classifier.distanceWeight;
      values["scoreWeight"] = classifier.scoreWeight;
      values["volumeSphericity"] = classifier.volumeSphericity;
      values["labelledCells"] = classifier_.labelled;
      values["classifierAccuracy"] = classifier_.accuracy;
      values["surfaceReturns"] = surfaceReturns_;
      values["volumeReturns"] = volumeReturns_;
    }
    return values;
  }

  const Beams& beams_;
  const LearnSources& sources_;
  LearnOptions options_;
  const Watch& watch_;
  BeamReach reach_;
  double white_ = 0.0;
  SurfaceNoise noise_;
  LearnedClassifier classifier_;
  std::size_t surfaceReturns_ = 0;
  std::size_t volumeReturns_ = 0;
  std::size_t lostReturns_ = 0;  // that no element, triangle or point represents
  OpaqueCores cores_;
  LearnedModel model_;
};

}  // namespace

LearnedModel learnModel(const Beams& beams, const LearnSources& sources, LearnOptions options,
                        const Watch& watch) {
  const bool hasReturn =
      std::ranges::find(beams.state, static_cast<std::uint8_t>(BeamState::returned)) !=
      beams.state.end();
  if (!hasReturn)
    throw UnderstoryError(ErrorCode::badInput, "the logs have no returns to learn from");
  return Learner(beams, sources, options, watch).run();
}

}  // namespace understory
