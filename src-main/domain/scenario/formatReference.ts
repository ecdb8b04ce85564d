// The reference of a document format from its JSON Schema (contract/documents/publishedSchemas.ts), so that it cannot
// differ from what is checked; and the same as Markdown.
import {
  sectionTitle,
  type FormatReference,
  type ReferenceField,
  type ReferenceSection,
} from '#contract/documents/formatReference.ts';

/** The parts of JSON Schema that zod writes for our documents. */
interface Schema {
  type?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** Bounds at and beyond it only keep numbers finite. */
const hugeBound = 1e9;

/** Every mapping of a document, outer ones first. `schema`: what publishedSchema returns. */
export function referenceSections(schema: Record<string, unknown>): ReferenceSection[] {
  return sectionsOf(schema, '');
}

/** @param ownField of a variant that no field names */
function sectionsOf(schema: Schema, path: string, ownField = ''): ReferenceSection[] {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) {
    return variants.flatMap((variant) => sectionsOf(variant, path, ownFieldOf(variant, variants)));
  }
  if (typeof schema.additionalProperties === 'object') {
    return sectionsOf(schema.additionalProperties, joined(path, 'NAME'));
  }
  if (typeof schema.items === 'object') return sectionsOf(schema.items, `${path}[]`);
  if (schema.properties === undefined) return [];
  const properties = Object.entries(schema.properties);
  const section: ReferenceSection = {
    path,
    variant: variantOf(schema) || ownField,
    description: kindOf(schema)?.description ?? '',
    fields: properties.map(([name, field]) => fieldOf(name, field, schema.required ?? [])),
  };
  return [section, ...properties.flatMap(([name, field]) => sectionsOf(field, joined(path, name)))];
}

function fieldOf(name: string, schema: Schema, required: readonly string[]): ReferenceField {
  const { description = '' } = schema;
  const presence = required.includes(name)
    ? 'required'
    : schema.default === undefined
      ? ''
      : JSON.stringify(schema.default);
  return { name, type: typeText(schema), presence, description };
}

/** The property that says which kind of mapping it is. */
function kindOf({ properties = {} }: Schema): Schema | undefined {
  return properties['kind']?.const === undefined ? undefined : properties['kind'];
}

/** The first field that a variant must have and some of the others have not; ''. */
function ownFieldOf({ required = [] }: Schema, variants: readonly Schema[]): string {
  const isShared = (name: string): boolean =>
    variants.every(({ properties = {} }) => Object.hasOwn(properties, name));
  return required.find((name) => !isShared(name)) ?? '';
}

function variantOf({ properties = {} }: Schema): string {
  const [name, value] =
    Object.entries(properties).find(([, field]) => typeof field.const === 'string') ?? [];
  return name === undefined ? '' : `${name}: ${String(value?.const)}`;
}

function typeText(schema: Schema): string {
  const { anyOf, oneOf, type } = schema;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeText))].join(', or ');
  if (schema.const !== undefined) return literalText(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.map(literalText).join(', ')}`;
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeText).join(', ')}]`;
  if (type === 'array') {
    return typeof schema.items === 'object' ? `list of ${typeText(schema.items)}` : 'list';
  }
  if (type === 'object') {
    const variant = variantOf(schema);
    if (variant !== '') return `mapping (${variant})`;
    return typeof schema.additionalProperties === 'object'
      ? `names with a ${typeText(schema.additionalProperties)} each`
      : 'mapping';
  }
  if (type === 'number' || type === 'integer') return numberText(schema);
  if (type === 'boolean') return '`true` or `false`';
  return type === 'string' ? 'text' : 'any value';
}

function literalText(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function numberText({ type, minimum, maximum, exclusiveMinimum }: Schema): string {
  const name = type === 'integer' ? 'whole number' : 'number';
  const isBound = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < hugeBound;
  const lower = isBound(exclusiveMinimum)
    ? `above ${exclusiveMinimum}`
    : isBound(minimum)
      ? `from ${minimum}`
      : '';
  const upper = isBound(maximum) ? `up to ${maximum}` : '';
  const range = [lower, upper].filter((text) => text !== '').join(' ');
  return range === '' ? name : `${name} ${range}`;
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The reference as one Markdown document. */
export function referenceMarkdown({ kind, title, sections, example }: FormatReference): string {
  const parts = sections.map((section) => {
    const rows = section.fields.map(({ name, type, presence, description }) =>
      [
        `\`${name}\``,
        type,
        presence === 'required' || presence === '' ? presence : `\`${presence}\``,
        description,
      ]
        .map((cell) => cell.replaceAll('|', '\\|'))
        .join(' | '),
    );
    return [
      `## ${sectionTitle(section)}`,
      '',
      ...(section.description === '' ? [] : [section.description, '']),
      '| field | type | default | meaning |',
      '| --- | --- | --- | --- |',
      ...rows.map((row) => `| ${row} |`),
    ].join('\n');
  });
  return [
    `# ${title}`,
    `Generated from the schema by \`understory docs ${kind}\`. A ${kind} is one YAML file; unknown keys are errors. A ` +
      'field without a default may be left out unless it is required.',
    ...parts,
    `## Example: ${example.id}`,
    `\`\`\`yaml\n${example.text.trimEnd()}\n\`\`\``,
    '',
  ].join('\n\n');
}
