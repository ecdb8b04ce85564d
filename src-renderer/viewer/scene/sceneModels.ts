// Which scene is on screen, and which one waits until each of its models has come. Parts that are the same in both
// are passed on; triangles are made ready, and the ground painted, by a thread of their own.
import type { Vector3 } from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { ModelTriangles } from '#renderer/logic/scene/surfaceMesh.ts';
import { createSceneContent, type SceneContent } from './sceneContent.ts';
import { createScenePreparer, type ScenePreparer } from './scenePreparer.ts';
import type { SurfaceMaterials } from './surfaceMaterial.ts';

export interface SceneModelEvents {
  /** `isSame`: the same scenario as before, built again. */
  entered(content: SceneContent, isSame: boolean): void;
  /** It is about to be disposed of. */
  left(content: SceneContent): void;
  /** More levels of what is on screen have come. */
  grew(): void;
  /** A scene waits, or the ground was painted. */
  changed(): void;
}

export interface SceneModels {
  /** The scene on screen. */
  current: () => SceneContent | null;
  show: (contents: SceneContents, table: InstanceTable, isSame: boolean) => void;
  addMesh: (model: number, level: number, triangles: ModelTriangles) => void;
  clear: () => void;
  /** The sun is elsewhere: shadows on the ground are painted again. */
  repaint: () => void;
  /** A scene waits until each of its models has come. */
  isComing: () => boolean;
  /** Before a frame that shows the scene. */
  beforeFrame: () => void;
  /** A scene waits, or the thread has something to do. */
  isWaiting: () => boolean;
  dispose: () => void;
}

/** Models of a scene with their levels of detail as they arrive. `sun`: what shadows fall from. */
export function createSceneModels(
  materials: SurfaceMaterials,
  events: SceneModelEvents,
  sun: { direction: () => Vector3; castsShadows: boolean },
): SceneModels {
  // Why not at once: a view of a run may never show a scene.
  let preparer: ScenePreparer | null = null;
  const prepared = (): ScenePreparer => (preparer ??= createScenePreparer());
  let current: SceneContent | null = null;
  let staged: { content: SceneContent; isSame: boolean } | null = null;
  let waiting = 0;
  let [isPainting, isPaintStale] = [false, false];
  /** Frames until the ground is painted. Why not at once: that would take the time of the first picture. */
  let framesToPaint = 0;
  let isDisposed = false;

  return {
    current: () => current,
    show(contents, table, isSame) {
      staged?.content.dispose();
      const content = createSceneContent(contents, table, materials, current, sun.castsShadows);
      staged = { content, isSame };
      enterIfReady();
      events.changed();
    },
    addMesh(model, level, triangles) {
      const into = staged?.content ?? current;
      if (into === null || into.hasMesh(model, level)) return;
      waiting += 1;
      void prepared()
        .prepare(triangles)
        .then((mesh) => {
          waiting -= 1;
          if (isDisposed || (into !== current && into !== staged?.content)) return;
          into.addMesh(model, level, mesh);
          enterIfReady();
          if (into !== current) return;
          // Why again: shadows fall on the heights of the finest ground that is there.
          if (into.isGround(model)) paint(into);
          events.grew();
        });
    },
    clear,
    repaint: () => current !== null && paint(current),
    isComing: () => staged !== null,
    beforeFrame() {
      if (framesToPaint === 0) return;
      framesToPaint -= 1;
      if (framesToPaint > 0) events.changed();
      else if (current !== null) paint(current);
    },
    isWaiting: () => staged !== null || waiting > 0,
    dispose() {
      isDisposed = true;
      clear();
      preparer?.dispose();
    },
  };

  function clear(): void {
    staged?.content.dispose();
    staged = null;
    leave();
  }

  function leave(): void {
    if (current === null) return;
    events.left(current);
    current.dispose();
    current = null;
  }

  function enterIfReady(): void {
    if (staged === null || !staged.content.isReady()) return;
    const { content, isSame } = staged;
    staged = null;
    leave();
    current = content;
    content.enter();
    if (!isSame) content.setPaint(null);
    if (isSame) paint(content);
    else framesToPaint = 2;
    events.entered(content, isSame);
  }

  /** Until it is painted the ground is as it was before, or bare. Why one at a time: each hour that a slider passes asks. */
  function paint(content: SceneContent): void {
    const request = content.paintRequest(sun.direction());
    isPaintStale = isPainting;
    if (request === null) content.setPaint(null);
    if (request === null || isPainting) return;
    isPainting = true;
    waiting += 1;
    void prepared()
      .paint(request)
      .then((painted) => {
        waiting -= 1;
        isPainting = false;
        if (isDisposed) return;
        if (content === current) {
          content.setPaint(painted);
          events.changed();
        }
        if (isPaintStale && current !== null) paint(current);
      });
  }
}
