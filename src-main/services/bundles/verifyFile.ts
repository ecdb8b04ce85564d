// Verifies a run in a file, a bundle or a recording, without taking it into the data folder.
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { BundleReader } from '#services/ports/bundles.ts';
import { commandsOf, controlOf } from '#services/runs/recordedCommands.ts';
import { expectedScans, simulateAgain } from '#services/runs/simulateAgain.ts';
import { recordedScans } from '#services/runs/verifyRun.ts';
import { readBundledRun } from './bundledRuns.ts';
import { storedInRecording } from '#services/runs/recordedScenario.ts';
import type { UnpackPorts } from './unpackRuns.ts';

type Verified = Replies['runs.verify'];

/** @throws UnderstoryError as unpackRuns; 'bad-input' for a bundle of several runs; 'unsupported' for meshes */
export async function verifyFile(
  ports: UnpackPorts,
  path: string,
  threads: number | null,
  context: HandlerContext,
): Promise<Verified> {
  const kind = await ports.bundles.kindOf(path);
  if (kind === 'recording') return verifyRecording(ports, path, threads, context);
  if (kind === 'data-folder') {
    throw new UnderstoryError('bad-input', `'${path}' is a folder: unpack it, and verify its runs`);
  }
  const reader = await ports.bundles.open(path, { signal: context.signal });
  try {
    const [identity, ...more] = reader.runs;
    if (identity === undefined || more.length > 0) {
      const message = `'${path}' holds ${reader.runs.length} runs: unpack it, and verify each`;
      throw new UnderstoryError('bad-input', message);
    }
    return await ports.scratch.use('verify', (folder) =>
      verifyBundled(ports, { path, reader, identity, folder, threads }, context),
    );
  } finally {
    await reader.close();
  }
}

async function verifyBundled(
  ports: UnpackPorts,
  bundle: {
    path: string;
    reader: BundleReader;
    identity: string;
    folder: string;
    threads: number | null;
  },
  context: HandlerContext,
): Promise<Verified> {
  const { path, reader, identity, folder, threads } = bundle;
  const parts = await readBundledRun(path, reader, identity, ports);
  await reader.checkAll(new Set(parts.shared));
  const { run, compiled, scans, commands, meshes, heights } = parts;
  for (const { entry, file } of meshes) await reader.extract(entry, `${folder}/${file}`);
  const { version, engine, isa, sceneHash, control } = run;
  const again = {
    there: { version, engine, isa, sceneHash },
    isa,
    control,
    compiled: withMeshesIn(folder, compiled),
    heights: heights === null ? new Float32Array() : floatsOf(await reader.read(heights)),
    commands: commands ?? undefined,
    expected: expectedScans(scans),
  };
  return simulateAgain(ports, again, threads, context);
}

async function verifyRecording(
  ports: UnpackPorts,
  path: string,
  threads: number | null,
  context: HandlerContext,
): Promise<Verified> {
  const reader = await ports.recordings.open(path);
  try {
    if (!reader.isComplete) {
      throw new UnderstoryError('corrupt', `'${path}' is cut off: its end is missing`);
    }
    const { compiled, heights, isa, engine, understoryVersion: version } = reader.header;
    await storedInRecording(ports, path, reader.header);
    const mesh = compiled.recipe.models.find(({ source }) => source.kind === 'mesh');
    if (mesh !== undefined) {
      const message = `'${path}' does not hold the mesh of '${mesh.name}': a bundle of the run does ('runs pack')`;
      throw new UnderstoryError('unsupported', message);
    }
    const expected = await recordedScans(reader, context);
    const there = { version, engine, isa, sceneHash: null };
    const control = controlOf(reader);
    const commands = control === 'autonomy' ? undefined : await commandsOf(reader);
    const again = { there, isa, compiled, heights, control, commands, expected };
    return await simulateAgain(ports, again, threads, context);
  } finally {
    await reader.close();
  }
}

function withMeshesIn(folder: string, compiled: CompiledScenario): CompiledScenario {
  const models = compiled.recipe.models.map((model) => {
    const { source } = model;
    if (source.kind !== 'mesh') return model;
    return { ...model, source: { ...source, file: `${folder}/${source.file}` } };
  });
  return { ...compiled, recipe: { ...compiled.recipe, models } };
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer, 0, Math.floor(bytes.length / 4));
}
