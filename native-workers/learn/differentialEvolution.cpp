// Trials of a generation are drawn one after another and judged at the same time: threads change nothing.
#include "learn/differentialEvolution.h"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace understory {
namespace {

std::size_t below(RandomStream& random, std::size_t count) {
  return std::min(static_cast<std::size_t>(random.uniform() * static_cast<double>(count)),
                  count - 1);
}

// A number of the population other than those given.
std::size_t another(RandomStream& random, std::size_t count,
                    std::initializer_list<std::size_t> taken) {
  for (;;) {
    const std::size_t candidate = below(random, count);
    if (std::ranges::find(taken, candidate) == taken.end()) return candidate;
  }
}

std::vector<double> costsOf(const std::vector<std::vector<double>>& members,
                            const std::function<double(const std::vector<double>&)>& cost) {
  std::vector<double> costs(members.size());
  tbb::parallel_for(std::size_t{0}, members.size(),
                    [&](std::size_t member) { costs[member] = cost(members[member]); });
  return costs;
}

}  // namespace

EvolutionResult evolve(const std::vector<EvolutionRange>& ranges, const std::vector<double>& start,
                       const std::function<double(const std::vector<double>&)>& cost,
                       const EvolutionOptions& options, RandomStream& random,
                       const std::function<void(std::uint32_t generation)>& onGeneration) {
  const std::size_t count = std::max<std::size_t>(options.population, 4);
  std::vector<std::vector<double>> population{start};
  while (population.size() < count) {
    std::vector<double> member;
    for (const EvolutionRange& range : ranges) {
      member.push_back(random.uniform(range.least, range.most));
    }
    population.push_back(std::move(member));
  }
  std::vector<double> costs = costsOf(population, cost);
  for (std::uint32_t generation = 0; generation < options.generations; ++generation) {
    onGeneration(generation);
    std::vector<std::vector<double>> trials;
    for (std::size_t member = 0; member < count; ++member) {
      const std::size_t a = another(random, count, {member});
      const std::size_t b = another(random, count, {member, a});
      const std::size_t c = another(random, count, {member, a, b});
      const std::size_t always = below(random, ranges.size());
      std::vector<double> trial = population[member];
      for (std::size_t part = 0; part < ranges.size(); ++part) {
        const bool isCrossed = random.uniform() < options.crossover;
        if (!isCrossed && part != always) continue;
        const double value =
            population[a][part] + options.difference * (population[b][part] - population[c][part]);
        trial[part] = std::clamp(value, ranges[part].least, ranges[part].most);
      }
      trials.push_back(std::move(trial));
    }
    const std::vector<double> trialCosts = costsOf(trials, cost);
    for (std::size_t member = 0; member < count; ++member) {
      if (trialCosts[member] > costs[member]) continue;
      costs[member] = trialCosts[member];
      population[member] = std::move(trials[member]);
    }
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
  return {population[best], costs[best]};
}

}  // namespace understory
