// Voxels in archives that NumPy wrote: their values, and what is refused in damaged ones.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "core/scene/readers/npzArchive.h"
#include "core/voxels/voxelGrid.h"

using namespace understory;

namespace {

std::string bytesOf(const std::string& name) {
  std::ifstream file(UNDERSTORY_TEST_FOLDER "/fuzz/corpus/voxels/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string refusalOf(const std::string& bytes) {
  try {
    readVoxels(bytes, "grid.npz", {});
    return "accepted";
  } catch (const UnderstoryError& error) {
    CHECK(error.code == ErrorCode::badInput);
    return error.what();
  }
}

}  // namespace

TEST_CASE("voxels of an archive are those of its arrays, stored or deflated") {
  for (const bool isDeflated : {true, false}) {
    const std::string name = isDeflated ? "deflated.npz" : "stored.npz";
    const VoxelGrid grid = readVoxels(bytesOf(name), name, {});
    const std::array<double, 3> edgesM =
        isDeflated ? std::array{0.5, 0.5, 0.5} : std::array{0.5, 0.25, 1.0};
    CHECK(grid.space.voxelM == edgesM);
    CHECK(grid.space.split == std::array<std::uint32_t, 3>{2, 3, 4});
    CHECK(grid.space.minM.x == 1.0);
    CHECK(grid.space.minM.z == 3.0);
    REQUIRE(grid.densityPerM.size() == 24);
    for (std::size_t voxel = 0; voxel < 24; ++voxel) {
      // The second is NaN: not known.
      CHECK(grid.densityPerM[voxel] == (voxel == 1 ? 0.0F : static_cast<float>(voxel) / 8.0F));
    }
  }
}

TEST_CASE(
    "an archive that ends early, or has one byte changed, is refused or has the same values") {
  for (const std::string name : {"deflated.npz", "stored.npz"}) {
    const std::string whole = bytesOf(name);
    for (std::size_t bytes = 2; bytes < whole.size(); ++bytes) {
      CHECK(refusalOf(whole.substr(0, bytes)) != "accepted");
    }
    const std::vector<float> expected = readVoxels(whole, name, {}).densityPerM;
    std::size_t refused = 0;
    for (std::size_t at = 2; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      if (refusalOf(damaged) != "accepted") {
        ++refused;
      } else {
        CHECK(readVoxels(damaged, name, {}).densityPerM == expected);
      }
    }
    // Dates, versions and sizes of local headers are not read.
    CHECK(refused > whole.size() / 2);
  }
}

TEST_CASE("arrays of other types, orders and shapes are refused by their name") {
  const std::string npy = bytesOf("density.npy");
  CHECK(NpyArray(npy, "a", "grid.npz").shape() == std::vector<std::uint64_t>{2, 3, 4});
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string changed = npy;
    changed.replace(changed.find(from), from.size(), to);
    try {
      const NpyArray array(changed, "a", "grid.npz");
      return std::string("accepted");
    } catch (const UnderstoryError& error) {
      return std::string(error.what());
    }
  };
  CHECK(refusal("<f8", "<i8").starts_with("grid.npz, array 'a': expected values of type '<f8'"));
  CHECK(refusal("False", "True ").find("C order") != std::string::npos);
  CHECK(refusal("(2, 3, 4)", "(2, 3, 5)").find("as many values as its shape") != std::string::npos);
  CHECK(refusal("(2, 3, 4)", "(2, x, 4)").find("a shape, found") != std::string::npos);
  CHECK(refusal("NUMPY", "NUMPX").find("an array of NumPy") != std::string::npos);
}
