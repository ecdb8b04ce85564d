// The index of a bundle (.understory): its entries and its runs. A bundle is a ZIP file; BUNDLE.md of the recordings
// has its layout. Unknown keys are refused: nothing of a bundle is used that this version does not understand.
import { z } from 'zod';
import { driveControls, runStates } from '../host/run.ts';
import { driveMetricsSchema } from '../host/runMetrics.ts';
import { isas } from '../worker/worker.ts';
import { sha256Hex, title } from './quantities.ts';
import { bundleFormat } from './versions.ts';

const whole = z.int().nonnegative();

/**
 * The file of a mesh, in a bundle's scenes and in the data folder: named by its contents, in a folder of its own where it
 * names other files. The groups are that folder (the hash of its MeshSet), the hash of the mesh, and its ending.
 */
export const storedMesh = /^meshes\/(?:([0-9a-f]{64})\/)?([0-9a-f]{64})\.(obj|ply|stl|learned)$/;

/** Whether a file beside a mesh may have this name: relative, without folders that lead out, of any letters. */
export function isBesideName(name: string): boolean {
  const isPlain = name.length <= 500 && !/[\p{Cc}\\:]/u.test(name);
  return isPlain && name.split('/').every((part) => /^(?!\.{1,2}$).{1,200}$/u.test(part));
}

/** Whether files of these names can lie in one folder, whatever the form in which a disk keeps their letters. */
function haveOwnPlaces(files: readonly { name: string }[]): boolean {
  const names = files.map(({ name }) => name.normalize('NFC'));
  const known = new Set(names);
  const folders = names.flatMap((name) =>
    name
      .split('/')
      .slice(0, -1)
      .map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
  );
  return known.size === names.length && !folders.some((folder) => known.has(folder));
}

/** `meshes/SHA256.json`, named by its own contents: the files of a mesh that names others. */
export const meshSetSchema = z
  .strictObject({
    mesh: sha256Hex.describe('of the mesh: the entry meshes/SHA256.obj, .ply or .stl'),
    beside: z
      .array(
        z.strictObject({
          name: z
            .string()
            .refine(isBesideName, 'expected a name in the folder of the mesh')
            .describe('as the mesh, or a file that it names, calls it'),
          sha256: sha256Hex.describe('of its contents: the entry beside/SHA256'),
        }),
      )
      .min(1)
      .max(10_000)
      .refine(haveOwnPlaces, 'expected names that differ, none of them a folder of another')
      .describe('material files and images, by name'),
  })
  .refine(({ mesh, beside }) => !beside.some(({ name }) => name.startsWith(mesh)), {
    path: ['beside'],
    message: 'expected other names than that of the mesh',
  });
export type MeshSet = z.output<typeof meshSetSchema>;

/** The last entry of a bundle, `manifest.json`. */
export const manifestSchema = z.strictObject({
  [bundleFormat.key]: z.literal(bundleFormat.version).describe('version of the format'),
  entries: z
    .array(
      z.strictObject({
        name: z.string().min(1).describe('as in the table of contents of the ZIP file'),
        bytes: whole.describe('size before compression'),
        sha256: sha256Hex.describe('of the bytes before compression'),
      }),
    )
    .describe('every entry but the manifest itself, in the order of the file'),
  runs: z
    .array(sha256Hex)
    .min(1)
    .refine((runs) => new Set(runs).size === runs.length, 'expected each run once')
    .describe('identity of each run: the name of its folder in `runs`'),
});
export type BundleManifest = z.output<typeof manifestSchema>;

/** `runs/IDENTITY/run.json`: what is known of a run that does not depend on when and where it was simulated. */
export const bundledRunSchema = z.strictObject({
  name: title.describe('of the run'),
  scenarioHash: sha256Hex.describe('of scenario, scene and sensors with the files they name'),
  version: title.max(100).describe('of Understory'),
  engine: title.max(100).nullable().describe('hash of what simulated; null: not known'),
  isa: z.enum(isas).nullable().describe('instruction set of the ray kernels; null: not known'),
  sceneHash: title.max(100).nullable().describe('of the built scene; null: not known'),
  seconds: z.number().nullable().describe('simulated time that was ordered; null: to the goal'),
  control: z.enum(driveControls).describe('what decided where the vehicle went'),
  state: z.enum(runStates).exclude(['running']).describe('how the run ended'),
  end: z
    .enum(['goal', 'seconds', 'timeout', 'stuck', 'cancelled', 'host-lost'])
    .nullable()
    .describe('why it ended by itself; null: it did not'),
  error: z.string().max(100_000).nullable().describe('what went wrong; null: nothing'),
  simSeconds: z.number().nullable().describe('simulated time'),
  points: whole.nullable().describe('returns of all scans'),
  metrics: driveMetricsSchema
    .nullable()
    .describe('metrics of the drive; those of the machine, such as wall time, are left out'),
  heights: sha256Hex
    .nullable()
    .describe('names the entry heights/SHA256.f32; null: no height field'),
});
export type BundledRun = z.output<typeof bundledRunSchema>;

/** `runs/IDENTITY/scans.json`: the scans of a run, a list for each column, as long as each other. */
export const bundledScansSchema = z.strictObject({
  tick: z.array(whole).describe('tick of each scan'),
  sensor: z.array(whole).describe("index in the scenario's sensors"),
  fromNs: z.array(whole).describe('begin, simulated nanoseconds'),
  toNs: z.array(whole).describe('end, simulated nanoseconds'),
  pulses: z.array(whole).describe('pulses emitted'),
  returns: z.array(whole).describe('returns reported'),
  hash: z.array(z.string().regex(/^[\w-]{0,128}$/)).describe('of all rows of the scan'),
});
export type BundledScans = z.output<typeof bundledScansSchema>;

const vehicleCommand = z.strictObject({
  speedMPerS: z.number().describe('along the heading'),
  yawRateRadPerS: z.number().describe('counter-clockwise positive'),
});

/** `runs/IDENTITY/commands.json`: of a run that a person or an external planner drove, one a tick. */
export const bundledCommandsSchema = z.array(vehicleCommand);

/** More than the entries that a run has of its own. */
const maxEntriesOfRun = 50;

/** The fault in the names of a bundle's entries: each belongs to a run, or is named by its contents; null: nothing. */
export function entryNamesProblem({ entries, runs }: BundleManifest): string | null {
  const counts = new Map(runs.map((identity) => [identity, 0]));
  for (const { name, sha256 } of entries) {
    const [, identity] = /^runs\/([0-9a-f]{64})\//.exec(name) ?? [];
    const count = identity === undefined ? undefined : counts.get(identity);
    if (identity !== undefined && count !== undefined) {
      if (count === maxEntriesOfRun) return `run ${identity.slice(0, 12)} has too many entries`;
      counts.set(identity, count + 1);
    } else if (name !== 'index.html' && name.match(sharedEntry)?.[1] !== sha256) {
      return `its entry ${name} belongs to no run`;
    }
  }
  return null;
}

/** Whether an entry is of no run alone: a mesh, its list, a file beside it, or heights. */
export function isSharedEntry(name: string): boolean {
  return sharedEntry.test(name);
}

const sharedEntry =
  /^(?:beside\/|heights\/(?=.*\.f32$)|meshes\/(?=.*\.(?:obj|ply|stl|learned|json)$))([0-9a-f]{64})(?:\.\w+)?$/;
