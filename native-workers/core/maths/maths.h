// Vectors, unit quaternions and boxes: plain data and the few operations that scenes and rays need.
// Right-handed frames, metres. Double precision places things in the world; single precision is what
// triangles and rays are traced in.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace understory {

struct Vec2f {
  float x = 0.0F;
  float y = 0.0F;
};

struct Vec2d {
  double x = 0.0;
  double y = 0.0;
};

struct Vec3f {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
};

struct Vec3d {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

// Unit quaternion. As a pose, it turns vectors of the inner frame into the outer one.
struct Quatd {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double w = 1.0;
};

// Axis-aligned box; empty until it is extended.
struct Boundsf {
  Vec3f min{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
            std::numeric_limits<float>::infinity()};
  Vec3f max{-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
            -std::numeric_limits<float>::infinity()};
};

// Row-major 3 x 3 matrix.
using Mat3d = std::array<std::array<double, 3>, 3>;

inline constexpr double piRad = 3.14159265358979323846;
inline constexpr double radPerDeg = piRad / 180.0;

inline Vec3f operator+(Vec3f a, Vec3f b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3f operator-(Vec3f a, Vec3f b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3f operator*(Vec3f a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }

inline float dot(Vec3f a, Vec3f b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3f cross(Vec3f a, Vec3f b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3d cross(Vec3d a, Vec3d b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(Vec3f a) { return std::sqrt(dot(a, a)); }
inline double length(Vec3d a) { return std::sqrt(dot(a, a)); }
inline Vec3f normalized(Vec3f a) { return a * (1.0F / length(a)); }
inline Vec3d normalized(Vec3d a) { return a * (1.0 / length(a)); }

inline Vec3f toFloat(Vec3d a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
inline Vec3d toDouble(Vec3f a) {
  return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}

inline void extend(Boundsf& box, Vec3f point) {
  box.min = {std::min(box.min.x, point.x), std::min(box.min.y, point.y),
             std::min(box.min.z, point.z)};
  box.max = {std::max(box.max.x, point.x), std::max(box.max.y, point.y),
             std::max(box.max.z, point.z)};
}
inline bool isEmpty(const Boundsf& box) { return box.min.x > box.max.x; }

// a after b: turns by b first, then by a.
inline Quatd operator*(Quatd a, Quatd b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline double dot(Quatd a, Quatd b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline Quatd normalized(Quatd q) {
  const double s = 1.0 / std::sqrt(dot(q, q));
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}

// The opposite turn of a unit quaternion.
inline Quatd conjugate(Quatd q) { return {-q.x, -q.y, -q.z, q.w}; }

// Turn by `angleRad` about the unit vector `axis`, right-handed.
inline Quatd rotationAbout(Vec3d axis, double angleRad) {
  const double s = std::sin(0.5 * angleRad);
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(0.5 * angleRad)};
}

// The rotation of a unit quaternion as a matrix.
inline Mat3d matrixOf(Quatd q) {
  return {{{1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.z * q.w),
            2.0 * (q.x * q.z + q.y * q.w)},
           {2.0 * (q.x * q.y + q.z * q.w), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
            2.0 * (q.y * q.z - q.x * q.w)},
           {2.0 * (q.x * q.z - q.y * q.w), 2.0 * (q.y * q.z + q.x * q.w),
            1.0 - 2.0 * (q.x * q.x + q.y * q.y)}}};
}
inline Vec3d operator*(const Mat3d& m, Vec3d v) {
  return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
          m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
          m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}
inline Vec3d rotate(Quatd q, Vec3d v) { return matrixOf(q) * v; }

// Spherical interpolation of unit quaternions along the shorter arc, share 0 to 1.
inline Quatd slerp(Quatd a, Quatd b, double share) {
  double cosine = dot(a, b);
  if (cosine < 0.0) {
    b = {-b.x, -b.y, -b.z, -b.w};
    cosine = -cosine;
  }
  double shareA = 1.0 - share;
  double shareB = share;
  // Why: below this angle sin(angle) loses its digits, and the chord is the arc to double precision.
  if (cosine < 1.0 - 1e-10) {
    const double angle = std::acos(cosine);
    shareA = std::sin((1.0 - share) * angle) / std::sin(angle);
    shareB = std::sin(share * angle) / std::sin(angle);
  }
  return normalized(Quatd{shareA * a.x + shareB * b.x, shareA * a.y + shareB * b.y,
                          shareA * a.z + shareB * b.z, shareA * a.w + shareB * b.w});
}

// worldFromModel of a placed copy: scale, then rotation, then translation.
struct Placement {
  Vec3d positionM;
  Quatd rotation;
  double scale = 1.0;
};

inline Vec3d worldFromModel(const Placement& placement, Vec3d pointM) {
  return rotate(placement.rotation, pointM * placement.scale) + placement.positionM;
}

// The 3 x 4 column-major matrix of a placement, as ray tracers take it.
inline std::array<float, 12> columnMajor3x4(const Placement& placement) {
  const Mat3d m = matrixOf(placement.rotation);
  std::array<float, 12> columns{};
  for (std::size_t column = 0; column < 3; ++column) {
    for (std::size_t row = 0; row < 3; ++row) {
      columns[3 * column + row] = static_cast<float>(placement.scale * m[row][column]);
    }
  }
  const Vec3f origin = toFloat(placement.positionM);
  columns[9] = origin.x;
  columns[10] = origin.y;
  columns[11] = origin.z;
  return columns;
}

// World box of a model's box under a placement: the box of its eight turned corners.
inline Boundsf worldBounds(const Placement& placement, const Boundsf& model) {
  Boundsf world;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Vec3f point{(corner & 1U) != 0 ? model.max.x : model.min.x,
                      (corner & 2U) != 0 ? model.max.y : model.min.y,
                      (corner & 4U) != 0 ? model.max.z : model.min.z};
    extend(world, toFloat(worldFromModel(placement, toDouble(point))));
  }
  return world;
}

}  // namespace understory
