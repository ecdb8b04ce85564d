// The fields of a survey in the scene form, and what another kind of survey begins with.
import { field } from '#contract/documents/unknownData.ts';
import { trajectoryFormats } from '#contract/documents/survey.ts';
import { angle, number, place, type SceneField } from './sceneField.ts';

const kind: SceneField = {
  path: ['kind'],
  label: 'Kind',
  kind: 'choice',
  options: ['trajectory', 'positions', 'strips'],
};

/** Lists of positions and strips are edited as text. */
export function surveyFields(data: unknown): SceneField[] {
  return [kind, ...ownFields(field(data, 'kind')), ...sharedFields()];
}

/** The survey of another kind: what all kinds share stays. */
export function surveyOfKind(data: unknown, name: string): Record<string, unknown> {
  const shared = ['sensor', 'mount', 'noise'].flatMap((key) => {
    const value = field(data, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { kind: name, ...Object.fromEntries(shared), ...beginnings[name] };
}

const beginnings: Record<string, Record<string, unknown>> = {
  trajectory: { file: 'path.tum' },
  positions: { seconds: 0.1, positions: [{ positionM: [0, 0, 1.5] }] },
  strips: {
    areaM: [
      [-20, -10],
      [20, 10],
    ],
    spacingM: 10,
    heightM: 50,
    speedMPerS: 20,
  },
};

function ownFields(name: unknown): SceneField[] {
  const above: SceneField = {
    path: ['above'],
    label: 'Heights above',
    kind: 'choice',
    options: ['ground', 'zero'],
    fallback: 'ground',
  };
  switch (name) {
    case 'trajectory':
      return [
        { path: ['file'], label: 'File', kind: 'text', isWide: true, hint: 'TUM, CSV or KITTI' },
        {
          path: ['format'],
          label: 'Format',
          kind: 'choice',
          options: trajectoryFormats,
          isOptional: true,
          hint: 'empty: by the file name',
        },
        number(['maxGapS'], 'Max gap', { unit: 's', fallback: 2, isOptional: true }),
      ];
    case 'positions':
      return [
        number(['seconds'], 'Scan time', {
          unit: 's',
          step: 0.1,
          isOptional: true,
          hint: 'empty: one panorama',
        }),
        above,
      ];
    case 'strips':
      return [
        number(['heightM'], 'Height', { unit: 'm', step: 1 }),
        above,
        number(['speedMPerS'], 'Speed', { unit: 'm/s', step: 1 }),
        {
          path: ['areaM'],
          label: 'Area',
          unit: 'm',
          kind: 'rows',
          columns: ['x', 'y'],
          isOptional: true,
          hint: 'two opposite corners',
        },
        number(['spacingM'], 'Strip spacing', { unit: 'm', isOptional: true, hint: 'of an area' }),
      ];
    default:
      return [];
  }
}

function sharedFields(): SceneField[] {
  const none = { isOptional: true, hint: 'empty: none' };
  return [
    {
      path: ['sensor'],
      label: 'Sensor',
      kind: 'text',
      isOptional: true,
      hint: 'name of a sensor of the scenario',
    },
    place(['mount', 'positionM'], 'Lever arm', ['ahead', 'left', 'up'], {
      isOptional: true,
      hint: 'empty: of the sensor',
      step: 0.05,
    }),
    angle(['mount', 'yawDeg'], 'Boresight yaw', [-180, 180]),
    angle(['mount', 'pitchDeg'], 'Boresight pitch', [-90, 90], 'positive: nose down'),
    angle(['mount', 'rollDeg'], 'Boresight roll', [-180, 180]),
    number(['noise', 'position', 'sigmaM'], 'Position error', { unit: 'm', step: 0.01, ...none }),
    number(['noise', 'position', 'correlationS'], 'Its correlation', { unit: 's', ...none }),
    number(['noise', 'attitude', 'sigmaDeg'], 'Attitude error', { unit: '°', step: 0.01, ...none }),
    number(['noise', 'attitude', 'correlationS'], 'Its correlation', { unit: 's', ...none }),
  ];
}
