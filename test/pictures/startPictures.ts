// Makes what the page shows before anything is open (src-renderer/panels/start): a picture of every sample, and the points of one
// scan. `node test/pictures/startPictures.ts [PART …]` makes those whose names have one of the parts.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../stages.ts';

const project = projectRoot;
const target = join(project, 'src-renderer/panels/start');

/** Where a sample is seen from: x, y, z in metres, yaw and pitch in degrees. */
const cameras: Record<string, string> = {
  box: '-3,-4,3.5,40,22',
  'clearing-tripods': '560968,5931966,7,50,8',
  clearing: '-19,-21,9,48,16',
  convoy: '-24,2,3,-2,7',
  'courtyard-busy': '-60,-68,4,40,6',
  'courtyard-dust': '-92,-92,3,45,3',
  'courtyard-fog': '-96,-88,3,40,3',
  'courtyard-rain': '-88,-96,3,50,3',
  'courtyard-snow': '-60,-58,4,42,4',
  courtyard: '-100,-100,4,45,6',
  crossing: '-34,-27,17,40,25',
  hillside: '-52,-46,14,38,12',
  landscape: '0,-160,75,70,17',
  'mixed-stand': '-38,-42,9,48,2',
  'near-collision': '-9,-13,6,45,17',
  optics: '-6,-3,4,8,10',
  rockfall: '-4,4,9,38,14',
  root: '-3.4,-2.2,1.5,33,19',
};
/** Points of the picture that moves: more than a screen of its size resolves. */
const maxPoints = 28_000;

const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));

for (const [sample, camera] of Object.entries(cameras)) {
  if (!isWanted(sample)) continue;
  const out = join(target, 'samples', `${sample}.png`);
  understory(
    'render',
    sample,
    `--camera=${camera}`,
    '--size',
    '400x225',
    '--samples',
    '16',
    '--force',
    '--out',
    out,
  );
  await rm(`${out}.camera.json`, { force: true });
}
if (isWanted('points')) await writePoints();

/** x, y and z in centimetres, of points that are spread over the scan. */
async function writePoints(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'understory-start-'));
  const cloud = join(folder, 'cloud.csv');
  const scan = ['--sensor', 'os1-128', '--pose=0,2,2,0', '--seconds', '0.1'];
  understory('scan', 'clearing', ...scan, '--columns', 'x_m,y_m,z_m', '--out', cloud);
  const [, ...lines] = (await readFile(cloud, 'utf8')).trim().split('\n');
  const rows = lines.map((line) => line.split(',').map(Number));
  const step = Math.max(1, rows.length / maxPoints);
  const chosen = Array.from(
    { length: Math.floor(rows.length / step) },
    (_, at) => rows[Math.floor(at * step)] ?? [],
  );
  const positionsCm = new Int16Array(chosen.flat().map((metres) => Math.round(100 * metres)));
  const base64 = Buffer.from(positionsCm.buffer).toString('base64');
  await writeFile(
    join(target, 'clearing.json'),
    `${JSON.stringify({ positionsCm: base64 }, null, 2)}\n`,
  );
  await rm(folder, { recursive: true });
}

function understory(...args: string[]): void {
  const { status } = spawnSync(process.execPath, ['src-main/hosts/cli/main.ts', ...args], {
    cwd: project,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`understory ${args.join(' ')} ended with ${status}`);
}
