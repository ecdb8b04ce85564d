// The one reader of files, and the hash of what it reads.
#include "core/regularFile.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/hex.h"
#include "core/sha256.h"

using namespace understory;

namespace {

namespace fs = std::filesystem;

// A folder that goes with the test.
struct Folder {
  fs::path path =
      fs::temp_directory_path() /
      ("understory-regular-file-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name, std::string_view text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

UnderstoryError refusalOf(const std::string& path, std::uint64_t maxBytes = anySize) {
  try {
    const RegularFile file(path, maxBytes);
  } catch (const UnderstoryError& error) {
    return error;
  }
  throw std::logic_error("it was opened");
}

// By this processor, and as by one without the extensions.
std::string hashOf(std::string_view text, std::size_t piece, bool usesExtensions) {
  Sha256 sum(usesExtensions);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    sum.update(std::as_bytes(std::span(text.substr(at, piece))));
  }
  return hexOf(sum.digest());
}

}  // namespace

TEST_CASE("a regular file is read whole and by range, whatever becomes of it meanwhile") {
  const Folder folder;
  const std::string path = folder.file("a.txt", "0123456789");
  const RegularFile file(path, 10);
  CHECK(file.bytes() == 10);
  CHECK(file.readText({}) == "0123456789");
  std::array<std::byte, 3> some{};
  file.read(4, some);
  CHECK(some[0] == std::byte{'4'});
  std::ofstream(path, std::ios::app) << "more";
  CHECK(file.readText({}) == "0123456789");
  fs::resize_file(path, 5);
  CHECK_THROWS_WITH_AS(file.readText({}), doctest::Contains("cannot be read: it became shorter"),
                       UnderstoryError);
}

TEST_CASE("what is no regular file is refused without waiting") {
  const Folder folder;
  const std::string pipe = (folder.path / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(refusalOf(pipe).code == ErrorCode::badInput);
  CHECK(std::string(refusalOf(pipe).what()).ends_with("a regular file, found a named pipe"));
  CHECK(std::string(refusalOf("/dev/zero").what()).ends_with("found a device"));
  CHECK(std::string(refusalOf(folder.path.string()).what()).ends_with("found a folder"));
  CHECK(refusalOf((folder.path / "none").string()).code == ErrorCode::notFound);
  CHECK(refusalOf(folder.file("b.txt", "0123"), 3).code == ErrorCode::badInput);
  CHECK_THROWS_AS(regularFileBytes(pipe), UnderstoryError);
}

// FIPS 180-4, examples; the last is a million letters.
TEST_CASE("SHA-256 has the published values, in pieces of any length, on any processor") {
  const std::array<std::pair<std::string, std::string>, 4> examples{
      {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
       {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
       {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
       {std::string(1'000'000, 'a'),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}}};
  for (const auto& [text, hash] : examples) {
    for (const std::size_t piece : {1, 7, 64, 1000}) {
      CHECK(hashOf(text, piece, false) == hash);
      CHECK(hashOf(text, piece, hasShaExtensions()) == hash);
    }
  }
}
