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

const points: CloudField[] = [
  { column: 'x_sensor_m', name: 'x', type: 'f32', offset: 0, from: 'value' },
  { column: 'y_sensor_m', name: 'y', type: 'f32', offset: 4, from: 'value' },
  { column: 'z_sensor_m', name: 'z', type: 'f32', offset: 8, from: 'value' },
];

/** velodyne_pointcloud, XYZIRT: rings from the lowest, `time` in seconds from the stamp. */
function velodyne(recipe: SensorRecipe): CloudLayout {
  const factor = intensityFactor(recipe);
  return {
    fields: [
      ...points,
      scaled({ column: 'intensity', type: 'f32', offset: 12, factor }),
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
      scaled({ column: 'intensity', type: 'f32', offset: 12, factor }),
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
  const factor = intensityFactor(recipe);
  return {
    fields: [
      ...points,
      scaled({ column: 'intensity', type: 'f32', offset: 12, factor }),
      scaled({ column: 'ring', name: 'line', type: 'u8', offset: 17, factor: 1 }),
      { column: 'time_ns', name: 'timestamp', type: 'f64', offset: 18, from: 'absolute' },
    ],
    zeros: [{ name: 'tag', type: 'u8', offset: 16 }],
    pointStep: 26,
  };
}

/** XYZIRT of rslidar_sdk and HesaiLidar_ROS_2.0, packed: `timestamp` in seconds of the stamp's clock. */
function stampedPoints(recipe: SensorRecipe, ring: Omit<CloudField, 'offset'>): CloudLayout {
  const factor = intensityFactor(recipe);
  const time = { column: 'time_ns', name: 'timestamp', type: 'f64', from: 'absolute' } as const;
  return {
    fields: [
      ...points,
      scaled({ column: 'intensity', type: 'f32', offset: 12, factor }),
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
  return scaled({ column: 'intensity', type: 'f32', offset: 0, factor: intensityFactor(recipe) });
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
