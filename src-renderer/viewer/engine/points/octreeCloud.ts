// A cloud of any size on screen: the nodes of its octree that the camera needs, within a budget of points. Nodes that are
// no longer needed stay for a while, those that were drawn last the longest.
import type { BufferGeometry } from 'three';
import { Group, type PerspectiveCamera, type Points } from 'three';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import { chooseNodes, type ChosenNodes, type CloudOctree } from '#renderer/logic/cloud/octree.ts';
import type { CloudTable } from '#renderer/logic/cloud/cloudTable.ts';
import { pixelsPerRad, seenPlanes } from '../camera/viewSpace.ts';
import type { TableClouds } from './tableClouds.ts';

export interface OctreeCloud {
  readonly object: Group;
  /** Null: there is none. Its nodes come by `add`. */
  show: (octree: CloudOctree | null) => void;
  setBudget: (points: number) => void;
  add: (node: number, table: CloudTable) => void;
  /** Chooses again for a camera. `share`: of the budget. True where other nodes are drawn. */
  update: (
    camera: PerspectiveCamera,
    heightPx: number,
    clip: UprightBox | null,
    share: number,
  ) => boolean;
  /** Called with nodes that are missing, the most needed first, when they change. */
  onMissing: (listener: (nodes: readonly number[]) => void) => void;
  drawn: () => DrawnOctree;
  /** The nodes that are drawn. */
  tables: () => CloudTable[];
  dispose: () => void;
}

export interface DrawnOctree {
  points: number;
  nodes: number;
  /** Points that the camera needs, within the budget. */
  chosenPoints: number;
  /** As ChosenNodes. */
  cutSpacingPx: number | null;
}

/** Nearer points than this cover one another: they are drawn two pixels wide. */
const minSpacingPx = 1;
/** Points of nodes that are there, as a multiple of the budget. */
const keptShare = 2;

const nothing: ChosenNodes = { nodes: [], points: 0, cutSpacingPx: null };

/** Empty at first. */
export function createOctreeCloud(clouds: TableClouds): OctreeCloud {
  const object = new Group();
  /** The ones drawn longest ago first. */
  const loaded = new Map<number, Points<BufferGeometry>>();
  let octree: CloudOctree | null = null;
  let budgetPoints = 0;
  let chosen = nothing;
  let loadedPoints = 0;
  let missing: readonly number[] = [];
  let tell = (_: readonly number[]): void => undefined;

  const pointsOf = (node: number): number => octree?.nodes.points[node] ?? 0;

  function remove(node: number): void {
    const points = loaded.get(node);
    if (points === undefined) return;
    loaded.delete(node);
    loadedPoints -= pointsOf(node);
    object.remove(points);
    points.geometry.dispose();
  }

  function removeOld(): void {
    const needed = new Set(chosen.nodes);
    for (const node of loaded.keys()) {
      if (loadedPoints <= keptShare * budgetPoints) return;
      if (!needed.has(node)) remove(node);
    }
  }

  function tellMissing(): void {
    const now = chosen.nodes.filter((node) => !loaded.has(node));
    if (now.length === missing.length && now.every((node, at) => node === missing[at])) return;
    missing = now;
    tell(missing);
  }

  function apply(): boolean {
    let isChanged = false;
    const needed = new Set(chosen.nodes);
    for (const [node, points] of loaded) {
      if (points.visible === needed.has(node)) continue;
      points.visible = !points.visible;
      isChanged = true;
    }
    for (const node of chosen.nodes) {
      const points = loaded.get(node);
      if (points === undefined) continue;
      loaded.delete(node);
      loaded.set(node, points);
    }
    return isChanged;
  }

  return {
    object,
    show(next) {
      for (const node of [...loaded.keys()]) remove(node);
      octree = next;
      chosen = nothing;
      missing = [];
    },
    setBudget(points) {
      budgetPoints = points;
    },
    add(node, table) {
      if (octree === null || loaded.has(node)) return;
      const points = clouds.create(table);
      points.visible = chosen.nodes.includes(node);
      loaded.set(node, points);
      loadedPoints += pointsOf(node);
      object.add(points);
      removeOld();
      tellMissing();
    },
    update(camera, heightPx, clip, share) {
      if (octree === null) return false;
      const view = {
        eyeM: camera.position.toArray(),
        planes: seenPlanes(camera),
        pixelsPerRad: pixelsPerRad(camera, heightPx),
        clip,
      };
      chosen = chooseNodes(octree, view, { budgetPoints: share * budgetPoints, minSpacingPx });
      const isChanged = apply();
      tellMissing();
      return isChanged;
    },
    onMissing(listener) {
      tell = listener;
    },
    drawn() {
      const nodes = chosen.nodes.filter((node) => loaded.has(node));
      const points = nodes.reduce((sum, node) => sum + pointsOf(node), 0);
      const { points: chosenPoints, cutSpacingPx } = chosen;
      return { points, nodes: nodes.length, chosenPoints, cutSpacingPx };
    },
    tables: () =>
      [...loaded.values()]
        .filter(({ visible }) => visible)
        .map(({ geometry }) => clouds.tableOf(geometry)),
    dispose() {
      for (const node of [...loaded.keys()]) remove(node);
    },
  };
}
