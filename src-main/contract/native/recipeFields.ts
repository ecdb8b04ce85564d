// Fields of recipes and requests as members of C++ structs: their types, and how a FieldReader reads them. Part of
// recipeSources.ts.
import { z } from 'zod';
import { camel, cppNameOf, integerBounds, real, wordsOf, type Enumerations } from './fields.ts';

/** Types that the members refer to. */
export interface KnownTypes {
  enumerations: Enumerations;
  /** C++ type of an object or a union with a reader; null: it has none. */
  typeOf: (schema: z.ZodType) => string | null;
  /** Fields with a type and a reader written by hand, by name. */
  byHand: Record<string, FieldByHand>;
}

export interface FieldByHand {
  type: string;
  /** As `read` of a member; `at`: the field. */
  read: (at: string) => string;
}

export interface Member {
  /** In the recipe, as C++ writes it. */
  field: string;
  /** In the struct: angles in degrees become radians. */
  name: string;
  type: string;
  /** An expression of `from`, a FieldReader, and `at`, the namespace of the fields. */
  read: string;
  /** Initial value; empty: that of its type. */
  initial: string;
  mayBeLeftOut: boolean;
  description: string;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;
interface CppValue {
  type: string;
  read: string;
}

/** @throws TypeError where the schema has no C++ form */
export function memberOf(field: string, schema: z.ZodType, known: KnownTypes): Member {
  const mayBeLeftOut = mayLack(schema);
  const { leftOut, description = '' } = schema.meta() ?? {};
  const at = `at::${cppNameOf(field)}`;
  const value = valueOf(field, unwrapped(schema), at, known);
  const isList = value.type.startsWith('std::vector');
  const isAngle = value.type === 'double' && field.endsWith('Deg');
  const hasValue = !mayBeLeftOut || isList || leftOut !== undefined;
  return {
    field: cppNameOf(field),
    name: isAngle ? field.replace(/Deg$/, 'Rad') : cppNameOf(field),
    type: hasValue ? value.type : `std::optional<${value.type}>`,
    read: isAngle ? `${value.read} * radPerDeg` : value.read,
    initial: hasValue ? initialOf(value.type, leftOut, known.enumerations) : '',
    mayBeLeftOut,
    description,
  };
}

/** Whether a recipe may lack the field. A default has been filled in before a recipe is sent. */
export function mayLack(schema: z.ZodType): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional;
}

/** The schema inside wrappers that say what a left-out field means. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return isWrapper ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}

function valueOf(field: string, schema: z.ZodType, at: string, known: KnownTypes): CppValue {
  const own = known.byHand[field];
  if (own !== undefined) return { type: own.type, read: own.read(at) };
  const type = known.typeOf(schema);
  if (type !== null) return { type, read: `from.object(${at}, read${type})` };
  if (schema instanceof z.ZodArray) {
    const item = known.typeOf(schema.element as z.ZodType);
    if (item !== null) {
      return { type: `std::vector<${item}>`, read: `from.list(${at}, read${item})` };
    }
  }
  return plainValue(field, z.toJSONSchema(schema), at, known.enumerations);
}

function plainValue(
  field: string,
  schema: JsonSchema,
  at: string,
  enumerations: Enumerations,
): CppValue {
  const word = wordsOf(schema, enumerations);
  if (word !== null) return { type: word, read: `from.word(${at})` };
  switch (schema.type) {
    case 'boolean':
      return { type: 'bool', read: `from.flag(${at})` };
    case 'string':
      return { type: 'std::string', read: `from.text(${at})` };
    case 'number':
      return { type: 'double', read: `from.number(${at})` };
    case 'integer':
      return integerValue(field, schema, at);
    case 'object':
      return indicesValue(field, schema, at);
    case 'array':
      return listValue(field, schema, at, enumerations);
  }
  throw new TypeError(`${field} has a type that C++ has no struct for`);
}

function integerValue(field: string, schema: JsonSchema, at: string): CppValue {
  const type = integerType(field, schema);
  const { indexIn } = schema;
  const read = typeof indexIn === 'string' ? `index<${type}>(${at}, "${indexIn}")` : null;
  return { type, read: `from.${read ?? `integer<${type}>(${at})`}` };
}

/** Indices in a list by name. */
function indicesValue(field: string, schema: JsonSchema, at: string): CppValue {
  const item = schema.additionalProperties;
  if (typeof item !== 'object' || typeof item['indexIn'] !== 'string') {
    throw new TypeError(`${field} is an object without a struct`);
  }
  const type = integerType(field, item);
  const read = `from.indices<${type}>(${at}, "${item['indexIn']}")`;
  return { type: `std::map<std::string, ${type}>`, read };
}

function listValue(
  field: string,
  schema: JsonSchema,
  at: string,
  enumerations: Enumerations,
): CppValue {
  const tuple = schema.prefixItems as JsonSchema[] | undefined;
  if (tuple?.[0]?.type === 'number') {
    const { length } = tuple;
    return { type: `std::array<double, ${length}>`, read: `from.numbers<${length}>(${at})` };
  }
  const item = schema.items as JsonSchema;
  const word = wordsOf(item, enumerations);
  if (word !== null) return { type: `std::vector<${word}>`, read: `from.words(${at})` };
  switch (item.type) {
    case 'string':
      return { type: 'std::vector<std::string>', read: `from.texts(${at})` };
    case 'number':
      return { type: 'std::vector<double>', read: `from.numberList(${at})` };
    case 'integer': {
      const type = integerType(field, item);
      return { type: `std::vector<${type}>`, read: `from.integerList<${type}>(${at})` };
    }
    case 'array': {
      const { length } = item.prefixItems as JsonSchema[];
      return {
        type: `std::vector<std::array<double, ${length}>>`,
        read: `from.rows<${length}>(${at})`,
      };
    }
  }
  throw new TypeError(`the items of ${field} have a type that C++ has no struct for`);
}

/** 16 bits for what is bounded by them, such as indices; otherwise 32 where they suffice. Times are signed. */
function integerType(field: string, schema: JsonSchema): string {
  const { min, max } = integerBounds(field, schema);
  if (/Ns$/.test(field)) return 'std::int64_t';
  if (min < 0) return min >= -(2 ** 31) && max < 2 ** 31 ? 'std::int32_t' : 'std::int64_t';
  if (max === 65534 || max === 65535) return 'std::uint16_t';
  return max < 2 ** 32 ? 'std::uint32_t' : 'std::uint64_t';
}

/** `leftOut`: value of a field that is left out. */
function initialOf(type: string, leftOut: unknown, enumerations: Enumerations): string {
  if (typeof leftOut === 'string') {
    if (type === 'std::string') return `"${leftOut}"`;
    if (enumerations[type]?.includes(leftOut) === true) return `${type}::${camel(leftOut)}`;
    throw new TypeError(`${leftOut} is no word of ${type}`);
  }
  if (typeof leftOut === 'number')
    return type.startsWith('std::') ? String(leftOut) : real(leftOut);
  if (typeof leftOut === 'boolean') return String(leftOut);
  if (leftOut !== undefined && JSON.stringify(leftOut).length > 2) {
    throw new TypeError(`a ${type} that is left out has to be empty`);
  }
  return '';
}
