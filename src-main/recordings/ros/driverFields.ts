// The fields of the clouds that the ROS 2 drivers of real sensors publish, for programs that are written for them. A
// sensor file chooses one by its field `driver`; without it the fields are Velodyne's, which most programs read.
import type { Driver } from '#contract/documents/sensor.ts';
import type { CompiledSensor } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { CloudField, CloudLayout } from './cloudFields.ts';

/** Drivers give 0 to 255: the numbers of a sensor with a scale of its own; otherwise an intensity of 1 is 255. */
function intensityFactor({ intensity }: SensorRecipe): number {
  return intensity?.scale === undefined ? 255 : 1;
}

/** Intensities of drivers as floats: whole numbers, but for those of a scale of the sensor's own. */
function floatIntensity(recipe: SensorRecipe, offset: number): CloudField {
  const factor = intensityFactor(recipe);
  const step = recipe.intensity?.scale === undefined ? { step: 1 } : {};
  return scaled({ column: 'intensity', type: 'f32', offset, factor, ...step });
}

/**
 * Steps of coordinates, 2⁻¹⁴ m or 0.06 mm. Why: ranges of real sensors have steps of 1 to 5 mm. The bits of a float below that are
 * noise to a compressor, and take 2.1 bytes a return (RECORDING.md).
 */
export const coordinateStepM = 1 / 16384;

/** The layout of the clouds of a sensor's driver. */
export function driverLayout({
  driver = 'velodyne',
  recipe,
}: Pick<CompiledSensor, 'driver' | 'recipe'>): CloudLayout {
  return layouts[driver](recipe);
}

const layouts: Record<Driver, (recipe: SensorRecipe) => CloudLayout> = {
  velodyne,
  ouster,
  livox,
  robosense: (recipe) => stampedPoints(recipe, ringFromLowest),
  hesai: (recipe) => stampedPoints(recipe, ringFromHighest(recipe, 'ring')),
  autoware,
};

const points: CloudField[] = (['x', 'y', 'z'] as const).map((name, axis) =>
  scaled({
    column: `${name}_sensor_m`,
    name,
    type: 'f32',
    offset: 4 * axis,
    factor: 1,
    step: coordinateStepM,
  }),
);

/** velodyne_pointcloud, XYZIRT: rings from the lowest, `time` in seconds from the stamp. */
function velodyne(recipe: SensorRecipe): CloudLayout {
  return {
    fields: [
      ...points,
      floatIntensity(recipe, 12),
      { column: 'ring', name: 'ring', type: 'u16', offset: 16, from: 'value' },
      { column: 'time_ns', name: 'time', type: 'f32', offset: 20, from: 'seconds' },
    ],
    pointStep: 24,
  };
}

/**
 * ouster_ros, profile `original`: rings from the highest, `t` in nanoseconds from the stamp, `range` in millimetres.
 * Near infrared is not simulated: `ambient` is 0.
 */
function ouster(recipe: SensorRecipe): CloudLayout {
  const lastRing = ringsOf(recipe) - 1;
  const factor = intensityFactor(recipe);
  const reflectivity = { column: 'intensity', name: 'reflectivity', type: 'u16' } as const;
  return {
    fields: [
      ...points,
      floatIntensity(recipe, 12),
      { column: 'time_ns', name: 't', type: 'u32', offset: 16, from: 'difference' },
      scaled({ ...reflectivity, offset: 20, factor }),
      scaled({ column: 'ring', type: 'u16', offset: 22, factor: -1, plus: lastRing }),
      scaled({ column: 'range_m', name: 'range', type: 'u32', offset: 28, factor: 1000 }),
    ],
    zeros: [{ name: 'ambient', type: 'u16', offset: 24 }],
    pointStep: 32,
  };
}

/** livox_ros_driver2, PointXYZRTLT, packed: `line` is the laser, `timestamp` in nanoseconds of the stamp's clock. */
function livox(recipe: SensorRecipe): CloudLayout {
  return {
    fields: [
      ...points,
      floatIntensity(recipe, 12),
      scaled({ column: 'ring', name: 'line', type: 'u8', offset: 17, factor: 1 }),
      { column: 'time_ns', name: 'timestamp', type: 'f64', offset: 18, from: 'absolute' },
    ],
    zeros: [{ name: 'tag', type: 'u8', offset: 16 }],
    pointStep: 26,
  };
}

/** XYZIRT of rslidar_sdk and HesaiLidar_ROS_2.0, packed: `timestamp` in seconds of the stamp's clock. */
function stampedPoints(recipe: SensorRecipe, ring: Omit<CloudField, 'offset'>): CloudLayout {
  const time = { column: 'time_ns', name: 'timestamp', type: 'f64', from: 'absolute' } as const;
  return {
    fields: [
      ...points,
      floatIntensity(recipe, 12),
      { ...ring, offset: 16 },
      { ...time, offset: 18, factor: 1e-9 },
    ],
    pointStep: 26,
  };
}

const ringFromLowest = { column: 'ring', name: 'ring', type: 'u16', from: 'value' } as const;

function ringFromHighest(recipe: SensorRecipe, name: string): Omit<CloudField, 'offset'> {
  const plus = ringsOf(recipe) - 1;
  return { column: 'ring', name, type: 'u16', from: 'scaled', factor: -1, plus };
}

/**
 * Autoware, PointXYZIRCAEDT: channels from the highest, angles and distance of the pulse, `time_stamp` in nanoseconds from
 * the stamp. `return_type` is 0, unknown.
 */
function autoware(recipe: SensorRecipe): CloudLayout {
  const factor = intensityFactor(recipe);
  const value = { type: 'f32', from: 'value' } as const;
  return {
    fields: [
      ...points,
      scaled({ column: 'intensity', type: 'u8', offset: 12, factor }),
      { ...ringFromHighest(recipe, 'channel'), offset: 14 },
      { ...value, column: 'azimuth_rad', name: 'azimuth', offset: 16 },
      { ...value, column: 'elevation_rad', name: 'elevation', offset: 20 },
      { ...value, column: 'range_m', name: 'distance', offset: 24 },
      { column: 'time_ns', name: 'time_stamp', type: 'u32', offset: 28, from: 'difference' },
    ],
    zeros: [{ name: 'return_type', type: 'u8', offset: 13 }],
    pointStep: 32,
  };
}

/** The intensities of a LaserScan: as those of clouds. */
export function laserScanIntensity(recipe: SensorRecipe): CloudField {
  return floatIntensity(recipe, 0);
}

function scaled(
  field: Omit<CloudField, 'from' | 'name'> & { factor: number; name?: string },
): CloudField {
  return { name: field.column, ...field, from: 'scaled' };
}

/** Lasers of a sensor: rings count from 0. */
export function ringsOf({ banks }: Pick<SensorRecipe, 'banks'>): number {
  return banks.reduce((sum, { rings }) => sum + rings.length, 0);
}
