// Which returns belong to surfaces and which to volumes (Browning 2012, 3.3.4): sphericity of the neighbourhood, smoothed by a
// bilateral filter, against a threshold; its seven parameters by differential evolution from labelled returns.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/cellCloud.h"
#include "learn/neighbours.h"

namespace understory {

struct ClassifierOptions {
  double radiusM = 0.4;                 // d: of the neighbourhood; the classifier's seven are below
  double defaultSphericity = 0.1;       // s_d, of returns with too few neighbours
  std::uint32_t minNeighbours = 10;     // N_min: returns within d
  std::uint32_t filterNeighbours = 30;  // N_f: cells
  double filterRadiusM = 0.5;           // d_f
  double distanceWeight = 1.0;          // alpha_d
  double scoreWeight = 1.0;             // alpha_s
  double volumeSphericity = 0.06;       // s_vol: above it lies a volume
};

// Cells that scores are computed for, as a share of d. All returns of a cell have one class.
inline double cellOfClassifier(double radiusM) { return radiusM / 8.0; }

// Sphericity of each cell: least variance over the sum of all three, of all returns within d; at most 1/3.
struct ShapeScores {
  std::vector<float> sphericity;
  std::vector<std::uint32_t> neighbours;  // returns within d
};
ShapeScores shapeScores(const CellCloud& cloud, const Neighbours& neighbours, double radiusM,
                        const Watch& watch);

// Whether each cell is of a volume.
std::vector<std::uint8_t> volumeCells(const CellCloud& cloud, const Neighbours& neighbours,
                                      const ShapeScores& scores, const ClassifierOptions& options,
                                      const Watch& watch);

struct LearnedClassifier {
  ClassifierOptions options;
  double accuracy =
      0.0;  // mean of the shares of both classes that are classified right, of the sample
  std::size_t labelled =
      0;  // cells of the sample; 0: there are not enough labels, and options are those given
};

// `labels`: BeamLabel of each beam. Learns from at most 600 cells of each class.
LearnedClassifier learnClassifier(const CellCloud& cloud, const Neighbours& neighbours,
                                  const ShapeScores& scores,
                                  const std::vector<std::uint8_t>& labels,
                                  const ClassifierOptions& start, std::uint64_t seed,
                                  const Watch& watch);

}  // namespace understory
