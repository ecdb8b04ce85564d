// The axes of a campaign in the form: what is proposed for a field, and what a change of kind or design makes of it.
// Every result is checked by the schema of campaigns.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { campaignSchema } from '#contract/documents/campaign.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { formSchema } from '#contract/documents/publishedSchemas.ts';
import {
  axisKindOf,
  axisKinds,
  axisName,
  designEdits,
  newAxis,
  pathsOf,
  valueCount,
  valuesOf,
  withKind,
} from '#renderer/logic/campaigns/axisForm.ts';
import {
  fileFrom,
  newCampaignName,
  newCampaignText,
  withFirstAxis,
} from '#renderer/logic/campaigns/newCampaign.ts';
import { variedFields, type VariedField } from '#renderer/logic/campaigns/variedFields.ts';
import { withEdit } from '#renderer/logic/forms/schemaForm.ts';

const file = new URL('../../../../assets/scenarios/clearing.understory.yaml', import.meta.url);
const fields = variedFields(formSchema('scenario'), parse(readFileSync(file, 'utf8')));
const at = (path: string): VariedField => {
  const found = fields.find((field) => field.path === path);
  if (found === undefined) throw new Error(`no field ${path}`);
  return found;
};

const grid = { kind: 'grid' };
const random = { kind: 'random', samples: 8 };

function problemsOf(vary: unknown, design: unknown) {
  const base: unknown = parse(newCampaignText('trial', 'clearing'));
  return parseWith(campaignSchema, { ...(base as object), vary, design }).problems;
}

describe('an axis of a field', () => {
  it('is a range about the value, within the bounds', () => {
    const count = newAxis(at('scene.scatters[grass].count'), true);
    expect(count).toEqual({
      set: 'scene.scatters[grass].count',
      range: [175, 700],
      steps: 5,
      whole: true,
    });
    expect(newAxis(at('vehicle.turnSlip'), false)).toEqual({
      set: 'vehicle.turnSlip',
      range: [0, 1],
    });
    expect(newAxis(at('mission.startYawDeg'), false)).toMatchObject({ range: [27, 47] });
    expect(newAxis(at('mission.startM[0]'), false)).toMatchObject({ range: [-18, -4.5] });
  });

  it('is a list of what a choice or switch can be', () => {
    expect(newAxis(at('scene.scatters[grass].pattern'), true)).toMatchObject({
      values: ['uniform', 'poisson-disk'],
    });
    expect(newAxis(at('scene.instances[oak-a].onGround'), true)).toMatchObject({
      values: [false, true],
    });
  });

  it.each([grid, random])('is valid for every field of a scenario: %o', (design) => {
    const isGrid = design.kind === 'grid';
    const vary = Object.fromEntries(
      fields.map((one, index) => [`a${index}`, newAxis(one, isGrid)]),
    );
    const texts = problemsOf(vary, design).filter(
      ({ message }) => !/at most .* runs/.test(message),
    );
    expect(texts).toEqual([]);
  });

  it('gets a free name that a column can have', () => {
    const taken: string[] = [];
    for (const one of fields) {
      const name = axisName(one, taken);
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/i);
      expect(taken).not.toContain(name);
      taken.push(name);
    }
    expect(axisName(at('scene.scatters[grass].count'), [])).toBe('grassCount');
    expect(axisName(at('scene.scatters[grass].count'), ['grassCount'])).toBe('grassCount2');
  });
});

describe('another kind of values', () => {
  const axes = [
    { set: 'vehicle.massKg', values: [100, 200, 400] },
    { set: 'vehicle.massKg', range: [100, 400], scale: 'log', steps: 4 },
    { set: 'scene.scatters[grass].count', normal: { mean: 300, sigma: 50 }, whole: true },
  ];

  it.each(axes)('is made from the present ones: %o', (axis) => {
    for (const kind of axisKinds) {
      const isGrid = kind !== 'normal';
      const changed = withKind(axis, kind, isGrid);
      expect(axisKindOf(changed)).toBe(kind);
      expect(pathsOf(changed)).toEqual(pathsOf(axis));
      expect(problemsOf({ a: changed }, isGrid ? grid : random)).toEqual([]);
    }
  });

  it.each([
    [grid, random],
    [random, grid],
  ])('follows the design: %o to %o', (from, to) => {
    const isGrid = from.kind === 'grid';
    const kinds = isGrid ? (['values', 'range'] as const) : axisKinds;
    const vary: unknown = Object.fromEntries(
      kinds.map((kind) => {
        const axis = { ...axes[1], set: `scene.scatters[${kind}].count` };
        return [kind, withKind(axis, kind, isGrid)];
      }),
    );
    expect(problemsOf(vary, from)).toEqual([]);
    let data: unknown = { vary };
    for (const edit of designEdits(vary, to.kind === 'grid')) data = withEdit(data, edit);
    expect(problemsOf((data as { vary: unknown }).vary, to)).toEqual([]);
  });
});

describe('a list of values', () => {
  it('is read as numbers, switches and texts', () => {
    expect(valuesOf('1, 2.5,-3\n true, first ,')).toEqual([1, 2.5, -3, true, 'first']);
  });

  it('counts as many values as a grid takes', () => {
    expect(valueCount({ values: [1, 2] })).toBe(2);
    expect(valueCount({ range: [0, 1], steps: 7 })).toBe(7);
    expect(valueCount({ range: [0, 1] })).toBeNull();
  });
});

describe('a new campaign', () => {
  it.each(['clearing', '/data/my scene.understory.yaml', './scenes/a.understory.yaml'])(
    'of %s is valid',
    (scenario) => {
      const name = newCampaignName(scenario, []);
      const text = newCampaignText(name, scenario);
      const { value, problems } = parseWith(campaignSchema, parse(text));
      expect(problems).toEqual([]);
      expect(value).toMatchObject({ name, scenarios: [scenario] });
    },
  );

  it('gets its first axis as a line of its own', () => {
    for (const one of fields) {
      const axis = newAxis(one, true);
      const text = withFirstAxis(newCampaignText('trial', 'clearing'), 'first', axis);
      expect(parse(text)).toMatchObject({ name: 'trial', vary: { first: axis } });
      expect(text.split('\n').at(-2)).toMatch(/^ {2}first: \{ set: /);
    }
  });

  it('has a name of its own', () => {
    expect(newCampaignName('clearing', ['clearing-campaign', 'clearing-campaign-2'])).toBe(
      'clearing-campaign-3',
    );
  });

  it('finds the files that it names beside its own', () => {
    expect(fileFrom('/a/b/c.campaign.yaml', '../d.understory.yaml')).toBe('/a/d.understory.yaml');
    expect(fileFrom('/a/b/c.campaign.yaml', 'clearing')).toBe('clearing');
    expect(fileFrom('', './x.yaml')).toBe('./x.yaml');
  });
});
