// Reads a capture of Velodyne packets with the grabbers of the Point Cloud Library, which know the packets by the manuals of
// the sensors, and prints a point a line: x, y and z in metres (y ahead, x to the right), and the intensity.
//
// readCapture vlp-16|hdl-32e FILE.pcap
#include <pcl/io/hdl_grabber.h>
#include <pcl/io/vlp_grabber.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::string file = arguments[2];
  const bool isVlp = std::string(arguments[1]) == "vlp-16";
  const std::unique_ptr<pcl::HDLGrabber> grabber =
      isVlp ? std::make_unique<pcl::VLPGrabber>(file) : std::make_unique<pcl::HDLGrabber>("", file);
  std::atomic<std::size_t> turns = 0;
  using Points = pcl::PointCloud<pcl::PointXYZI>::ConstPtr;
  const std::function<void(const Points&)> print = [&turns](const Points& points) {
    for (const pcl::PointXYZI& point : *points) {
      std::printf("%.6f %.6f %.6f %g\n", point.x, point.y, point.z, point.intensity);
    }
    ++turns;
  };
  grabber->registerCallback(print);
  grabber->start();
  // It plays the file at the speed of the sensor and does not state its end: no turn takes this long.
  constexpr std::chrono::seconds patience(5);
  for (std::size_t seen = 0;; seen = turns) {
    std::this_thread::sleep_for(patience);
    if (turns == seen) break;
  }
  grabber->stop();
}
