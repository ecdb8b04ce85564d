// Scenes in weather by the command line: what returns from the air, what the samples are, what is refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows } from '#test/support/scan.ts';

const weathers = ['rain', 'snow', 'fog', 'dust'];
const noDust = '--set=scene.weather.wheelDust.motions=[]';
const rain = '--set=scene.weather.rain.rateMmPerH=25';

async function scanOf(scene: string, sensor: string, ...more: string[]) {
  const folder = temporaryFolder({});
  const out = join(folder, 'scan.csv');
  const columns = '--columns=range_m,true_range_m,object_id,class_id,beam_share';
  const pose = more.some((one) => one.startsWith('--pose')) ? [] : ['--pose=0,0,2,0'];
  const at = [...pose, '--seconds=0.1', '--seed=1', columns, `--out=${out}`];
  await ran(folder, 'scan', scene, `--sensor=${sensor}`, ...at, ...more);
  return csvRows(out);
}

it('rain returns and takes from what is behind it', async () => {
  const clear = await scanOf('clearing', 'vlp-16');
  const wet = await scanOf('clearing', 'vlp-16', rain);
  expect(clear.filter((row) => row['object_id'] === 0)).toEqual([]);
  const drops = wet.filter((row) => row['object_id'] === 0);
  expect(drops.length).toBeGreaterThan(50);
  for (const drop of drops) {
    expect(drop['true_range_m']).toBeLessThan(20);
    expect(drop['beam_share']).toBeGreaterThan(0);
  }
});

it('fog hides what is far', async () => {
  const beyond15M = (rows: Record<string, number>[]) =>
    rows.filter((row) => row['object_id'] !== 0 && (row['range_m'] ?? 0) > 15).length;
  const clear = await scanOf('clearing', 'hdl-64e', '--set=sensor.returns.mode=last');
  const fog = '--set=scene.weather.fog.visibilityM=50';
  const inFog = await scanOf('clearing', 'hdl-64e', '--set=sensor.returns.mode=last', fog);
  // exp(−2 · 3.912 / 50 · 15) = 0.1 of the signal is left.
  expect(beyond15M(clear)).toBeGreaterThan(1000);
  expect(beyond15M(inFog)).toBeLessThan(0.5 * beyond15M(clear));
});

it.each(weathers)('courtyard-%s is the courtyard, but for its weather', (kind) => {
  const dataOf = (name: string) => {
    const file = new URL(`../../../assets/scenarios/${name}.understory.yaml`, import.meta.url);
    return parse(readFileSync(file, 'utf8')) as { name: string; scene: object };
  };
  const { name, ...sample } = dataOf(`courtyard-${kind}`);
  const { weather, ...scene } = sample.scene as Record<string, unknown>;
  const courtyard = dataOf('courtyard');
  expect(name).toContain('Courtyard in');
  expect(Object.keys(weather as object)).toEqual([kind]);
  const description = expect.any(String) as string;
  expect({ ...sample, name: courtyard.name, scene }).toEqual({ ...courtyard, description });
});

it('wheels of motions and of the vehicle raise dust, which hides and returns', async () => {
  const dusty = await scanOf('convoy', 'vlp-16', '--from=3', '--pose=-45,0,2,0');
  const clear = await scanOf('convoy', 'vlp-16', '--from=3', '--pose=-45,0,2,0', noDust);
  const ofDust = dusty.filter((row) => row['object_id'] === 0);
  expect(ofDust.length).toBeGreaterThan(100);
  expect(clear.filter((row) => row['object_id'] === 0)).toEqual([]);
  expect(dusty.length - ofDust.length).toBeLessThan(clear.length);
});

it('the vehicle of a survey drives through its own dust', async () => {
  const convoy = new URL('../../../assets/scenarios/convoy.understory.yaml', import.meta.url);
  const survey = 'survey: { kind: trajectory, file: there-and-back.tum, sensor: lidar }';
  const folder = temporaryFolder({
    'survey.yaml': `${readFileSync(convoy, 'utf8')}\n${survey}\n`,
    'there-and-back.tum': [-70, -60, -50, -60, -70]
      .map((xM, pose) => `${2 * pose} ${xM} 20 0 0 0 0 1\n`)
      .join(''),
  });
  const dustOf = async (...more: string[]): Promise<number> => {
    const own = ['--columns=object_id', '--from=5', '--to=6', '--force', noDust, ...more];
    const [scenario, out] = [join(folder, 'survey.yaml'), join(folder, 'survey.csv')];
    await ran(folder, 'scan', scenario, `--out=${out}`, ...own);
    return csvRows(out).filter((row) => row['object_id'] === 0).length;
  };
  expect(await dustOf()).toBeGreaterThan(100);
  expect(await dustOf('--set=scene.weather.wheelDust.vehicle=false')).toBe(0);
});

it('a motion that raises dust must be there', async () => {
  const wrong = '--set=scene.weather.wheelDust.motions=["lorry"]';
  const { exitCode, stderr } = await runHere(temporaryFolder({}), 'drive', 'convoy', wrong);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "scene.weather.wheelDust.motions[0]: expected a motion of the scene (car), found 'lorry'",
  );
});

it('a sensor that weather cannot be simulated for is refused', async () => {
  const folder = temporaryFolder({});
  const { exitCode, stderr } = await runHere(
    folder,
    ...['scan', 'clearing', '--sensor=hdl-64e-goodin2018', rain],
    ...['--pose=0,0,2,0', '--seconds=0.1', `--out=${join(folder, 'scan.csv')}`],
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('scene.weather: expected sensors that weather can be simulated for');
});
