// Generated from src-main/contract by `npm run contract`: do not edit. What TypeScript and C++ both know: words,
// columns, methods, bounds, and the fields of requests and recipes.
// clang-format off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "contract/fields.h"

namespace understory {

enum class ErrorCode { badInput, notFound, sceneTooLarge, diskFull, workerLost, workerFailed, runLost, cancelled, locked, corrupt, protocol, unsupported, io, internal };
template <>
struct WordsOf<ErrorCode> {
  static constexpr std::array<std::string_view, 14> words{
    "bad-input",
    "not-found",
    "scene-too-large",
    "disk-full",
    "worker-lost",
    "worker-failed",
    "run-lost",
    "cancelled",
    "locked",
    "corrupt",
    "protocol",
    "unsupported",
    "io",
    "internal",
  };
};

enum class FrameKind { call, cancel, ack, progress, chunk, reply, error, event };
template <>
struct WordsOf<FrameKind> {
  static constexpr std::array<std::string_view, 8> words{
    "call",
    "cancel",
    "ack",
    "progress",
    "chunk",
    "reply",
    "error",
    "event",
  };
};

enum class ColumnType { u8, u16, u32, i32, u64, i64, f32, f64 };
template <>
struct WordsOf<ColumnType> {
  static constexpr std::array<std::string_view, 8> words{
    "u8",
    "u16",
    "u32",
    "i32",
    "u64",
    "i64",
    "f32",
    "f64",
  };
};

enum class ReturnColumn { timeNs, pulse, ring, azimuthRad, elevationRad, returnNo, nReturns, rangeM, intensity, beamShare, xM, yM, zM, objectId, classId, incidenceRad, rangeCleanM, trueRangeM, xSensorM, ySensorM, zSensorM, hitXM, hitYM, hitZM, normalX, normalY, normalZ, materialId, sensorTimeNs, xCleanM, yCleanM, zCleanM, triangleId, mirrors, echoWidthM, amplitude, snr, intensityClean, red, green, blue, beamOriginXM, beamOriginYM, beamOriginZM, beamDirectionX, beamDirectionY, beamDirectionZ, learnedPart, support };
template <>
struct WordsOf<ReturnColumn> {
  static constexpr std::array<std::string_view, 49> words{
    "time_ns",
    "pulse",
    "ring",
    "azimuth_rad",
    "elevation_rad",
    "return_no",
    "n_returns",
    "range_m",
    "intensity",
    "beam_share",
    "x_m",
    "y_m",
    "z_m",
    "object_id",
    "class_id",
    "incidence_rad",
    "range_clean_m",
    "true_range_m",
    "x_sensor_m",
    "y_sensor_m",
    "z_sensor_m",
    "hit_x_m",
    "hit_y_m",
    "hit_z_m",
    "normal_x",
    "normal_y",
    "normal_z",
    "material_id",
    "sensor_time_ns",
    "x_clean_m",
    "y_clean_m",
    "z_clean_m",
    "triangle_id",
    "mirrors",
    "echo_width_m",
    "amplitude",
    "snr",
    "intensity_clean",
    "red",
    "green",
    "blue",
    "beam_origin_x_m",
    "beam_origin_y_m",
    "beam_origin_z_m",
    "beam_direction_x",
    "beam_direction_y",
    "beam_direction_z",
    "learned_part",
    "support",
  };
};

enum class Isa { sse42, avx, avx2, avx512 };
template <>
struct WordsOf<Isa> {
  static constexpr std::array<std::string_view, 4> words{
    "sse4.2",
    "avx",
    "avx2",
    "avx512",
  };
};

enum class ModelKind { mesh, box, sphere, cylinder, plane, plant, heightField };
template <>
struct WordsOf<ModelKind> {
  static constexpr std::array<std::string_view, 7> words{
    "mesh",
    "box",
    "sphere",
    "cylinder",
    "plane",
    "plant",
    "height-field",
  };
};

enum class MeshFormat { obj, ply, stl, learned };
template <>
struct WordsOf<MeshFormat> {
  static constexpr std::array<std::string_view, 4> words{
    "obj",
    "ply",
    "stl",
    "learned",
  };
};

enum class UpAxis { y, z };
template <>
struct WordsOf<UpAxis> {
  static constexpr std::array<std::string_view, 2> words{
    "y",
    "z",
  };
};

enum class Solid { all, wood, none };
template <>
struct WordsOf<Solid> {
  static constexpr std::array<std::string_view, 3> words{
    "all",
    "wood",
    "none",
  };
};

enum class ScatterPattern { uniform, poissonDisk };
template <>
struct WordsOf<ScatterPattern> {
  static constexpr std::array<std::string_view, 2> words{
    "uniform",
    "poisson-disk",
  };
};

enum class SurfaceKind { lambertian, orenNayar, mirror, retroreflector, glass, water };
template <>
struct WordsOf<SurfaceKind> {
  static constexpr std::array<std::string_view, 6> words{
    "lambertian",
    "oren-nayar",
    "mirror",
    "retroreflector",
    "glass",
    "water",
  };
};

enum class VisibilityLaw { kruse, kim };
template <>
struct WordsOf<VisibilityLaw> {
  static constexpr std::array<std::string_view, 2> words{
    "kruse",
    "kim",
  };
};

enum class PlantGenerator { grassPatch, tree, shrub };
template <>
struct WordsOf<PlantGenerator> {
  static constexpr std::array<std::string_view, 3> words{
    "grass-patch",
    "tree",
    "shrub",
  };
};

enum class CrownShape { conical, spherical, hemispherical, cylindrical, tapered, flame };
template <>
struct WordsOf<CrownShape> {
  static constexpr std::array<std::string_view, 6> words{
    "conical",
    "spherical",
    "hemispherical",
    "cylindrical",
    "tapered",
    "flame",
  };
};

enum class LeafAngleLaw { spherical, planophile, erectophile, plagiophile, uniform };
template <>
struct WordsOf<LeafAngleLaw> {
  static constexpr std::array<std::string_view, 5> words{
    "spherical",
    "planophile",
    "erectophile",
    "plagiophile",
    "uniform",
  };
};

enum class ScanKind { spinning, sweep, mirror, panorama, image };
template <>
struct WordsOf<ScanKind> {
  static constexpr std::array<std::string_view, 5> words{
    "spinning",
    "sweep",
    "mirror",
    "panorama",
    "image",
  };
};

enum class TurnDirection { counterClockwise, clockwise };
template <>
struct WordsOf<TurnDirection> {
  static constexpr std::array<std::string_view, 2> words{
    "counter-clockwise",
    "clockwise",
  };
};

enum class SpotShape { circular, rectangular, elliptical };
template <>
struct WordsOf<SpotShape> {
  static constexpr std::array<std::string_view, 3> words{
    "circular",
    "rectangular",
    "elliptical",
  };
};

enum class StencilKind { moment, goodin2018, rays };
template <>
struct WordsOf<StencilKind> {
  static constexpr std::array<std::string_view, 3> words{
    "moment",
    "goodin2018",
    "rays",
  };
};

enum class NamedProfile { uniform, gaussian };
template <>
struct WordsOf<NamedProfile> {
  static constexpr std::array<std::string_view, 2> words{
    "uniform",
    "gaussian",
  };
};

enum class RaySampling { stratified, random };
template <>
struct WordsOf<RaySampling> {
  static constexpr std::array<std::string_view, 2> words{
    "stratified",
    "random",
  };
};

enum class Radiometry { relative, radarEquation };
template <>
struct WordsOf<Radiometry> {
  static constexpr std::array<std::string_view, 2> words{
    "relative",
    "radar-equation",
  };
};

enum class ReturnMode { strongest, last, strongestAndLast, first, closest, all };
template <>
struct WordsOf<ReturnMode> {
  static constexpr std::array<std::string_view, 6> words{
    "strongest",
    "last",
    "strongest-and-last",
    "first",
    "closest",
    "all",
  };
};

enum class LearnedKind { nearestNeighbors, surface, permeableSurface, voxel, topDown, hybrid };
template <>
struct WordsOf<LearnedKind> {
  static constexpr std::array<std::string_view, 6> words{
    "nearest-neighbors",
    "surface",
    "permeable-surface",
    "voxel",
    "top-down",
    "hybrid",
  };
};

enum class CountingRule { owner, ellipsoid };
template <>
struct WordsOf<CountingRule> {
  static constexpr std::array<std::string_view, 2> words{
    "owner",
    "ellipsoid",
  };
};

enum class ViewPart { elements, triangles, points };
template <>
struct WordsOf<ViewPart> {
  static constexpr std::array<std::string_view, 3> words{
    "elements",
    "triangles",
    "points",
  };
};

enum class Packing { copy, difference, scaledDifference, scaled };
template <>
struct WordsOf<Packing> {
  static constexpr std::array<std::string_view, 4> words{
    "copy",
    "difference",
    "scaledDifference",
    "scaled",
  };
};

enum class BeamState { unknown, returned, miss, missInferred };
template <>
struct WordsOf<BeamState> {
  static constexpr std::array<std::string_view, 4> words{
    "unknown",
    "returned",
    "miss",
    "missInferred",
  };
};

enum class BeamLabel { unknown, surface, volume };
template <>
struct WordsOf<BeamLabel> {
  static constexpr std::array<std::string_view, 3> words{
    "unknown",
    "surface",
    "volume",
  };
};

enum class Mutation { none, stencilOffCentre, stencilTooNarrow, strongestIsClosest, tieToTheFarther, cutoffIgnored, meanOverAllRays, centreMissDropsPulse, shareOffByARay, cosineSquared, poseOfFirstSlot, azimuthMirrored, limitWithoutNoise, middleForCentroid, biasOfEachRay, noiseOnEmptyPulses, varianceForSigma, incidenceWithoutSquare, rangeStepDown, dropOutOfPulses, pointingAlongADiagonal, encoderToNearest, encoderAfterOffsets, spotUnturned, fourthPower, extinctionOneWay, gateInverted, halfABin, limitOfEachRay, oneDrawForAllEchoes, echoesInSlices, lastAloneTwice, alarmsByArea, widthWithoutPulse, saturationBeforeNoise, gapTwice, orenNayarSine, lobeToOneOverE, elementsByRay, elementsByCentre, oneDrawForAllPulses, rangesRedrawn, noiseOnElements, earlyEndsAsMisses, oneMirrorMore };
template <>
struct WordsOf<Mutation> {
  static constexpr std::array<std::string_view, 45> words{
    "none",
    "stencil-off-centre",
    "stencil-too-narrow",
    "strongest-is-closest",
    "tie-to-the-farther",
    "cutoff-ignored",
    "mean-over-all-rays",
    "centre-miss-drops-pulse",
    "share-off-by-a-ray",
    "cosine-squared",
    "pose-of-first-slot",
    "azimuth-mirrored",
    "limit-without-noise",
    "middle-for-centroid",
    "bias-of-each-ray",
    "noise-on-empty-pulses",
    "variance-for-sigma",
    "incidence-without-square",
    "range-step-down",
    "drop-out-of-pulses",
    "pointing-along-a-diagonal",
    "encoder-to-nearest",
    "encoder-after-offsets",
    "spot-unturned",
    "fourth-power",
    "extinction-one-way",
    "gate-inverted",
    "half-a-bin",
    "limit-of-each-ray",
    "one-draw-for-all-echoes",
    "echoes-in-slices",
    "last-alone-twice",
    "alarms-by-area",
    "width-without-pulse",
    "saturation-before-noise",
    "gap-twice",
    "oren-nayar-sine",
    "lobe-to-one-over-e",
    "elements-by-ray",
    "elements-by-centre",
    "one-draw-for-all-pulses",
    "ranges-redrawn",
    "noise-on-elements",
    "early-ends-as-misses",
    "one-mirror-more",
  };
};

template <>
struct TypeOf<std::uint8_t> {
  static constexpr ColumnType type = ColumnType::u8;
};
template <>
struct TypeOf<std::uint16_t> {
  static constexpr ColumnType type = ColumnType::u16;
};
template <>
struct TypeOf<std::uint32_t> {
  static constexpr ColumnType type = ColumnType::u32;
};
template <>
struct TypeOf<std::int32_t> {
  static constexpr ColumnType type = ColumnType::i32;
};
template <>
struct TypeOf<std::uint64_t> {
  static constexpr ColumnType type = ColumnType::u64;
};
template <>
struct TypeOf<std::int64_t> {
  static constexpr ColumnType type = ColumnType::i64;
};
template <>
struct TypeOf<float> {
  static constexpr ColumnType type = ColumnType::f32;
};
template <>
struct TypeOf<double> {
  static constexpr ColumnType type = ColumnType::f64;
};

// By ColumnType.
inline constexpr std::array<std::size_t, 8> bytesOfColumnType{1, 2, 4, 4, 8, 8, 4, 8};

struct ReturnColumnInfo {
  std::string_view name;
  ColumnType type;
  std::size_t bytes;  // of an element
};

// By ReturnColumn.
inline constexpr std::array<ReturnColumnInfo, 49> returnColumns{{
  {"time_ns", ColumnType::i64, 8},
  {"pulse", ColumnType::u64, 8},
  {"ring", ColumnType::u16, 2},
  {"azimuth_rad", ColumnType::f32, 4},
  {"elevation_rad", ColumnType::f32, 4},
  {"return_no", ColumnType::u8, 1},
  {"n_returns", ColumnType::u8, 1},
  {"range_m", ColumnType::f32, 4},
  {"intensity", ColumnType::f32, 4},
  {"beam_share", ColumnType::f32, 4},
  {"x_m", ColumnType::f32, 4},
  {"y_m", ColumnType::f32, 4},
  {"z_m", ColumnType::f32, 4},
  {"object_id", ColumnType::u32, 4},
  {"class_id", ColumnType::u16, 2},
  {"incidence_rad", ColumnType::f32, 4},
  {"range_clean_m", ColumnType::f32, 4},
  {"true_range_m", ColumnType::f32, 4},
  {"x_sensor_m", ColumnType::f32, 4},
  {"y_sensor_m", ColumnType::f32, 4},
  {"z_sensor_m", ColumnType::f32, 4},
  {"hit_x_m", ColumnType::f32, 4},
  {"hit_y_m", ColumnType::f32, 4},
  {"hit_z_m", ColumnType::f32, 4},
  {"normal_x", ColumnType::f32, 4},
  {"normal_y", ColumnType::f32, 4},
  {"normal_z", ColumnType::f32, 4},
  {"material_id", ColumnType::u16, 2},
  {"sensor_time_ns", ColumnType::i64, 8},
  {"x_clean_m", ColumnType::f32, 4},
  {"y_clean_m", ColumnType::f32, 4},
  {"z_clean_m", ColumnType::f32, 4},
  {"triangle_id", ColumnType::u32, 4},
  {"mirrors", ColumnType::u8, 1},
  {"echo_width_m", ColumnType::f32, 4},
  {"amplitude", ColumnType::f32, 4},
  {"snr", ColumnType::f32, 4},
  {"intensity_clean", ColumnType::f32, 4},
  {"red", ColumnType::u8, 1},
  {"green", ColumnType::u8, 1},
  {"blue", ColumnType::u8, 1},
  {"beam_origin_x_m", ColumnType::f32, 4},
  {"beam_origin_y_m", ColumnType::f32, 4},
  {"beam_origin_z_m", ColumnType::f32, 4},
  {"beam_direction_x", ColumnType::f32, 4},
  {"beam_direction_y", ColumnType::f32, 4},
  {"beam_direction_z", ColumnType::f32, 4},
  {"learned_part", ColumnType::u8, 1},
  {"support", ColumnType::u32, 4},
}};

struct RayRows {
  std::vector<std::int64_t> timeNs;
  std::vector<std::uint64_t> pulse;
  std::vector<std::uint16_t> ring;
  std::vector<std::uint32_t> ray;
  std::vector<float> leftM;
  std::vector<float> upM;
  std::vector<float> weight;
  std::vector<std::uint8_t> hitNo;
  std::vector<float> rangeM;
  std::vector<float> intensity;
  std::vector<float> share;
  std::vector<std::uint8_t> returnNo;
  std::vector<float> incidenceRad;
  std::vector<std::uint32_t> objectId;
  std::vector<std::uint16_t> classId;
  std::vector<std::uint16_t> materialId;
  std::vector<std::uint32_t> triangleId;
  std::vector<std::uint8_t> mirrors;
  std::vector<float> hitXM;
  std::vector<float> hitYM;
  std::vector<float> hitZM;

  std::size_t size() const { return timeNs.size(); }
};

// Calls use(TypedColumn, vector of each of `rows`) for every column, in the table's order.
template <typename Function, typename... Rows>
void forEachColumnOfRayRows(Function&& use, Rows&... rows) {
  use(TypedColumn<std::int64_t>{"time_ns"}, rows.timeNs...);
  use(TypedColumn<std::uint64_t>{"pulse"}, rows.pulse...);
  use(TypedColumn<std::uint16_t>{"ring"}, rows.ring...);
  use(TypedColumn<std::uint32_t>{"ray"}, rows.ray...);
  use(TypedColumn<float>{"left_m"}, rows.leftM...);
  use(TypedColumn<float>{"up_m"}, rows.upM...);
  use(TypedColumn<float>{"weight"}, rows.weight...);
  use(TypedColumn<std::uint8_t>{"hit_no"}, rows.hitNo...);
  use(TypedColumn<float>{"range_m"}, rows.rangeM...);
  use(TypedColumn<float>{"intensity"}, rows.intensity...);
  use(TypedColumn<float>{"share"}, rows.share...);
  use(TypedColumn<std::uint8_t>{"return_no"}, rows.returnNo...);
  use(TypedColumn<float>{"incidence_rad"}, rows.incidenceRad...);
  use(TypedColumn<std::uint32_t>{"object_id"}, rows.objectId...);
  use(TypedColumn<std::uint16_t>{"class_id"}, rows.classId...);
  use(TypedColumn<std::uint16_t>{"material_id"}, rows.materialId...);
  use(TypedColumn<std::uint32_t>{"triangle_id"}, rows.triangleId...);
  use(TypedColumn<std::uint8_t>{"mirrors"}, rows.mirrors...);
  use(TypedColumn<float>{"hit_x_m"}, rows.hitXM...);
  use(TypedColumn<float>{"hit_y_m"}, rows.hitYM...);
  use(TypedColumn<float>{"hit_z_m"}, rows.hitZM...);
}

struct InstanceColumns {
  std::vector<std::uint32_t> instanceId;
  std::vector<std::uint16_t> modelId;
  std::vector<std::uint16_t> classId;
  std::vector<double> xM;
  std::vector<double> yM;
  std::vector<double> zM;
  std::vector<double> qx;
  std::vector<double> qy;
  std::vector<double> qz;
  std::vector<double> qw;
  std::vector<double> scale;
  std::vector<float> minXM;
  std::vector<float> minYM;
  std::vector<float> minZM;
  std::vector<float> maxXM;
  std::vector<float> maxYM;
  std::vector<float> maxZM;

  std::size_t size() const { return instanceId.size(); }
};

// Calls use(TypedColumn, vector of each of `rows`) for every column, in the table's order.
template <typename Function, typename... Rows>
void forEachColumnOfInstanceColumns(Function&& use, Rows&... rows) {
  use(TypedColumn<std::uint32_t>{"instance_id"}, rows.instanceId...);
  use(TypedColumn<std::uint16_t>{"model_id"}, rows.modelId...);
  use(TypedColumn<std::uint16_t>{"class_id"}, rows.classId...);
  use(TypedColumn<double>{"x_m"}, rows.xM...);
  use(TypedColumn<double>{"y_m"}, rows.yM...);
  use(TypedColumn<double>{"z_m"}, rows.zM...);
  use(TypedColumn<double>{"qx"}, rows.qx...);
  use(TypedColumn<double>{"qy"}, rows.qy...);
  use(TypedColumn<double>{"qz"}, rows.qz...);
  use(TypedColumn<double>{"qw"}, rows.qw...);
  use(TypedColumn<double>{"scale"}, rows.scale...);
  use(TypedColumn<float>{"min_x_m"}, rows.minXM...);
  use(TypedColumn<float>{"min_y_m"}, rows.minYM...);
  use(TypedColumn<float>{"min_z_m"}, rows.minZM...);
  use(TypedColumn<float>{"max_x_m"}, rows.maxXM...);
  use(TypedColumn<float>{"max_y_m"}, rows.maxYM...);
  use(TypedColumn<float>{"max_z_m"}, rows.maxZM...);
}

struct SignalHitRows {
  std::vector<std::uint32_t> signalRay;
  std::vector<std::uint8_t> signalHitNo;

  std::size_t size() const { return signalRay.size(); }
};

// Calls use(TypedColumn, vector of each of `rows`) for every column, in the table's order.
template <typename Function, typename... Rows>
void forEachColumnOfSignalHitRows(Function&& use, Rows&... rows) {
  use(TypedColumn<std::uint32_t>{"signal_ray"}, rows.signalRay...);
  use(TypedColumn<std::uint8_t>{"signal_hit_no"}, rows.signalHitNo...);
}

struct SignalEchoRows {
  std::vector<double> echoRangeM;
  std::vector<double> echoStrength;
  std::vector<std::uint32_t> echoFromHit;
  std::vector<std::uint32_t> echoToHit;
  std::vector<std::uint8_t> echoIsDetected;

  std::size_t size() const { return echoRangeM.size(); }
};

// Calls use(TypedColumn, vector of each of `rows`) for every column, in the table's order.
template <typename Function, typename... Rows>
void forEachColumnOfSignalEchoRows(Function&& use, Rows&... rows) {
  use(TypedColumn<double>{"echo_range_m"}, rows.echoRangeM...);
  use(TypedColumn<double>{"echo_strength"}, rows.echoStrength...);
  use(TypedColumn<std::uint32_t>{"echo_from_hit"}, rows.echoFromHit...);
  use(TypedColumn<std::uint32_t>{"echo_to_hit"}, rows.echoToHit...);
  use(TypedColumn<std::uint8_t>{"echo_is_detected"}, rows.echoIsDetected...);
}

struct FormedReturnRows {
  std::vector<std::uint8_t> formedMode;
  std::vector<double> formedRangeM;
  std::vector<double> formedBeamShare;
  std::vector<std::uint32_t> formedDecidingHit;
  std::vector<std::uint32_t> formedEcho;
  std::vector<std::uint32_t> formedAveragedFromHit;
  std::vector<std::uint32_t> formedAveragedToHit;
  std::vector<std::uint32_t> formedSharedFromHit;
  std::vector<std::uint32_t> formedSharedToHit;

  std::size_t size() const { return formedMode.size(); }
};

// Calls use(TypedColumn, vector of each of `rows`) for every column, in the table's order.
template <typename Function, typename... Rows>
void forEachColumnOfFormedReturnRows(Function&& use, Rows&... rows) {
  use(TypedColumn<std::uint8_t>{"formed_mode"}, rows.formedMode...);
  use(TypedColumn<double>{"formed_range_m"}, rows.formedRangeM...);
  use(TypedColumn<double>{"formed_beam_share"}, rows.formedBeamShare...);
  use(TypedColumn<std::uint32_t>{"formed_deciding_hit"}, rows.formedDecidingHit...);
  use(TypedColumn<std::uint32_t>{"formed_echo"}, rows.formedEcho...);
  use(TypedColumn<std::uint32_t>{"formed_averaged_from_hit"}, rows.formedAveragedFromHit...);
  use(TypedColumn<std::uint32_t>{"formed_averaged_to_hit"}, rows.formedAveragedToHit...);
  use(TypedColumn<std::uint32_t>{"formed_shared_from_hit"}, rows.formedSharedFromHit...);
  use(TypedColumn<std::uint32_t>{"formed_shared_to_hit"}, rows.formedSharedToHit...);
}

struct EvaluationRows {
  std::vector<float> logXM;
  std::vector<float> logYM;
  std::vector<float> logZM;
  std::vector<std::uint16_t> logClass;
  std::vector<float> modelXM;
  std::vector<float> modelYM;
  std::vector<float> modelZM;
  std::vector<std::uint8_t> modelIsVolume;
  std::vector<float> sliceAzimuthRad;
  std::vector<float> sliceLogRangeM;
  std::vector<float> sliceModelRangeM;

  std::size_t size() const { return logXM.size(); }
};

// Calls use(TypedColumn, vector of each of `rows`) for every column, in the table's order.
template <typename Function, typename... Rows>
void forEachColumnOfEvaluationRows(Function&& use, Rows&... rows) {
  use(TypedColumn<float>{"log_x_m"}, rows.logXM...);
  use(TypedColumn<float>{"log_y_m"}, rows.logYM...);
  use(TypedColumn<float>{"log_z_m"}, rows.logZM...);
  use(TypedColumn<std::uint16_t>{"log_class"}, rows.logClass...);
  use(TypedColumn<float>{"model_x_m"}, rows.modelXM...);
  use(TypedColumn<float>{"model_y_m"}, rows.modelYM...);
  use(TypedColumn<float>{"model_z_m"}, rows.modelZM...);
  use(TypedColumn<std::uint8_t>{"model_is_volume"}, rows.modelIsVolume...);
  use(TypedColumn<float>{"slice_azimuth_rad"}, rows.sliceAzimuthRad...);
  use(TypedColumn<float>{"slice_log_range_m"}, rows.sliceLogRangeM...);
  use(TypedColumn<float>{"slice_model_range_m"}, rows.sliceModelRangeM...);
}

namespace columns {
namespace trajectory {
inline constexpr TypedColumn<std::int64_t> timeNs{"time_ns"};
inline constexpr TypedColumn<double> xM{"x_m"};
inline constexpr TypedColumn<double> yM{"y_m"};
inline constexpr TypedColumn<double> zM{"z_m"};
inline constexpr TypedColumn<double> qx{"qx"};
inline constexpr TypedColumn<double> qy{"qy"};
inline constexpr TypedColumn<double> qz{"qz"};
inline constexpr TypedColumn<double> qw{"qw"};
}  // namespace trajectory
namespace platform {
inline constexpr TypedColumn<double> mount{"mount"};
inline constexpr TypedColumn<double> reported{"reported"};
}  // namespace platform
namespace mesh {
inline constexpr TypedColumn<float> position{"position"};
inline constexpr TypedColumn<std::uint32_t> index{"index"};
inline constexpr TypedColumn<std::uint16_t> material{"material"};
}  // namespace mesh
namespace ground {
inline constexpr TypedColumn<float> heightM{"height_m"};
inline constexpr TypedColumn<std::uint32_t> outlineInstanceId{"outline_instance_id"};
inline constexpr TypedColumn<std::uint32_t> outlineBody{"outline_body"};
inline constexpr TypedColumn<std::uint32_t> outlineStart{"outline_start"};
inline constexpr TypedColumn<float> cornerXM{"corner_x_m"};
inline constexpr TypedColumn<float> cornerYM{"corner_y_m"};
inline constexpr TypedColumn<float> coverXM{"cover_x_m"};
inline constexpr TypedColumn<float> coverYM{"cover_y_m"};
}  // namespace ground
namespace description {
inline constexpr TypedColumn<double> rayLeft{"ray_left"};
inline constexpr TypedColumn<double> rayUp{"ray_up"};
inline constexpr TypedColumn<double> rayWeight{"ray_weight"};
inline constexpr TypedColumn<std::uint16_t> pulseRing{"pulse_ring"};
inline constexpr TypedColumn<std::int64_t> pulseTimeNs{"pulse_time_ns"};
inline constexpr TypedColumn<double> pulseAzimuthRad{"pulse_azimuth_rad"};
inline constexpr TypedColumn<double> pulseElevationRad{"pulse_elevation_rad"};
inline constexpr TypedColumn<double> pulseReportedAzimuthRad{"pulse_reported_azimuth_rad"};
inline constexpr TypedColumn<std::uint16_t> laserRing{"laser_ring"};
inline constexpr TypedColumn<double> laserElevationRad{"laser_elevation_rad"};
inline constexpr TypedColumn<double> laserAzimuthOffsetRad{"laser_azimuth_offset_rad"};
inline constexpr TypedColumn<std::int64_t> laserFiringOffsetNs{"laser_firing_offset_ns"};
inline constexpr TypedColumn<double> laserRangeBiasM{"laser_range_bias_m"};
}  // namespace description
namespace waveform {
inline constexpr TypedColumn<std::uint64_t> pulse{"pulse"};
inline constexpr TypedColumn<std::int64_t> timeNs{"time_ns"};
inline constexpr TypedColumn<float> firstRangeM{"first_range_m"};
inline constexpr TypedColumn<float> bins{"bins"};
}  // namespace waveform
namespace log {
inline constexpr TypedColumn<std::int64_t> timeNs{"time_ns"};
inline constexpr TypedColumn<std::uint32_t> sweep{"sweep"};
inline constexpr TypedColumn<std::uint16_t> laser{"laser"};
inline constexpr TypedColumn<std::uint8_t> state{"state"};
inline constexpr TypedColumn<float> rangeM{"range_m"};
inline constexpr TypedColumn<float> intensity{"intensity"};
inline constexpr TypedColumn<float> azimuthRad{"azimuth_rad"};
inline constexpr TypedColumn<float> originXM{"origin_x_m"};
inline constexpr TypedColumn<float> originYM{"origin_y_m"};
inline constexpr TypedColumn<float> originZM{"origin_z_m"};
inline constexpr TypedColumn<float> directionX{"direction_x"};
inline constexpr TypedColumn<float> directionY{"direction_y"};
inline constexpr TypedColumn<float> directionZ{"direction_z"};
inline constexpr TypedColumn<std::uint8_t> label{"label"};
inline constexpr TypedColumn<std::uint16_t> classId{"class_id"};
inline constexpr TypedColumn<std::uint32_t> objectId{"object_id"};
inline constexpr TypedColumn<float> trueRangeM{"true_range_m"};
}  // namespace log
namespace logChunk {
inline constexpr TypedColumn<std::uint64_t> offset{"offset"};
inline constexpr TypedColumn<std::uint32_t> beams{"beams"};
inline constexpr TypedColumn<std::int64_t> fromNs{"from_ns"};
inline constexpr TypedColumn<std::int64_t> toNs{"to_ns"};
inline constexpr TypedColumn<double> minXM{"min_x_m"};
inline constexpr TypedColumn<double> minYM{"min_y_m"};
inline constexpr TypedColumn<double> minZM{"min_z_m"};
inline constexpr TypedColumn<double> maxXM{"max_x_m"};
inline constexpr TypedColumn<double> maxYM{"max_y_m"};
inline constexpr TypedColumn<double> maxZM{"max_z_m"};
}  // namespace logChunk
namespace view {
inline constexpr TypedColumn<float> position{"position"};
inline constexpr TypedColumn<float> intensity{"intensity"};
inline constexpr TypedColumn<std::uint16_t> classId{"class_id"};
inline constexpr TypedColumn<std::uint8_t> underSampled{"under_sampled"};
inline constexpr TypedColumn<float> mean{"mean"};
inline constexpr TypedColumn<float> factor{"factor"};
inline constexpr TypedColumn<float> corners{"corners"};
inline constexpr TypedColumn<float> permeability{"permeability"};
inline constexpr TypedColumn<float> reflectance{"reflectance"};
inline constexpr TypedColumn<std::uint32_t> support{"support"};
inline constexpr TypedColumn<std::uint32_t> counts{"counts"};
}  // namespace view
}  // namespace columns

namespace methods {
inline constexpr Method hello{"hello", {}};
inline constexpr std::array<std::string_view, 1> scenePlanColumns{
    "heights",
};
inline constexpr Method scenePlan{"scene.plan", scenePlanColumns};
inline constexpr std::array<std::string_view, 1> sceneBuildColumns{
    "heights",
};
inline constexpr Method sceneBuild{"scene.build", sceneBuildColumns};
inline constexpr Method sceneInstances{"scene.instances", {}};
inline constexpr Method sceneHeightAt{"scene.heightAt", {}};
inline constexpr Method sceneMesh{"scene.mesh", {}};
inline constexpr Method sceneGround{"scene.ground", {}};
inline constexpr Method sensorDescribe{"sensor.describe", {}};
inline constexpr std::array<std::string_view, 13> scanColumns{
    "time_ns",
    "x_m",
    "y_m",
    "z_m",
    "qx",
    "qy",
    "qz",
    "qw",
    "mount",
    "reported",
    "packed_before",
    "packed_after",
    "packed_blank",
};
inline constexpr Method scan{"scan", scanColumns};
inline constexpr std::array<std::string_view, 10> scanRaysColumns{
    "time_ns",
    "x_m",
    "y_m",
    "z_m",
    "qx",
    "qy",
    "qz",
    "qw",
    "mount",
    "reported",
};
inline constexpr Method scanRays{"scan.rays", scanRaysColumns};
inline constexpr std::array<std::string_view, 10> scanWaveformsColumns{
    "time_ns",
    "x_m",
    "y_m",
    "z_m",
    "qx",
    "qy",
    "qz",
    "qw",
    "mount",
    "reported",
};
inline constexpr Method scanWaveforms{"scan.waveforms", scanWaveformsColumns};
inline constexpr std::array<std::string_view, 10> scanSignalColumns{
    "time_ns",
    "x_m",
    "y_m",
    "z_m",
    "qx",
    "qy",
    "qz",
    "qw",
    "mount",
    "reported",
};
inline constexpr Method scanSignal{"scan.signal", scanSignalColumns};
inline constexpr Method render{"render", {}};
inline constexpr Method learnModel{"learn.model", {}};
inline constexpr Method learnEvaluate{"learn.evaluate", {}};
inline constexpr Method logCompare{"log.compare", {}};
inline constexpr Method learnElements{"learn.elements", {}};
inline constexpr Method learnSample{"learn.sample", {}};
inline constexpr Method learnPlace{"learn.place", {}};
inline constexpr Method logCloud{"log.cloud", {}};
inline constexpr std::array<std::string_view, 13> benchNativeColumns{
    "time_ns",
    "x_m",
    "y_m",
    "z_m",
    "qx",
    "qy",
    "qz",
    "qw",
    "mount",
    "reported",
    "packed_before",
    "packed_after",
    "packed_blank",
};
inline constexpr Method benchNative{"bench.native", benchNativeColumns};
inline constexpr std::array<std::string_view, 13> benchRawColumns{
    "time_ns",
    "x_m",
    "y_m",
    "z_m",
    "qx",
    "qy",
    "qz",
    "qw",
    "mount",
    "reported",
    "packed_before",
    "packed_after",
    "packed_blank",
};
inline constexpr Method benchRaw{"bench.raw", benchRawColumns};
}  // namespace methods

namespace bounds {
inline constexpr std::size_t frameMagic = 826692437;
inline constexpr std::size_t preambleBytes = 16;
inline constexpr std::size_t maxHeaderBytes = 67108864;
inline constexpr std::size_t maxPayloadBytes = 1073741824;
inline constexpr std::size_t chunkWindow = 4;
inline constexpr std::size_t maxChunkPulses = 1048576;
inline constexpr std::size_t maxSampleRows = 16777216;
inline constexpr std::size_t maxWaveformBins = 8388608;
inline constexpr std::size_t maxDescribedRays = 1048576;
inline constexpr std::size_t maxRowBytes = 1024;
inline constexpr std::size_t viewChunkRows = 32768;
inline constexpr double maxFromOriginM = 10000.0;
inline constexpr double farMeshAllowanceM = 1000.0;
}  // namespace bounds

namespace fields {
namespace scene {
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr ListField materials{"materials", 0, 65535};
inline constexpr TextsField classes{"classes"};
inline constexpr ListField models{"models", 0, 65535};
inline constexpr ListField instances{"instances", 0, SIZE_MAX};
inline constexpr ListField scatters{"scatters", 0, SIZE_MAX};
inline constexpr IntegerField ground{"ground", -1, 2147483647};
inline constexpr Field atmosphere{"atmosphere"};
inline constexpr IntegerField mirrorDepth{"mirrorDepth", 0, 32};
}  // namespace scene
namespace model {
inline constexpr TextField name{"name"};
inline constexpr WordField<Solid> solid{"solid"};
inline constexpr Field source{"source"};
}  // namespace model
namespace meshSource {
inline constexpr TextField kind{"kind"};
inline constexpr TextField file{"file"};
inline constexpr WordField<MeshFormat> format{"format"};
inline constexpr NumberField unitM{"unitM", 0.0, maxNumber, true, false};
inline constexpr WordField<UpAxis> upAxis{"upAxis"};
inline constexpr IntegerField material{"material", 0, 65534};
inline constexpr Field materials{"materials"};
inline constexpr FlagField textures{"textures"};
inline constexpr NumberField alphaThreshold{"alphaThreshold", 0.0, 1.0, false, false};
}  // namespace meshSource
namespace boxSource {
inline constexpr TextField kind{"kind"};
inline constexpr NumbersField sizeM{{"sizeM", 0.0, maxNumber, true, false}, 3, 3};
inline constexpr IntegerField material{"material", 0, 65534};
}  // namespace boxSource
namespace sphereSource {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField radiusM{"radiusM", 0.0, maxNumber, true, false};
inline constexpr IntegerField rings{"rings", 2, 65536};
inline constexpr IntegerField material{"material", 0, 65534};
}  // namespace sphereSource
namespace cylinderSource {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField radiusM{"radiusM", 0.0, maxNumber, true, false};
inline constexpr NumberField heightM{"heightM", 0.0, maxNumber, true, false};
inline constexpr IntegerField sides{"sides", 3, 65536};
inline constexpr FlagField caps{"caps"};
inline constexpr IntegerField material{"material", 0, 65534};
}  // namespace cylinderSource
namespace planeSource {
inline constexpr TextField kind{"kind"};
inline constexpr NumbersField sizeM{{"sizeM", 0.0, maxNumber, true, false}, 2, 2};
inline constexpr IntegerField divisions{"divisions", 1, 65536};
inline constexpr IntegerField material{"material", 0, 65534};
}  // namespace planeSource
namespace plantSource {
inline constexpr TextField kind{"kind"};
inline constexpr Field plant{"plant"};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr Field materials{"materials"};
}  // namespace plantSource
namespace heightFieldSource {
inline constexpr TextField kind{"kind"};
inline constexpr IntegerField columns{"columns", 2, 65536};
inline constexpr IntegerField rows{"rows", 2, 65536};
inline constexpr NumbersField originM{{"originM", -maxNumber, maxNumber, false, false}, 2, 2};
inline constexpr NumbersField stepM{{"stepM", 0.0, maxNumber, true, false}, 2, 2};
inline constexpr IntegerField material{"material", 0, 65534};
}  // namespace heightFieldSource
namespace instance {
inline constexpr IntegerField id{"id", 1, 4294967295};
inline constexpr TextField name{"name"};
inline constexpr IntegerField class_{"class", 0, 65534};
inline constexpr IntegerField model{"model", 0, 65534};
inline constexpr NumbersField positionM{{"positionM", -maxNumber, maxNumber, false, false}, 3, 3};
inline constexpr FlagField onGround{"onGround"};
inline constexpr NumbersField rotation{{"rotation", -maxNumber, maxNumber, false, false}, 4, 4};
inline constexpr NumberField scale{"scale", 0.0, maxNumber, true, false};
}  // namespace instance
namespace scatter {
inline constexpr IntegerField firstId{"firstId", 1, 4294967295};
inline constexpr TextField name{"name"};
inline constexpr IntegerField class_{"class", 0, 65534};
inline constexpr IntegerField model{"model", 0, 65534};
inline constexpr IntegerField count{"count", 0, 4294967295};
inline constexpr WordField<ScatterPattern> pattern{"pattern"};
inline constexpr NumberField minSpacingM{"minSpacingM", 0.0, maxNumber, false, false};
inline constexpr ListField areaM{"areaM", 3, SIZE_MAX};
inline constexpr NumbersField yawRad{{"yawRad", -maxNumber, maxNumber, false, false}, 2, 2};
inline constexpr NumbersField scale{{"scale", 0.0, maxNumber, true, false}, 2, 2};
inline constexpr NumbersField tiltRad{{"tiltRad", -maxNumber, maxNumber, false, false}, 2, 2};
inline constexpr ListField keepClear{"keepClear", 0, SIZE_MAX};
}  // namespace scatter
namespace keepClear {
inline constexpr NumbersField centreM{{"centreM", -maxNumber, maxNumber, false, false}, 2, 2};
inline constexpr NumberField radiusM{"radiusM", 0.0, maxNumber, true, false};
}  // namespace keepClear
namespace material {
inline constexpr TextField name{"name"};
inline constexpr Field reflectance{"reflectance"};
inline constexpr Field surface{"surface"};
inline constexpr Field transmittance{"transmittance"};
inline constexpr NumberField gapFraction{"gapFraction", 0.0, 1.0, false, false};
inline constexpr NumberField wetness{"wetness", 0.0, 1.0, false, false};
inline constexpr NumbersField colourRgb{{"colourRgb", 0.0, 1.0, false, false}, 3, 3};
}  // namespace material
namespace lambertian {
inline constexpr TextField kind{"kind"};
}  // namespace lambertian
namespace orenNayar {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField roughnessRad{"roughnessRad", 0.0, 1.6, false, false};
}  // namespace orenNayar
namespace mirrorSurface {
inline constexpr TextField kind{"kind"};
inline constexpr Field specularReflectance{"specularReflectance"};
}  // namespace mirrorSurface
namespace retroreflector {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField gain{"gain", 0.0, 1000000.0, false, false};
inline constexpr NumberField halfWidthRad{"halfWidthRad", 0.000001, 1.6, false, false};
}  // namespace retroreflector
namespace glass {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField refractiveIndex{"refractiveIndex", 1.0, 10.0, false, false};
inline constexpr Field absorptionPerM{"absorptionPerM"};
inline constexpr NumberField thicknessM{"thicknessM", 0.0, maxNumber, false, false};
}  // namespace glass
namespace water {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField refractiveIndex{"refractiveIndex", 1.0, 10.0, false, false};
inline constexpr Field absorptionPerM{"absorptionPerM"};
inline constexpr NumberField depthM{"depthM", 0.0, maxNumber, false, false};
}  // namespace water
namespace atmosphere {
inline constexpr NumberField visibilityKm{"visibilityKm", 0.0, 1000000.0, false, false};
inline constexpr WordField<VisibilityLaw> visibilityLaw{"visibilityLaw"};
inline constexpr NumberField rainMmPerH{"rainMmPerH", 0.0, 1000000.0, false, false};
inline constexpr NumberField extinctionPerM{"extinctionPerM", 0.0, 1000000.0, false, false};
}  // namespace atmosphere
namespace sensor {
inline constexpr TextField id{"id"};
inline constexpr IntegerField stream{"stream", 0, 4294967295};
inline constexpr TextField serial{"serial"};
inline constexpr Field scan{"scan"};
inline constexpr NumberField slotsPerSecond{"slotsPerSecond", 0.000001, maxNumber, false, false};
inline constexpr Field clock{"clock"};
inline constexpr ListField banks{"banks", 0, SIZE_MAX};
inline constexpr IntegersField slotPattern{{"slotPattern", 0, 4294967295}, 1, SIZE_MAX};
inline constexpr IntegersField deadRings{{"deadRings", 0, 65535}, 0, SIZE_MAX};
inline constexpr NumberField deadShare{"deadShare", 0.0, 1.0, false, false};
inline constexpr NumberField minRangeM{"minRangeM", 0.0, maxNumber, false, false};
inline constexpr NumberField maxRangeM{"maxRangeM", 0.0, maxNumber, false, false};
inline constexpr NumberField backfoldM{"backfoldM", 0.0, maxNumber, false, false};
inline constexpr NumberField wavelengthNm{"wavelengthNm", 1.0, maxNumber, false, false};
inline constexpr Field beam{"beam"};
inline constexpr WordField<Radiometry> radiometry{"radiometry"};
inline constexpr Field returns{"returns"};
inline constexpr Field noise{"noise"};
inline constexpr Field intensity{"intensity"};
inline constexpr Field quantisation{"quantisation"};
}  // namespace sensor
namespace spinning {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField rateHz{"rateHz", 0.000001, maxNumber, false, false};
inline constexpr WordField<TurnDirection> direction{"direction"};
}  // namespace spinning
namespace sweep {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField rateHz{"rateHz", 0.000001, maxNumber, false, false};
inline constexpr NumberField minAzimuthRad{"minAzimuthRad", -100.0, maxNumber, false, false};
inline constexpr NumberField maxAzimuthRad{"maxAzimuthRad", -100.0, maxNumber, false, false};
inline constexpr IntegerField slotsPerScan{"slotsPerScan", 1, 9007199254740991};
inline constexpr NumberField activeShare{"activeShare", 0.0, 1.0, true, false};
}  // namespace sweep
namespace mirrorScan {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField rateHz{"rateHz", 0.000001, maxNumber, false, false};
inline constexpr NumberField minAngleRad{"minAngleRad", -100.0, maxNumber, false, false};
inline constexpr NumberField maxAngleRad{"maxAngleRad", -100.0, maxNumber, false, false};
inline constexpr IntegerField slotsPerScan{"slotsPerScan", 1, 9007199254740991};
inline constexpr NumberField activeShare{"activeShare", 0.0, 1.0, true, false};
}  // namespace mirrorScan
namespace panorama {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField rateHz{"rateHz", 0.000001, maxNumber, false, false};
inline constexpr NumberField pulseRateHz{"pulseRateHz", 0.001, maxNumber, false, false};
inline constexpr NumberField linesPerSecond{"linesPerSecond", 0.000001, maxNumber, false, false};
inline constexpr NumberField activeShare{"activeShare", 0.0, 1.0, true, false};
inline constexpr NumberField minElevationRad{"minElevationRad", -100.0, maxNumber, false, false};
inline constexpr NumberField maxElevationRad{"maxElevationRad", -100.0, maxNumber, false, false};
inline constexpr NumberField fromRad{"fromRad", -100.0, maxNumber, false, false};
inline constexpr NumberField toRad{"toRad", -100.0, maxNumber, false, false};
inline constexpr IntegerField firstSlot{"firstSlot", 0, 9007199254740991};
}  // namespace panorama
namespace image {
inline constexpr TextField kind{"kind"};
inline constexpr NumberField rateHz{"rateHz", 0.000001, maxNumber, false, false};
inline constexpr IntegerField columns{"columns", 1, 9007199254740991};
inline constexpr IntegerField rows{"rows", 1, 9007199254740991};
inline constexpr NumberField horizontalFovRad{"horizontalFovRad", 1e-9, 3.141592653589793, false, true};
}  // namespace image
namespace clock {
inline constexpr IntegerField phaseNs{"phaseNs", 0, 9007199254740991};
inline constexpr IntegerField offsetNs{"offsetNs", -9007199254740991, 9007199254740991};
inline constexpr NumberField driftPpm{"driftPpm", -100000.0, maxNumber, false, false};
}  // namespace clock
namespace bank {
inline constexpr NumbersField elevationsRad{{"elevationsRad", -maxNumber, maxNumber, false, false}, 1, SIZE_MAX};
inline constexpr IntegersField rings{{"rings", 0, 65535}, 1, SIZE_MAX};
inline constexpr NumbersField azimuthOffsetsRad{{"azimuthOffsetsRad", -maxNumber, maxNumber, false, false}, 0, SIZE_MAX};
inline constexpr IntegersField firingOffsetsNs{{"firingOffsetsNs", -9007199254740991, 9007199254740991}, 0, SIZE_MAX};
inline constexpr NumbersField rangeOffsetsM{{"rangeOffsetsM", -maxNumber, maxNumber, false, false}, 0, SIZE_MAX};
inline constexpr NumbersField horizontalOffsetsM{{"horizontalOffsetsM", -maxNumber, maxNumber, false, false}, 0, SIZE_MAX};
inline constexpr NumbersField verticalOffsetsM{{"verticalOffsetsM", -maxNumber, maxNumber, false, false}, 0, SIZE_MAX};
}  // namespace bank
namespace beam {
inline constexpr WordField<SpotShape> shape{"shape"};
inline constexpr NumberField divergenceHorizontalRad{"divergenceHorizontalRad", 0.0, maxNumber, false, false};
inline constexpr NumberField divergenceVerticalRad{"divergenceVerticalRad", 0.0, maxNumber, false, false};
inline constexpr NumberField apertureHorizontalM{"apertureHorizontalM", 0.0, maxNumber, false, false};
inline constexpr NumberField apertureVerticalM{"apertureVerticalM", 0.0, maxNumber, false, false};
inline constexpr WordField<StencilKind> stencil{"stencil"};
inline constexpr Field rays{"rays"};
}  // namespace beam
namespace beamRays {
inline constexpr IntegerField count{"count", 1, 65536};
inline constexpr Field profile{"profile"};
inline constexpr WordField<RaySampling> sampling{"sampling"};
inline constexpr FlagField dither{"dither"};
}  // namespace beamRays
namespace returns {
inline constexpr WordField<ReturnMode> mode{"mode"};
inline constexpr NumberField signalCutoffM{"signalCutoffM", 0.0, maxNumber, false, false};
inline constexpr FlagField window{"window"};
inline constexpr NumberField rangeResolutionM{"rangeResolutionM", 0.0, maxNumber, false, false};
inline constexpr IntegerField maxReturns{"maxReturns", 1, 16};
inline constexpr NumberField detectionThreshold{"detectionThreshold", 0.0, maxNumber, false, false};
inline constexpr Field detection{"detection"};
inline constexpr NumberField detectionFalloff{"detectionFalloff", 0.0, maxNumber, false, false};
inline constexpr Field gate{"gate"};
inline constexpr Field waveform{"waveform"};
}  // namespace returns
namespace detection {
inline constexpr NumberField reflectance{"reflectance", 0.0, 1000000.0, true, false};
inline constexpr NumberField rangeM{"rangeM", 0.0, maxNumber, true, false};
inline constexpr NumberField probability{"probability", 0.05, 0.9999, false, false};
inline constexpr NumberField falseAlarmsPerPulse{"falseAlarmsPerPulse", 0.0, 1.0, false, false};
}  // namespace detection
namespace gate {
inline constexpr NumberField fullToM{"fullToM", 0.0, maxNumber, false, false};
inline constexpr NumberField noneBeyondM{"noneBeyondM", 0.0, maxNumber, false, false};
inline constexpr NumberField reflectanceNear{"reflectanceNear", 0.0, maxNumber, false, false};
inline constexpr NumberField reflectanceFar{"reflectanceFar", 0.0, maxNumber, false, false};
}  // namespace gate
namespace waveform {
inline constexpr NumberField binNs{"binNs", 0.000001, maxNumber, false, false};
inline constexpr NumberField pulseWidthNs{"pulseWidthNs", 0.000001, maxNumber, false, false};
}  // namespace waveform
namespace noise {
inline constexpr NumberField laserBiasSigmaM{"laserBiasSigmaM", 0.0, maxNumber, false, false};
inline constexpr NumberField rangeSigmaM{"rangeSigmaM", 0.0, maxNumber, false, false};
inline constexpr NumberField incidenceSigmaM{"incidenceSigmaM", 0.0, maxNumber, false, false};
inline constexpr NumberField rangeSigmaPerM{"rangeSigmaPerM", 0.0, maxNumber, false, false};
inline constexpr NumberField signalSigmaM{"signalSigmaM", 0.0, maxNumber, false, false};
inline constexpr NumberField limitSigmaM{"limitSigmaM", 0.0, maxNumber, false, false};
inline constexpr NumberField pointingSigmaRad{"pointingSigmaRad", 0.0, maxNumber, false, false};
inline constexpr NumberField dropOutShare{"dropOutShare", 0.0, maxNumber, false, false};
inline constexpr NumberField mountPositionSigmaM{"mountPositionSigmaM", 0.0, maxNumber, false, false};
inline constexpr NumberField mountAngleSigmaRad{"mountAngleSigmaRad", 0.0, maxNumber, false, false};
}  // namespace noise
namespace intensity {
inline constexpr ListField scale{"scale", 0, SIZE_MAX};
inline constexpr NumberField noiseSigma{"noiseSigma", 0.0, maxNumber, false, false};
inline constexpr NumberField noiseShare{"noiseShare", 0.0, maxNumber, false, false};
inline constexpr NumberField saturation{"saturation", 0.0, maxNumber, true, false};
inline constexpr NumberField step{"step", 0.0, maxNumber, false, false};
}  // namespace intensity
namespace quantisation {
inline constexpr NumberField rangeM{"rangeM", 0.0, maxNumber, false, false};
inline constexpr NumberField azimuthRad{"azimuthRad", 0.0, maxNumber, false, false};
}  // namespace quantisation
namespace grassPatch {
inline constexpr IntegerField understoryPlant{"understoryPlant", 1, 1};
inline constexpr TextField id{"id"};
inline constexpr TextField name{"name"};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr TextField generator{"generator"};
inline constexpr IntegerField blades{"blades", 1, 10000};
inline constexpr NumberField patchRadiusM{"patchRadiusM", 0.0, 1000000000.0, true, false};
inline constexpr NumbersField heightM{{"heightM", -1000000000.0, 1000000000.0, false, false}, 2, 2};
inline constexpr NumbersField widthM{{"widthM", -1000000000.0, 1000000000.0, false, false}, 2, 2};
inline constexpr NumbersField leanDeg{{"leanDeg", -1000000000.0, 1000000000.0, false, false}, 2, 2};
inline constexpr NumbersField bendDeg{{"bendDeg", -1000000000.0, 1000000000.0, false, false}, 2, 2};
inline constexpr IntegerField segments{"segments", 1, 256};
inline constexpr NumberField foldDeg{"foldDeg", 0.0, 90.0, false, false};
inline constexpr TextField material{"material"};
}  // namespace grassPatch
namespace tree {
inline constexpr IntegerField understoryPlant{"understoryPlant", 1, 1};
inline constexpr TextField id{"id"};
inline constexpr TextField name{"name"};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr TextField generator{"generator"};
inline constexpr NumberField heightM{"heightM", 0.0, 1000000000.0, true, false};
inline constexpr NumberField crownBaseM{"crownBaseM", 0.0, 1000000000.0, false, false};
inline constexpr WordField<CrownShape> crownShape{"crownShape"};
inline constexpr Field trunk{"trunk"};
inline constexpr NumberField ratioPower{"ratioPower", 0.0, 1000000000.0, true, false};
inline constexpr NumberField attractionUp{"attractionUp", -1000000000.0, 1000000000.0, false, false};
inline constexpr ListField levels{"levels", 1, 4};
inline constexpr Field leaves{"leaves"};
inline constexpr TextField barkMaterial{"barkMaterial"};
}  // namespace tree
namespace treeTrunk {
inline constexpr NumberField radiusM{"radiusM", 0.0, 1000000000.0, true, false};
inline constexpr NumberField flare{"flare", 0.0, 1000000000.0, false, false};
inline constexpr NumberField curveDeg{"curveDeg", -1000000000.0, 1000000000.0, false, false};
inline constexpr NumberField curveVariationDeg{"curveVariationDeg", 0.0, 1000000000.0, false, false};
inline constexpr IntegerField segments{"segments", 1, 64};
inline constexpr IntegerField sides{"sides", 3, 64};
}  // namespace treeTrunk
namespace branch {
inline constexpr IntegerField branches{"branches", 1, 2000};
inline constexpr NumberField lengthRatio{"lengthRatio", 0.0, 1000000000.0, true, false};
inline constexpr NumberField lengthVariation{"lengthVariation", 0.0, 1.0, false, false};
inline constexpr NumberField downAngleDeg{"downAngleDeg", -1000000000.0, 1000000000.0, false, false};
inline constexpr NumberField downAngleVariationDeg{"downAngleVariationDeg", -1000000000.0, 1000000000.0, false, false};
inline constexpr NumberField rotateDeg{"rotateDeg", -1000000000.0, 1000000000.0, false, false};
inline constexpr NumberField rotateVariationDeg{"rotateVariationDeg", 0.0, 1000000000.0, false, false};
inline constexpr NumberField curveDeg{"curveDeg", -1000000000.0, 1000000000.0, false, false};
inline constexpr NumberField curveVariationDeg{"curveVariationDeg", 0.0, 1000000000.0, false, false};
inline constexpr IntegerField segments{"segments", 1, 64};
inline constexpr IntegerField sides{"sides", 3, 64};
}  // namespace branch
namespace shrub {
inline constexpr IntegerField understoryPlant{"understoryPlant", 1, 1};
inline constexpr TextField id{"id"};
inline constexpr TextField name{"name"};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr TextField generator{"generator"};
inline constexpr NumberField heightM{"heightM", 0.0, 1000000000.0, true, false};
inline constexpr NumberField crownRadiusM{"crownRadiusM", 0.0, 1000000000.0, true, false};
inline constexpr NumberField crownBaseM{"crownBaseM", 0.0, 1000000000.0, false, false};
inline constexpr Field trunk{"trunk"};
inline constexpr IntegerField stems{"stems", 1, 500};
inline constexpr NumberField stemRadiusM{"stemRadiusM", 0.0, 1000000000.0, true, false};
inline constexpr IntegerField twigsPerStem{"twigsPerStem", 1, 200};
inline constexpr NumberField twigLengthM{"twigLengthM", 0.0, 1000000000.0, true, false};
inline constexpr NumberField shellShare{"shellShare", 0.0, 1.0, false, false};
inline constexpr Field leaves{"leaves"};
inline constexpr TextField barkMaterial{"barkMaterial"};
}  // namespace shrub
namespace shrubTrunk {
inline constexpr NumberField radiusM{"radiusM", 0.0, 1000000000.0, true, false};
inline constexpr NumberField heightM{"heightM", 0.0, 1000000000.0, true, false};
}  // namespace shrubTrunk
namespace leaves {
inline constexpr IntegerField perTwig{"perTwig", 1, 1000};
inline constexpr NumberField lengthM{"lengthM", 0.0, 1000000000.0, true, false};
inline constexpr NumberField widthM{"widthM", 0.0, 1000000000.0, true, false};
inline constexpr IntegerField triangles{"triangles", 4, 64};
inline constexpr NumberField bendDeg{"bendDeg", -1000000000.0, 1000000000.0, false, false};
inline constexpr WordField<LeafAngleLaw> angles{"angles"};
inline constexpr ListField areaDensity{"areaDensity", 2, SIZE_MAX};
inline constexpr TextField material{"material"};
}  // namespace leaves
namespace sceneRequest {
inline constexpr Field recipe{"recipe"};
inline constexpr IntegerField memoryLimitBytes{"memoryLimitBytes", 0, 9007199254740991};
}  // namespace sceneRequest
namespace instancesRequest {
inline constexpr IntegerField fromRow{"fromRow", 0, 9007199254740991};
inline constexpr IntegerField maxRows{"maxRows", 1, 9007199254740991};
}  // namespace instancesRequest
namespace heightRequest {
inline constexpr NumberField xM{"xM", -maxNumber, maxNumber, false, false};
inline constexpr NumberField yM{"yM", -maxNumber, maxNumber, false, false};
}  // namespace heightRequest
namespace meshRequest {
inline constexpr IntegerField model{"model", 0, 9007199254740991};
inline constexpr IntegerField maxTriangles{"maxTriangles", 50, 9007199254740991};
}  // namespace meshRequest
namespace raysRequest {
inline constexpr Field sensor{"sensor"};
inline constexpr IntegerField fromNs{"fromNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField toNs{"toNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField chunkPulses{"chunkPulses", 1, 1048576};
}  // namespace raysRequest
namespace intervalRequest {
inline constexpr Field sensor{"sensor"};
inline constexpr IntegerField fromNs{"fromNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField toNs{"toNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField chunkPulses{"chunkPulses", 1, 1048576};
inline constexpr FlagField misses{"misses"};
}  // namespace intervalRequest
namespace scanRequest {
inline constexpr Field sensor{"sensor"};
inline constexpr IntegerField fromNs{"fromNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField toNs{"toNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField chunkPulses{"chunkPulses", 1, 1048576};
inline constexpr FlagField misses{"misses"};
inline constexpr WordsField<ReturnColumn> columns{"columns"};
inline constexpr WordsField<ReturnColumn> hashColumns{"hashColumns"};
inline constexpr ListField packed{"packed", 0, 8};
inline constexpr Field sample{"sample"};
}  // namespace scanRequest
namespace sample {
inline constexpr WordsField<ReturnColumn> columns{"columns"};
inline constexpr IntegerField maxRows{"maxRows", 1, 16777216};
}  // namespace sample
namespace renderRequest {
inline constexpr NumbersField positionM{{"positionM", -maxNumber, maxNumber, false, false}, 3, 3};
inline constexpr NumberField yawRad{"yawRad", -maxNumber, maxNumber, false, false};
inline constexpr NumberField pitchRad{"pitchRad", -maxNumber, maxNumber, false, false};
inline constexpr NumberField verticalFovRad{"verticalFovRad", -maxNumber, maxNumber, false, false};
inline constexpr IntegerField widthPx{"widthPx", 1, 16384};
inline constexpr IntegerField heightPx{"heightPx", 1, 16384};
inline constexpr IntegerField samplesPerPixel{"samplesPerPixel", 1, 4096};
inline constexpr NumberField orthographicHeightM{"orthographicHeightM", 0.0, maxNumber, false, false};
}  // namespace renderRequest
namespace describeRequest {
inline constexpr Field sensor{"sensor"};
inline constexpr NumberField rangeM{"rangeM", 0.0, maxNumber, true, false};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField beamPulses{"beamPulses", 1, 1048576};
}  // namespace describeRequest
namespace benchRawRequest {
inline constexpr Field sensor{"sensor"};
inline constexpr IntegerField fromNs{"fromNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField toNs{"toNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField chunkPulses{"chunkPulses", 1, 1048576};
inline constexpr FlagField misses{"misses"};
inline constexpr WordsField<ReturnColumn> columns{"columns"};
inline constexpr WordsField<ReturnColumn> hashColumns{"hashColumns"};
inline constexpr ListField packed{"packed", 0, 8};
inline constexpr Field sample{"sample"};
inline constexpr TextsField packings{"packings"};
}  // namespace benchRawRequest
namespace rowTemplate {
inline constexpr IntegerField rowBytes{"rowBytes", 1, 1024};
inline constexpr ListField fields{"fields", 0, SIZE_MAX};
inline constexpr ListField patches{"patches", 0, SIZE_MAX};
inline constexpr IntegerField beforeBytes{"beforeBytes", 0, 9007199254740991};
inline constexpr IntegerField afterBytes{"afterBytes", 0, 9007199254740991};
inline constexpr Field grid{"grid"};
inline constexpr FlagField misses{"misses"};
}  // namespace rowTemplate
namespace packedField {
inline constexpr WordField<ReturnColumn> column{"column"};
inline constexpr IntegerField offset{"offset", 0, 9007199254740991};
inline constexpr WordField<Packing> how{"how"};
inline constexpr IntegerField base{"base", 0, 9007199254740991};
inline constexpr NumberField factor{"factor", -maxNumber, maxNumber, false, false};
inline constexpr NumberField plus{"plus", -maxNumber, maxNumber, false, false};
inline constexpr WordField<ColumnType> type{"type"};
}  // namespace packedField
namespace headPatch {
inline constexpr IntegerField at{"at", 0, 9007199254740991};
inline constexpr IntegerField bytes{"bytes", 4, 8};
inline constexpr IntegerField plus{"plus", 0, 9007199254740991};
inline constexpr IntegerField perRow{"perRow", 0, 9007199254740991};
}  // namespace headPatch
namespace rowGrid {
inline constexpr IntegerField rows{"rows", 1, 1048576};
inline constexpr IntegerField columns{"columns", 1, 1048576};
inline constexpr IntegersField cells{{"cells", 0, 4294967295}, 1, 1048576};
}  // namespace rowGrid
namespace signalRequest {
inline constexpr Field sensor{"sensor"};
inline constexpr IntegerField fromNs{"fromNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField toNs{"toNs", -9007199254740991, 9007199254740991};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField pulse{"pulse", 0, 9007199254740991};
}  // namespace signalRequest
namespace learnedHeader {
inline constexpr IntegerField version{"version", 1, 1};
inline constexpr WordField<LearnedKind> kind{"kind"};
inline constexpr IntegerField elements{"elements", 0, 4294967294};
inline constexpr IntegerField surfaceVertices{"surfaceVertices", 0, 4294967294};
inline constexpr IntegerField points{"points", 0, 4294967294};
inline constexpr NumbersField originM{{"originM", -maxNumber, maxNumber, false, false}, 3, 3};
inline constexpr TextField crs{"crs"};
inline constexpr WordField<CountingRule> counting{"counting"};
inline constexpr NumberField mahalanobisLimit{"mahalanobisLimit", 0.0, 100.0, true, false};
inline constexpr NumberField surfaceSigmaM{"surfaceSigmaM", 0.0, maxNumber, false, false};
inline constexpr NumberField incidenceSigmaM{"incidenceSigmaM", 0.0, maxNumber, false, false};
inline constexpr NumberField pointRadiusM{"pointRadiusM", 0.0, maxNumber, true, false};
inline constexpr Field sensor{"sensor"};
inline constexpr TextField reflectanceScale{"reflectanceScale"};
inline constexpr TextsField classes{"classes"};
inline constexpr TextsField logHashes{"logHashes"};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr TextField engine{"engine"};
inline constexpr Field parameters{"parameters"};
}  // namespace learnedHeader
namespace learnedSensor {
inline constexpr TextField id{"id"};
inline constexpr NumberField minRangeM{"minRangeM", 0.0, maxNumber, false, false};
inline constexpr NumberField maxRangeM{"maxRangeM", 0.0, maxNumber, false, false};
inline constexpr Field detection{"detection"};
}  // namespace learnedSensor
namespace learnRequest {
inline constexpr TextsField logs{"logs"};
inline constexpr TextField out{"out"};
inline constexpr WordField<LearnedKind> model{"model"};
inline constexpr Field parameters{"parameters"};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField memoryLimitBytes{"memoryLimitBytes", 0, 9007199254740991};
}  // namespace learnRequest
namespace learnParameters {
inline constexpr Field volume{"volume"};
inline constexpr Field surface{"surface"};
inline constexpr Field classifier{"classifier"};
}  // namespace learnParameters
namespace volumeParameters {
inline constexpr WordField<CountingRule> counting{"counting"};
inline constexpr NumberField voxelM{"voxelM", 0.001, 100.0, false, false};
inline constexpr FlagField choosesVoxel{"choosesVoxel"};
inline constexpr IntegerField minPoints{"minPoints", 1, 1000000};
inline constexpr NumberField mahalanobisLimit{"mahalanobisLimit", 0.5, 10.0, false, false};
inline constexpr NumberField minSigmaM{"minSigmaM", 0.00001, 1.0, false, false};
inline constexpr IntegerField means{"means", 2, 200};
inline constexpr IntegerField stopPoints{"stopPoints", 1, 1000000};
inline constexpr IntegerField restarts{"restarts", 1, 100};
}  // namespace volumeParameters
namespace surfaceParameters {
inline constexpr NumberField gridM{"gridM", 0.001, 100.0, false, false};
inline constexpr NumberField kernelM{"kernelM", 0.001, 100.0, false, false};
inline constexpr NumberField hitOffsetM{"hitOffsetM", 0.001, 100.0, false, false};
inline constexpr NumberField pointRadiusM{"pointRadiusM", 0.001, 100.0, false, false};
}  // namespace surfaceParameters
namespace classifierParameters {
inline constexpr FlagField isLearned{"isLearned"};
inline constexpr NumberField radiusM{"radiusM", 0.001, 100.0, false, false};
inline constexpr NumberField defaultSphericity{"defaultSphericity", 0.0, 1.0, false, false};
inline constexpr IntegerField minNeighbours{"minNeighbours", 1, 1000000};
inline constexpr IntegerField filterNeighbours{"filterNeighbours", 1, 64};
inline constexpr NumberField filterRadiusM{"filterRadiusM", 0.001, 100.0, false, false};
inline constexpr NumberField distanceWeight{"distanceWeight", 0.0, 1000.0, false, false};
inline constexpr NumberField scoreWeight{"scoreWeight", 0.0, 1000.0, false, false};
inline constexpr NumberField volumeSphericity{"volumeSphericity", 0.0, 1.0, false, false};
}  // namespace classifierParameters
namespace evaluateRequest {
inline constexpr TextField model{"model"};
inline constexpr TextField log{"log"};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField maxPoints{"maxPoints", 0, 1000000};
inline constexpr IntegerField memoryLimitBytes{"memoryLimitBytes", 0, 9007199254740991};
}  // namespace evaluateRequest
namespace compareRequest {
inline constexpr TextsField logs{"logs"};
inline constexpr IntegerField memoryLimitBytes{"memoryLimitBytes", 0, 9007199254740991};
}  // namespace compareRequest
namespace cloudRequest {
inline constexpr TextField log{"log"};
inline constexpr IntegerField maxPoints{"maxPoints", 0, 2000000};
inline constexpr IntegerField memoryLimitBytes{"memoryLimitBytes", 0, 9007199254740991};
}  // namespace cloudRequest
namespace elementsRequest {
inline constexpr TextField model{"model"};
inline constexpr IntegerField maxElements{"maxElements", 0, 1000000};
inline constexpr IntegerField maxTriangles{"maxTriangles", 0, 1000000};
inline constexpr IntegerField maxPoints{"maxPoints", 0, 2000000};
inline constexpr NumbersField eyeM{{"eyeM", -maxNumber, maxNumber, false, false}, 3, 3};
inline constexpr IntegerField memoryLimitBytes{"memoryLimitBytes", 0, 9007199254740991};
}  // namespace elementsRequest
namespace sampleRequest {
inline constexpr TextField model{"model"};
inline constexpr TextField log{"log"};
inline constexpr IntegerField maxPoints{"maxPoints", 0, 2000000};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField memoryLimitBytes{"memoryLimitBytes", 0, 9007199254740991};
}  // namespace sampleRequest
namespace placeRequest {
inline constexpr TextsField models{"models"};
inline constexpr TextField log{"log"};
inline constexpr NumbersField placeM{{"placeM", -maxNumber, maxNumber, false, false}, 3, 3};
inline constexpr NumberField radiusM{"radiusM", 0.001, 10.0, false, false};
inline constexpr NumberField windowM{"windowM", 0.01, 100.0, false, false};
inline constexpr IntegerField bins{"bins", 2, 1000};
inline constexpr IntegerField draws{"draws", 1, 10000000};
inline constexpr IntegerField seed{"seed", 0, 9007199254740991};
inline constexpr IntegerField memoryLimitBytes{"memoryLimitBytes", 0, 9007199254740991};
}  // namespace placeRequest
}  // namespace fields

}  // namespace understory
