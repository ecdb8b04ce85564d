// The part of JSON Schema that our published schemas use, and the schema by which one place of a document is checked.

import type { FormWords } from '#contract/documents/formWords.ts';

export interface JsonSchema {
  type?: string;
  form?: FormWords;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  items?: JsonSchema | false;
  prefixItems?: JsonSchema[];
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
}

export type DocumentPath = readonly (string | number)[];

/** The schema of the value at a path of `data`, of the variants the one that is meant there; null: none is known. */
export function schemaAt(schema: JsonSchema, data: unknown, path: DocumentPath): JsonSchema | null {
  const [key, ...rest] = path;
  const value = data ?? schema.default;
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined && key !== undefined) {
    const meant = options.find((option) => isMeant(option, value));
    return meant === undefined ? null : schemaAt(meant, value, path);
  }
  if (key === undefined) return schema;
  if (typeof key === 'number') {
    const item = schema.prefixItems?.[key] ?? schema.items;
    if (item === undefined || item === false) return null;
    return schemaAt(item, Array.isArray(value) ? value[key] : undefined, rest);
  }
  const { additionalProperties: other } = schema;
  const property = schema.properties?.[key] ?? (typeof other === 'object' ? other : undefined);
  return property === undefined ? null : schemaAt(property, mapOf(value)[key], rest);
}

/** Whether data that may be of several forms is meant to be of this one. */
export function isMeant(option: JsonSchema, data: unknown): boolean {
  if (data === undefined) return false;
  if (option.enum !== undefined) return typeof data === 'string';
  if (option.type === 'array') return Array.isArray(data);
  if (option.type !== 'object') return typeof data === option.type;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  const kind = option.properties?.['kind']?.const;
  if (kind !== undefined) return mapOf(data)['kind'] === kind;
  const { properties } = option;
  return properties === undefined || Object.keys(data).every((key) => key in properties);
}

/** A mapping; an empty one for anything else. */
export function mapOf(data: unknown): Record<string, unknown> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return {};
  return data as Record<string, unknown>;
}
