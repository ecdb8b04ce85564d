// The output path of every row: packed and compressed into a record, and hashed. Items are rows
// of a spinning sensor over rough ground; bytes are those of the record before compression, and of the column.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/packing/rowPacker.h"
#include "rows/columnHash.h"

namespace {

using namespace understory;

constexpr std::size_t rows = 65536;

// Like the point clouds of a recording: place, intensity, ring, time and pulse.
struct Rows {
  std::vector<float> x, y, z, intensity;
  std::vector<std::uint16_t> ring;
  std::vector<std::int64_t> timeNs;
  std::vector<std::uint64_t> pulse;

  Rows() {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> share(0.0F, 1.0F);
    for (std::size_t row = 0; row < rows; ++row) {
      const float azimuthRad = 1e-4F * static_cast<float>(row);
      const float rangeM = 10.0F + 0.2F * share(random);
      x.push_back(rangeM * std::cos(azimuthRad));
      y.push_back(rangeM * std::sin(azimuthRad));
      z.push_back(0.05F * share(random));
      intensity.push_back(share(random));
      ring.push_back(static_cast<std::uint16_t>(row % 64));
      timeNs.push_back(static_cast<std::int64_t>(row / 64 * 32000));
      pulse.push_back(row);
    }
  }

  std::vector<const std::byte*> columns() const {
    const auto bytes = [](const auto& column) {
      return reinterpret_cast<const std::byte*>(column.data());
    };
    return {bytes(x),    bytes(y),      bytes(z),     bytes(intensity),
            bytes(ring), bytes(timeNs), bytes(pulse), bytes(ring)};
  }
};

RowTemplate rowTemplate() {
  using enum Packing;
  RowTemplate result;
  result.rowBytes = 28;
  result.fields = {{ReturnColumn::xM, 0, copy, {}, 1.0},
                   {ReturnColumn::yM, 4, copy, {}, 1.0},
                   {ReturnColumn::zM, 8, copy, {}, 1.0},
                   {ReturnColumn::intensity, 12, copy, {}, 1.0},
                   {ReturnColumn::ring, 16, copy, {}, 1.0},
                   {ReturnColumn::timeNs, 20, scaledDifference, 0, 1e-9},
                   {ReturnColumn::pulse, 24, difference, 0, 1.0}};
  result.groupBy = ReturnColumn::ring;
  return result;
}

void packRows(benchmark::State& state) {
  const Rows sample;
  const RowTemplate layout = rowTemplate();
  const std::vector<const std::byte*> columns = sample.columns();
  std::size_t frameBytes = 0;
  for (auto _ : state) {
    RowPacker packer(layout, 0);
    PackedPart part;
    packer.pack(columns, rows, part);
    packer.add(part);
    const PackedRecord record = packer.finish();
    frameBytes = record.frame.size();
    benchmark::DoNotOptimize(record.crc32);
  }
  const std::int64_t packed = state.iterations() * static_cast<std::int64_t>(rows);
  state.SetItemsProcessed(packed);
  state.SetBytesProcessed(packed * static_cast<std::int64_t>(layout.rowBytes));
  state.counters["compressedTo"] =
      static_cast<double>(frameBytes) / static_cast<double>(rows * layout.rowBytes);
}
BENCHMARK(packRows);

void hashColumn(benchmark::State& state) {
  const Rows sample;
  const auto bytes = std::as_bytes(std::span(sample.x));
  for (auto _ : state) {
    ColumnHash hash;
    hash.update(bytes);
    benchmark::DoNotOptimize(hash.digest());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}
BENCHMARK(hashColumn);

}  // namespace
