// The structs and readers that the native build generates from schemas.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RecipeFile, recipeSources } from '#contract/native/recipeSources.ts';
import { indexIn, leftOut } from '#contract/worker/recipeNumbers.ts';

const enumerations = { Law: ['even', 'gauss-like'], Kind: ['small', 'large'] };
const index = z.int().min(0).max(65534);
const law = z.enum(['even', 'gauss-like']);

const part = z.strictObject({ lengthM: z.number().positive().describe('from base to tip') });
const small = z.strictObject({ kind: z.literal('small'), sizeM: z.number() });
const large = z.strictObject({ kind: z.literal('large'), parts: z.array(part).min(1) });
const either = z.discriminatedUnion('kind', [small, large]);

/** Header and source of a file with these fields in struct Thing. */
function sourcesOf(shape: z.ZodRawShape, file: Partial<RecipeFile> = {}) {
  const files = {
    things: { about: 'things', structs: { part: 'Part', thing: 'Thing' }, ...file },
  };
  const objects = { part, small, large, thing: z.strictObject(shape) };
  const sources = recipeSources(files, { enumerations, objects });
  return { header: sources['things.h'] ?? '', source: sources['things.cpp'] ?? '' };
}

describe('a member', () => {
  const cases: [string, z.ZodType, string, string][] = [
    ['flag', z.boolean(), 'bool flag{};', 'to.flag = from.flag(at::flag);'],
    ['text', z.string(), 'std::string text{};', 'to.text = from.text(at::text);'],
    ['law', law, 'Law law{};', 'to.law = from.word(at::law);'],
    ['laws', z.array(law), 'std::vector<Law> laws{};', 'to.laws = from.words(at::laws);'],
    ['rangeM', z.number(), 'double rangeM{};', 'to.rangeM = from.number(at::rangeM);'],
    [
      'tiltDeg',
      z.number().default(20),
      'double tiltRad{};',
      'to.tiltRad = from.number(at::tiltDeg) * radPerDeg;',
    ],
    [
      'spanDeg',
      z.tuple([z.number(), z.number()]),
      'std::array<double, 2> spanDeg{};',
      'to.spanDeg = from.numbers<2>(at::spanDeg);',
    ],
    [
      'table',
      z.array(z.tuple([z.number(), z.number()])),
      'std::vector<std::array<double, 2>> table{};',
      'to.table = from.rows<2>(at::table);',
    ],
    [
      'count',
      z.int().positive().max(1000),
      'std::uint32_t count{};',
      'to.count = from.integer<std::uint32_t>(at::count);',
    ],
    [
      'seed',
      z.int().nonnegative(),
      'std::uint64_t seed{};',
      'to.seed = from.integer<std::uint64_t>(at::seed);',
    ],
    [
      'phaseNs',
      z.int().nonnegative(),
      'std::int64_t phaseNs{};',
      'to.phaseNs = from.integer<std::int64_t>(at::phaseNs);',
    ],
    [
      'class',
      indexIn(index, 'classes'),
      'std::uint16_t class_{};',
      'to.class_ = from.index<std::uint16_t>(at::class_, "classes");',
    ],
    [
      'indices',
      z.record(z.string(), indexIn(index, 'classes')),
      'std::map<std::string, std::uint16_t> indices{};',
      'to.indices = from.indices<std::uint16_t>(at::indices, "classes");',
    ],
    ['part', part.describe('a part'), 'Part part{};', 'to.part = from.object(at::part, readPart);'],
    [
      'parts',
      z.array(part),
      'std::vector<Part> parts{};',
      'to.parts = from.list(at::parts, readPart);',
    ],
  ];

  it.each(cases)('%s has its type and its reader', (name, schema, member, read) => {
    const { header, source } = sourcesOf({ [name]: schema });
    expect(header).toContain(`  ${member}`);
    expect(source).toContain(`  ${read}`);
  });

  it('that may be left out is optional, empty, or has its value', () => {
    const { header, source } = sourcesOf({
      offsetM: z.number().exactOptional(),
      table: z.array(z.number()).exactOptional(),
      wavelengthNm: leftOut(z.number(), 905),
      law: leftOut(law, 'gauss-like'),
      part: leftOut(part, {}),
    });
    expect(header).toContain('  std::optional<double> offsetM{};');
    expect(header).toContain('  std::vector<double> table{};');
    expect(header).toContain('  double wavelengthNm = 905.0;');
    expect(header).toContain('  Law law = Law::gaussLike;');
    expect(header).toContain('  Part part{};');
    expect(source).toContain('  if (from.has(at::offsetM)) to.offsetM = from.number(at::offsetM);');
  });

  it('has the description of its field', () => {
    expect(sourcesOf({}).header).toContain('double lengthM{};  // from base to tip');
  });

  it('is refused where C++ has no form of it', () => {
    const either = z.union([z.number(), z.string()]);
    expect(() => sourcesOf({ either })).toThrow('either has a type that C++ has no struct for');
    const unknown = z.strictObject({ a: z.number() });
    expect(() => sourcesOf({ unknown })).toThrow('unknown is an object without a struct');
    expect(() => sourcesOf({ part: leftOut(part, { lengthM: 3 }) })).toThrow('has to be empty');
  });
});

describe('an object', () => {
  it('reads its version, accepts what is the host’s, and checks rules across fields', () => {
    const { header, source } = sourcesOf(
      { version: z.literal(1), name: z.string(), note: z.string().optional(), sizeM: z.number() },
      { ofHost: { thing: ['name', 'note'] }, checked: ['thing'] },
    );
    expect(header).not.toMatch(/ (version|name|note)\{/);
    expect(header).toContain('void check(const Thing& value, const FieldReader& from);');
    expect(source).toContain('from.integer(at::version);\n  from.skip(at::name);');
    expect(source).toContain('if (from.has(at::note)) from.skip(at::note);');
    expect(source).toContain(
      'to.sizeM = from.number(at::sizeM);\n  check(to, from);\n  return to;',
    );
  });

  it('has fields that are read by hand', () => {
    const profile = { type: 'Profile', read: (at: string) => `readProfile(from, ${at})` };
    const { header, source } = sourcesOf(
      { profile: z.union([z.number(), z.string()]) },
      { fieldsByHand: { thing: { profile } } },
    );
    expect(header).toContain('  Profile profile{};');
    expect(source).toContain('to.profile = readProfile(from, at::profile);');
  });
});

describe('a union', () => {
  it('is a variant of structs', () => {
    const { header, source } = sourcesOf(
      { either },
      {
        structs: { part: 'Part', small: 'Small', large: 'Large', thing: 'Thing' },
        variants: { Either: either },
      },
    );
    expect(header).toContain('using Either = std::variant<Small, Large>;');
    expect(source).toContain('switch (from.kind<Kind>(fields::small::kind)) {');
    expect(source).toContain('case Kind::large:\n      return readLarge(from);');
  });

  it('is one struct with the fields of all options', () => {
    const { header, source } = sourcesOf({}, { merged: { Either: either } });
    expect(header).toContain(
      'struct Either {\n  Kind kind{};\n  double sizeM{};\n  std::vector<Part> parts{};\n};',
    );
    expect(source).toContain('namespace at = fields::small;\n      to.sizeM');
  });
});
