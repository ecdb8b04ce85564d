// The list of sensors states what the worker simulates.
import { describe, expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { startWorker } from '#test/support/worker.ts';
import { sensorRecipe } from './realWorker.ts';

describe('summaries of sensors', () => {
  it('agree with the worker on lasers, elevations and pulses', async () => {
    const sensors = await createDocuments({
      files: createNodeFiles({ assetsFolder }),
    }).listSensors();
    expect(sensors.length).toBeGreaterThan(8);
    const worker = await startWorker({ threads: 1 });
    for (const { id, summary } of sensors) {
      const request = { sensor: await sensorRecipe(id) };
      const { body: description, columns } = await worker.call('sensor.describe', request, {});
      const { scan } = request.sensor;
      // The one laser of a panorama is level; a mirror turns its beam over the field.
      const elevations =
        scan.kind === 'panorama'
          ? [scan.minElevationRad, scan.maxElevationRad]
          : columns.laser_elevation_rad;
      const scale = 180 / Math.PI;
      expect(summary?.channels, id).toBe(columns.laser_ring.length);
      expect(summary?.elevationDeg[0], id).toBeCloseTo((elevations[0] ?? NaN) * scale, 6);
      expect(summary?.elevationDeg[1], id).toBeCloseTo((elevations.at(-1) ?? NaN) * scale, 6);
      const share = (summary?.pulsesPerSecond ?? NaN) / description.pulsesPerSecond;
      expect(Math.abs(share - 1), id).toBeLessThan(1e-9);
    }
  });
});
