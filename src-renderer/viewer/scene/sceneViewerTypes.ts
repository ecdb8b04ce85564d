// The interface of the scene view.
import type { Group, Scene } from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { NameLabel } from '#renderer/logic/scene/nameLabels.ts';
import type { InstanceMasks } from '#renderer/logic/scene/instanceMasks.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { ModelTriangles } from '#renderer/logic/scene/surfaceMesh.ts';
import type { OwnOctreeLayer } from '../cloud/octreeLayer.ts';
import type { CoveredShares } from '../engine/overlayRoom.ts';
import type { BrushTool } from './brushTool.ts';
import type { GizmoMode, GizmoPose, GizmoTarget } from './gizmo.ts';
import type { CameraController } from '../engine/camera/cameraController.ts';
import type { CameraPose } from '../engine/camera/viewSpace.ts';
import type { ClipTool } from '../engine/clip/clipTool.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import type { Picker } from '../engine/viewport.ts';
import type { ShadowStatistics } from './sceneLayer.ts';
import type { SceneHit } from './scenePicking.ts';
import type { ShapeTool } from './shapeTool.ts';

export interface SceneStatistics {
  /** Triangles of the last frame, everything included. */
  triangles: number;
  calls: number;
  instances: number;
  /** Plants among them that are drawn as plain crowns: their finer levels are still to come. */
  standIns: number;
  /** Triangles of all instances at full detail. */
  sceneTriangles: number;
  /** Nothing is left to refine, and everything has come. */
  isSettled: boolean;
  /** Mean time of a frame while the view changes, where it is drawn coarser for it; null: it is not. */
  slowFrameMs: number | null;
  /** Sky occlusion is on. */
  isOccluded: boolean;
  shadows: ShadowStatistics;
}

export interface SceneColours {
  grid: string;
  accent: string;
  measure: string;
}

export interface SceneViewer {
  readonly camera: CameraController;
  pose(): CameraPose;
  /** Where a place is on screen: −1 to 1 from left to right and from bottom to top; null: out of sight. */
  onScreen(placeM: PointM): { x: number; y: number } | null;
  /** Another scene: shown as soon as each of its models has come. `isSame`: the camera stays. */
  showScene(contents: SceneContents, table: InstanceTable, isSame: boolean): void;
  addMesh(model: number, level: number, triangles: ModelTriangles): void;
  /** All has come that the first frame of the scene needs that was shown last. */
  isReady(): boolean;
  /** Resolves once that scene is on screen. */
  whenShown(): Promise<void>;
  clear(): void;
  /** Points over the scene, with eye-dome lighting. */
  readonly points: Scene;
  /** Clips points, and the scene unless `setSceneClipped` said otherwise. */
  readonly clip: ClipTool | null;
  readonly viewClip: ViewClip;
  /** Makes a layer of the points over the scene, which goes with its dispose(). */
  addCloud(): OwnOctreeLayer;
  setSceneClipped(isClipped: boolean): void;
  /** The view as a PNG; null where the browser cannot make one. */
  picture(): Promise<Blob | null>;
  /** A group of the scene by its name, made when first asked for; world coordinates, z up. */
  overlay(name: string): Group;
  /** Returns what removes it. */
  addPicker(picker: Picker): () => void;
  /** Something of an overlay changed. */
  invalidate(): void;
  /** The first hit, of overlays and of the scene; null: the sky. */
  pickAt(xPx: number, yPx: number): { picker: Picker } | { hit: SceneHit } | null;
  /** Height of the ground at a place, in metres; 0 without a scene. */
  groundAt: (placeM: readonly [number, number]) => number;
  /** The ground that a pixel shows, whatever is in front; null: the sky. */
  groundUnder(xPx: number, yPx: number): PointM | null;
  /** Shapes on the ground, with their handles. */
  readonly shapes: ShapeTool;
  /** Paints on the ground. */
  readonly brush: BrushTool;
  /** The size of a CSS pixel at a distance from the camera, in metres. */
  pixelM(distanceM: number): number;
  setMarks(selected: readonly number[], hovered: number | null): void;
  /** Null where no such instance is on screen. */
  poseOf(instanceId: number): GizmoPose | null;
  /** The lowest corner of its triangles; null where no such instance is on screen. */
  lowestOf(instanceId: number): PointM | null;
  /** Moving instances are drawn where they are at this time, in this scene and those that follow. */
  setTime(timeS: number): void;
  /** Instances of the scene on screen that are not drawn, and those that are met by no ray. */
  setMasks(masks: InstanceMasks): void;
  moveInstance(instanceId: number, pose: GizmoPose): void;
  attachGizmo(target: GizmoTarget | null): void;
  setGizmoMode(mode: GizmoMode, hasAllAxes: boolean): void;
  isGizmoBusy(): boolean;
  setNames(labels: readonly NameLabel[]): void;
  setMeasure(points: readonly PointM[]): void;
  setShown(shown: { labels: boolean; grid: boolean }): void;
  setColours(colours: SceneColours): void;
  /** Light of an hour of solar time, 0 to 24. */
  setHour(hour: number): void;
  /** Weather and wind of the scene that is on screen. */
  setAir(air: SceneAir): void;
  /** Off: the light of the sky reaches all surfaces, also those below and between others. */
  setSkyOcclusion(isOn: boolean): void;
  /** Full: as many triangles as any view may have, however long a frame takes. */
  setFullDetail(isFull: boolean): void;
  /** Shares of the view's height under overlays: what is framed keeps clear of them. */
  setCovered(covered: CoveredShares): void;
  /** The room of these instances and places; all where there are none. */
  frame(instanceIds?: readonly number[], placesM?: readonly PointM[]): void;
  /** Frames the surroundings of a place that the camera does not see. */
  bringIntoSight(placeM: PointM, radiusM: number): void;
  resize(widthPx: number, heightPx: number, pixelRatio: number): void;
  statistics(): SceneStatistics;
  /** When a frame is due, was begun, and is done. */
  onFrame(listener: () => void): void;
  /** A scene came on screen. */
  onScene(listener: () => void): void;
  dispose(): void;
}
