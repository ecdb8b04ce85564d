// A sensor as the tracer takes it: pure data in SI units (src-main/contract/worker/recipe.ts, SensorRecipe). What a
// sensor does not have stays at its default.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "contract/contract.h"
#include "core/sensor/overlap.h"
#include "core/sensor/panorama.h"

namespace understory {

// NamedProfile, or a table.
enum class BeamProfile { uniform, gaussian, tabulated };

// N rays instead of a stencil's nine.
struct BeamRays {
  std::size_t count = 1;
  BeamProfile profile = BeamProfile::uniform;
  std::vector<std::array<double, 2>> table;  // distance in half divergences, irradiance
  bool isRandom = false;                     // drawn for each pulse; otherwise stratified
  bool isDithered = false;  // stratified, but drawn for each pulse within the strata
};

struct BeamRecipe {
  SpotShape shape = SpotShape::circular;
  double divergenceHorizontalRad = 0.0;  // full angle
  double divergenceVerticalRad = 0.0;
  StencilKind stencil = StencilKind::moment;
  BeamRays rays{};                   // with StencilKind::rays
  double apertureHorizontalM = 0.0;  // full size of the spot at the window, as of the divergence
  double apertureVerticalM = 0.0;
  Overlap overlap{};  // of beam and receiver
};

// Least reflectance that returns, by distance (Gschwandtner 2011, figure 2b).
struct ReflectanceGate {
  double fullToM = 0.0;
  double noneBeyondM = 0.0;
  double reflectanceNear = 0.0;
  double reflectanceFar = 0.0;
};

struct WaveformRecipe {
  double binNs = 1.0;
  double pulseWidthNs = 1.0;  // full width at half maximum
};

// A detection limit as a data sheet states it (core/returns/detection.h).
struct DetectionRecipe {
  double reflectance = 0.0;  // head on, filling the spot, in clear air
  double rangeM = 0.0;
  double probability = 0.5;  // with which that target is detected
  double falseAlarmsPerPulse = 1e-6;
};

struct ReturnsRecipe {
  ReturnMode mode = ReturnMode::strongest;
  double signalCutoffM = 0.0;
  bool isWindowed = false;  // average in strongest and last too
  double rangeResolutionM = 0.0;
  std::size_t maxReturns = 3;       // with ReturnMode::all
  double detectionThreshold = 0.0;  // least signal S of an echo, in 1/m^2
  std::optional<DetectionRecipe> detection{};
  double detectionFalloff = 0.0;  // exponent by which signals count less than by 1/R^2 at the limit
  std::optional<ReflectanceGate> gate{};
  std::optional<WaveformRecipe> waveform{};
};

// Standard deviations; 0 switches a part off.
struct NoiseRecipe {
  double laserBiasSigmaM = 0.0;
  double rangeSigmaM = 0.0;
  double incidenceSigmaM = 0.0;
  double rangeSigmaPerM = 0.0;
  double signalSigmaM = 0.0;
  double pointingSigmaRad = 0.0;
  double dropOutShare = 0.0;
  double mountPositionSigmaM = 0.0;  // of the unit, unknown to it: along each axis
  double mountAngleSigmaRad = 0.0;   // about each axis
  double limitSigmaM = 0.0;          // of a return with the signal of the detection limit
};

// The receiver's changes of an intensity; 0 switches a part off.
struct IntensityRecipe {
  double noiseSigma = 0.0;  // standard deviation, in the unit of intensities
  double noiseShare = 0.0;  // standard deviation, times the intensity
  double saturation = 0.0;  // greatest that is reported
  double step = 0.0;
  std::vector<std::array<double, 2>> scale{};  // signal times R^2, reported; empty: as they are
};

// Lasers that fire together.
struct LaserBank {
  std::vector<double> elevationsRad;
  std::vector<std::uint16_t> rings;           // rank by elevation over all banks, from 0
  std::vector<double> azimuthOffsetsRad;      // by laser, or empty
  std::vector<std::int64_t> firingOffsetsNs;  // by laser, or empty
  std::vector<double> rangeOffsetsM;          // by laser, or empty: added to reported ranges
  std::vector<double> horizontalOffsetsM;     // by laser, or empty: lever arms, to the left
  std::vector<double> verticalOffsetsM;       // by laser, or empty: upwards, across the pulse
};

struct SensorClock {
  std::int64_t phaseNs = 0;   // time of slot 0
  std::int64_t offsetNs = 0;  // what a stamp adds to simulated time
  double driftPpm = 0.0;
};

struct SensorRecipe {
  std::string id;
  std::string serial;          // of the unit: the key of what is drawn once for it (serial.h)
  std::uint32_t stream = 0;    // part of the key of its random numbers
  double rateHz = 0.0;         // revolutions, scans, images or panoramas per second
  bool isTurning = true;       // a whole turn without end; otherwise scans of slotsPerScan slots
  bool isClockwise = false;    // of heads that turn, seen from above
  bool isMirrored = false;     // azimuths are angles of a mirror that the lasers look at
  bool isInstant = false;      // all slots of a scan fire at once: the columns of a pinhole image
  double minAzimuthRad = 0.0;  // of scans from one azimuth to another
  double maxAzimuthRad = 0.0;
  std::uint64_t slotsPerScan = 1;
  double activeShare = 1.0;       // of the time of such a scan: its slots are fired in it
  double horizontalFovRad = 0.0;  // of an image
  std::optional<Panorama> panorama{};
  double slotsPerSecond = 0.0;
  SensorClock clock;
  std::vector<LaserBank> banks;
  std::vector<std::uint32_t> slotPattern;  // bank by slot, repeated without end
  std::vector<std::uint16_t> deadRings;    // lasers that return nothing
  double deadShare = 0.0;                  // of the lasers, drawn for the serial
  double minRangeM = 0.0;
  double maxRangeM = 0.0;
  double backfoldM = 0.0;  // 0: none
  double wavelengthNm = 905.0;
  BeamRecipe beam;
  Radiometry radiometry = Radiometry::relative;
  ReturnsRecipe returns;
  NoiseRecipe noise;
  IntensityRecipe intensity;
  double rangeStepM = 0.0;      // 0: none
  double azimuthStepRad = 0.0;  // 0: none
};

// Reads the document strictly. Throws UnderstoryError 'bad-input' with the path of the first field that is missing,
// unknown or out of bounds.
SensorRecipe parseSensorRecipe(const nlohmann::json& json);

}  // namespace understory
