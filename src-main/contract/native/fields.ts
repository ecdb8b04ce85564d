// Fields of requests and recipes as declarations of native-workers/contract/fields.h: part of header.ts.
import { z } from 'zod';

/** Words by the C++ name of their enumeration. */
export type Enumerations = Record<string, readonly string[]>;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The fields of an object as a namespace. @throws TypeError where one has a schema that C++ cannot express */
export function fieldsOf(name: string, schema: z.ZodObject, enumerations: Enumerations): string {
  return `namespace ${name} {
${Object.entries(schema.shape)
  .map(
    ([field, type]) =>
      `inline constexpr ${fieldOf(field, z.toJSONSchema(type as z.ZodType), enumerations)};`,
  )
  .join('\n')}
}  // namespace ${name}`;
}

/** A field's name in C++. */
export function cppNameOf(name: string): string {
  return ['class', 'default', 'register'].includes(name) ? `${name}_` : name;
}

/** A field's declaration, its initialiser included. */
function fieldOf(name: string, schema: JsonSchema, enumerations: Enumerations): string {
  const cppName = cppNameOf(name);
  const word = wordsOf(schema, enumerations);
  if (word !== null) return `WordField<${word}> ${cppName}{"${name}"}`;
  switch (schema.type) {
    case 'boolean':
      return `FlagField ${cppName}{"${name}"}`;
    case 'string':
      return `TextField ${cppName}{"${name}"}`;
    case 'number':
      // A number that must be one value is a version, which is read as a whole number.
      return schema.const === undefined
        ? `NumberField ${cppName}${number(name, schema)}`
        : `IntegerField ${cppName}${integer(name, schema)}`;
    case 'integer':
      return `IntegerField ${cppName}${integer(name, schema)}`;
    case 'array':
      return listOf(name, cppName, schema, enumerations);
  }
  const literals = schema.anyOf?.map((option) => option.const);
  if (literals?.every((literal) => typeof literal === 'number') === true) {
    const range = { minimum: Math.min(...literals), maximum: Math.max(...literals) };
    return `IntegerField ${cppName}${integer(name, range)}`;
  }
  return `Field ${cppName}{"${name}"}`;
}

function listOf(
  name: string,
  cppName: string,
  schema: JsonSchema,
  enumerations: Enumerations,
): string {
  const tuple = schema.prefixItems as JsonSchema[] | undefined;
  const item = tuple?.[0] ?? (schema.items as JsonSchema);
  if (tuple?.some((other) => JSON.stringify(other) !== JSON.stringify(item)) === true) {
    throw new TypeError(`the items of ${name} differ in type`);
  }
  const min = tuple?.length ?? schema.minItems ?? 0;
  const max = tuple?.length ?? schema.maxItems;
  const items = `${min}, ${max ?? 'SIZE_MAX'}`;
  const word = wordsOf(item, enumerations);
  if (word !== null) return `WordsField<${word}> ${cppName}{"${name}"}`;
  if (item.type === 'string') return `TextsField ${cppName}{"${name}"}`;
  if (item.type === 'number') return `NumbersField ${cppName}{${number(name, item)}, ${items}}`;
  if (item.type === 'integer') return `IntegersField ${cppName}{${integer(name, item)}, ${items}}`;
  return `ListField ${cppName}{"${name}", ${items}}`;
}

function number(name: string, schema: JsonSchema): string {
  const { minimum, maximum } = schema;
  const { above, below } = exclusive(schema);
  const isAbove = above !== undefined && above >= (minimum ?? -Infinity);
  const isBelow = below !== undefined && below <= (maximum ?? Infinity);
  const min = isAbove ? above : (minimum ?? -Number.MAX_VALUE);
  const max = isBelow ? below : (maximum ?? Number.MAX_VALUE);
  return `{"${name}", ${real(min)}, ${real(max)}, ${isAbove}, ${isBelow}}`;
}

function integer(name: string, schema: JsonSchema): string {
  const { min, max } = integerBounds(name, schema);
  const { multipleOf } = schema;
  return `{"${name}", ${min}, ${max}${multipleOf === undefined ? '' : `, ${multipleOf}`}}`;
}

/** The least and the greatest value of a whole number. @throws TypeError where it has none */
export function integerBounds(name: string, schema: JsonSchema): { min: number; max: number } {
  const { above, below } = exclusive(schema);
  const { const: only } = schema;
  if (typeof only === 'number') return { min: only, max: only };
  const min = Math.max(schema.minimum ?? -Infinity, above === undefined ? -Infinity : above + 1);
  const max = Math.min(schema.maximum ?? Infinity, below === undefined ? Infinity : below - 1);
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max)) {
    throw new TypeError(`${name} has no bounds`);
  }
  return { min, max };
}

/** Bounds that a value may not have itself. A boolean is how an older JSON Schema writes them. */
function exclusive(schema: JsonSchema): { above: number | undefined; below: number | undefined } {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof above === 'boolean' || typeof below === 'boolean') {
    throw new TypeError('a bound is no number');
  }
  return { above, below };
}

/** A literal of type double. */
export function real(value: number): string {
  if (Math.abs(value) === Number.MAX_VALUE) return value < 0 ? '-maxNumber' : 'maxNumber';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** The enumeration whose words a schema lists. */
export function wordsOf({ enum: words }: JsonSchema, enumerations: Enumerations): string | null {
  if (words === undefined) return null;
  const text = words.join();
  const found = Object.entries(enumerations).find(([, known]) => known.join() === text);
  if (found === undefined) throw new TypeError(`no enumeration has the words ${text}`);
  return found[0];
}

/** 'strongest-and-last' → strongestAndLast, 'sse4.2' → sse42, 'x_m' → xM. */
export function camel(word: string): string {
  return word
    .replace(/[._-]([A-Za-z])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/[._-]/g, '');
}

/** The literals of a union's discriminator, in order. */
export function literals(union: z.ZodDiscriminatedUnion, key: string): string[] {
  return union.options.map((option) => {
    const { properties } = z.toJSONSchema(option);
    return String((properties?.[key] as z.core.JSONSchema.BaseSchema | undefined)?.const);
  });
}
