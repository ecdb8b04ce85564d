// Base of every 3D view: a renderer on a canvas, one scene or several beside one another, a camera, a loop that
// draws when something changed, overlays and picking. dispose() frees the graphics card.
import {
  Group,
  type PerspectiveCamera,
  type Ray,
  Scene,
  SRGBColorSpace,
  WebGLRenderer,
} from 'three';
import { clamp } from '#domain/shared/numbers.ts';
import {
  createCameraController,
  type CameraController,
  type CameraOptions,
} from './camera/cameraController.ts';
import { pixelsPerRad } from './camera/viewSpace.ts';
import { createFrameEffort } from '#renderer/logic/viewer/frameEffort.ts';
import type { Backdrop } from './backdrop.ts';
import { createFence } from './fence.ts';
import { createFrameLoop, type FrameDetail } from './frameLoop.ts';
import {
  createClipTool,
  type ClipPoints,
  type ClipTool,
  type ClipView,
  type OwnClipTool,
  type ViewPixel,
} from './clip/clipTool.ts';
import { createPointPass } from './points/pointPass.ts';
import { createSurfacePass } from './surfacePass.ts';

export interface PickRay {
  originM: readonly [number, number, number];
  /** Unit. */
  direction: readonly [number, number, number];
}

/** Objects of an overlay that can be clicked. */
export interface Picker {
  /** Distance along the ray at which it meets them, in metres, or null. `pixelRad`: angle of a pixel. */
  meet: (ray: PickRay, pixelRad: number) => number | null;
  /** The place of the last hit; left out: the objects are no places to measure. */
  placeM?: () => readonly [number, number, number] | null;
  /** The last hit was clicked. */
  click: () => void;
}

export interface ViewportOptions {
  camera: CameraOptions;
  /** Scenes beside one another, each with the same camera, all of them shown at first. Left out: one. */
  columns?: number;
  /** Left out: all that there is, in every frame. */
  detail?: FrameDetail;
  /** Left out: the view cannot be clipped. */
  clip?: ClipPoints;
  /** Drawn behind everything else, which it hides nothing of unless it is opaque. */
  backdrop?: Backdrop;
  /** The scene is of surfaces that state their share of diffuse light. Left out: the backdrop is, where there is one. */
  hasSurfaces?: boolean;
  /** Nothing can be seen: no frame is drawn until it can and something changes. */
  isHidden?: () => boolean;
  /** May draw into targets of its own. */
  beforeDraw?: (renderer: WebGLRenderer) => void;
  afterDraw?: () => void;
  /** The camera was moved here: by input, framed, or by another mode. */
  onCameraMoved?: () => void;
}

export interface Viewport {
  readonly scenes: readonly Scene[];
  /** The only one, or the first. */
  readonly scene: Scene;
  /** Points, drawn after everything else and, where that is on, with eye-dome lighting; of the first column. */
  readonly points: Scene;
  /** Shows the first scenes alone, or all. */
  setColumns: (count: number) => void;
  readonly camera: CameraController;
  /** Null where the view cannot be clipped. */
  readonly clip: ClipTool | null;
  /** The place of the view at a pixel of the page. */
  pixelAt: (clientXPx: number, clientYPx: number) => ViewPixel;
  /** Something to be seen changed. */
  invalidate: () => void;
  /** Off: points are flat. Slow machines have them flat while the view changes. */
  setEyeDome: (isOn: boolean) => void;
  /** Off: the light of the sky reaches all surfaces. Slow machines have it on in the picture at rest alone. */
  setSkyOcclusion: (isOn: boolean) => void;
  isOccluded: () => boolean;
  /** The view as a PNG at the full resolution; null where the browser cannot make one. */
  picture: () => Promise<Blob | null>;
  /** A stream is shown in at most this share of the time, coarser where the machine is slow; null: none is. */
  setStream: (maxShare: number | null) => void;
  /** Resolves once what has changed so far is on screen and the next of a stream may come. */
  whenDrawn: () => Promise<void>;
  /** Mean time of a frame while the view changes, where it is drawn coarser for it; null: it is not. */
  slowFrameMs: () => number | null;
  /** A group of the scene by its name, made when first asked for; world coordinates, z up. */
  overlay: (name: string) => Group;
  /** Returns what removes it. */
  addPicker: (picker: Picker) => () => void;
  /** The nearest picker along a ray, nearer than `withinM`. */
  pick: (ray: Ray, withinM: number) => Picker | null;
  /**
   * CSS pixels. What has been drawn is drawn again at once: the new size empties the canvas, and a frame later that would
   * flash. The first picture, which takes longest, comes in a frame of its own.
   */
  resize: (widthPx: number, heightPx: number, pixelRatio: number) => void;
  size: () => { widthPx: number; heightPx: number; pixelRatio: number };
  /** In pixels of the screen. */
  screenHeightPx: () => number;
  /** Statistics of the last frame. */
  drawn: () => { triangles: number; calls: number };
  isIdle: () => boolean;
  /** A frame is due, was begun, or is on screen. */
  onFrame: (listener: () => void) => void;
  dispose: () => void;
}

/** The context of the graphics card, which takes a while to open; null where the browser has no WebGL 2. */
export function openGraphics(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  return canvas.getContext('webgl2', {
    // Why: surfaces write another value as opacity.
    alpha: false,
    antialias: true,
    powerPreference: 'high-performance',
  });
}

/** The base of a 3D view on a canvas. dispose() frees the graphics card. */
export function createViewport(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
  options: ViewportOptions,
): Viewport {
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.outputColorSpace = SRGBColorSpace;
  // Why: a frame may be drawn in several passes, and its statistics are those of all.
  renderer.info.autoReset = false;
  const { hasSurfaces = options.backdrop !== undefined } = options;
  const scenes = Array.from({ length: options.columns ?? 1 }, () => new Scene());
  let columns = scenes.length;
  const scene = scenes[0] ?? new Scene();
  const points = createPointPass();
  const pickers = createPickers();
  const frameListeners: (() => void)[] = [];
  const size = { widthPx: columns, heightPx: 1, pixelRatio: 1 };
  const effort = createFrameEffort();
  const surfaces = createSurfacePass(hasSurfaces, effort);
  const camera = createCameraController(canvas, options.camera, {
    change: () => loop.move(),
    moved() {
      loop.hurry();
      options.onCameraMoved?.();
    },
  });
  const loop = createFrameLoop(createFence(context), {
    advance: (seconds) => camera.advance(seconds),
    detail: options.detail ?? null,
    effort,
    isHidden: () => options.isHidden?.() ?? false,
    draw,
    hasLastPass: surfaces.hasLastPass,
    onFrame() {
      for (const listener of frameListeners) listener();
    },
  });
  const shows = drawnAfter(loop);
  const pixelAt = (clientXPx: number, clientYPx: number): ViewPixel =>
    pixelOf(canvas, columns, size, [clientXPx, clientYPx]);
  const clip = clipToolOf(options.clip, {
    canvas,
    camera: () => camera.camera,
    pixelAt,
    rayAt: camera.rayAt,
    size: () => ({ ...size, widthPx: size.widthPx / columns }),
    setCameraEnabled: camera.setEnabled,
    invalidate: () => loop.invalidate(),
  });

  return {
    scenes,
    scene,
    points: points.scene,
    setColumns(count) {
      columns = count;
      camera.resize(size.widthPx / columns, size.heightPx);
      loop.invalidate();
    },
    camera,
    clip,
    pixelAt,
    invalidate: loop.invalidate,
    setEyeDome: shows(points.setEyeDome),
    setSkyOcclusion: shows(surfaces.setOcclusion),
    isOccluded: surfaces.isOccluded,
    picture: () => pictureAfter(canvas, () => draw(true, true)),
    setStream: loop.setStream,
    whenDrawn: loop.whenDrawn,
    slowFrameMs: effort.slowFrameMs,
    overlay: createOverlays(scene),
    addPicker: pickers.add,
    pick: (ray, withinM) =>
      pickers.nearest(ray, withinM, 1 / pixelsPerRad(camera.camera, screenHeightPx())),
    resize(widthPx, heightPx, pixelRatio) {
      Object.assign(size, { widthPx, heightPx, pixelRatio });
      renderer.setSize(widthPx, heightPx, false);
      camera.resize(widthPx / columns, heightPx);
      (renderer.info.render.frame > 0 ? loop.draw : loop.invalidate)();
    },
    size: () => ({ ...size }),
    screenHeightPx,
    drawn: () => ({
      triangles: renderer.info.render.triangles,
      calls: renderer.info.render.calls,
    }),
    isIdle: loop.isIdle,
    onFrame: (listener) => void frameListeners.push(listener),
    dispose() {
      loop.dispose();
      camera.dispose();
      clip?.dispose();
      points.dispose();
      surfaces.dispose();
      renderer.dispose();
    },
  };

  function screenHeightPx(): number {
    return size.heightPx * renderer.getPixelRatio();
  }

  function draw(isResting: boolean, isRefined: boolean): void {
    const pixelRatio = size.pixelRatio * effort.resolution(isResting);
    if (pixelRatio !== renderer.getPixelRatio()) renderer.setPixelRatio(pixelRatio);
    options.beforeDraw?.(renderer);
    renderer.info.reset();
    const drawSurfaces = surfaces.begin(renderer, camera.camera, isRefined);
    renderer.autoClear = options.backdrop?.draw(renderer, drawSurfaces) !== true;
    if (scenes.length > 1 || options.backdrop !== undefined) render(scenes);
    else drawSurfaces(scene);
    const hasTime = isResting || effort.slowFrameMs() === null;
    points.draw(renderer, camera.camera, { columns, hasTime });
    if (clip !== null && options.clip?.clip.box() !== null) {
      renderer.autoClear = false;
      render(scenes.map(() => clip.scene));
    }
    options.afterDraw?.();
  }

  function render(shown: readonly Scene[]): void {
    if (scenes.length > 1) drawColumns(renderer, shown.slice(0, columns), camera.camera, size);
    else renderer.render(shown[0] ?? scene, camera.camera);
  }
}

function pictureAfter(canvas: HTMLCanvasElement, draw: () => void): Promise<Blob | null> {
  draw();
  // Why in the same task: the canvas is empty once it has been shown.
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Groups of a scene by name, made when first asked for. */
function createOverlays(scene: Scene): (name: string) => Group {
  const overlays = new Map<string, Group>();
  return (name) => {
    const known = overlays.get(name);
    if (known !== undefined) return known;
    const group = new Group();
    group.name = name;
    overlays.set(name, group);
    scene.add(group);
    return group;
  };
}

/** Objects that can be picked beside the scene. */
function createPickers(): {
  /** Returns what removes it. */
  add: (picker: Picker) => () => void;
  nearest: (ray: Ray, withinM: number, pixelRad: number) => Picker | null;
} {
  const pickers: Picker[] = [];
  return {
    add(picker) {
      pickers.push(picker);
      return () => void pickers.splice(pickers.indexOf(picker), 1);
    },
    nearest({ origin, direction }, withinM, pixelRad) {
      const ray = { originM: origin.toArray(), direction: direction.toArray() };
      let nearestM = withinM;
      let nearest: Picker | null = null;
      for (const picker of pickers) {
        const distanceM = picker.meet(ray, pixelRad);
        if (distanceM === null || distanceM >= nearestM) continue;
        nearestM = distanceM;
        nearest = picker;
      }
      return nearest;
    },
  };
}

/** Wraps a change of a view, after which a frame is drawn. */
export function drawnAfter({ invalidate }: Pick<Viewport, 'invalidate'>) {
  return <A extends unknown[]>(change: (...values: A) => void): ((...values: A) => void) =>
    (...values) => {
      change(...values);
      invalidate();
    };
}

function clipToolOf(points: ClipPoints | undefined, view: ClipView): OwnClipTool | null {
  return points === undefined ? null : createClipTool(view, points);
}

/** The place of a view at a pixel of the page. */
function pixelOf(
  canvas: HTMLCanvasElement,
  columns: number,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
  [clientXPx, clientYPx]: readonly [number, number],
): ViewPixel {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  // Why by shares: a page that is zoomed measures its pixels in another unit than the view.
  const share = ((clientXPx - left) / width) * columns;
  const column = clamp(Math.floor(share), 0, columns - 1);
  return {
    column,
    xPx: ((share - column) / columns) * widthPx,
    yPx: ((clientYPx - top) / height) * heightPx,
  };
}

/** Beside one another; a pixel is left free between them. */
function drawColumns(
  renderer: WebGLRenderer,
  scenes: readonly Scene[],
  camera: PerspectiveCamera,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): void {
  const columnPx = Math.floor(widthPx / scenes.length);
  renderer.setScissorTest(true);
  for (const [column, one] of scenes.entries()) {
    const gapPx = column === 0 ? 0 : 1;
    // Pixels that the division leaves belong to the last one.
    const endPx = column === scenes.length - 1 ? widthPx : (column + 1) * columnPx;
    const leftPx = column * columnPx + gapPx;
    renderer.setViewport(column * columnPx, 0, columnPx, heightPx);
    renderer.setScissor(leftPx, 0, endPx - leftPx, heightPx);
    renderer.render(one, camera);
  }
}
