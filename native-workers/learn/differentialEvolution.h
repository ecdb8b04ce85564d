// Minimum of a function of a few bounded numbers (Storn and Price 1997, DE/rand/1/bin).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/random/philox.h"

namespace understory {

struct EvolutionRange {
  double least = 0.0;
  double most = 1.0;
};

struct EvolutionOptions {
  std::uint32_t population = 70;
  std::uint32_t generations = 40;
  double difference = 0.7;  // F
  double crossover = 0.9;   // CR
};

struct EvolutionResult {
  std::vector<double> best;
  double cost = 0.0;
};

// `cost` is called from several threads; a pure function of its numbers. `start` is one of the first population.
EvolutionResult evolve(const std::vector<EvolutionRange>& ranges, const std::vector<double>& start,
                       const std::function<double(const std::vector<double>&)>& cost,
                       const EvolutionOptions& options, RandomStream& random,
                       const std::function<void(std::uint32_t generation)>& onGeneration);

}  // namespace understory
