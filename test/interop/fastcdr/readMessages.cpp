// Reads ROS 2 messages with eProsima Fast-CDR, the serialisation of ROS 2's default middleware, and prints their
// values, one a line, in the order of the message's fields; byte arrays as their length and the sum of their bytes. The
// fields are those of common_interfaces (ROS 2 Jazzy), written down here once more so that they are not the writer's
// own.
//
// stdin: records of a type's name (NUL-terminated), the length of the message (u32, little-endian) and its bytes.
#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

using eprosima::fastcdr::Cdr;

template <typename Value>
Value read(Cdr& cdr) {
  Value value{};
  cdr >> value;
  return value;
}

void integer(Cdr& cdr, auto example) {
  std::printf("%lld\n", static_cast<long long>(read<decltype(example)>(cdr)));
}

void int32(Cdr& cdr) { integer(cdr, std::int32_t{}); }
void uint32(Cdr& cdr) { integer(cdr, std::uint32_t{}); }
void uint8(Cdr& cdr) { integer(cdr, std::uint8_t{}); }
void boolean(Cdr& cdr) { std::printf("%s\n", read<bool>(cdr) ? "true" : "false"); }
void float32(Cdr& cdr) { std::printf("%.17g\n", static_cast<double>(read<float>(cdr))); }

void float64(Cdr& cdr, std::size_t count = 1) {
  for (std::size_t i = 0; i < count; ++i) std::printf("%.17g\n", read<double>(cdr));
}

void text(Cdr& cdr) { std::printf("%s\n", read<std::string>(cdr).c_str()); }

void bytes(Cdr& cdr) {
  std::vector<std::uint8_t> data;
  cdr >> data;
  std::uint64_t sum = 0;
  for (const std::uint8_t byte : data) sum += byte;
  std::printf("%zu bytes, sum %llu\n", data.size(), static_cast<unsigned long long>(sum));
}

void each(Cdr& cdr, const std::function<void(Cdr&)>& element) {
  const auto count = read<std::uint32_t>(cdr);
  std::printf("%u elements\n", count);
  for (std::uint32_t i = 0; i < count; ++i) element(cdr);
}

void time(Cdr& cdr) {
  int32(cdr);
  uint32(cdr);
}

void header(Cdr& cdr) {
  time(cdr);
  text(cdr);
}

// geometry_msgs: a point and a quaternion are doubles alone.
void pose(Cdr& cdr) { float64(cdr, 3 + 4); }

void odometry(Cdr& cdr) {
  header(cdr);
  text(cdr);
  pose(cdr);
  float64(cdr, 36);
  float64(cdr, 6);
  float64(cdr, 36);
}

void transforms(Cdr& cdr) {
  each(cdr, [](Cdr& one) {
    header(one);
    text(one);
    pose(one);
  });
}

void grid(Cdr& cdr) {
  header(cdr);
  time(cdr);
  float32(cdr);
  uint32(cdr);
  uint32(cdr);
  pose(cdr);
  each(cdr, [](Cdr& one) { integer(one, std::int8_t{}); });
}

void path(Cdr& cdr) {
  header(cdr);
  each(cdr, [](Cdr& one) {
    header(one);
    pose(one);
  });
}

void cloud(Cdr& cdr) {
  header(cdr);
  uint32(cdr);
  uint32(cdr);
  each(cdr, [](Cdr& one) {
    text(one);
    uint32(one);
    uint8(one);
    uint32(one);
  });
  boolean(cdr);
  uint32(cdr);
  uint32(cdr);
  bytes(cdr);
  boolean(cdr);
}

void laserScan(Cdr& cdr) {
  header(cdr);
  for (int field = 0; field < 7; ++field) float32(cdr);
  each(cdr, float32);
  each(cdr, float32);
}

void imu(Cdr& cdr) {
  header(cdr);
  float64(cdr, 4 + 9 + 3 + 9 + 3 + 9);
}

void fix(Cdr& cdr) {
  header(cdr);
  integer(cdr, std::int8_t{});
  integer(cdr, std::uint16_t{});
  float64(cdr, 3 + 9);
  uint8(cdr);
}

void twist(Cdr& cdr) {
  header(cdr);
  float64(cdr, 6);
}

const std::map<std::string, std::function<void(Cdr&)>> readers = {
    {"rosgraph_msgs/msg/Clock", time},
    {"tf2_msgs/msg/TFMessage", transforms},
    {"nav_msgs/msg/Odometry", odometry},
    {"nav_msgs/msg/OccupancyGrid", grid},
    {"nav_msgs/msg/Path", path},
    {"std_msgs/msg/String", text},
    {"sensor_msgs/msg/PointCloud2", cloud},
    {"sensor_msgs/msg/LaserScan", laserScan},
    {"sensor_msgs/msg/Imu", imu},
    {"sensor_msgs/msg/NavSatFix", fix},
    {"geometry_msgs/msg/TwistStamped", twist},
};

}  // namespace

int main() {
  std::string type;
  while (std::getline(std::cin, type, '\0')) {
    std::array<unsigned char, 4> size{};
    std::cin.read(reinterpret_cast<char*>(size.data()), 4);
    std::vector<char> data(size[0] | size[1] << 8U | size[2] << 16U | std::size_t{size[3]} << 24U);
    std::cin.read(data.data(), static_cast<std::streamsize>(data.size()));
    const auto reader = readers.find(type);
    if (!std::cin || reader == readers.end()) return 2;
    eprosima::fastcdr::FastBuffer buffer(data.data(), data.size());
    Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    cdr.read_encapsulation();
    std::printf("= %s\n", type.c_str());
    reader->second(cdr);
    std::printf("%zu bytes are left\n", data.size() - cdr.getSerializedDataLength());
  }
  return 0;
}
