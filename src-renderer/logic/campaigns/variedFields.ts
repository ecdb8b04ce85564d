// The fields of a scenario or sensor that a campaign can vary: every number, switch, choice and text of the schema that
// the document has or may have, with the path that `--set` takes, its unit, bounds and present value.
import { fieldWords, spacedWords } from '#renderer/logic/forms/fieldNames.ts';
import { isMeant, mapOf, type JsonSchema } from '#renderer/logic/forms/jsonSchema.ts';
import { boundsOf, type NumberBounds } from '#renderer/logic/forms/numberEntry.ts';

export type FieldValue = number | string | boolean;

export interface VariedField {
  /** As `--set` takes it: 'scene.scatters[grass].count'. */
  path: string;
  /** 'Count'. */
  label: string;
  /** The labels of what it is in: 'Scene › Scatters › grass'. */
  place: string;
  unit: string;
  help: string;
  kind: 'number' | 'switch' | 'choice' | 'text';
  /** Bounds of a number. */
  bounds: NumberBounds | undefined;
  /** Options of a choice. */
  options: readonly string[];
  /** In the document, or by default; null: it is not set. */
  value: FieldValue | null;
}

/** Fields that name a document or its parts: another value is another document, not a variation. */
const fixedNames: ReadonlySet<string> = new Set([
  'name',
  'description',
  'id',
  'source',
  'recalled',
]);
/** By `replicates` and `seeds` of the campaign. */
const seedPath = 'seed';

/** `prefix`: 'sensor' or 'sensor[NAME]' for the fields of a sensor's file; '' for a scenario. */
export function variedFields(
  schema: JsonSchema,
  data: unknown,
  prefix = '',
  place = '',
): VariedField[] {
  const fields: VariedField[] = [];
  const places = place === '' ? [] : [place];
  collect(schema, data, { path: prefix, places, name: '', title: '' }, fields);
  return prefix === '' ? fields.filter(({ path }) => path !== seedPath) : fields;
}

/** Fields in which every word of the search occurs: those by their names first, then those by their help. */
export function findFields(fields: readonly VariedField[], search: string): VariedField[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...fields];
  const hasAll = (text: string): boolean => words.every((word) => text.includes(word));
  return fields
    .map((field) => ({ field, name: nameText(field), label: field.label.toLowerCase() }))
    .filter(({ field, name }) => hasAll(`${name} ${field.help.toLowerCase()}`))
    .map(({ field, name, label }) => {
      const isLabel = words.some((word) => label.startsWith(word));
      return { field, rank: (hasAll(name) ? 0 : 2) + (isLabel ? 0 : 1) };
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ field }) => field);
}

/** 'from 0 to 1', 'at least 0', 'above 0'; '' where it is not bounded or no number. */
export function boundsText({ kind, bounds, options }: VariedField): string {
  if (kind === 'switch') return 'true or false';
  if (kind === 'choice') return options.join(', ');
  if (bounds === undefined) return '';
  const { least, most, isLeastExcluded, isMostExcluded, isInteger } = bounds;
  const unbounded = 1e9;
  const hasLeast = least !== null && least > -unbounded;
  const hasMost = most !== null && most < unbounded;
  const whole = isInteger ? 'whole, ' : '';
  if (hasLeast && hasMost) {
    const [from, to] = [isLeastExcluded ? `above ${least}` : `${least}`, `${most}`];
    return `${whole}${from} to ${isMostExcluded ? 'below ' : ''}${to}`;
  }
  if (hasLeast) return `${whole}${isLeastExcluded ? 'above' : 'at least'} ${least}`;
  if (hasMost) return `${whole}${isMostExcluded ? 'below' : 'at most'} ${most}`;
  return isInteger ? 'whole number' : '';
}

interface At {
  path: string;
  places: readonly string[];
  /** The last key of the path. */
  name: string;
  /** The key as a place: a word of the format, or a name that a person gave. */
  title: string;
}

function collect(schema: JsonSchema, data: unknown, at: At, fields: VariedField[]): void {
  const value = data ?? schema.default;
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) {
    const meant =
      options.find((option) => isMeant(option, value)) ??
      options.find(({ type }) => type === 'number' || type === 'integer');
    if (meant !== undefined) {
      const { description = '', form = {} } = schema;
      collect({ description, form, ...meant }, value, at, fields);
    }
    return;
  }
  if (schema.const !== undefined) return;
  if (schema.type === 'object') collectObject(schema, value, at, fields);
  else if (schema.type === 'array') collectList(schema, data, at, fields);
  else {
    const field = leafOf(schema, value, at);
    if (field !== null) fields.push(field);
  }
}

function collectObject(schema: JsonSchema, value: unknown, at: At, fields: VariedField[]): void {
  const map = mapOf(value);
  const inside = (key: string, title: string): At => ({
    path: at.path === '' ? key : `${at.path}.${key}`,
    places: placesIn(at),
    name: key,
    title,
  });
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (fixedNames.has(key)) continue;
    collect(property, map[key], inside(key, spacedWords(key)), fields);
  }
  const { additionalProperties: other } = schema;
  if (typeof other !== 'object') return;
  for (const [key, entry] of Object.entries(map)) {
    if (/^[\w-]+$/.test(key)) collect(other, entry, inside(key, key), fields);
  }
}

/** Why without defaults: a setting cannot change a part of a list that the document does not have. */
function collectList(schema: JsonSchema, data: unknown, at: At, fields: VariedField[]): void {
  if (!Array.isArray(data)) return;
  const entries: readonly unknown[] = data;
  const { prefixItems } = schema;
  if (prefixItems !== undefined) {
    for (const [index, item] of prefixItems.entries()) {
      const { label, unit } = fieldWords(at.name, schema.form);
      const part = schema.form?.parts?.[index] ?? String(index + 1);
      const field = leafOf(item, entries[index], { ...at, path: `${at.path}[${index}]` });
      if (field !== null) fields.push({ ...field, label: `${label}, ${part}`, unit });
    }
    return;
  }
  const item = schema.items === false ? undefined : schema.items;
  const isOfObjects = item?.type === 'object' || (item?.oneOf ?? item?.anyOf) !== undefined;
  if (item === undefined || !isOfObjects) return;
  const names = entries.map((entry) => mapOf(entry)['name']);
  for (const [index, entry] of entries.entries()) {
    const key = itemKey(names, index);
    const path = `${at.path}[${key}]`;
    collect(item, entry, { path, places: placesIn(at), name: key, title: key }, fields);
  }
}

/** By its name, where the path can hold it and it is the only one. */
function itemKey(names: readonly unknown[], index: number): string {
  const name = names[index];
  const canBeWritten = typeof name === 'string' && /^[\w.-]+$/.test(name) && !/^\d+$/.test(name);
  return canBeWritten && names.indexOf(name) === index ? name : String(index);
}

function leafOf(schema: JsonSchema, value: unknown, at: At): VariedField | null {
  const { label, unit } = fieldWords(at.name, schema.form);
  const base = {
    path: at.path,
    label,
    place: at.places.join(' › '),
    unit,
    help: schema.description ?? '',
    bounds: undefined,
    options: [],
    value: isScalar(value) ? value : null,
  };
  if (schema.enum !== undefined) {
    return { ...base, kind: 'choice', options: schema.enum.map(String) };
  }
  switch (schema.type) {
    case 'number':
    case 'integer':
      return { ...base, kind: 'number', bounds: boundsOf(schema) };
    case 'boolean':
      return { ...base, kind: 'switch' };
    case 'string':
      return { ...base, kind: 'text' };
    default:
      return null;
  }
}

/** The places of what is inside. */
function placesIn({ places, title }: At): readonly string[] {
  return title === '' ? places : [...places, title];
}

function nameText({ path, label, place, unit }: VariedField): string {
  return `${label} ${path} ${place} ${unit}`.toLowerCase();
}

function isScalar(value: unknown): value is FieldValue {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
}
