// Rows of voxels, in any order.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/scene/readers/fileText.h"
#include "core/scene/readers/npzArchive.h"
#include "core/voxels/voxelGrid.h"

namespace understory {
namespace {

bool isDensity(std::string_view name) {
  return name.starts_with("Pad") || name.starts_with("PAD") || name.starts_with("pad") ||
         name == columns::voxelArrays::plantAreaDensityM2PerM3.name;
}

// The words of a row; of a table between commas.
std::vector<std::string_view> cellsOf(std::string_view row, bool isTable) {
  std::vector<std::string_view> cells;
  std::size_t at = 0;
  while (at <= row.size()) {
    const std::size_t end = isTable ? std::min(row.find(',', at), row.size())
                                    : std::min(row.find_first_of(" \t;", at), row.size());
    if (isTable || end > at) cells.push_back(row.substr(at, end - at));
    at = end + 1;
  }
  return cells;
}

struct Columns {
  std::array<std::size_t, 3> index{};
  std::array<std::optional<std::size_t>, 3> middleM{};
  std::size_t density = 0;
  std::size_t count = 0;
};

class VoxelText {
 public:
  VoxelText(std::string_view text, const std::string& file) : words_{text}, file_(file) {}

  VoxelGrid read(const Watch& watch) {
    const std::string_view first = words_.restOfLine();
    if (first == "VOXEL SPACE") {
      readHeader();
    } else if (first.find(',') != std::string_view::npos) {
      isTable_ = true;
      nameColumns(first);
      findTableGrid(watch);
    } else {
      throw badLine(file_, 1, "VOXEL SPACE, or the names of columns between commas");
    }
    readRows(watch);
    return std::move(grid_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& expected) const {
    throw badLine(file_, line, expected);
  }

  std::array<double, 3> threeNumbers(std::string_view text, std::size_t line) const {
    const std::vector<std::string_view> cells = cellsOf(text, false);
    std::array<double, 3> values{};
    bool isRight = cells.size() == 3;
    for (std::size_t axis = 0; isRight && axis < 3; ++axis) {
      isRight = parseWord(cells[axis], values[axis]) && std::isfinite(values[axis]);
    }
    if (!isRight) fail(line, "three numbers, found '" + std::string(text) + "'");
    return values;
  }

  void readHeader() {
    std::optional<std::array<double, 3>> minM;
    std::optional<std::array<double, 3>> maxM;
    std::optional<std::array<double, 3>> split;
    while (words_.at < words_.text.size()) {
      const std::size_t line = words_.line;
      std::string_view row = words_.restOfLine();
      if (row.empty()) continue;
      if (row.front() != '#') {
        if (!minM || !maxM || !split)
          fail(line, "#min_corner:, #max_corner: and #split: before the names of columns");
        nameColumns(row);
        layOut(*minM, *maxM, *split, line);
        return;
      }
      const std::size_t colon = row.find(':');
      if (colon == std::string_view::npos) continue;
      const std::string_view name = row.substr(1, colon - 1);
      const std::string_view value = row.substr(colon + 1);
      // A line may state more than one: `#res: 0.5 #MAX_PAD: 5`.
      const auto numbers = [&] { return threeNumbers(value.substr(0, value.find('#')), line); };
      if (name == "min_corner") minM = numbers();
      if (name == "max_corner") maxM = numbers();
      if (name == "split") split = numbers();
    }
    fail(words_.line, "the names of columns, found the end of the file");
  }

  void layOut(const std::array<double, 3>& minM, const std::array<double, 3>& maxM,
              const std::array<double, 3>& split, std::size_t line) {
    std::array<double, 3> edgeM{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool isWhole =
          split[axis] >= 1.0 && split[axis] <= 1e6 && split[axis] == std::floor(split[axis]);
      if (!isWhole || !(maxM[axis] > minM[axis])) {
        fail(line, "a split into whole voxels, and a max_corner above the min_corner");
      }
      grid_.space.split[axis] = static_cast<std::uint32_t>(split[axis]);
      edgeM[axis] = (maxM[axis] - minM[axis]) / split[axis];
    }
    grid_.space.minM = {minM[0], minM[1], minM[2]};
    grid_.space.voxelM = edgeM;
    makeRoom(line);
  }

  void makeRoom(std::size_t line) {
    const std::uint64_t count = grid_.space.voxels();
    if (count > maxVoxels) {
      fail(line, "at most " + std::to_string(maxVoxels) + " voxels");
    }
    grid_.densityPerM.assign(count, 0.0F);
  }

  void nameColumns(std::string_view row) {
    const std::vector<std::string_view> names = cellsOf(row, isTable_);
    const std::size_t line = words_.line - 1;
    columns_.count = names.size();
    const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) return std::nullopt;
      return static_cast<std::size_t>(found - names.begin());
    };
    constexpr std::array<std::string_view, 3> indices{"i", "j", "k"};
    constexpr std::array<std::string_view, 3> middles{"x_m", "y_m", "z_m"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto index = find(indices[axis]);
      if (!index) fail(line, "columns i, j and k");
      columns_.index[axis] = *index;
      columns_.middleM[axis] = find(middles[axis]);
      if (isTable_ && !columns_.middleM[axis]) fail(line, "columns x_m, y_m and z_m");
    }
    const auto density = std::ranges::find_if(names, isDensity);
    if (density == names.end()) {
      fail(line, "a column whose name begins with Pad, or plant_area_density_m2_per_m3");
    }
    columns_.density = static_cast<std::size_t>(density - names.begin());
  }

  // Rows of a table name their voxels and middles: two of them along each axis tell the grid.
  void findTableGrid(const Watch& watch) {
    const TextWords begin = words_;
    std::array<double, 3> firstM{};
    std::array<double, 3> edgeM{};
    std::array<double, 3> firstIndex{};
    std::array<double, 3> highest{};
    std::size_t rows = 0;
    std::size_t lastLine = words_.line;
    while (words_.at < words_.text.size()) {
      if (rows % 65536 == 0) watch.throwIfCancelled();
      lastLine = words_.line;
      const std::string_view row = words_.restOfLine();
      if (row.empty()) continue;
      const std::vector<std::string_view> cells = checkedCells(row, lastLine);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double index = numberIn(cells, columns_.index[axis], lastLine);
        const double middleM = numberIn(cells, *columns_.middleM[axis], lastLine);
        if (rows == 0) {
          firstIndex[axis] = index;
          firstM[axis] = middleM;
        }
        if (index != firstIndex[axis]) {
          edgeM[axis] = (middleM - firstM[axis]) / (index - firstIndex[axis]);
        }
        highest[axis] = std::max(highest[axis], index);
      }
      ++rows;
    }
    if (rows == 0) fail(lastLine, "rows of voxels");
    // An axis with one voxel: as thick as the others.
    const double someM = std::max({edgeM[0], edgeM[1], edgeM[2]});
    std::array<double, 3> minM{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (edgeM[axis] == 0.0) edgeM[axis] = someM;
      if (!(edgeM[axis] > 0.0) || highest[axis] > 1e6) {
        fail(lastLine, "middles of voxels that grow with i, j and k");
      }
      minM[axis] = firstM[axis] - (firstIndex[axis] + 0.5) * edgeM[axis];
      grid_.space.split[axis] = static_cast<std::uint32_t>(highest[axis]) + 1;
    }
    grid_.space.minM = {minM[0], minM[1], minM[2]};
    grid_.space.voxelM = edgeM;
    makeRoom(lastLine);
    words_ = begin;
  }

  std::vector<std::string_view> checkedCells(std::string_view row, std::size_t line) const {
    std::vector<std::string_view> cells = cellsOf(row, isTable_);
    if (cells.size() != columns_.count) {
      fail(line, std::to_string(columns_.count) + " values, found " + std::to_string(cells.size()));
    }
    return cells;
  }

  double numberIn(const std::vector<std::string_view>& cells, std::size_t column,
                  std::size_t line) const {
    double value = 0.0;
    if (!parseWord(cells[column], value)) {
      fail(line, "a number, found '" + std::string(cells[column]) + "'");
    }
    return value;
  }

  void readRows(const Watch& watch) {
    Meter meter(watch, "reading", words_.text.size());
    std::vector<bool> isKnown(grid_.densityPerM.size(), false);
    while (words_.at < words_.text.size()) {
      meter.advanceTo(words_.at);
      const std::size_t line = words_.line;
      const std::string_view row = words_.restOfLine();
      if (row.empty()) continue;
      const std::vector<std::string_view> cells = checkedCells(row, line);
      std::array<std::uint32_t, 3> at{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double index = numberIn(cells, columns_.index[axis], line);
        if (!(index >= 0.0 && index < static_cast<double>(grid_.space.split[axis])) ||
            index != std::floor(index)) {
          fail(line,
               "a voxel of the grid, found index " + std::string(cells[columns_.index[axis]]));
        }
        at[axis] = static_cast<std::uint32_t>(index);
      }
      const double density = numberIn(cells, columns_.density, line);
      if (density < 0.0 || std::isinf(density)) {
        fail(line, "a density of at least 0, found " + std::string(cells[columns_.density]));
      }
      const std::size_t number = grid_.space.indexOf(at);
      if (isKnown[number]) fail(line, "each voxel once");
      isKnown[number] = true;
      grid_.densityPerM[number] = std::isnan(density) ? 0.0F : static_cast<float>(density);
    }
  }

  TextWords words_;
  const std::string& file_;
  bool isTable_ = false;
  Columns columns_;
  VoxelGrid grid_;
};

}  // namespace

VoxelGrid readVoxels(std::string_view bytes, const std::string& file, const Watch& watch) {
  VoxelGrid grid = NpzArchive::isOne(bytes) ? readVoxelArchive(bytes, file, watch)
                                            : VoxelText(bytes, file).read(watch);
  const bool hasLeaves =
      std::ranges::any_of(grid.densityPerM, [](float density) { return density > 0.0F; });
  if (!hasLeaves) {
    throw UnderstoryError(ErrorCode::badInput, file + ": expected a density above 0, found none",
                          {{"file", file}});
  }
  return grid;
}

}  // namespace understory
