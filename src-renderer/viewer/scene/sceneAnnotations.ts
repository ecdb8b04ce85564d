// Texts over a scene: names, measured distances, the numbers of the grid; and the marks of measuring.
import type { ColorRepresentation, Object3D, PerspectiveCamera } from 'three';
import { Color, Group } from 'three';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import { clippedPlace } from '#renderer/logic/scene/clippedLabel.ts';
import { legsOf, lengthText, type PointM } from '#renderer/logic/scene/measuring.ts';
import { aboveM, type NameLabel } from '#renderer/logic/scene/nameLabels.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import { createGroundGrid } from '../engine/groundGrid.ts';
import { createLabelLayer, type LabelText } from '../engine/labelLayer.ts';
import { createMeasureMarks } from './measureMarks.ts';
import type { SceneContent } from './sceneContent.ts';

export interface SceneAnnotations {
  readonly object: Object3D;
  setNames: (labels: readonly NameLabel[]) => void;
  setMeasure: (points: readonly PointM[]) => void;
  setShown: (shown: { labels: boolean; grid: boolean }) => void;
  /** The grid spans this scene; null: there is none. */
  fit: (content: SceneContent | null) => void;
  setColours: (colours: { grid: ColorRepresentation; measure: string }) => void;
  /** After each frame. */
  place: (camera: PerspectiveCamera, widthPx: number, heightPx: number) => void;
  dispose: () => void;
}

/** `onChange`: something to be seen changed. `clip`: the clip of the scene; null: it has none. */
export function createSceneAnnotations(
  container: HTMLElement,
  onChange: () => void,
  clip: () => ViewClip | null,
): SceneAnnotations {
  const object = new Group();
  const grid = createGroundGrid({ liftM: 0.04, opacity: 0.4 });
  const measureMarks = createMeasureMarks();
  const layer = createLabelLayer(container);
  const shown = { labels: true, grid: true };
  let hasScene = false;
  let names: readonly NameLabel[] = [];
  let clippedTo: UprightBox | null = null;
  let measures: LabelText[] = [];
  object.add(grid.object, measureMarks.object);

  return {
    object,
    setNames(labels) {
      names = labels;
      update();
    },
    setMeasure(points) {
      measureMarks.show(points);
      measures = legsOf(points).map(({ distanceM, middleM }) => ({
        text: lengthText(distanceM),
        positionM: middleM,
        kind: 'measure',
      }));
      update();
    },
    setShown(next) {
      Object.assign(shown, next);
      update();
    },
    fit(content) {
      hasScene = content !== null;
      if (content !== null) {
        const { min, max } = content.boxM;
        const { groundM, contents } = content;
        grid.fit([min.x, min.y], [max.x, max.y], groundM, contents.originM);
      }
      update();
    },
    setColours(colours) {
      measureMarks.setColour(new Color(colours.measure));
      grid.setColour(colours.grid);
    },
    place(...view) {
      if (boxNow() !== clippedTo) showTexts();
      layer.place(...view);
    },
    dispose() {
      for (const part of [grid, measureMarks]) part.dispose();
    },
  };

  function update(): void {
    grid.object.visible = shown.grid && hasScene;
    showTexts();
    onChange();
  }

  function showTexts(): void {
    clippedTo = boxNow();
    const gridTexts = grid.object.visible ? grid.labels() : [];
    layer.show([...measures, ...(shown.labels ? namesIn(clippedTo) : []), ...gridTexts]);
  }

  function boxNow(): UprightBox | null {
    return clip()?.box() ?? null;
  }

  /** Names of the objects that are drawn, at least in part. */
  function namesIn(box: UprightBox | null): readonly NameLabel[] {
    if (box === null) return names;
    return names.flatMap((label) => {
      if (label.boundsM === undefined) return [label];
      const positionM = clippedPlace(label.boundsM, box, aboveM);
      return positionM === null ? [] : [{ ...label, positionM }];
    });
  }
}
