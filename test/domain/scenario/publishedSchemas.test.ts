// The published schemas must accept the samples and refuse what the parsers refuse. A full validator is
// not needed for that: the check below knows the keywords that our schemas use, and fails on any other.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documentKinds, publishedSchema } from '#contract/documents/publishedSchemas.ts';
import { minimalScenario, minimalSensor } from '#test/support/documents.ts';

type Schema = Record<string, unknown>;

const annotations = new Set(['$schema', 'title', 'description', 'default', '$defs']);

/** Paths at which a value does not fit a schema. */
function misfits(schema: Schema, value: unknown, at = ''): string[] {
  return Object.entries(schema).flatMap(([keyword, rule]): string[] => {
    if (annotations.has(keyword)) return [];
    return isFit(keyword, rule, schema, value, at);
  });
}

function isFit(
  keyword: string,
  rule: unknown,
  schema: Schema,
  value: unknown,
  at: string,
): string[] {
  const fault = (isRight: boolean): string[] => (isRight ? [] : [`${at} ${keyword}`]);
  const list = Array.isArray(value) ? (value as unknown[]) : null;
  const map =
    typeof value === 'object' && value !== null && list === null ? (value as Schema) : null;
  switch (keyword) {
    case 'type':
      return fault(typeOf(value) === rule || (rule === 'number' && typeOf(value) === 'integer'));
    case 'const':
      return fault(value === rule);
    case 'enum':
      return fault((rule as unknown[]).includes(value));
    case 'anyOf':
    case 'oneOf':
      return fault((rule as Schema[]).some((option) => misfits(option, value, at).length === 0));
    case 'properties':
      return Object.entries(rule as Record<string, Schema>).flatMap(([key, inner]) =>
        map && key in map ? misfits(inner, map[key], `${at}.${key}`) : [],
      );
    case 'required':
      return fault(map === null || (rule as string[]).every((key) => key in map));
    case 'additionalProperties': {
      const known = Object.keys(schema['properties'] ?? {});
      const extra = Object.keys(map ?? {}).filter((key) => !known.includes(key));
      if (rule === false) return extra.map((key) => `${at}.${key} unknown`);
      return extra.flatMap((key) => misfits(rule as Schema, map?.[key], `${at}.${key}`));
    }
    case 'propertyNames':
      return Object.keys(map ?? {}).flatMap((key) => misfits(rule as Schema, key, `${at}.${key}`));
    case 'items':
      return (list ?? []).flatMap((item, i) => misfits(rule as Schema, item, `${at}[${i}]`));
    case 'prefixItems':
      return (rule as Schema[]).flatMap((inner, i) =>
        list && i < list.length ? misfits(inner, list[i], `${at}[${i}]`) : [],
      );
    case 'minItems':
      return fault(list === null || list.length >= (rule as number));
    case 'maxItems':
      return fault(list === null || list.length <= (rule as number));
    case 'minimum':
      return fault(typeof value !== 'number' || value >= (rule as number));
    case 'maximum':
      return fault(typeof value !== 'number' || value <= (rule as number));
    case 'exclusiveMinimum':
      return fault(typeof value !== 'number' || value > (rule as number));
    case 'multipleOf':
      return fault(typeof value !== 'number' || value % (rule as number) === 0);
    case 'minLength':
      return fault(typeof value !== 'string' || value.length >= (rule as number));
    case 'maxLength':
      return fault(typeof value !== 'string' || value.length <= (rule as number));
    case 'pattern':
      return fault(typeof value !== 'string' || new RegExp(rule as string, 'i').test(value));
    default:
      throw new Error(`this check does not know the keyword '${keyword}'`);
  }
}

/** Paths of fields without a description; what has fields of its own needs none. */
function undescribed(schema: Schema, at = ''): string[] {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const options = [schema['anyOf'] ?? [], schema['oneOf'] ?? []] as Schema[][];
  const items = schema['items'] as Schema | undefined;
  return [
    ...fields.flatMap(([key, field]) => [
      ...('description' in field || 'properties' in field || 'oneOf' in field
        ? []
        : [`${at}.${key}`]),
      ...undescribed(field, `${at}.${key}`),
    ]),
    ...options.flat().flatMap((option) => undescribed(option, at)),
    ...(items ? undescribed(items, `${at}[]`) : []),
  ];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const folders = {
  scenario: 'scenarios',
  sensor: 'sensors',
  plant: 'plants',
  species: 'species',
  campaign: 'campaigns',
} as const;

describe('publishedSchema', () => {
  it.each(documentKinds)('accepts every %s that comes with Understory', (kind) => {
    const folder = new URL(`../../../assets/${folders[kind]}/`, import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const document: unknown = parse(readFileSync(new URL(name, folder), 'utf8'));
      expect(misfits(publishedSchema(kind), document), name).toEqual([]);
    }
  });

  it('says of every field of a sensor what it is', () => {
    expect(undescribed(publishedSchema('sensor'))).toEqual([]);
  });

  it('asks for what has no default, and for nothing else', () => {
    const schema = publishedSchema('scenario');
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema['title']).toBe('Understory scenario');
    expect(schema['required']).toEqual(['understory', 'name', 'scene']);
  });

  it('refuses unknown keys, wrong kinds and values out of range', () => {
    const scenario = (from: string, to: string): string[] =>
      misfits(publishedSchema('scenario'), parse(minimalScenario.replace(from, to)));
    expect(scenario('', '')).toEqual([]);
    expect(scenario('name: test', 'name: test\ncolour: red')).toEqual(['.colour unknown']);
    expect(scenario('0.3', '1.3')).toEqual(['.scene.materials.soil.reflectance anyOf']);
    expect(scenario('0.3', '[[905, 0.3], [1550, 0.4]]')).toEqual([]);
    expect(scenario('0.3', '[[905, 1.3]]')).toEqual(['.scene.materials.soil.reflectance anyOf']);
    expect(scenario('kind: box', 'kind: cube')).toHaveLength(1);
    const spoilt = minimalSensor.replace('mode: strongest', 'mode: weakest');
    expect(misfits(publishedSchema('sensor'), parse(spoilt))).toEqual(['.returns.mode enum']);
  });
});
