// Scores are kept of cells; the filter runs over the nearest cells, which represent the nearest returns.
#include "learn/classification.h"

#include <algorithm>
#include <cmath>

#include "learn/differentialEvolution.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfScores = 256;
constexpr std::size_t sampleOfClass = 600;
constexpr std::uint32_t maxFilterNeighbours = 64;
constexpr double maxSphericity = 1.0 / 3.0;

double scoreOf(const ShapeScores& scores, std::size_t cell, const ClassifierOptions& options) {
  return scores.neighbours[cell] < options.minNeighbours
             ? options.defaultSphericity
             : static_cast<double>(scores.sphericity[cell]);
}

// Browning 2012, eq. 7 and 8. `near`: the nearest cells, the nearest first.
double smoothedScore(const ShapeScores& scores, std::size_t cell,
                     const std::vector<Neighbour>& near, const ClassifierOptions& options) {
  const double own = scoreOf(scores, cell, options);
  const double radius2M2 = options.filterRadiusM * options.filterRadiusM;
  double sum = 0.0;
  double weights = 0.0;
  for (std::size_t at = 0; at < std::min<std::size_t>(near.size(), options.filterNeighbours);
       ++at) {
    const auto distance2M2 = static_cast<double>(near[at].distance2M2);
    if (distance2M2 >= radius2M2) break;
    const double score = scoreOf(scores, near[at].point, options);
    const double difference = (own - score) / maxSphericity;
    const double weight = std::exp(-options.distanceWeight * distance2M2 / radius2M2 -
                                   options.scoreWeight * difference * difference);
    sum += weight * score;
    weights += weight;
  }
  return weights > 0.0 ? sum / weights : own;
}

struct LabelledCell {
  std::uint32_t cell;
  bool isVolume;
  std::vector<Neighbour> near;
};

// A cell's label by the majority of its labelled returns; unknown where they are equal.
BeamLabel labelOf(const CellCloud& cloud, std::size_t cell,
                  const std::vector<std::uint8_t>& labels) {
  std::size_t surfaces = 0;
  std::size_t volumes = 0;
  for (std::size_t at = cloud.groups.starts[cell]; at < cloud.groups.starts[cell + 1]; ++at) {
    const auto label = static_cast<BeamLabel>(labels[cloud.groups.members[at]]);
    if (label == BeamLabel::surface) ++surfaces;
    if (label == BeamLabel::volume) ++volumes;
  }
  if (surfaces == volumes) return BeamLabel::unknown;
  return surfaces > volumes ? BeamLabel::surface : BeamLabel::volume;
}

std::vector<LabelledCell> sampleOf(const CellCloud& cloud, const Neighbours& neighbours,
                                   const std::vector<std::uint8_t>& labels, RandomStream& random) {
  std::vector<LabelledCell> sample;
  for (const BeamLabel wanted : {BeamLabel::surface, BeamLabel::volume}) {
    std::vector<std::uint32_t> cells;
    for (std::uint32_t cell = 0; cell < cloud.size(); ++cell) {
      if (labelOf(cloud, cell, labels) == wanted) cells.push_back(cell);
    }
    const std::size_t wantedCells = std::min(cells.size(), sampleOfClass);
    for (std::size_t taken = 0; taken < wantedCells; ++taken) {
      const double share = random.uniform();
      const auto left = static_cast<double>(cells.size() - taken);
      const std::size_t at =
          std::min(taken + static_cast<std::size_t>(share * left), cells.size() - 1);
      std::swap(cells[taken], cells[at]);
      LabelledCell labelled{cells[taken], wanted == BeamLabel::volume, {}};
      neighbours.nearest(cloud.meanM[labelled.cell], maxFilterNeighbours, labelled.near);
      sample.push_back(std::move(labelled));
    }
  }
  return sample;
}

std::vector<double> numbersOf(const ClassifierOptions& options) {
  return {options.defaultSphericity,
          static_cast<double>(options.minNeighbours),
          static_cast<double>(options.filterNeighbours),
          options.filterRadiusM,
          options.distanceWeight,
          options.scoreWeight,
          options.volumeSphericity};
}

ClassifierOptions optionsOf(const std::vector<double>& numbers, double radiusM) {
  ClassifierOptions options;
  options.radiusM = radiusM;
  options.defaultSphericity = numbers[0];
  options.minNeighbours = static_cast<std::uint32_t>(numbers[1] + 0.5);
  options.filterNeighbours = static_cast<std::uint32_t>(numbers[2] + 0.5);
  options.filterRadiusM = numbers[3];
  options.distanceWeight = numbers[4];
  options.scoreWeight = numbers[5];
  options.volumeSphericity = numbers[6];
  return options;
}

// 1 - the mean of both classes' shares that are classified right.
double errorOf(const std::vector<LabelledCell>& sample, const ShapeScores& scores,
               const ClassifierOptions& options) {
  std::array<double, 2> right{};
  std::array<double, 2> all{};
  for (const LabelledCell& labelled : sample) {
    const bool isVolume =
        smoothedScore(scores, labelled.cell, labelled.near, options) > options.volumeSphericity;
    all[labelled.isVolume ? 1 : 0] += 1.0;
    if (isVolume == labelled.isVolume) right[labelled.isVolume ? 1 : 0] += 1.0;
  }
  return 1.0 - 0.5 * (right[0] / all[0] + right[1] / all[1]);
}

// Number and covariance of the returns of several cells.
struct Moments {
  double count = 0.0;
  Symmetric3 covarianceM2{};
};

// Sums about the mean of the first, from which the others are at most a few radii away.
Moments momentsOf(const CellCloud& cloud, const std::vector<Neighbour>& cells) {
  Moments moments;
  if (cells.empty()) return moments;
  const Vec3d first = toDouble(cloud.meanM[cells.front().point]);
  Vec3d sum;
  Symmetric3 squares{};
  for (const Neighbour& cell : cells) {
    const auto count = static_cast<double>(cloud.count(cell.point));
    const Vec3d d = toDouble(cloud.meanM[cell.point]) - first;
    const Symmetric3& own = cloud.scatter[cell.point];
    const Symmetric3 outer = outerOf(d);
    moments.count += count;
    sum = sum + d * count;
    for (std::size_t part = 0; part < 6; ++part) squares[part] += own[part] + count * outer[part];
  }
  const double share = 1.0 / moments.count;
  const Symmetric3 outer = outerOf(sum * share);
  for (std::size_t part = 0; part < 6; ++part) {
    moments.covarianceM2[part] = squares[part] * share - outer[part];
  }
  return moments;
}

}  // namespace

ShapeScores shapeScores(const CellCloud& cloud, const Neighbours& neighbours, double radiusM,
                        const Watch& watch) {
  ShapeScores scores;
  scores.sphericity.resize(cloud.size());
  scores.neighbours.resize(cloud.size());
  inPieces(cloud.size(), pieceOfScores, watch, "shape", [&](std::size_t from, std::size_t to) {
    std::vector<Neighbour> near;
    for (std::size_t cell = from; cell < to; ++cell) {
      neighbours.within(cloud.meanM[cell], static_cast<float>(radiusM), near);
      const Moments moments = momentsOf(cloud, near);
      const auto& [least, middle, most] = principalAxes(moments.covarianceM2).variancesM2;
      const double sum = least + middle + most;
      scores.sphericity[cell] = sum > 0.0 ? static_cast<float>(std::max(least, 0.0) / sum) : 0.0F;
      scores.neighbours[cell] = static_cast<std::uint32_t>(moments.count);
    }
  });
  return scores;
}

std::vector<std::uint8_t> volumeCells(const CellCloud& cloud, const Neighbours& neighbours,
                                      const ShapeScores& scores, const ClassifierOptions& options,
                                      const Watch& watch) {
  std::vector<std::uint8_t> isVolume(cloud.size());
  inPieces(cloud.size(), pieceOfScores, watch, "classes", [&](std::size_t from, std::size_t to) {
    std::vector<Neighbour> near;
    for (std::size_t cell = from; cell < to; ++cell) {
      neighbours.nearest(cloud.meanM[cell], options.filterNeighbours, near);
      isVolume[cell] =
          smoothedScore(scores, cell, near, options) > options.volumeSphericity ? 1 : 0;
    }
  });
  return isVolume;
}

LearnedClassifier learnClassifier(const CellCloud& cloud, const Neighbours& neighbours,
                                  const ShapeScores& scores,
                                  const std::vector<std::uint8_t>& labels,
                                  const ClassifierOptions& start, std::uint64_t seed,
                                  const Watch& watch) {
  LearnedClassifier learned{start, 0.0, 0};
  if (labels.empty()) return learned;
  RandomStream random(seed, RandomPurpose::evolution, 0);
  const std::vector<LabelledCell> sample = sampleOf(cloud, neighbours, labels, random);
  const auto volumes = std::ranges::count_if(sample, &LabelledCell::isVolume);
  constexpr std::ptrdiff_t minOfClass = 20;
  if (volumes < minOfClass || std::ssize(sample) - volumes < minOfClass) return learned;
  const std::vector<EvolutionRange> ranges{{0.0, maxSphericity},
                                           {3.0, 100.0},
                                           {1.0, maxFilterNeighbours},
                                           {0.5 * start.radiusM, 4.0 * start.radiusM},
                                           {0.0, 10.0},
                                           {0.0, 100.0},
                                           {0.002, 0.25}};
  const EvolutionOptions options;
  const EvolutionResult result = evolve(
      ranges, numbersOf(start),
      [&](const std::vector<double>& numbers) {
        return errorOf(sample, scores, optionsOf(numbers, start.radiusM));
      },
      options, random,
      [&](std::uint32_t generation) {
        watch.throwIfCancelled();
        if (watch.onProgress) watch.onProgress("classifier", generation, options.generations);
      });
  learned.options = optionsOf(result.best, start.radiusM);
  learned.accuracy = 1.0 - result.cost;
  learned.labelled = sample.size();
  return learned;
}

}  // namespace understory
