// The form of a sensor file: made from the real schema and real samples; every edit leads to a document that the
// schema still understands.
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseWith } from '#contract/documents/problems.ts';
import { formSchema } from '#contract/documents/publishedSchemas.ts';
import { sensorSchema } from '#contract/documents/sensor.ts';
import { fieldWords, spacedWords } from '#renderer/logic/forms/fieldNames.ts';
import {
  allFields,
  formOf,
  numbersOf,
  withEdit,
  type FormField,
} from '#renderer/logic/forms/schemaForm.ts';

const folder = new URL('../../../../assets/sensors/', import.meta.url);
const samples = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const schema = formSchema('sensor');

function sample(id: string): unknown {
  return parse(readFileSync(new URL(`${id}.yaml`, folder), 'utf8'), { merge: true });
}

function fieldAt(data: unknown, path: string): FormField {
  const found = allFields(formOf(schema, data)).filter((field) => field.path.join('.') === path);
  const field = found[0];
  if (field === undefined) throw new Error(`no field ${path}`);
  return field;
}

describe('names of fields', () => {
  it.each([
    ['divergenceHorizontalMrad', 'Divergence horizontal', 'mrad'],
    ['rateHz', 'Rate', 'Hz'],
    ['minM', 'Min', 'm'],
    ['elevationsDeg', 'Elevations', '°'],
    ['slotsPerSecond', 'Slots', 'per s'],
    ['rangeSigmaPerM', 'Range sigma', 'm per m'],
    ['firingOffsetsUs', 'Firing offsets', 'µs'],
    ['maxSpeedMPerS', 'Max speed', 'm/s'],
    ['maxAccelerationMPerS2', 'Max acceleration', 'm/s²'],
    ['maxYawRateDegPerS', 'Max yaw rate', '°/s'],
    ['massKg', 'Mass', 'kg'],
    ['diskMB', 'Disk', 'MB'],
    ['stencil', 'Stencil', ''],
    ['slotsPerScan', 'Slots per scan', ''],
  ])('%s', (name, label, unit) => {
    expect(fieldWords(name)).toEqual({ label, unit });
  });

  it('become words', () => {
    expect(spacedWords('strongest-and-last')).toBe('Strongest and last');
  });
});

describe('the form of a sensor', () => {
  it.each(samples)('%s: has a field for everything that the file says', (name) => {
    const data = sample(name.replace('.yaml', ''));
    const fields = allFields(formOf(schema, data));
    const paths = new Set(fields.map(({ path }) => path.join('.')));
    for (const path of leavesOf(data)) expect(paths, path).toContain(path);
    for (const field of fields)
      if (field.kind === 'variant' && field.isPresent) expect(field.chosen).not.toBe(-1);
  });

  it('says label, unit, help, bounds and value of a number', () => {
    const divergence = {
      path: ['beam', 'divergenceHorizontalMrad'],
      label: 'Divergence horizontal',
      unit: 'mrad',
      help: 'full angle from edge to edge',
      isOptional: false,
    };
    expect(fieldAt(sample('hdl-32e'), 'beam.divergenceHorizontalMrad')).toEqual({
      ...divergence,
      kind: 'value',
      hasDefault: false,
      isPresent: true,
      value: 3.33,
      control: {
        ...divergence,
        kind: 'number',
        step: 0.1,
        bounds: {
          least: 0,
          isLeastExcluded: false,
          most: 500,
          isMostExcluded: false,
          isInteger: false,
        },
      },
    });
  });

  it('shows the default of what is not written', () => {
    expect(fieldAt(sample('hdl-32e'), 'wavelengthNm')).toMatchObject({
      value: undefined,
      control: { fallback: 905 },
      isOptional: true,
    });
    expect(fieldAt(sample('hdl-32e'), 'beam.stencil')).toMatchObject({
      control: { kind: 'choice', fallback: 'moment' },
      isPresent: false,
    });
  });

  it('makes a sensor of another kind of scan that the schema accepts', () => {
    const data = sample('lms-291');
    const scan = fieldAt(data, 'scan');
    if (scan.kind !== 'variant') throw new Error('not a variant');
    expect(scan.options[scan.chosen]?.label).toBe('Sweep');
    const mirror = scan.options.find(({ label }) => label === 'Mirror');
    const edited = withEdit(data, { path: ['scan'], op: 'set', value: mirror?.template });
    const { value, problems } = parseWith(sensorSchema, edited);
    expect(problems).toEqual([]);
    // Fields of both kinds are kept; fields of a sweep alone are not.
    expect(value?.scan).toMatchObject({ kind: 'mirror', rateHz: 37.5, slotsPerScan: 201 });
    expect(value?.scan).not.toHaveProperty('minAzimuthDeg');
  });

  it('adds, changes and removes optional groups and banks', () => {
    const data = sample('hdl-32e-goodin2018');
    const gate = fieldAt(data, 'returns.waveform');
    if (gate.kind !== 'group') throw new Error('not a group');
    expect(gate.isPresent).toBe(false);
    const withGate = withEdit(data, { path: gate.path, op: 'set', value: gate.template });
    expect(fieldAt(withGate, 'returns.waveform').isPresent).toBe(true);
    expect(parseWith(sensorSchema, withGate).problems).toEqual([]);
    const without = withEdit(withGate, { path: gate.path, op: 'remove' });
    expect(without).toEqual(data);

    const banks = fieldAt(data, 'banks');
    if (banks.kind !== 'list') throw new Error('not a list');
    const two = withEdit(data, { path: ['banks', 1], op: 'insert', value: banks.template });
    expect(parseWith(sensorSchema, two).problems).toEqual([]);
    expect(withEdit(two, { path: ['banks', 1], op: 'remove' })).toEqual(data);
  });

  it('leaves the document that it was given alone', () => {
    const data = sample('hdl-32e');
    const before = structuredClone(data);
    withEdit(data, { path: ['banks', 0, 'elevationsDeg', 'count'], op: 'set', value: 2 });
    expect(data).toEqual(before);
  });
});

describe('lists as text', () => {
  it('takes numbers between commas and spaces, and nothing else', () => {
    expect(numbersOf('1, 2.5  -3;4e-3\n5')).toEqual([1, 2.5, -3, 0.004, 5]);
    expect(numbersOf(' ')).toEqual([]);
    expect(numbersOf('1, two')).toBeNull();
  });
});

/** Paths of everything that is no mapping; a list of plain values counts as one. */
function leavesOf(data: unknown, path: (string | number)[] = []): string[] {
  if (
    Array.isArray(data) &&
    data.some((item) => typeof item === 'object' && !Array.isArray(item))
  ) {
    return data.flatMap((item, index) => leavesOf(item, [...path, index]));
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [path.join('.')];
  return Object.entries(data).flatMap(([key, value]) => leavesOf(value, [...path, key]));
}
