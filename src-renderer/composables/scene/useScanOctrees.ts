// Draws the saved scans that have an octree by it, over the view of a scene, while the component lives. They share the
// points that a view draws at most.
import { effectScope, onScopeDispose, watch, type EffectScope, type ShallowRef } from 'vue';
import { useOctreeView } from '#renderer/composables/cloud/useOctreeView.ts';
import type { CloudOctreeState } from '#renderer/stores/cloud/cloudOctree.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import { useScanOctrees } from '#renderer/stores/sensor/scanOctrees.ts';
import { useScans } from '#renderer/stores/sensor/scans.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** Within a set-up. */
export function useScanOctreeLayers(viewer: Readonly<ShallowRef<SceneViewer | null>>): void {
  const scans = useScans();
  const octrees = useScanOctrees();
  const { budget } = usePointBudget();
  const scopes = new Map<number, EffectScope>();

  watch(
    [viewer, () => [...octrees.states.keys()]],
    ([into, ids], [before]) => {
      for (const [id, scope] of scopes) {
        if (into === before && ids.includes(id)) continue;
        scope.stop();
        scopes.delete(id);
      }
      if (into === null) return;
      for (const [id, state] of octrees.states) {
        if (scopes.has(id)) continue;
        const scope = effectScope(true);
        scopes.set(id, scope);
        scope.run(() => showIn(into, id, state));
      }
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    for (const scope of scopes.values()) scope.stop();
  });

  function showIn(into: SceneViewer, id: number, state: CloudOctreeState): void {
    const layer = into.addCloud();
    onScopeDispose(layer.dispose);
    const view = useOctreeView(
      () => layer,
      state,
      () => budget.value / Math.max(1, scans.drawn.filter(({ saved }) => saved !== null).length),
    );
    watch(view, ({ cloud }) => void octrees.setDrawn(id, cloud), { immediate: true });
    watch(
      [() => scans.drawn, () => octrees.colouring],
      () => {
        layer.object.visible =
          octrees.colouring !== null && scans.drawn.some((scan) => scan.id === id);
        into.invalidate();
      },
      { immediate: true },
    );
    watch(
      [() => octrees.colouring, () => scans.scale, () => scans.range],
      () => {
        const own = scans.saved.find((scan) => scan.id === id)?.colour;
        if (own !== undefined) layer.setOwnColour(own);
        if (octrees.colouring !== null) {
          layer.colour(octrees.colouring, scans.scale, scans.range ?? [0, 1]);
        }
      },
      { immediate: true },
    );
  }
}
