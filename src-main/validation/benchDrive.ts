// A drive of the validation: executed as every run is, but in this process and without a recording; what is kept
// is the cost map and the vehicle's path.
import { throwIfCancelled } from '#contract/errors.ts';
import type { MapGeometry, TickRecord } from '#contract/host/run.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import { executeRun, type RunPorts } from '#services/runProcess/executeRun.ts';

export interface Drive {
  /** One a tick: true pose at its end. */
  ticks: TickRecord[];
  map: MapGeometry;
  /** 0–100, 255 unknown; row by row from the south-west corner, x fastest. */
  cost: Uint8Array;
}

/** @throws as executeRun */
export async function driveOnce(
  ports: RunPorts,
  { compiled, heights }: LoadedScenario,
  seconds: number,
  signal: AbortSignal,
): Promise<Drive> {
  const ticks: TickRecord[] = [];
  let map: MapGeometry = { cells: 0, cellM: 0, originM: [0, 0] };
  let cost = new Uint8Array();
  await executeRun(
    ports,
    {
      compiled,
      seconds,
      isPipelined: true,
      recordingFile: null,
      lockFile: null,
      threads: null,
      isa: null,
      // Views bring the cost map, the last one with the last tick.
      viewPoints: 1,
    },
    heights,
    {
      signal,
      hostLost: signal,
      onProgress: () => {},
      onRunEvent: (event) => {
        if (event.kind === 'tick') ticks.push(event.tick);
      },
      onView: (view, columns) => {
        map = view.map;
        if (columns['cost'] instanceof Uint8Array) cost = Uint8Array.from(columns['cost']);
      },
      isViewReady: () => true,
    },
  );
  throwIfCancelled(signal);
  return { ticks, map, cost };
}
