// Texts over the view at places of the world, as elements of the page: sharp, in the theme's colours, and
// never on top of each other. Only what is decoration here; everything it says is found elsewhere too.
import { type PerspectiveCamera, Vector3 } from 'three';
import { clamp } from '#domain/shared/numbers.ts';
import { declutter, type LabelBox } from '#renderer/logic/scene/declutter.ts';

export interface LabelText {
  text: string;
  positionM: readonly [number, number, number];
  /** Its class in CSS, and its rank: measures first, then names, the grid last. */
  kind: 'measure' | 'name' | 'grid';
  /** Above the place. */
  liftPx?: number;
  /** Before all others of its kind. */
  isFirst?: boolean;
}

export interface LabelLayer {
  show: (labels: readonly LabelText[]) => void;
  /** After each frame. */
  place: (camera: PerspectiveCamera, widthPx: number, heightPx: number) => void;
}

const most = 60;
const ranks = { measure: 0, name: 1, grid: 2 } as const;
/** Nearer than this a name hides the view. */
const nearestM = 0.5;

/** Text labels over a view, in the container. dispose() removes them. */
export function createLabelLayer(container: HTMLElement): LabelLayer {
  const elements: HTMLElement[] = [];
  let labels: LabelText[] = [];
  const inView = new Vector3();

  return {
    show(next) {
      labels = [...next];
    },
    place(camera, widthPx, heightPx) {
      const boxes: (LabelBox & { label: LabelText; rank: number; depthM: number })[] = [];
      for (const label of labels) {
        inView.set(...label.positionM).applyMatrix4(camera.matrixWorldInverse);
        const depthM = -inView.z;
        if (depthM < nearestM) continue;
        inView.applyMatrix4(camera.projectionMatrix);
        if (Math.abs(inView.x) > 1.05 || Math.abs(inView.y) > 1.05) continue;
        const ownPx = 14 + 6.6 * label.text.length;
        // Why: a place at the edge of the view would have half of its text.
        const marginPx = Math.min(ownPx, widthPx) / 2;
        boxes.push({
          label,
          depthM,
          rank: ranks[label.kind] - (label.isFirst ? 0.5 : 0),
          xPx: clamp(((inView.x + 1) / 2) * widthPx, marginPx, widthPx - marginPx),
          yPx: ((1 - inView.y) / 2) * heightPx - (label.liftPx ?? 0),
          widthPx: ownPx,
          heightPx: 20,
        });
      }
      boxes.sort((a, b) => a.rank - b.rank || a.depthM - b.depthM);
      const shown = declutter(boxes, 3, most);
      for (const [slot, index] of shown.entries()) {
        const box = boxes[index];
        if (box === undefined) continue;
        const element = elements[slot] ?? add();
        if (element.textContent !== box.label.text) element.textContent = box.label.text;
        element.className = `label ${box.label.kind}${box.label.isFirst ? ' first' : ''}`;
        const [x, y] = [Math.round(box.xPx), Math.round(box.yPx)];
        element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -100%)`;
        element.hidden = false;
      }
      for (const element of elements.slice(shown.length)) element.hidden = true;
    },
  };

  function add(): HTMLElement {
    const element = document.createElement('span');
    container.append(element);
    elements.push(element);
    return element;
  }
}
