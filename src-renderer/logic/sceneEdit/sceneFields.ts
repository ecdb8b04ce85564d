// The fields of each kind of part in a scenario, as forms show them: label, unit, what to type it with, what holds
// where nothing is written. The checks themselves are the schema's; a problem is shown at its field.
import { lengthUnits } from '#contract/documents/quantities.ts';
import { field } from '#contract/documents/unknownData.ts';
import { returnModes } from '#contract/documents/sensorReturns.ts';
import { angle, number, place, span, type SceneField } from './sceneField.ts';
import { materialFields } from './materialFields.ts';
import { scenarioFields } from './scenarioFields.ts';
import { surveyFields } from './surveyFields.ts';
import type { PartKind } from './sceneOutline.ts';

/** The available choices. */
export interface SceneChoices {
  models: readonly string[];
  materials: readonly string[];
  sensors: readonly string[];
  plants: readonly string[];
  /** Names of materials in the file of the mesh at hand. */
  inMesh: readonly string[];
}

/** The fields of a part; some depend on what it is (`data`: the part). */
export function sceneFields(
  kind: PartKind,
  data: unknown,
  { models, materials, sensors, plants, inMesh }: SceneChoices,
): SceneField[] {
  const material: SceneField = {
    path: ['material'],
    label: 'Material',
    kind: 'choice',
    options: materials,
  };
  const model: SceneField = { path: ['model'], label: 'Model', kind: 'choice', options: models };
  const modelName = field(data, 'model');
  const label: SceneField = {
    path: ['class'],
    label: 'Class',
    kind: 'text',
    isOptional: true,
    fallback: typeof modelName === 'string' ? modelName : '',
    hint: 'class of its points',
  };
  switch (kind) {
    case 'instance':
      return [
        model,
        label,
        place(['positionM'], 'Position', ['x', 'y', 'z'], {
          hint: field(data, 'onGround') === false ? 'z above world origin' : 'z above the ground',
        }),
        angle(['yawDeg'], 'Yaw', [-180, 360]),
        number(['scale'], 'Scale', { fallback: 1, slider: [0.1, 3], step: 0.01 }),
        angle(['pitchDeg'], 'Pitch'),
        angle(['rollDeg'], 'Roll'),
        { path: ['onGround'], label: 'On the ground', kind: 'switch', fallback: true },
      ];
    case 'scatter':
      return scatterFields(data, model, label);
    case 'wall':
      return [
        place(['fromM'], 'From', ['x', 'y']),
        place(['toM'], 'To', ['x', 'y']),
        number(['heightM'], 'Height', { unit: 'm', step: 0.1 }),
        number(['thicknessM'], 'Thickness', { unit: 'm', step: 0.05 }),
        material,
      ];
    case 'model':
      return field(data, 'kind') === 'mesh'
        ? meshFields(material, materials, inMesh)
        : modelFields(field(data, 'kind'), material, plants);
    case 'material':
      return materialFields(field(field(data, 'surface'), 'kind'));
    case 'ground':
      return groundFields(field(data, 'kind'), material);
    case 'atmosphere':
      return [
        number(['visibilityKm'], 'Visibility', {
          unit: 'km',
          hint: 'at 550 nm',
          isOptional: true,
          step: 0.5,
        }),
        {
          path: ['visibilityLaw'],
          label: 'Extinction law',
          kind: 'choice',
          options: ['kruse', 'kim'],
          fallback: 'kruse',
          hint: 'kim: for fog',
        },
        number(['rainMmPerH'], 'Rain', { unit: 'mm/h', fallback: 0, slider: [0, 100], step: 0.5 }),
        number(['extinctionPerM'], 'Extinction', { unit: 'per m', fallback: 0, step: 0.001 }),
      ];
    case 'sensor':
      return sensorFields(sensors);
    case 'mission':
      return [
        place(['startM'], 'Start', ['x', 'y']),
        angle(['startYawDeg'], 'Start heading', [-180, 180], '0: east, 90: north'),
        place(['goalM'], 'Goal', ['x', 'y']),
        number(['goalToleranceM'], 'Goal radius', { unit: 'm', fallback: 1.5, step: 0.1 }),
        number(['timeoutS'], 'Timeout', { unit: 's', fallback: 300, step: 10 }),
      ];
    case 'survey':
      return surveyFields(data);
    case 'vehicle':
      return vehicleFields();
    case 'navigation':
      return navigationFields();
    case 'scenario':
      return scenarioFields(data);
  }
}

function solidField(fallback: boolean): SceneField {
  const words = { path: ['solid'], label: 'Blocks vehicles' };
  return { ...words, kind: 'switch', isOptional: true, fallback };
}

function meshFields(
  material: SceneField,
  materials: readonly string[],
  names: readonly string[],
): SceneField[] {
  return [
    { path: ['file'], label: 'File', kind: 'text', isWide: true, hint: 'OBJ, PLY or STL' },
    { path: ['unit'], label: 'Unit', kind: 'choice', options: [...lengthUnits] },
    { path: ['upAxis'], label: 'Up axis', kind: 'choice', options: ['y', 'z'] },
    material,
    solidField(true),
    {
      path: ['materials'],
      label: 'Materials in the file',
      kind: 'mapping',
      isWide: true,
      options: materials,
      names,
      otherwise: 'Default material',
      hint: names.length === 0 ? 'OBJ with MTL' : 'MTL name → scene material',
    },
    {
      path: ['textures'],
      label: 'Images of the file',
      kind: 'switch',
      isOptional: true,
      fallback: true,
    },
    number(['alphaThreshold'], 'Alpha of holes', {
      fallback: 0.5,
      isOptional: true,
      slider: [0, 1],
      step: 0.01,
      hint: 'less alpha is a hole',
    }),
  ];
}

function modelFields(kind: unknown, material: SceneField, plants: readonly string[]): SceneField[] {
  const solid = solidField(kind !== 'plant');
  const size = (label: string, parts: readonly string[]): SceneField =>
    place(['sizeM'], label, parts, { step: 0.1 });
  const radius = number(['radiusM'], 'Radius', { unit: 'm', step: 0.05 });
  switch (kind) {
    case 'box':
      return [size('Size', ['x', 'y', 'z']), material, solid];
    case 'sphere':
      return [
        radius,
        number(['rings'], 'Rings', { fallback: 64, isInteger: true }),
        material,
        solid,
      ];
    case 'cylinder':
      return [
        radius,
        number(['heightM'], 'Height', { unit: 'm', step: 0.1 }),
        number(['sides'], 'Sides', { fallback: 64, isInteger: true }),
        { path: ['caps'], label: 'Closed', kind: 'switch', fallback: true },
        material,
        solid,
      ];
    case 'plane':
      return [
        size('Size', ['x', 'y']),
        number(['divisions'], 'Divisions', { fallback: 1, isInteger: true }),
        material,
        solid,
      ];
    case 'learned':
      return [
        {
          path: ['file'],
          label: 'File',
          kind: 'text',
          isWide: true,
          hint: 'PLY of a learned model',
        },
        material,
      ];
    case 'plant':
      return [
        {
          path: ['plant'],
          label: 'Plant',
          kind: 'choice',
          options: plants,
          isOpen: true,
          hint: 'sample or file',
          isWide: true,
        },
        number(['seed'], 'Individual', {
          isInteger: true,
          isOptional: true,
          hint: 'empty: plant default',
        }),
        solid,
      ];
    default:
      return [];
  }
}

function groundFields(kind: unknown, material: SceneField): SceneField[] {
  const kinds: SceneField = {
    path: ['kind'],
    label: 'Kind',
    kind: 'choice',
    fallback: 'none',
    options: ['plane', 'height-field', 'none'],
  };
  const sides = [
    place(['sizeM'], 'Size', ['x', 'y']),
    place(['centreM'], 'Centre', ['x', 'y'], { fallback: [0, 0] }),
  ];
  if (kind === 'plane') {
    return [kinds, material, ...sides, number(['zM'], 'Height', { unit: 'm', fallback: 0 })];
  }
  if (kind !== 'height-field') return [kinds];
  return [
    kinds,
    material,
    { path: ['file'], label: 'File', kind: 'text', isWide: true, hint: '16-bit grey PNG' },
    ...sides,
    place(['zM'], 'Heights', ['black', 'white']),
  ];
}

function vehicleFields(): SceneField[] {
  return [
    {
      path: ['name'],
      label: 'Name',
      kind: 'text',
      isWide: true,
      fallback: 'generic skid-steered vehicle',
    },
    number(['lengthM'], 'Length', { unit: 'm', fallback: 2.4, step: 0.1 }),
    number(['widthM'], 'Width', { unit: 'm', fallback: 1.6, step: 0.1 }),
    number(['heightM'], 'Height', { unit: 'm', fallback: 1.6, step: 0.1 }),
    number(['trackWidthM'], 'Track', { unit: 'm', fallback: 1.4, step: 0.1 }),
    number(['massKg'], 'Mass', { unit: 'kg', fallback: 900, step: 10 }),
    number(['maxSpeedMPerS'], 'Max speed', { unit: 'm/s', fallback: 2, step: 0.1 }),
    number(['maxAccelerationMPerS2'], 'Acceleration', { unit: 'm/s²', fallback: 1.5, step: 0.1 }),
    number(['maxYawRateDegPerS'], 'Max turn rate', { unit: '°/s', fallback: 60 }),
    number(['turnSlip'], 'Turn slip', { fallback: 0.25, slider: [0, 1], step: 0.01 }),
    number(['gps', 'sigmaM'], 'GPS error', { unit: 'm', fallback: 0.05, step: 0.01, hint: 'σ' }),
    number(['gps', 'rateHz'], 'GPS rate', { unit: 'Hz', fallback: 10 }),
    number(['compass', 'sigmaDeg'], 'Compass error', {
      unit: '°',
      fallback: 0.3,
      step: 0.1,
      hint: 'σ',
    }),
    number(['compass', 'rateHz'], 'Compass rate', { unit: 'Hz', fallback: 50 }),
  ];
}

function scatterFields(data: unknown, model: SceneField, label: SceneField): SceneField[] {
  return [
    model,
    label,
    number(['count'], 'Count', { isInteger: true }),
    {
      path: ['pattern'],
      label: 'Pattern',
      kind: 'choice',
      options: ['uniform', 'poisson-disk'],
      fallback: 'uniform',
    },
    ...(field(data, 'pattern') === 'poisson-disk'
      ? [number(['minSpacingM'], 'Spacing', { unit: 'm', hint: 'least', step: 0.1 })]
      : []),
    span(['yawDeg'], 'Yaw', '°', [0, 360]),
    span(['scale'], 'Scale', '', [1, 1], 0.05),
    span(['tiltDeg'], 'Tilt', '°', [0, 0]),
    {
      path: ['areaM'],
      label: 'Area',
      unit: 'm',
      kind: 'rows',
      columns: ['x', 'y'],
      hint: 'one corner per line',
    },
    {
      path: ['keepClear'],
      label: 'Exclusion zones',
      unit: 'm',
      kind: 'circles',
      isOptional: true,
      hint: 'one x, y, radius per line',
    },
  ];
}

function sensorFields(sensors: readonly string[]): SceneField[] {
  return [
    {
      path: ['sensor'],
      label: 'Sensor',
      kind: 'choice',
      options: sensors,
      isOpen: true,
      hint: 'sample or file',
      isWide: true,
    },
    place(['mount', 'positionM'], 'Mount position', ['ahead', 'left', 'up'], {
      fallback: [0, 0, 2],
      hint: 'from the vehicle centre, on the ground',
      step: 0.05,
    }),
    angle(['mount', 'yawDeg'], 'Yaw', [-180, 180]),
    angle(['mount', 'pitchDeg'], 'Pitch', [-90, 90], 'positive: nose down'),
    angle(['mount', 'rollDeg'], 'Roll', [-180, 180]),
    number(['rateHz'], 'Rate', { unit: 'Hz', isOptional: true, hint: 'empty: sensor default' }),
    {
      path: ['mode'],
      label: 'Returns',
      kind: 'choice',
      options: returnModes,
      isOptional: true,
      hint: 'empty: sensor default',
    },
    {
      path: ['serial'],
      label: 'Serial',
      kind: 'text',
      isOptional: true,
      hint: 'empty: sensor default',
    },
    number(['clock', 'phaseMs'], 'Start offset', { unit: 'ms', fallback: 0 }),
    number(['clock', 'offsetMs'], 'Clock offset', { unit: 'ms', fallback: 0 }),
    number(['clock', 'driftPpm'], 'Clock drift', { unit: 'ppm', fallback: 0 }),
  ];
}

function navigationFields(): SceneField[] {
  return [
    number(['tickMs'], 'Tick', { unit: 'ms', fallback: 100, isInteger: true, step: 10 }),
    number(['costMap', 'cells'], 'Cost map cells', {
      fallback: 400,
      isInteger: true,
      hint: 'along a side',
      step: 10,
    }),
    number(['costMap', 'cellM'], 'Cell size', { unit: 'm', fallback: 0.5, step: 0.1 }),
    number(['costMap', 'maxHeightM'], 'Max obstacle height', {
      unit: 'm',
      fallback: 1.5,
      step: 0.1,
      hint: 'Goodin 2018, eq. 8',
    }),
    place(['costMap', 'originM'], 'South-west corner', ['x', 'y'], {
      isOptional: true,
      hint: 'empty: around the mission',
    }),
  ];
}
