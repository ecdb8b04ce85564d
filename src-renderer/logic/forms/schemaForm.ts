// A form from a JSON Schema (contract/documents/publishedSchemas.ts) and the data it is about: a tree of fields, each
// with its path, label, unit, help and bounds. Editing a field is one edit of the document at its path.
import { fieldWords, spacedWords } from './fieldNames.ts';
import { isMeant, mapOf, type DocumentPath, type JsonSchema } from './jsonSchema.ts';
import { boundsOf, type NumberBounds } from './numberEntry.ts';
import type { SceneField } from '../sceneEdit/sceneField.ts';

/** An edit of a document by a form: `remove` gives a field its default back, `rename` changes the key of a mapping. */
export interface FormEdit {
  path: DocumentPath;
  op: 'set' | 'remove' | 'insert' | 'rename';
  value?: unknown;
}

interface FieldBase {
  path: DocumentPath;
  label: string;
  unit: string;
  help: string;
  /** May be taken out of the document. */
  isOptional: boolean;
  isPresent: boolean;
}

export type FormField =
  /** Edited by one control. */
  | (FieldBase & { kind: 'value'; control: SceneField; value: unknown })
  | (FieldBase & { kind: 'group'; fields: FormField[]; template: unknown })
  | (FieldBase & { kind: 'list'; items: FormField[]; template: unknown; most: number | null })
  | (FieldBase & {
      kind: 'variant';
      chosen: number;
      options: { label: string; template: unknown }[];
      body: FormField | null;
    });

/** The fields of a document: the properties of its schema, in their order. */
export function formOf(schema: JsonSchema, data: unknown): FormField[] {
  return fieldsOf(schema, data, []);
}

/** Whether it shows a whole list in one control: problems of its items are shown there. */
export function isList(field: FormField): boolean {
  return field.kind === 'value' && ['list', 'rows'].includes(field.control.kind);
}

/** `data` with an edit made: what the document will say once the host has made it too. */
export function withEdit(data: unknown, { path, op, value }: FormEdit): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return op === 'remove' ? undefined : value;
  if (Array.isArray(data) && typeof key === 'number') {
    const list: unknown[] = [...(data as unknown[])];
    if (rest.length > 0) list[key] = withEdit(list[key], { path: rest, op, value });
    else if (op === 'insert') list.splice(key, 0, value);
    else if (op === 'remove') list.splice(key, 1);
    else list[key] = value;
    return list;
  }
  if (Array.isArray(data) || typeof key === 'number') {
    return withEdit(Array.isArray(data) ? data : [], { path: [Number(key), ...rest], op, value });
  }
  const map = { ...mapOf(data) };
  if (rest.length > 0) map[key] = withEdit(map[key], { path: rest, op, value });
  else if (op === 'remove') delete map[key];
  else if (op === 'rename') return renamed(map, key, String(value));
  else map[key] = value;
  return map;
}

/** The mapping with another key in the place of one. */
function renamed(map: Record<string, unknown>, key: string, next: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [name === key ? next : name, value]),
  );
}

/** The numbers in the text of a field: [] for nothing, null where it is no list of numbers. */
export function numbersOf(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const numbers = parts.map(Number);
  return numbers.every(Number.isFinite) ? numbers : null;
}

function fieldsOf(schema: JsonSchema, data: unknown, path: DocumentPath): FormField[] {
  const map = mapOf(data);
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fieldOf(property, map[name], [...path, name], {
      ...fieldWords(name),
      isOptional: !(schema.required ?? []).includes(name),
    }),
  );
}

function fieldOf(
  schema: JsonSchema,
  data: unknown,
  path: DocumentPath,
  words: { label: string; unit: string; isOptional: boolean },
): FormField {
  const base = { path, ...words, help: schema.description ?? '', isPresent: data !== undefined };
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return variantOf(options, data, base);
  const { label, unit, isOptional } = words;
  const common = { path, label, unit, isOptional, help: base.help };
  const valueOf = (control: SceneField, value = data): FormField => {
    return { ...base, kind: 'value', control, value };
  };
  if (schema.const !== undefined)
    return valueOf({ ...common, kind: 'fixed' }, textOf(schema.const));
  if (schema.enum !== undefined) {
    const all = schema.enum.map(String);
    const fallback = schema.default === undefined ? {} : { fallback: textOf(schema.default) };
    const texts = all.map(spacedWords);
    return valueOf({ ...common, kind: 'choice', options: all, texts, ...fallback });
  }
  switch (schema.type) {
    case 'number':
    case 'integer': {
      const fallback = typeof schema.default === 'number' ? { fallback: schema.default } : {};
      const bounds = boundsOf(schema);
      const step = stepOf(bounds, typeof data === 'number' ? data : (fallback.fallback ?? 1));
      return valueOf({ ...common, kind: 'number', bounds, ...step, ...fallback });
    }
    case 'boolean':
      return valueOf({ ...common, kind: 'switch', fallback: schema.default === true });
    case 'array':
      return arrayOf(schema, data, base, valueOf);
    case 'object': {
      const fields = fieldsOf(schema, data, path);
      return { ...base, kind: 'group', fields, template: templateOf(schema) };
    }
    default: {
      const text = data === undefined ? undefined : textOf(data);
      const fallback = schema.default === undefined ? {} : { fallback: textOf(schema.default) };
      const isWide = (text ?? '').length > 32;
      return valueOf({ ...common, kind: 'text', isWide, ...fallback }, text);
    }
  }
}

/** Finer than the number's own size; without a step the arrow keys step by one. */
function stepOf(bounds: NumberBounds | undefined, value: number): { step?: number } {
  if (bounds?.isInteger === true) return { step: 1 };
  const size = Math.abs(value);
  return size === 0 ? {} : { step: Number(`1e${Math.floor(Math.log10(size)) - 1}`) };
}

function arrayOf(
  schema: JsonSchema,
  data: unknown,
  base: FieldBase,
  valueOf: (control: SceneField) => FormField,
): FormField {
  const { path, label, unit, isOptional, help } = base;
  const common = { path, label, unit, isOptional, help };
  const item = schema.items === false ? undefined : schema.items;
  const count = schema.prefixItems?.length;
  const isRow = item?.prefixItems !== undefined || item?.type === 'array';
  if (count === undefined && isRow) {
    return valueOf({ ...common, kind: 'rows', columns: [], isWide: true });
  }
  if (count !== undefined || item?.type !== 'object') {
    const kind = count === undefined && item?.type === 'string' ? 'word' : 'number';
    const parts = count === 2 ? ['from', 'to'] : [];
    return valueOf({ ...common, kind: 'list', item: kind, parts, isWide: count === undefined });
  }
  const items = (Array.isArray(data) ? data : []).map((entry: unknown, index) => {
    const named = textOf(mapOf(entry)['name'] ?? '');
    const words = { label: named === '' ? `${index + 1}` : named, unit: '', isOptional: true };
    return fieldOf(item, entry, [...path, index], words);
  });
  const template = templateOf(item);
  return { ...base, kind: 'list', items, template, most: schema.maxItems ?? null };
}

/** One of several forms; what they have in common goes with it when another is chosen. */
function variantOf(options: readonly JsonSchema[], data: unknown, base: FieldBase): FormField {
  const chosen = options.findIndex((option) => isMeant(option, data));
  const body = options[chosen];
  const words = { label: base.label, unit: base.unit, isOptional: false };
  return {
    ...base,
    kind: 'variant',
    chosen,
    options: options.map((option) => ({
      label: variantName(option),
      template: merged(templateOf(option), data, option),
    })),
    body: body === undefined ? null : fieldOf(body, data, base.path, words),
  };
}

function variantName(option: JsonSchema): string {
  const kind = option.properties?.['kind']?.const;
  if (kind !== undefined) return spacedWords(textOf(kind));
  if (option.enum !== undefined) return 'Named';
  if (option.type === 'array') return 'List';
  if (option.type === 'number') return 'Share';
  return option.properties?.['repeat'] === undefined ? 'Regular range' : 'Repeated list';
}

/** The least that a schema accepts: what is required, with defaults or the smallest sensible values. */
function templateOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const first = (schema.oneOf ?? schema.anyOf)?.[0];
  if (first !== undefined) return templateOf(first);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, templateOf(schema.properties?.[name] ?? {})]),
      );
    case 'array': {
      if (schema.prefixItems !== undefined) return schema.prefixItems.map(templateOf);
      const item = schema.items === false ? {} : (schema.items ?? {});
      return Array.from({ length: schema.minItems ?? 0 }, () => templateOf(item));
    }
    case 'number':
    case 'integer':
      if (schema.exclusiveMinimum !== undefined) return schema.exclusiveMinimum + 1;
      return Math.max(schema.minimum ?? 0, Math.min(0, schema.maximum ?? 0));
    case 'boolean':
      return false;
    default:
      return 'new';
  }
}

/** A template with the values of the same name that are there already. */
function merged(template: unknown, data: unknown, option: JsonSchema): unknown {
  if (option.type !== 'object') return template;
  const others = Object.entries(mapOf(data)).filter(
    ([name]) => name !== 'kind' && option.properties?.[name] !== undefined,
  );
  return { ...mapOf(template), ...Object.fromEntries(others) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
