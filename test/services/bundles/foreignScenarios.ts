// A host that gets recordings and bundles whose scenario was changed, and what it says of each.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Understory } from '#hosts/compose.ts';
import { toWire } from '#contract/errors.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { runHere } from '#test/support/commandLine.ts';
import { callContext } from '#test/support/context.ts';
import { openHost } from '#test/support/host.ts';
import { forgedBundle, forgedRecording, headOf, withHash } from './forged.ts';
import { entriesOf, writeZip, type ZipEntry } from './packedRun.ts';

const yard = `understory: 2
name: Small yard
description: ${'room for changes '.repeat(40)}
scene:
  materials: { grey: { reflectance: 0.5 } }
  ground: { kind: plane, sizeM: [40, 40], material: grey }
  models: { post: { kind: cylinder, radiusM: 0.2, heightM: 2, sides: 8, material: grey } }
  instances: [{ name: post, model: post, positionM: [4, 1, 0] }]
  scatters: [{ name: more, model: post, count: 3, areaM: [[5, 5], [9, 5], [9, 9]] }]
sensors: [{ name: front, sensor: lms-291 }]
mission: { startM: [0, 0], goalM: [9, 0] }
`;

/** A real run of two ticks: its recording, the entries of its bundle, its compiled scenario. */
export interface RealRun {
  recording: Buffer;
  bundle: ZipEntry[];
  compiled: unknown;
}

export async function realRun(): Promise<RealRun> {
  const folder = temporaryFolder();
  const file = join(folder, 'yard.understory.yaml');
  writeFileSync(file, yard);
  await runHere(folder, 'drive', file, '--seconds', '0.2', '--misses');
  const [runId = ''] = readdirSync(join(folder, 'data/runs'));
  const recording = readFileSync(join(folder, 'data/runs', runId, 'recording.mcap'));
  const bundle = join(folder, 'x.understory');
  await runHere(folder, 'runs', 'pack', runId, '--out', bundle);
  return { recording, bundle: await entriesOf(bundle), compiled: headOf(recording).compiled };
}

/** Outcome of one changed scenario: codes of the calls, and files that a refusal left. */
export interface Outcome {
  codes: string[];
  left: string[];
}

/** Calls on a host of its own. */
export async function foreignScenarios(real: RealRun): Promise<{
  asRecording(compiled: unknown, isVerified: boolean): Promise<Outcome>;
  asBundle(compiled: unknown, isVerified: boolean): Promise<Outcome>;
}> {
  const folder = temporaryFolder();
  const understory = await openHost(join(folder, 'data'));
  const [recording, bundle] = [join(folder, 'x.mcap'), join(folder, 'x.understory')];
  return {
    asRecording(compiled, isVerified) {
      const head = { ...headOf(real.recording), compiled: withHash(withRoom(compiled)) };
      writeFileSync(recording, forgedRecording(real.recording, head));
      return outcomeOf(understory, folder, recording, isVerified);
    },
    async asBundle(compiled, isVerified) {
      await writeZip(bundle, await forgedBundle(real.bundle, { scenario: withHash(compiled) }));
      return outcomeOf(understory, folder, bundle, isVerified);
    },
  };
}

/** With less description, so that a longer value fits into the file. */
function withRoom(compiled: unknown): unknown {
  const { scenario } = compiled as { scenario: unknown };
  const isLong = typeof scenario === 'object' && scenario !== null && 'description' in scenario;
  return isLong && typeof scenario.description === 'string'
    ? { ...(compiled as object), scenario: { ...scenario, description: '' } }
    : compiled;
}

async function outcomeOf(
  { handlers }: Understory,
  folder: string,
  path: string,
  isVerified: boolean,
): Promise<Outcome> {
  const before = filesIn(folder);
  const codes: string[] = [];
  const call = async <T>(name: string, work: () => T | Promise<T>): Promise<T | null> => {
    try {
      const answer = await work();
      codes.push(`${name}: ok`);
      return answer;
    } catch (error) {
      codes.push(`${name}: ${toWire(error).code}: ${toWire(error).message}`);
      return null;
    }
  };
  const log = join(folder, 'x.log');
  const out = join(folder, 'packed.understory');
  if (path.endsWith('.mcap')) {
    const order = { source: path, out: log, isReplacing: true };
    await call('log.import', () => handlers['log.import'](order as never, callContext));
  }
  const unpacked = await call('unpack', () => handlers['runs.unpack']({ path }, callContext));
  if (isVerified) await call('verify', () => handlers['runs.verify']({ file: path }, callContext));
  for (const { runId } of unpacked?.reply.runs ?? []) {
    await call('show', () => handlers['runs.show']({ runId }, callContext));
    await call('scenario', () => handlers['runs.scenario']({ runId }, callContext));
    const options = {
      isReplacing: true,
      recording: true,
      clouds: [],
      pictures: false,
      page: false,
    };
    await call('pack', () =>
      handlers['runs.pack']({ runIds: [runId], out, ...options }, callContext),
    );
    await call('adopt', () => handlers['runs.adopt']({ runIds: [runId] }, callContext));
    await call('delete', () => handlers['runs.delete']({ runIds: [runId] }, callContext));
  }
  for (const file of [log, out]) rmSync(file, { force: true });
  const left = unpacked === null ? filesIn(folder).filter((name) => !before.includes(name)) : [];
  return { codes, left };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/catalogue\.sqlite|understory\.log|^data\/scratch$/.test(name))
    .sort();
}
