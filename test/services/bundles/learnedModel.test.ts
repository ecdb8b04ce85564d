// A scene with a learned model goes from one data folder to another with its file, and its runs verify there.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Replies } from '#contract/host/methods.ts';
import { exitCodes } from '#hosts/cli/exitCodes.ts';
import { runHere } from '#test/support/commandLine.ts';
import { learnedPly } from '#test/physics/learnedPly.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { verified } from '#test/services/bundles/packedRun.ts';
import { entriesOf, pack } from './packedRun.ts';
import { flatGround, scenario } from '#test/support/documents.ts';

const yard = scenario({
  models: { hedge: { kind: 'learned', file: 'hedge.ply', material: 'grey' } },
  ground: flatGround(40),
  instances: [{ name: 'hedge', model: 'hedge', positionM: [6, 0, 0] }],
  mission: { startM: [0, 0], goalM: [9, 0] },
});
const hedge = (permeability: number): Buffer =>
  learnedPly(
    Array.from({ length: 400 }, (_, index) => ({
      meanM: [0, 0.2 * (index % 40) - 4, 0.2 * Math.floor(index / 40) + 0.2] as const,
      sigmaM: 0.08,
      permeability,
      support: 20,
    })),
    // A board at its foot, which bears nothing and stops a vehicle.
    {
      verticesM: [
        [0, -4, 0],
        [0, 4, 0],
        [0, 4, 1],
      ],
      triangles: [[0, 1, 2]],
    },
  );

it('packs, unpacks and verifies a scene with a learned model', async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  const file = join(here, 'yard.understory.yaml');
  writeFileSync(file, yard);
  writeFileSync(join(here, 'hedge.ply'), hedge(0.6));
  await runHere(here, 'drive', file, '--sensor', 'vlp-16', '--seconds', '0.3');
  const listed = await runHere(here, 'runs', 'list', '--json');
  const [run] = JSON.parse(listed.stdout) as { id: string }[];
  const bundle = join(there, 'x.understory');
  expect(await pack(here, run?.id ?? '', bundle)).toMatchObject({ exitCode: exitCodes.ok });
  rmSync(here, { recursive: true });

  const stored = (await entriesOf(bundle)).filter(({ name }) => name.endsWith('.learned'));
  expect(stored).toHaveLength(1);
  expect(stored[0]?.bytes.equals(hedge(0.6))).toBe(true);
  expect(await verified(there, bundle)).toMatchObject({ equal: true, compared: 3 });
  const unpacked = await runHere(there, 'runs', 'unpack', bundle, '--json');
  const { runs } = JSON.parse(unpacked.stdout) as Replies['runs.unpack'];
  const id = runs[0]?.runId ?? '';
  expect(await verified(there, id)).toMatchObject({ equal: true, compared: 3 });
  const again = join(there, 'again.understory');
  expect(await pack(there, id, again)).toMatchObject({ exitCode: exitCodes.ok });
  expect(readFileSync(again).equals(readFileSync(bundle))).toBe(true);

  // The model decides what is seen.
  writeFileSync(join(there, 'data', stored[0]?.name ?? ''), hedge(0.2));
  expect(await verified(there, id)).toMatchObject({ equal: false });
});
