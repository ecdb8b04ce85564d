// Gschwandtner 2011, section 3.3 and figure 3: the directions of a line LIDAR whose emitters look at a turning
// mirror, against the exact reflection (PHYSICS.md, 1.7); the worker's own description of the sensor is the source.
import { degrees, radians } from '#domain/shared/numbers.ts';
import { within } from '../criteria.ts';
import type { Series } from '#domain/charts/chart.ts';
import type { TitledChart } from '../section.ts';
import { greatest, type Piece } from '../parts.ts';

const colours = ['#3a6ea5', '#c8452f', '#3f8f4f', '#8a5fb0'];

export const mirrorPattern: Piece = {
  name: 'mirror-pattern',
  async run(bench) {
    const sensor = await bench.sensor('line-lidar');
    if (sensor.scan.kind !== 'mirror') throw new TypeError('the line LIDAR has no mirror');
    const { minAngleRad, maxAngleRad, slotsPerScan } = sensor.scan;
    const { columns } = await bench.describe({ sensor });
    const emitters = columns.laser_elevation_rad.length;
    const pulses = Array.from(columns.pulse_ring, (ring, pulse): Aim => {
      const slot = Math.floor(pulse / emitters);
      const mirrorRad = minAngleRad + ((maxAngleRad - minAngleRad) * slot) / (slotsPerScan - 1);
      return {
        emitterRad: columns.laser_elevation_rad[ring] ?? NaN,
        mirrorRad,
        azimuthRad: columns.pulse_azimuth_rad[pulse] ?? NaN,
        elevationRad: columns.pulse_elevation_rad[pulse] ?? NaN,
      };
    });
    const errors = pulses.flatMap((aim) => {
      const exact = reflected(aim);
      return [aim.azimuthRad - exact.azimuthRad, aim.elevationRad - exact.elevationRad];
    });
    const ahead = pulses.filter(({ mirrorRad }) => Math.abs(mirrorRad) < 1e-9);
    const aside = pulses.filter(({ mirrorRad }) => Math.abs(mirrorRad - Math.PI / 2) < 1e-9);
    return {
      ours: [
        `Line LIDAR: ${emitters} emitters at ±0.4 and ±1.2°, mirror from −90 to 90° in ${slotsPerScan} steps; directions as sensor.describe gives them.`,
      ],
      charts: [chartOf(pulses, false), chartOf(pulses, true)],
      criteria: [
        // Angles are doubles out of some ten roundings.
        within('mirror pattern: greatest error of a direction', greatest(errors), 0, 1e-12, 'rad'),
        within('mirror ahead: spread of azimuths', spread(ahead, 'azimuthRad'), 0, 1e-12, 'rad'),
        within(
          'mirror at 90°: spread of elevations',
          spread(aside, 'elevationRad'),
          0,
          1e-12,
          'rad',
        ),
        // The pitch of the emitters has become azimuth: as far apart as they are, 2.4°.
        within(
          'mirror at 90°: spread of azimuths',
          spread(aside, 'azimuthRad'),
          radians(2.4),
          1e-12,
          'rad',
        ),
      ],
    };
  },
};

interface Aim {
  emitterRad: number;
  mirrorRad: number;
  azimuthRad: number;
  elevationRad: number;
}

/**
 * By the apparatus, not by the formula: an emitter above shines down, p off the vertical, onto a mirror of 45° that
 * turns about the vertical, and the ray u becomes u − 2(u·n)n.
 */
function reflected({ emitterRad: p, mirrorRad: f }: Aim): Pick<Aim, 'azimuthRad' | 'elevationRad'> {
  const normal = [Math.cos(f), Math.sin(f), 1].map((each) => each * Math.SQRT1_2);
  const down = [-Math.sin(p), 0, -Math.cos(p)];
  const across = down.reduce((sum, each, axis) => sum + each * (normal[axis] ?? NaN), 0);
  const [x = NaN, y = NaN, z = NaN] = down.map(
    (each, axis) => each - 2 * across * (normal[axis] ?? NaN),
  );
  return { elevationRad: Math.asin(z), azimuthRad: Math.atan2(y, x) };
}

function spread(aims: readonly Aim[], of: 'azimuthRad' | 'elevationRad'): number {
  const values = aims.map((aim) => aim[of]);
  return Math.max(...values) - Math.min(...values);
}

/** The pattern of figure 3; of the differences between azimuth and mirror only, to see the tilt. */
function chartOf(pulses: readonly Aim[], isDifference: boolean): TitledChart {
  const emitters = [...new Set(pulses.map(({ emitterRad }) => emitterRad))].sort((a, b) => b - a);
  const series = emitters.flatMap((emitterRad, n): Series[] => {
    const own = pulses.filter((aim) => aim.emitterRad === emitterRad);
    const colour = colours[n] ?? '#4a4a4a';
    const azimuth = (azimuthRad: number, mirrorRad: number): number =>
      degrees(isDifference ? azimuthRad - mirrorRad : azimuthRad);
    return [
      {
        name: `${degrees(emitterRad).toFixed(1).replace('-', '−')}°`,
        kind: 'points',
        colour,
        data: own
          .filter((_, slot) => slot % 20 === 0)
          .map(({ azimuthRad, elevationRad, mirrorRad }) => [
            azimuth(azimuthRad, mirrorRad),
            degrees(elevationRad),
          ]),
      },
      {
        name: 'small angles',
        kind: 'dashed',
        colour,
        data: own.map(({ mirrorRad }) => [
          azimuth(mirrorRad + emitterRad * Math.sin(mirrorRad), mirrorRad),
          degrees(emitterRad * Math.cos(mirrorRad)),
        ]),
      },
    ];
  });
  return {
    title: isDifference
      ? 'Figure 3: azimuth less the angle of the mirror'
      : 'Figure 3: directions of a scan',
    x: {
      name: isDifference ? 'azimuth − mirror angle' : 'azimuth',
      unit: '°',
      ...(isDifference ? { from: -1.5, to: 1.5 } : { from: -95, to: 95 }),
      isReversed: true,
    },
    y: { name: 'elevation', unit: '°', from: -1.5, to: 1.5 },
    series,
    caption:
      'By the pitch of the emitter, every 20th slot; dashed: the small-angle form φ + p·sin φ, p·cos φ.',
  };
}
