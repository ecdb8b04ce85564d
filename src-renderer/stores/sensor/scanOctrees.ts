// The octrees of saved scans that have more returns than the page holds: one for each, made when the scan is there, gone
// with it.
import { defineStore } from 'pinia';
import { computed, reactive, shallowReactive, watch } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import type { CloudColouring } from '#renderer/logic/cloud/cloudTable.ts';
import { lackText, partText, type DrawnCloud } from '#renderer/logic/cloud/drawnCloud.ts';
import type { ScanColouring } from '#renderer/logic/scans/scanColours.ts';
import { createCloudOctree, type CloudOctreeState } from '../cloud/cloudOctree.ts';
import { useConnection } from '../host/connection.ts';
import type { SavedScan } from './savedScans.ts';
import { useScans } from './scans.ts';

/** What the points of an octree can be coloured by; the others are known of the sample alone. */
const colourings: Partial<Record<ScanColouring, CloudColouring | 'own'>> = {
  scan: 'own',
  height: 'height',
  intensity: 'intensity',
  class: 'class',
};

export const useScanOctrees = defineStore('scanOctrees', () => {
  const client = useClient();
  const connection = useConnection();
  const scans = useScans();
  const states = shallowReactive(new Map<number, CloudOctreeState>());
  /** How much of a scan is on screen, by its id; null: none of it by its octree. */
  const drawn = shallowReactive(new Map<number, DrawnCloud | null>());
  /** Null: the sample is drawn. */
  const colouring = computed(() => (scans.isClean ? null : (colourings[scans.by] ?? null)));

  watch(
    () => scans.saved.filter(({ saved }) => saved !== null),
    (large) => {
      for (const [id, state] of states) {
        if (large.some((scan) => scan.id === id)) continue;
        state.close();
        states.delete(id);
        drawn.delete(id);
      }
      for (const scan of large) if (!states.has(scan.id)) open(scan);
    },
    { immediate: true },
  );
  connection.whenOpen(() => {
    for (const scan of scans.saved) if (states.get(scan.id)?.error != null) open(scan);
  });
  return { states, drawn, colouring, isDrawn, textOf };

  function open(scan: SavedScan): void {
    if (scan.saved === null) return;
    const state = states.get(scan.id) ?? reactive(createCloudOctree(client));
    states.set(scan.id, state);
    void state.open({ scan: scan.saved }, true);
  }

  /** The scan is drawn by its octree, if it is drawn. */
  function isDrawn({ id }: SavedScan): boolean {
    return colouring.value !== null && states.get(id)?.octree != null;
  }

  /** How many returns of a scan are drawn, and why not all. Null: its table has all. */
  function textOf(scan: SavedScan): string | null {
    const state = states.get(scan.id);
    if (state === undefined) return null;
    const isByOctree = isDrawn(scan);
    const shown = isByOctree ? (drawn.get(scan.id) ?? null) : null;
    const points = isByOctree ? (shown?.points ?? 0) : scan.table.rows;
    const lack =
      state.octree !== null && !isByOctree
        ? `a sample: ${scans.isClean ? 'no returns without noise' : 'no such colours'} of the others`
        : lackText(state.progress, shown);
    return [`${partText(points, scan.returns)} returns`, lack]
      .filter((text) => text !== '')
      .join(' · ');
  }
});
