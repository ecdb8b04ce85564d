// Clipping of a view by hand: handles of its box are dragged, and places of a section are picked, before anything else
// gets the pointer.
import { type ColorRepresentation, type PerspectiveCamera, type Ray, Scene } from 'three';
import { isClick } from '#renderer/browser/pointerClick.ts';
import {
  axisOf,
  faceCentre,
  movedFace,
  nearestOnLine,
  type ClipFace,
} from '#renderer/logic/cloud/clipBox.ts';
import type { BoundsM, PlaceM } from '#renderer/logic/cloud/cloudBounds.ts';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import { createClipHandles, faceAt, isSame } from './clipHandles.ts';
import type { ViewClip } from './clipUniforms.ts';

/** A place of the canvas, in CSS pixels from the top left of its column. */
export interface ViewPixel {
  column: number;
  xPx: number;
  yPx: number;
}

/** How a view finds points. */
export interface ClipPoints {
  clip: ViewClip;
  /** Bounds of all points; null: there are none. */
  boundsM: () => BoundsM | null;
  /** The place that a pixel shows; null: there is none. */
  placeAt: (pixel: ViewPixel, ray: Ray) => PlaceM | null;
}

/** The view of the tool. */
export interface ClipView {
  canvas: HTMLCanvasElement;
  camera: () => PerspectiveCamera;
  pixelAt: (clientXPx: number, clientYPx: number) => ViewPixel;
  rayAt: (xPx: number, yPx: number) => Ray;
  /** The size of a column. */
  size: () => { widthPx: number; heightPx: number };
  setCameraEnabled: (isEnabled: boolean) => void;
  invalidate: () => void;
}

export interface ClipTool {
  /** Bounds of all points; null: there are none. */
  boundsM: () => BoundsM | null;
  set: (box: UprightBox | null) => void;
  /** The box was changed by its handles. */
  onDragged: (listener: (box: UprightBox) => void) => void;
  /** Clicks are places for this listener, until it is null. */
  pick: (listener: ((placeM: PlaceM) => void) | null) => void;
  setColour: (colour: ColorRepresentation) => void;
}

export interface OwnClipTool extends ClipTool {
  /** To be drawn last; empty where nothing is clipped. */
  readonly scene: Scene;
  dispose: () => void;
}

const reachPx = 14;

/** Listens on the canvas of a view until it is disposed. */
export function createClipTool(view: ClipView, points: ClipPoints): OwnClipTool {
  const { clip } = points;
  const scene = new Scene();
  const handles = createClipHandles();
  scene.add(handles.object);
  let dragged: (box: UprightBox) => void = () => undefined;
  let picked: ((placeM: PlaceM) => void) | null = null;
  let pressed: PointerEvent | null = null;
  let hovered: ClipFace | null = null;
  let drag: { face: ClipFace; from: UprightBox; atM: number } | null = null;
  const listeners = { pointerdown: onDown, pointermove: onMove, pointerup: onUp };
  for (const [name, listener] of Object.entries(listeners)) {
    // Why captured: the camera and what selects by clicks listen on the canvas, too.
    view.canvas.addEventListener(name, listener as EventListener, { capture: true });
  }

  return {
    scene,
    boundsM: points.boundsM,
    set(box) {
      clip.set(box);
      show();
    },
    onDragged: (listener) => void (dragged = listener),
    pick(listener) {
      picked = listener;
      pressed = null;
    },
    setColour(colour) {
      handles.setColour(colour);
      view.invalidate();
    },
    dispose() {
      for (const [name, listener] of Object.entries(listeners)) {
        view.canvas.removeEventListener(name, listener as EventListener, { capture: true });
      }
      handles.dispose();
    },
  };

  function show(): void {
    handles.show(clip.box(), drag?.face ?? hovered);
    view.invalidate();
  }

  function onDown(event: PointerEvent): void {
    const box = clip.box();
    const face = event.button === 0 && box !== null ? faceUnder(event, box) : null;
    if (picked !== null && event.button === 0) {
      event.stopImmediatePropagation();
      pressed = event;
      return;
    }
    if (face === null || box === null) return;
    const atM = alongFace(event, box, face);
    if (atM === null) return;
    event.stopImmediatePropagation();
    view.canvas.setPointerCapture(event.pointerId);
    view.setCameraEnabled(false);
    drag = { face, from: box, atM };
    show();
  }

  function onMove(event: PointerEvent): void {
    if (drag !== null) {
      event.stopImmediatePropagation();
      const atM = alongFace(event, drag.from, drag.face);
      if (atM === null) return;
      const box = movedFace(drag.from, drag.face, atM - drag.atM, event.shiftKey);
      clip.set(box);
      show();
      dragged(box);
      return;
    }
    const box = clip.box();
    if (box === null || event.buttons !== 0) return;
    const face = faceUnder(event, box);
    if (face === hovered || (face !== null && isSame(face, hovered))) return;
    hovered = face;
    show();
  }

  function onUp(event: PointerEvent): void {
    if (drag !== null) {
      event.stopImmediatePropagation();
      view.canvas.releasePointerCapture(event.pointerId);
      view.setCameraEnabled(true);
      drag = null;
      show();
      return;
    }
    if (picked === null || pressed === null) return;
    event.stopImmediatePropagation();
    const hasClicked = isClick(pressed, event);
    pressed = null;
    if (!hasClicked) return;
    const pixel = view.pixelAt(event.clientX, event.clientY);
    const placeM = points.placeAt(pixel, view.rayAt(pixel.xPx, pixel.yPx));
    if (placeM !== null) picked(placeM);
  }

  function faceUnder({ clientX, clientY }: PointerEvent, box: UprightBox): ClipFace | null {
    const { xPx, yPx } = view.pixelAt(clientX, clientY);
    return faceAt(box, view.camera(), { xPx, yPx, ...view.size() }, reachPx);
  }

  /** Where the pointer is on the line through the middle of a face, outwards from there. */
  function alongFace(
    { clientX, clientY }: PointerEvent,
    box: UprightBox,
    face: ClipFace,
  ): number | null {
    const { xPx, yPx } = view.pixelAt(clientX, clientY);
    const { origin, direction } = view.rayAt(xPx, yPx);
    const ray = { originM: origin.toArray(), direction: direction.toArray() };
    const atM = nearestOnLine(faceCentre(box, face), axisOf(box, face.axis), ray);
    return atM === null ? null : face.end * atM;
  }
}
