// Structs of recipes and requests, and functions that read them strictly: a header and a source for each file of
// recipeFiles.ts. The native build writes them beside contract.h.
import { z } from 'zod';
import { camel, literals, wordsOf, type Enumerations } from './fields.ts';
import { mayLack, memberOf, type FieldByHand, type Member } from './recipeFields.ts';

/** A generated header and its source. Names are those of objects in `fields`, with the C++ type of each. */
export interface RecipeFile {
  /** A few words for its heading. */
  about: string;
  includes?: readonly string[];
  /** In the order of declaration. */
  structs: Record<string, string>;
  /** Types of discriminated unions: a std::variant of structs, or one struct with the fields of all options. */
  variants?: Record<string, z.ZodDiscriminatedUnion>;
  merged?: Record<string, z.ZodDiscriminatedUnion>;
  /** By object, fields with a type and a reader written by hand, in `includes`. */
  fieldsByHand?: Record<string, Record<string, FieldByHand>>;
  /** By object, fields that the worker accepts and leaves to the host. */
  ofHost?: Record<string, readonly string[]>;
  /** Objects with rules across fields: a function `check`, written by hand. */
  checked?: readonly string[];
}

export type RecipeFiles = Record<string, RecipeFile>;

interface Contract {
  enumerations: Enumerations;
  objects: Record<string, z.ZodObject>;
}

interface Struct {
  type: string;
  members: Member[];
  reader: string;
}

/** The text of each file by its name. @throws TypeError where the contract has something that they cannot express */
export function recipeSources(files: RecipeFiles, contract: Contract): Record<string, string> {
  const types = Object.values(files).flatMap((file) => namedSchemas(file, contract));
  const typeOf = (schema: z.ZodType) =>
    types.find((named) => isSame(named.schema, schema))?.type ?? null;
  return Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => {
      const structs = structsOf(file, contract, typeOf);
      const variants = Object.entries(file.variants ?? {}).map(([type, union]) => ({
        type,
        options: union.options.map((option) =>
          known(typeOf(option as z.ZodType), `an option of ${type}`),
        ),
        reader: variantReader(type, union, contract, typeOf),
      }));
      return [
        [`${name}.h`, header(file, structs, variants)],
        [`${name}.cpp`, source(name, file, [...structs, ...variants])],
      ];
    }),
  );
}

/** @throws TypeError where the contract has no such thing */
function known<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new TypeError(`the contract has no ${what}`);
  return value;
}

type TypeOf = (schema: z.ZodType) => string | null;

function namedSchemas(
  { structs, variants, merged }: RecipeFile,
  { objects }: Contract,
): { schema: z.ZodType; type: string }[] {
  return [
    ...Object.entries(structs).map(([name, type]) => ({
      schema: objectOf(name, objects),
      type,
    })),
    ...Object.entries({ ...variants, ...merged }).map(([type, schema]) => ({ schema, type })),
  ];
}

/** Whether both are the same but for their descriptions. */
function isSame(one: z.ZodType, other: z.ZodType): boolean {
  if (one instanceof z.ZodObject) return other instanceof z.ZodObject && one.shape === other.shape;
  return (
    one instanceof z.ZodDiscriminatedUnion &&
    other instanceof z.ZodDiscriminatedUnion &&
    one.options === other.options
  );
}

function objectOf(name: string, objects: Record<string, z.ZodObject>): z.ZodObject {
  const object = objects[name];
  if (object === undefined) throw new TypeError(`no object is called ${name}`);
  return object;
}

function structsOf(file: RecipeFile, contract: Contract, typeOf: TypeOf): Struct[] {
  const { fieldsByHand = {}, ofHost = {}, checked = [] } = file;
  const membersOf = (name: string): Member[] => {
    const known = { enumerations: contract.enumerations, typeOf, byHand: fieldsByHand[name] ?? {} };
    return Object.entries(objectOf(name, contract.objects).shape)
      .filter(([field]) => ofHost[name]?.includes(field) !== true)
      .filter(([, schema]) => !(schema instanceof z.ZodLiteral))
      .map(([field, schema]) => memberOf(field, schema as z.ZodType, known));
  };
  const objects = Object.entries(file.structs).map(([name, type]) => {
    const members = membersOf(name);
    const lines = [
      `namespace at = fields::${name};`,
      `${type} to;`,
      ...withoutMember(objectOf(name, contract.objects), ofHost[name] ?? []),
      ...members.map(assignment),
      ...(checked.includes(name) ? ['check(to, from);'] : []),
      'return to;',
    ];
    return { type, members, reader: readerOf(type, lines) };
  });
  const merged = Object.entries(file.merged ?? {}).map(([type, union]) =>
    mergedStruct(type, union, contract, membersOf),
  );
  return [...merged, ...objects];
}

/** One struct with the fields of all options, and the kind. */
function mergedStruct(
  type: string,
  union: z.ZodDiscriminatedUnion,
  contract: Contract,
  membersOf: (name: string) => Member[],
): Struct {
  const { kind, cases } = casesOf(union, contract);
  const options = cases.map((option) => ({ ...option, members: membersOf(option.name) }));
  const members = new Map(
    options.flatMap((option) => option.members).map((member) => [member.name, member]),
  );
  const read = options.flatMap(({ word, name, members: own }) => [
    `  case ${kind.type}::${word}: {`,
    ...(own.length > 0 ? [`    namespace at = fields::${name};`] : []),
    ...own.map((member) => `    ${assignment(member)}`),
    '    break;',
    '  }',
  ]);
  const lines = [`${type} to;`, `to.${kind.field} = ${kind.read};`];
  return {
    type,
    members: [{ ...kindMember, ...kind, name: kind.field }, ...members.values()],
    reader: readerOf(type, [...lines, `switch (to.${kind.field}) {`, ...read, '}', 'return to;']),
  };
}

const kindMember = { initial: '', mayBeLeftOut: false, description: '' };

function variantReader(
  type: string,
  union: z.ZodDiscriminatedUnion,
  contract: Contract,
  typeOf: TypeOf,
): string {
  const { kind, cases } = casesOf(union, contract);
  return readerOf(type, [
    `switch (${kind.read}) {`,
    ...cases.flatMap(({ word, object }) => [
      `  case ${kind.type}::${word}:`,
      `    return read${known(typeOf(object), `${type} '${word}'`)}(from);`,
    ]),
    '}',
    `from.refuse("${kind.field}", "a kind");`,
  ]);
}

/** The field that says the kind, and the object of each of its words. */
function casesOf(union: z.ZodDiscriminatedUnion, { enumerations, objects }: Contract) {
  const field = union.def.discriminator;
  const words = literals(union, field);
  const type = known(wordsOf({ enum: words }, enumerations), `an enumeration of ${field}`);
  const cases = words.map((word, index) => {
    const object = union.options[index] as z.ZodObject;
    const own = Object.keys(objects).find((key) => isSame(objectOf(key, objects), object));
    const name = known(own, `an object for '${word}'`);
    return { word: camel(word), name, object };
  });
  const first = known(cases[0], `a kind of ${field}`);
  const read = `from.kind<${type}>(fields::${first.name}::${field})`;
  return { kind: { field, type, read }, cases };
}

/** Statements that read the version of an object and what is the host's. Its kind has been read. */
function withoutMember({ shape }: z.ZodObject, ofHost: readonly string[]): string[] {
  return Object.entries(shape).flatMap(([field, schema]) => {
    const isVersion = schema instanceof z.ZodLiteral && typeof schema.value === 'number';
    if (isVersion) return [`from.integer(at::${field});`];
    if (!ofHost.includes(field)) return [];
    const condition = mayLack(schema as z.ZodType) ? `if (from.has(at::${field})) ` : '';
    return [`${condition}from.skip(at::${field});`];
  });
}

function assignment({ field, name, read, mayBeLeftOut }: Member): string {
  return `${mayBeLeftOut ? `if (from.has(at::${field})) ` : ''}to.${name} = ${read};`;
}

function readerOf(type: string, lines: string[]): string {
  return `${type} read${type}(FieldReader& from) {
${lines.map((line) => `  ${line}`).join('\n')}
}
`;
}

function header(
  { about, includes = [], structs, checked = [] }: RecipeFile,
  emitted: Struct[],
  variants: { type: string; options: string[] }[],
): string {
  const checks = checked.map(
    (name) => `void check(const ${known(structs[name], name)}& value, const FieldReader& from);`,
  );
  return `// Generated from src-main/contract by the build: ${about} as plain data, in SI units and radians.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "contract/contract.h"
${includes.map((include) => `#include "${include}"\n`).join('')}
namespace understory {

class FieldReader;

${emitted.map(structOf).join('\n')}
${variants.map(({ type, options }) => `using ${type} = std::variant<${options.join(', ')}>;\n\n`).join('')}// Each throws 'bad-input' with the path of the first field that is missing, unknown or out of bounds.
${[...emitted, ...variants].map(({ type }) => `${type} read${type}(FieldReader& from);`).join('\n')}
${checks.length === 0 ? '' : `\n// Rules across fields, written by hand.\n${checks.join('\n')}\n`}
}  // namespace understory
`;
}

function structOf({ type, members }: Struct): string {
  const lines = members.map(({ type: valueType, name, initial, description }) => {
    const line = `  ${valueType} ${name}${initial === '' ? '{}' : ` = ${initial}`};`;
    if (description === '') return line;
    const isLong = line.length + description.length > 110;
    return isLong ? `  // ${description}\n${line}` : `${line}  // ${description}`;
  });
  return `struct ${type} {
${lines.join('\n')}
};
`;
}

function source(name: string, { about }: RecipeFile, readers: { reader: string }[]): string {
  return `// Generated from src-main/contract by the build: readers of ${about}.
#include "contract/${name}.h"

#include "core/fieldReader.h"
#include "core/maths/maths.h"

namespace understory {

${readers.map(({ reader }) => reader).join('\n')}
}  // namespace understory
`;
}
