// `understory docs`: every field of every format is in the reference, with its type, default and meaning.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentKinds, publishedSchema } from '#contract/documents/publishedSchemas.ts';
import { referenceSections } from '#domain/scenario/formatReference.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { projectRoot } from '#test/stages.ts';
import { ran, runHere } from '#test/support/commandLine.ts';

/** Every property of a JSON Schema, however deep, as 'name: description'. */
function propertiesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties } = value as { properties?: Record<string, { description?: string }> };
  const own =
    typeof properties === 'object'
      ? Object.entries(properties).map(([name, field]) => `${name}: ${field.description ?? ''}`)
      : [];
  return [...own, ...Object.values(value).flatMap(propertiesOf)];
}

const endings = {
  scenario: '.understory.yaml',
  sensor: '.yaml',
  plant: '.yaml',
  species: '.yaml',
  campaign: '.campaign.yaml',
} as const;

describe.each(documentKinds)('the reference of a %s', (kind) => {
  it('has every property of its schema', () => {
    const listed = referenceSections(publishedSchema(kind)).flatMap(({ fields }) =>
      fields.map(({ name, description }) => `${name}: ${description}`),
    );
    const properties = propertiesOf(publishedSchema(kind));
    expect(properties.length).toBeGreaterThan(15);
    expect(listed.toSorted()).toEqual(properties.toSorted());
    expect(listed.filter((field) => field.endsWith(': '))).toEqual([]);
  });

  it('is printed as Markdown with a complete example', async () => {
    const stdout = await ran(temporaryFolder(), 'docs', kind);
    expect(stdout).toMatch(/^# \w+ files\n/);
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(stdout) ?? [];
    const [, id = ''] = /## Example: (\S+)/.exec(stdout) ?? [];
    const name = `${id}${endings[kind]}`;
    const folder = kind === 'species' ? kind : `${kind}s`;
    const sample = await readFile(join(projectRoot, 'assets', folder, name), 'utf8');
    expect(example.trim()).toBe(sample.trim());
    // A row has four cells, pipes inside of cells are escaped.
    for (const row of stdout.split('\n').filter((line) => line.startsWith('| '))) {
      expect(row.replaceAll('\\|', '').split('|'), row).toHaveLength(6);
    }
  });
});

describe('types', () => {
  const fieldAt = (
    kind: (typeof documentKinds)[number],
    path: string,
    variant: string,
    name: string,
  ) =>
    referenceSections(publishedSchema(kind))
      .find((section) => section.path === path && section.variant === variant)
      ?.fields.find((field) => field.name === name);

  it('say range, choice, shape and default', () => {
    expect(fieldAt('scenario', '', '', 'seed')).toMatchObject({
      type: 'whole number from 0',
      presence: '1',
    });
    expect(fieldAt('scenario', 'scene.models.NAME', 'kind: mesh', 'unit')).toMatchObject({
      type: 'one of `m`, `cm`, `mm`, `in`, `ft`, `us-ft`',
      presence: 'required',
    });
    expect(fieldAt('scenario', 'scene.models.NAME', 'kind: box', 'sizeM')?.type).toBe(
      '[number from 0.000001, number from 0.000001, number from 0.000001]',
    );
    expect(fieldAt('scenario', 'scene.materials.NAME', '', 'reflectance')?.type).toBe(
      'number from 0 up to 1, or list of [number above 0, number from 0 up to 1]',
    );
  });
});

it('is written to a file, an unknown document and an existing file are refused', async () => {
  const folder = temporaryFolder();
  await ran(folder, 'docs', 'sensor', '--out', 'sensor.md');
  expect(await readFile(join(folder, 'sensor.md'), 'utf8')).toContain('# Sensor files');
  expect((await runHere(folder, 'docs', 'sensor', '--out', 'sensor.md')).exitCode).not.toBe(0);
  expect((await runHere(folder, 'docs', 'scenery')).stderr).toContain("found 'scenery'");
});
