// Estimates of leaf area in runs: those that `estimate` makes of the run's log, as measures of campaigns.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { EstimateReplies } from '#contract/host/estimateMethods.ts';
import type { CampaignReplies } from '#contract/host/campaignMethods.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import type { TruthReplies } from '#contract/host/truthMethods.ts';
import type { DriveReport } from '#hosts/cli/driveReport.ts';
import { circularBeam, flatGround, scenario, sensor } from '#test/support/documents.ts';
import { driveHere, printedJson, ran, runHere, start } from '#test/support/commandLine.ts';
import { untilDone } from '#test/support/campaignRuns.ts';
import { temporaryFolder } from '#test/support/folder.ts';

vi.setConfig({ testTimeout: 240_000 });

type Place = [number, number, number];
/** A place in the world: the scene is in coordinates of a projection. */
const at = (x: number, y: number, z: number): Place => [561_000 + x, 5_932_000 + y, 50 + z];
const boxM: [Place, Place] = [at(3.2, -0.8, 0.6), at(4.8, 0.8, 2.2)];
const estimate = { voxelM: 0.4, leafSizeM: 0.05, angles: 'planophile' as const };

const scene: Partial<SceneInput> = {
  origin: at(0, 0, 0),
  materials: { leaf: { reflectance: 0.4, part: 'leaf' }, grey: { reflectance: 0.3 } },
  models: {
    canopy: {
      kind: 'leaf-discs',
      sizeM: [2, 2, 2],
      leafAreaDensity: 1,
      leafSizeM: 0.05,
      leafAngles: 'planophile',
      material: 'leaf',
    },
  },
  ground: { ...flatGround(30), centreM: [at(0, 0, 0)[0], at(0, 0, 0)[1]], zM: at(0, 0, 0)[2] },
  instances: [
    {
      name: 'canopy',
      model: 'canopy',
      class: 'leaf',
      positionM: [...at(4, 0, 0).slice(0, 2), 0.4] as Place,
    },
  ],
};

/** A canopy before a vehicle with two scanners, whose beams are wide beside leaves. */
function folderWith(campaign = '', mode: 'all' | 'closest' = 'all', hasBox = true): string {
  const mount = (y: number) => ({ positionM: [0, y, 1.4] as Place });
  const [startX, startY] = at(0, 0, 0);
  return temporaryFolder({
    'canopy.understory.yaml': scenario({
      ...scene,
      estimate: { ...estimate, ...(hasBox && { boxM }) },
      sensors: [
        { name: 'left', sensor: './lidar.yaml', mount: mount(0.5) },
        { name: 'right', sensor: './lidar.yaml', mount: mount(-0.5) },
      ],
      mission: { startM: [startX, startY], goalM: [startX - 12, startY] },
    }),
    'lidar.yaml': sensor({
      scan: {
        kind: 'sweep',
        rateHz: 10,
        minAzimuthDeg: -20,
        maxAzimuthDeg: 20,
        slotsPerScan: 201,
      },
      banks: [{ name: 'column', elevationsDeg: { fromDeg: -12, toDeg: 12, count: 61 } }],
      range: { minM: 0.1, maxM: 40 },
      beam: circularBeam(10),
      returns: { mode, signalCutoffM: 0, rangeResolutionM: 0.02, maxReturns: 9 },
    }),
    'small.campaign.yaml': campaign,
  });
}

const campaign = `understoryCampaign: 1
name: small
scenarios: [./canopy.understory.yaml]
vary:
  density: { set: scene.models.canopy.leafAreaDensity, values: [0.5, 1.5] }
  voxelM: { set: estimate.voxelM, values: [0.4, 0.8] }
seeds: [1, 2]
measures:
  voxels: estimatedVoxels
  occluded: occludedShare
  bias: likelihoodBias
  better: abs(likelihoodBias) < abs(beerLambertBias)
  error: likelihoodRmse
limits: { simSeconds: 0.1 }
`;

const execute = (folder: string, ...more: string[]): Promise<string> =>
  ran(folder, 'campaign', 'run', 'small.campaign.yaml', ...more);
/** Problems that a check of the campaign reports, a line each. */
async function checked(folder: string): Promise<string> {
  const args = ['campaign', 'check', 'small.campaign.yaml', '--json'];
  const { stdout } = await runHere(folder, ...args);
  const problems = JSON.parse(stdout) as { path: string; message: string }[];
  return problems.map(({ path, message }) => `${path}: ${message}`).join('\n');
}
const table = (folder: string): Promise<string> => ran(folder, 'campaign', 'results', 'small');

it.each([
  ['all returns, in a box', 'all', true],
  ['one return of a pulse, around the plants', 'closest', false],
] as const)(
  'a run states the errors that `estimate` finds in its logs: %s',
  async (_name, mode, hasBox) => {
    const folder = folderWith('', mode, hasBox);
    const file = join(folder, 'canopy.understory.yaml');
    const run = await driveHere(
      folder,
      ...[file, '--seconds', '0.4', '--misses', '--json', 'drive.json'],
    );
    const returns = mode === 'all' ? ['--returns', 'all'] : [];
    for (const name of ['left', 'right']) {
      await ran(folder, 'log', 'import', run, '--sensor', name, ...returns, '--out', `${name}.log`);
    }
    const box = hasBox ? ['--box', boxM.flat().join(',')] : [];
    const { voxels } = await printedJson<TruthReplies['scenario.truth']>(
      folder,
      ...['scenario', 'truth', file, ...box, '--voxel', '0.4', '--voxels-out', 'truth.npz'],
    );
    const corners = [...(voxels?.minM ?? []), ...(voxels?.maxM ?? [])].join(',');
    const reply = await printedJson<EstimateReplies['log.estimate']>(
      folder,
      ...['estimate', 'left.log', 'right.log', '--box', corners, '--voxel', '0.4'],
      ...['--angles', 'planophile', '--leaf-size', '0.05', '--truth', 'truth.npz'],
      ...['--out', 'a.csv'],
    );
    const [report] = JSON.parse(readFileSync(join(folder, 'drive.json'), 'utf8')) as DriveReport[];
    expect(reply.voxels.known).toBeGreaterThan(30);
    expect(report?.estimatedVoxels).toBe(reply.voxels.known);
    expect(report?.occludedShare).toBeCloseTo(reply.occludedShare ?? NaN, 6);
    for (const name of ['contact', 'likelihood', 'beerLambert'] as const) {
      const { relativeBias, relativeRmse } = reply.errors?.[name] ?? {};
      expect(report?.[`${name}Bias`]).toBeCloseTo(relativeBias ?? NaN, 6);
      expect(report?.[`${name}Rmse`]).toBeCloseTo(relativeRmse ?? NaN, 6);
    }
  },
);

describe('a campaign of estimates', () => {
  it('has the same results in one process and in two, after a kill, as CSV and by groups', async () => {
    const [one, two] = [folderWith(campaign), folderWith(campaign)];
    await execute(one, '--jobs', '1');
    const killed = start(two, 'campaign', 'run', 'small.campaign.yaml', '--jobs', '2');
    await untilDone(killed, two, 2, 'small');
    killed.child.kill('SIGKILL');
    await killed.finished;
    await execute(two, '--jobs', '2');
    const rows = await table(one);
    expect(await table(two)).toBe(rows);
    expect(rows.split('\n')[0]).toBe(
      'run,scenario,density,voxelM,seed,state,voxels,occluded,bias,better,error',
    );
    expect(rows.match(/,done,[1-9]/g)).toHaveLength(8);
    const groups = await printedJson<CampaignReplies['campaign.group']>(
      two,
      ...['campaign', 'results', 'small', '--group-by', 'density'],
    );
    const [thin, dense] = groups.rows.map(({ statistics }) => {
      return statistics[groups.measures.indexOf('occluded')];
    });
    expect(thin).toMatchObject({ kind: 'mean', n: 4 });
    expect(thin?.high).toBeLessThan(dense?.low ?? NaN);
  });

  it('reuses runs for another measure of estimates, and simulates others for another voxel', async () => {
    const folder = folderWith(campaign);
    await execute(folder, '--limit', '2');
    const file = join(folder, 'small.campaign.yaml');
    writeFileSync(file, campaign.replace('bias: likelihoodBias', 'bias: contactBias'));
    const again = await printedJson<CampaignReplies['campaign.plan']>(
      folder,
      ...['campaign', 'plan', file, '--limit', '2'],
    );
    expect(again).toMatchObject({ new: 0, reused: 2 });
    writeFileSync(file, campaign.replace('[0.4, 0.8]', '[0.4, 0.2]'));
    const other = await printedJson<CampaignReplies['campaign.plan']>(
      folder,
      ...['campaign', 'plan', file, '--limit', '2'],
    );
    expect(other).toMatchObject({ new: 1, reused: 1 });
  });

  it('reports voxels and measures that cannot be, each at its place', async () => {
    const check = (from: string, to: string): Promise<string> =>
      checked(folderWith(campaign.replace(from, to)));
    expect(await check('[0.4, 0.8]', '[0.4, 0]')).toMatch(
      /^vary.voxelM.values\[1\]: with 0: estimate.voxelM: expected more than 0, found 0 \(line 1\)$/,
    );
    expect(await check('[0.4, 0.8]', '[0.4, 0.08]')).toContain(
      'estimate.leafSizeM: expected leaves of at most half a voxel (0.04 m), found 0.05',
    );
    expect(await check('bias: likelihoodBias', 'bias: pimontBias')).toMatch(
      /^measures.bias: expected one of .*likelihoodBias.*, found 'pimontBias'/,
    );
    expect(await check('./canopy.understory.yaml', 'clearing')).toContain('vary.density');
  });

  it('is refused where its scenario has no leaves, or no estimate', async () => {
    const folder = folderWith(
      campaign.replace(/vary:[^]*(?=seeds)/, '').replace('./canopy.', './bare.'),
    );
    const text = readFileSync(join(folder, 'canopy.understory.yaml'), 'utf8');
    const write = (from: RegExp, to: string): void =>
      writeFileSync(join(folder, 'bare.understory.yaml'), text.replace(from, to));
    write(/"part":"leaf"/, '"gapFraction":0');
    expect(await checked(folder)).toMatch(/^scenarios\[0\]: estimate: expected plants/);
    write(/,"estimate":[^]*}$/, '}');
    const [first, ...others] = (await checked(folder)).split('\n');
    expect(first).toBe(
      "measures.voxels: expected a scenario with 'estimate', of which 'estimatedVoxels' is a metric (column 1)",
    );
    expect(others.map((line) => line.split(':')[0])).toEqual(
      ['occluded', 'bias', 'better', 'better', 'error'].map((name) => `measures.${name}`),
    );
  });
});

it('the sample lad-bias finds homogeneous discs within 5 %', async () => {
  const folder = temporaryFolder();
  await ran(folder, 'campaign', 'run', 'lad-bias', '--limit', '3');
  const { columns, rows } = await printedJson<CampaignReplies['campaign.results']>(
    folder,
    ...['campaign', 'results', 'lad-bias'],
  );
  expect(rows).toHaveLength(3);
  for (const { values } of rows) {
    const of = (name: string) => Number(values[columns.findIndex((one) => one.name === name)]);
    expect(of('clumpLeaves')).toBe(1);
    expect(of('voxels')).toBeGreaterThan(20);
    for (const bias of ['contactBias', 'likelihoodBias']) {
      expect(Math.abs(of(bias)), `${bias} with voxels of ${of('voxelM')} m`).toBeLessThan(0.05);
    }
  }
});

it('a refused estimate ends its run with what was expected', async () => {
  const folder = folderWith(
    campaign.replace('values: [0.4, 0.8]', 'values: [1e-5]').replace('seeds: [1, 2]', ''),
  );
  const text = readFileSync(join(folder, 'canopy.understory.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'canopy.understory.yaml'),
    text.replace('"leafSizeM":0.05,"angles"', '"leafSizeM":0,"angles"'),
  );
  const { stderr, exitCode } = await runHere(folder, 'campaign', 'run', 'small.campaign.yaml');
  expect(exitCode).toBe(3);
  expect(stderr).toContain('expected at most 65536 voxels along an axis');
});
