// Pulses of a scan, asked for one by one: their returns are those of the scan, to the bit, noise included.
import { afterAll, describe, expect, it } from 'vitest';
import { pulseRays, pulseReturns } from '#renderer/logic/pulse/pulseTable.ts';
import { scanColumns, scanTable } from '#renderer/logic/scans/scanTable.ts';
import { sceneServices } from './openScene.ts';

const services = sceneServices();
afterAll(() => services.closeAll());

describe('a pulse of a scan', () => {
  it.each(['hdl-32e', 'hdl-64e-s2', 'ibeo-lux'])(
    '%s: has the returns of the scan',
    async (sensor) => {
      const { contents } = await services.open({ scenario: 'clearing' });
      const pose = { positionM: [-9, -7, 2] as [number, number, number], yawDeg: 37, pitchDeg: 0 };
      const settings = { scene: contents.scene, sensor, pose, seed: contents.seed };
      const order = { ...settings, seconds: 0.04, columns: [...scanColumns] };
      const { reply, chunks } = await services.ask('scene.scan', order);
      const table = scanTable(chunks.map(({ columns }) => columns));
      expect(table.rows).toBe(reply.rows);
      for (let part = 0; part < 20; part += 1) {
        const row = Math.floor((part / 20) * table.rows);
        const pulse = Number(table.pulse[row]);
        const asked = { ...settings, pulse, timeNs: Number(table.timeNs[row]) };
        const { columns } = await services.ask('scene.pulse', asked);
        const returns = pulseReturns(columns);
        const found = returns.find(({ returnNo }) => returnNo === table.returnNo[row]);
        expect(found?.rangeM).toBe(table.rangeM[row]);
        expect(found?.objectId).toBe(table.objectId[row]);
        const rays = pulseRays(columns);
        expect(rays.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 5);
      }
    },
  );
});
