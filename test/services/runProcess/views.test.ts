// Views on a screen: thinned-out clouds, joined tables, and the viewer's pace.
import { describe, expect, it } from 'vitest';
import type { ReturnTable } from '#contract/columns.ts';
import { uncontrolled } from '#services/runProcess/runControls.ts';
import type { SensedScan } from '#services/runProcess/sensing.ts';
import { shownPoints } from '#contract/host/shownPoints.ts';
import { createViewer, type ViewedTick } from '#services/runProcess/views.ts';

function tableOf(from: number, rows: number): ReturnTable {
  const count = Float32Array.from({ length: rows }, (_, i) => from + i);
  return {
    x_m: count,
    y_m: count,
    z_m: count,
    intensity: count,
    range_m: count,
    class_id: Uint16Array.from(count),
    ring: Uint16Array.from(count),
    return_no: Uint8Array.from(count),
  };
}

const sampled = (sensor: number, table: ReturnTable) => ({ sensor, table });

function scanOf(from: number, rows: number): SensedScan {
  const sample = tableOf(from, rows);
  return { sensor: 0, table: null, result: { sample } as SensedScan['result'] };
}

describe('shown points', () => {
  it('are the tables in order, in the types of the contract', () => {
    const { x_m, class_id, return_no, sensor } = shownPoints([
      sampled(0, tableOf(0, 2)),
      sampled(3, tableOf(5, 1)),
    ]);
    expect(x_m).toEqual(Float32Array.of(0, 1, 5));
    expect(class_id).toEqual(Uint16Array.of(0, 1, 5));
    expect(return_no).toEqual(Uint8Array.of(0, 1, 5));
    expect(sensor).toEqual(Uint8Array.of(0, 0, 3));
  });

  it('have as error what was reported less what is clean, and none where there is no noise', () => {
    const noisy = { ...tableOf(0, 2), range_clean_m: Float32Array.of(0.25, 1.5) };
    const { range_error_m: errors } = shownPoints([sampled(0, noisy), sampled(1, tableOf(5, 2))]);
    expect(errors).toEqual(Float32Array.of(-0.25, -0.5, 0, 0));
  });

  it('are empty if the scan has no returns', () => {
    expect(shownPoints([]).x_m).toHaveLength(0);
    expect(shownPoints([sampled(0, {})]).intensity).toHaveLength(0);
  });
});

describe('viewer', () => {
  const map = { geometry: { cells: 1, cellM: 1, originM: [0, 0] as [number, number] } };
  const ticked = (cost: Uint8Array): ViewedTick => ({
    tick: { timeNs: 1e9 * cost.length } as ViewedTick['tick'],
    scans: [scanOf(0, 3)],
    map: { ...map, cost },
    path: null,
    end: null,
    points: 3,
  });

  it('keeps its pace, leaves out what is late, shows the end, and the map only when it changed', () => {
    let nowS = 0;
    let isReady = true;
    const shown: string[][] = [];
    const viewer = createViewer({
      clock: { nowMs: () => 0, seconds: () => nowS },
      pace: uncontrolled.pace,
      control: 'autonomy',
      viewPoints: 10,
      isReady: () => isReady,
      onView: (_, columns) => shown.push(Object.keys(columns)),
    });
    const cost = Uint8Array.of(1);
    viewer.show(ticked(cost), false); // shown, with map
    viewer.show(ticked(cost), false); // too soon
    nowS = 1;
    viewer.show(ticked(cost), false); // shown, same map
    nowS = 2;
    isReady = false;
    viewer.show(ticked(Uint8Array.of(2)), false); // still being sent
    viewer.show(ticked(Uint8Array.of(2)), true); // the end, with the new map
    expect(shown.map((names) => names.includes('cost'))).toEqual([true, false, true]);
  });
});
