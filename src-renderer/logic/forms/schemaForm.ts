// A form from a JSON Schema (contract/documents/publishedSchemas.ts) and the data it is about: a tree of fields, each
// with its path, label, unit, help and bounds. Editing a field is one edit of the document at its path.
import { fieldWords, spacedWords } from './fieldNames.ts';
import { isMeant, mapOf, type DocumentPath, type JsonSchema } from './jsonSchema.ts';
import { boundsOf, type NumberBounds } from './numberEntry.ts';
import type { FieldControl } from './fieldControl.ts';

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
  /** Has a value while it is not in the document. */
  hasDefault: boolean;
  isPresent: boolean;
}

export type FormField =
  /** Edited by one control. */
  | (FieldBase & { kind: 'value'; control: FieldControl; value: unknown })
  | (FieldBase & { kind: 'group'; fields: FormField[]; template: unknown })
  | (FieldBase & {
      kind: 'list';
      items: FormField[];
      template: unknown;
      least: number;
      most: number | null;
    })
  | (FieldBase & {
      kind: 'variant';
      chosen: number;
      options: { label: string; template: unknown }[];
      /** Kind without an entry. */
      fallback?: string;
      body: FormField | null;
    });

/** The fields of a document or of a part of one: the properties of its schema, in their order. */
export function formOf(schema: JsonSchema, data: unknown): FormField[] {
  const isVariant = schema.oneOf !== undefined || schema.anyOf !== undefined;
  if (!isVariant) return fieldsOf(schema, data, []);
  return [fieldOf(schema, data, [], { label: 'Kind', unit: '', isOptional: false })];
}

/** These and the fields of their parts. */
export function allFields(fields: readonly FormField[]): FormField[] {
  return fields.flatMap((one) => {
    if (one.kind === 'group') return [one, ...allFields(one.fields)];
    if (one.kind === 'list') return [one, ...allFields(one.items)];
    if (one.kind === 'variant' && one.body !== null) return [one, ...allFields([one.body])];
    return [one];
  });
}

/** The fields with other controls; null leaves one out. */
export function withControls(
  fields: readonly FormField[],
  change: (control: FieldControl) => FieldControl | null,
): FormField[] {
  return fields.flatMap((one): FormField[] => {
    if (one.kind === 'value') {
      const control = change(one.control);
      return control === null ? [] : [{ ...one, control }];
    }
    if (one.kind === 'group') return [{ ...one, fields: withControls(one.fields, change) }];
    if (one.kind === 'list') return [{ ...one, items: withControls(one.items, change) }];
    const [body = null] = one.body === null ? [] : withControls([one.body], change);
    return [{ ...one, body }];
  });
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
      ...fieldWords(name, property.form),
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
  const hasDefault = schema.default !== undefined;
  const help = schema.description ?? '';
  const base = { path, ...words, help, hasDefault, isPresent: data !== undefined };
  const control = controlOf(schema, data, base);
  if (control !== null) return { ...base, kind: 'value', control, value: shownValue(schema, data) };
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return variantOf(schema, options, data, base);
  if (schema.type === 'array') return listOf(schema, data, base);
  const fields = fieldsOf(schema, data, path);
  return { ...base, kind: 'group', fields, template: templateOf(schema) };
}

function shownValue({ type, const: only, anyOf }: JsonSchema, data: unknown): unknown {
  if (only !== undefined) return textOf(only);
  const isText = type === 'string' || (type === undefined && anyOf === undefined);
  return isText && data !== undefined ? textOf(data) : data;
}

/** The control that edits a field as a whole; null: its parts have their own. */
function controlOf(schema: JsonSchema, data: unknown, base: FieldBase): FieldControl | null {
  const { path, label, unit, help } = base;
  const { form = {}, type } = schema;
  const fallback = form.fallback ?? schema.default;
  const isText = type === 'string' || form.control === 'text';
  const isWide = form.isWide ?? (isText && typeof data === 'string' && data.length > 32);
  const common = {
    path,
    label,
    unit,
    help,
    ...(isWide && { isWide }),
    ...(form.hint !== undefined && { hint: form.hint }),
    isOptional: base.isOptional && fallback === undefined,
  };
  const text = fallback === undefined ? {} : { fallback: textOf(fallback) };
  const number = typeof fallback === 'number' ? { fallback } : {};
  switch (form.control) {
    case 'colour':
      return { ...common, kind: 'colour', fallback: textOf(fallback ?? '') };
    case 'circles':
      return { ...common, kind: 'circles' };
    case 'spectrum': {
      // Why: a default of many numbers is shown as none.
      const isOptional = common.isOptional || Array.isArray(fallback);
      const numbers = unit === 'per m' ? 'per m' : 'share';
      const bounds = boundsOf(schema);
      return { ...common, kind: 'spectrum', numbers, isOptional, bounds, ...number };
    }
    case 'mapping':
      return { ...common, kind: 'mapping', options: [], names: [], otherwise: 'Default material' };
    case 'text':
    case 'long text':
      return { ...common, kind: 'text', isLong: form.control === 'long text', ...text };
    default:
  }
  if (schema.const !== undefined) return { ...common, kind: 'fixed' };
  if (schema.enum !== undefined || form.refersTo !== undefined) {
    const options = (schema.enum ?? []).map(String);
    const to = form.refersTo === undefined ? {} : { refersTo: form.refersTo };
    return { ...common, kind: 'choice', options, texts: options.map(spacedWords), ...text, ...to };
  }
  if (type === 'number' || type === 'integer') {
    const bounds = boundsOf(schema);
    const size = typeof data === 'number' ? data : (number.fallback ?? 1);
    const isShare = schema.minimum === 0 && schema.maximum === 1;
    const slider = form.slider ?? (isShare ? ([0, 1] as const) : undefined);
    const step = isShare ? { step: 0.01 } : stepOf(bounds, size);
    const drawn = slider === undefined ? {} : { slider };
    return { ...common, kind: 'number', bounds, ...step, ...number, ...drawn };
  }
  if (type === 'boolean') return { ...common, kind: 'switch', fallback: fallback === true };
  if (type === 'array') return arrayControl(schema, common);
  if (type === 'object' || schema.oneOf !== undefined || schema.anyOf !== undefined) return null;
  return { ...common, kind: 'text', ...text };
}

/** Finer than the number's own size; without a step the arrow keys step by one. */
function stepOf(bounds: NumberBounds | undefined, value: number): { step?: number } {
  if (bounds?.isInteger === true) return { step: 1 };
  const size = Math.abs(value);
  return size === 0 ? {} : { step: Number(`1e${Math.floor(Math.log10(size)) - 1}`) };
}

type CommonWords = Pick<FieldBase, 'path' | 'label' | 'unit' | 'help' | 'isOptional'>;

/** The control of numbers, words, or rows of numbers; null: a list of objects. */
function arrayControl(schema: JsonSchema, common: CommonWords): FieldControl | null {
  const item = schema.items === false ? undefined : schema.items;
  const { prefixItems, form } = schema;
  const [row] = prefixItems ?? [item];
  if (row?.prefixItems !== undefined || row?.type === 'array') {
    return { ...common, kind: 'rows', columns: row.form?.parts ?? [], isWide: true };
  }
  if (prefixItems !== undefined && form?.parts !== undefined) {
    const fallback = Array.isArray(schema.default) ? { fallback: schema.default as number[] } : {};
    const bounds = prefixItems.map(boundsOf);
    return { ...common, kind: 'numbers', parts: form.parts, bounds, ...fallback };
  }
  if (item?.type === 'object' || item?.oneOf !== undefined) return null;
  const isOfWords = prefixItems === undefined && item?.type === 'string';
  const isWide = prefixItems === undefined;
  return { ...common, kind: 'list', item: isOfWords ? 'word' : 'number', parts: [], isWide };
}

function listOf(schema: JsonSchema, data: unknown, base: FieldBase): FormField {
  const item = schema.items === false ? {} : (schema.items ?? {});
  const items = (Array.isArray(data) ? data : []).map((entry: unknown, index) => {
    const named = textOf(mapOf(entry)['name'] ?? '');
    const words = { label: named === '' ? `${index + 1}` : named, unit: '', isOptional: true };
    return fieldOf(item, entry, [...base.path, index], words);
  });
  const template = withFreeName(templateOf(item), items);
  const [least, most] = [schema.minItems ?? 0, schema.maxItems ?? null];
  return { ...base, kind: 'list', items, template, least, most };
}

/** A named entry of a list has the name of no other. */
function withFreeName(template: unknown, items: readonly FormField[]): unknown {
  const { name } = mapOf(template);
  if (typeof name !== 'string') return template;
  const taken = new Set(items.map(({ label }) => label));
  let free = name;
  for (let index = 2; taken.has(free); index += 1) free = `${name}-${index}`;
  return { ...mapOf(template), name: free };
}

/** One of several forms; what they have in common goes with it when another is chosen. */
function variantOf(
  schema: JsonSchema,
  options: readonly JsonSchema[],
  data: unknown,
  base: FieldBase,
): FormField {
  const kind = mapOf(schema.default)['kind'];
  const chosen = options.findIndex((option) => isMeant(option, data));
  const body = options[chosen];
  const words = { label: base.label, unit: base.unit, isOptional: false };
  return {
    ...base,
    kind: 'variant',
    chosen,
    ...(typeof kind === 'string' && { fallback: kind }),
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
  if (schema.form?.start !== undefined) return schema.form.start;
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
