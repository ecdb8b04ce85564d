// A form from a JSON Schema (contract/documents/publishedSchemas.ts) and the data it is about: a tree of fields, each
// with its path, label, unit, help and bounds. Editing a field is one edit of the document at its path.
import { fieldWords, spacedWords } from './fieldNames.ts';
import { isMeant, mapOf, type DocumentPath, type JsonSchema } from './jsonSchema.ts';
import { boundsOf, type NumberBounds } from './numberEntry.ts';

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
  | (FieldBase & {
      kind: 'number';
      value: number | null;
      /** The value that holds where nothing is written; null: none. */
      fallback: number | null;
      bounds: NumberBounds | undefined;
    })
  | (FieldBase & { kind: 'text'; value: string; isLong: boolean })
  | (FieldBase & { kind: 'fixed'; value: string })
  | (FieldBase & { kind: 'choice'; value: string; options: string[] })
  | (FieldBase & { kind: 'switch'; value: boolean })
  /** Numbers of a list, or rows of them, and words of one: written with commas, rows a line each. */
  | (FieldBase & { kind: 'numbers'; value: readonly unknown[]; count: number | null })
  | (FieldBase & { kind: 'rows'; value: readonly unknown[] })
  | (FieldBase & { kind: 'words'; value: readonly unknown[] })
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
export function isList({ kind }: FormField): boolean {
  return kind === 'numbers' || kind === 'rows' || kind === 'words';
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

/** Rows of numbers, a line each. */
export function rowsOf(text: string): number[][] | null {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(numbersOf);
  return rows.every((row) => row !== null) ? rows : null;
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
  if (schema.const !== undefined) return { ...base, kind: 'fixed', value: textOf(schema.const) };
  if (schema.enum !== undefined) {
    const value = textOf(data ?? schema.default ?? '');
    return { ...base, kind: 'choice', value, options: schema.enum.map(String) };
  }
  switch (schema.type) {
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: 'number',
        value: typeof data === 'number' ? data : null,
        fallback: typeof schema.default === 'number' ? schema.default : null,
        bounds: boundsOf(schema),
      };
    case 'boolean':
      return { ...base, kind: 'switch', value: (data ?? schema.default) === true };
    case 'array':
      return arrayOf(schema, data, base);
    case 'object': {
      const fields = fieldsOf(schema, data, path);
      return { ...base, kind: 'group', fields, template: templateOf(schema) };
    }
    default: {
      const value = textOf(data ?? schema.default ?? '');
      return { ...base, kind: 'text', value, isLong: value.length > 32 };
    }
  }
}

function arrayOf(schema: JsonSchema, data: unknown, base: FieldBase): FormField {
  const value: readonly unknown[] = Array.isArray(data) ? data : [];
  const item = schema.items === false ? undefined : schema.items;
  if (schema.prefixItems !== undefined) {
    return { ...base, kind: 'numbers', value, count: schema.prefixItems.length };
  }
  if (item?.prefixItems !== undefined || item?.type === 'array')
    return { ...base, kind: 'rows', value };
  if (item?.type === 'string') return { ...base, kind: 'words', value };
  if (item?.type !== 'object') return { ...base, kind: 'numbers', value, count: null };
  const items = value.map((entry, index) => {
    const named = textOf(mapOf(entry)['name'] ?? '');
    const label = named === '' ? `${index + 1}` : named;
    const words = { label, unit: '', isOptional: true };
    return fieldOf(item, entry, [...base.path, index], words);
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
