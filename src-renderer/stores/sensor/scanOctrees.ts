// The octrees of saved scans that have more returns than the page holds: one for each, made when the scan is there, gone
// with it.
import { defineStore } from 'pinia';
import { computed, reactive, shallowReactive, watch } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import type { CloudColouring } from '#renderer/logic/cloud/cloudTable.ts';
import {
  lackText,
  makingText,
  partText,
  type DrawnCloud,
} from '#renderer/logic/cloud/drawnCloud.ts';
import type { ScanColouring } from '#renderer/logic/scans/scanColours.ts';
import { createCloudOctree, type CloudOctreeState } from '../cloud/cloudOctree.ts';
import { useConnection } from '../host/connection.ts';
import type { SavedScan } from './savedScans.ts';
import { useScans } from './scans.ts';

/** The points of an octree can be coloured by these; the others are known of the sample alone. */
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
  /** By the id of a scan. */
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
  return { states, colouring, setDrawn, isDrawn, textOf };

  function open(scan: SavedScan): void {
    if (scan.saved === null) return;
    const state = states.get(scan.id) ?? reactive(createCloudOctree(client));
    states.set(scan.id, state);
    void state.open({ scan: scan.saved }, true);
  }

  /** How much of a scan its octree draws; null: none of it, as before the first of its points have come. */
  function setDrawn(id: number, cloud: DrawnCloud | null): void {
    const isFirst = (drawn.get(id) ?? null) === null;
    if (isFirst && cloud?.points === 0) return;
    drawn.set(id, cloud);
  }

  /** In place of its sample. */
  function isDrawn({ id }: SavedScan): boolean {
    return colouring.value !== null && (drawn.get(id) ?? null) !== null;
  }

  /** How many returns of a scan are drawn, and why not all. Null: its table has all. */
  function textOf(scan: SavedScan): string | null {
    const state = states.get(scan.id);
    if (state === undefined) return null;
    const shown = isDrawn(scan) ? (drawn.get(scan.id) ?? null) : null;
    const lack = shown === null ? sampleText(state) : lackText(shown);
    const part = partText(shown?.points ?? scan.table.rows, scan.returns);
    return [`${part} returns`, lack].filter((text) => text !== '').join(' · ');
  }

  function sampleText({ octree, progress }: CloudOctreeState): string {
    if (scans.isClean) return 'a sample: all returns are shown with their noise only';
    if (colouring.value === null) {
      return 'a sample: all returns are coloured by scan, height, intensity or class';
    }
    if (progress !== null) return `a sample; ${makingText(progress)}`;
    return octree === null ? 'a sample' : 'a sample; reading …';
  }
});
