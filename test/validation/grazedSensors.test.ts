// The experiment of grazing planes has every sensor of Understory that separates echoes.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { sensorSchema } from '#contract/documents/sensor.ts';
import { separatesEchoes } from '#contract/documents/sensorReturns.ts';
import { grazedSensors } from '#validation/receiver/grazingPlanes.ts';
import { projectRoot } from '#test/stages.ts';

it('lists every sample that separates echoes', () => {
  const folder = join(projectRoot, 'assets/sensors');
  const sensors = readdirSync(folder).map((name) =>
    sensorSchema.parse(parse(readFileSync(join(folder, name), 'utf8'))),
  );
  const separating = sensors.filter(({ returns }) => separatesEchoes(returns)).map(({ id }) => id);
  expect([...grazedSensors].sort()).toEqual(separating.sort());
});
