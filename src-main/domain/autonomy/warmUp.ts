// Plans over a made-up map, so that the JavaScript engine has compiled the planner by the first tick: without
// it the first plan of a drive takes six times as long as the others. Nothing of it stays but compiled code.
import { unknownCost, type MapGeometry } from '#contract/host/run.ts';
import { clearanceLimitM } from './clearances.ts';
import type { CostMap } from './costMap.ts';
import { cellCentre } from './gridGeometry.ts';
import type { Router } from './route.ts';

/** Measured: the third is as fast as those after it. Twice that, since code is compiled in the background. */
const plans = 6;
/** From corner to corner of this square, so that large maps cost no more; in cells. */
const longestSide = 400;
/** Between the trunks of the made-up map. */
const spacingM = 12;

/** To be called before the router's first `refresh`, which overwrites what this leaves behind. */
export function warmUp(router: Router, geometry: MapGeometry): void {
  const { cells } = geometry;
  const map = madeUpMap(geometry);
  const first = Math.max(0, Math.floor((cells - longestSide) / 2));
  const last = cells - 1 - first;
  const centre = (x: number, y: number): [number, number] => cellCentre(geometry, y * cells + x);
  for (let n = 0; n < plans; n += 1) {
    router.refresh(map);
    // Why in turns: all directions, on different costs.
    if (n % 2 === 0) router.plan(centre(first, first), centre(last, last));
    else router.plan(centre(first, last), centre(last, first));
  }
}

/** Half of it seen, as uneven as a meadow, half unknown; a trunk every few metres. */
function madeUpMap({ cells, cellM }: MapGeometry): Pick<CostMap, 'planningCost' | 'clearanceM'> {
  const planningCost = new Uint8Array(cells * cells).fill(unknownCost);
  const clearanceM = new Float32Array(cells * cells);
  const toTrunksM = Float64Array.from({ length: cells }, (_, cell) => {
    const alongM = (cell * cellM) % spacingM;
    return Math.min(alongM, spacingM - alongM);
  });
  for (let y = 0; y < cells; y += 1) {
    for (let x = 0; x < cells; x += 1) {
      const cell = y * cells + x;
      if (2 * x < cells) planningCost[cell] = (7 * x + 13 * y) % 100;
      const toTrunkM = Math.hypot(toTrunksM[x] as number, toTrunksM[y] as number);
      clearanceM[cell] = Math.min(clearanceLimitM, toTrunkM);
    }
  }
  return { planningCost, clearanceM };
}
