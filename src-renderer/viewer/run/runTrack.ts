// Where a run has been and is to go: driven and planned path, position fixes, the vehicle, start and goal.
import { Box3, Group, Vector3 } from 'three';
import type { Pose } from '#contract/host/run.ts';
import { createBoundedPath } from '#renderer/logic/cloud/boundedPath.ts';
import type { DrivenPath } from '#renderer/logic/cloud/runDisplay.ts';
import { createFixMarks } from './fixMarks.ts';
import { createMissionMarks, type Mission } from './missionMarks.ts';
import { createMountedSensors, type MountedSensors } from './mountedSensors.ts';
import { createPathLine } from './pathLine.ts';
import { createVehicleModel } from './vehicle.ts';

export interface TrackColours {
  vehicle: string;
  /** Sensors and their fields of view. */
  sensor: string;
  planned: string;
  driven: string;
  fix: string;
  goal: string;
  start: string;
}

export interface RunTrackShown {
  paths: boolean;
  fixes: boolean;
  vehicle: boolean;
  /** Fields of view of its sensors. */
  fields: boolean;
}

export interface RunTrack {
  readonly object: Group;
  /** Height of the ground: where none is known, that below the vehicle where it began. */
  groundM: (xM: number, yM: number) => number;
  /** The height of the ground is another. */
  drape: () => void;
  /** Before each frame. */
  faceFrom: (cameraM: Vector3) => void;
  /** Moves the vehicle and lengthens the driven path. */
  moveVehicle: (pose: Pose) => void;
  addFix: (positionM: readonly [number, number, number]) => void;
  showPlanned: (xM: Float32Array, yM: Float32Array) => void;
  /** Driven path and fixes become these. */
  setDriven: (path: DrivenPath) => void;
  setVehicleSize: (sizeM: readonly [number, number, number]) => void;
  showMission: (mission: Mission | null) => void;
  showSensors: MountedSensors['show'];
  setShown: (shown: RunTrackShown) => void;
  setColours: (colours: TrackColours) => void;
  /** Driven path, start and goal; empty where there are none. */
  box: () => Box3;
  clear: () => void;
  dispose: () => void;
}

const maxDrivenPoints = 4000;
const maxFixes = 3000;
/** Paths lie this far above the ground below the vehicle. */
const pathLiftM = 0.12;
/** Room about what is framed. */
const marginM = 6;

/** Driven and planned paths, fixes and vehicle of a run. `heightAt`: of the ground, null where none is known. */
export function createRunTrack(heightAt: (xM: number, yM: number) => number | null): RunTrack {
  const object = new Group();
  const planned = createPathLine(3, true);
  const driven = createPathLine(3.5, false);
  const vehicle = createVehicleModel();
  const fixes = createFixMarks(maxFixes);
  const marks = createMissionMarks();
  const path = createBoundedPath(maxDrivenPoints);
  const sensors = createMountedSensors();
  const parts = [planned, driven, vehicle, fixes, marks];
  const shown: RunTrackShown = { paths: true, fixes: true, vehicle: true, fields: true };
  let mission: Mission | null = null;
  let hasPlan = false;
  let isPlaced = false;
  let groundM = 0;
  object.add(...parts.map((part) => part.object));
  vehicle.object.add(sensors.object);

  return {
    object,
    groundM: groundAtM,
    drape: showMarks,
    faceFrom: marks.faceFrom,
    moveVehicle(pose) {
      const [xM, yM, zM] = pose.positionM;
      if (path.count === 0) setGround(zM);
      vehicle.place(pose);
      isPlaced = true;
      showDriven(path.add(xM, yM, zM + pathLiftM));
    },
    addFix: ([xM, yM]) => fixes.add([xM, yM, groundM + pathLiftM]),
    showPlanned(xM, yM) {
      const xyzM = new Float32Array(3 * xM.length);
      for (let point = 0; point < xM.length; point += 1) {
        const [x, y] = [xM[point] ?? 0, yM[point] ?? 0];
        xyzM.set([x, y, groundAtM(x, y) + pathLiftM], 3 * point);
      }
      planned.show(xyzM, xM.length, 0);
      hasPlan = planned.object.visible;
      applyShown();
    },
    setDriven({ xyzM, fixesM }) {
      path.clear();
      for (let at = 0; at + 2 < xyzM.length; at += 3) {
        const [xM = 0, yM = 0, zM = 0] = xyzM.subarray(at, at + 3);
        if (at === 0) setGround(zM);
        path.add(xM, yM, zM + pathLiftM);
      }
      fixes.clear();
      for (let at = 0; at + 2 < fixesM.length; at += 3) {
        fixes.add([fixesM[at] ?? 0, fixesM[at + 1] ?? 0, groundM + pathLiftM]);
      }
      showDriven(0);
    },
    setVehicleSize: (sizeM) => vehicle.setSize(sizeM),
    showMission(next) {
      mission = next;
      showMarks();
    },
    showSensors: sensors.show,
    setShown(next) {
      Object.assign(shown, next);
      applyShown();
    },
    setColours(colours) {
      marks.setColours(colours);
      vehicle.setColour(colours.vehicle);
      sensors.setColour(colours.sensor);
      planned.setColour(colours.planned);
      driven.setColour(colours.driven);
      fixes.setColour(colours.fix);
    },
    box() {
      const box = new Box3();
      for (let point = 0; point < path.count; point += 1) {
        box.expandByPoint(new Vector3().fromArray(path.xyzM, 3 * point));
      }
      for (const [xM, yM] of mission === null ? [] : [mission.startM, mission.goalM]) {
        box.expandByPoint(new Vector3(xM, yM, groundAtM(xM, yM)));
      }
      return box.isEmpty() ? box : box.expandByVector(new Vector3(marginM, marginM, 0));
    },
    clear() {
      fixes.clear();
      path.clear();
      hasPlan = false;
      for (const line of [planned, driven]) line.show(new Float32Array(0), 0, 0);
      isPlaced = false;
      applyShown();
    },
    dispose() {
      for (const part of [...parts, sensors]) part.dispose();
    },
  };

  function groundAtM(xM: number, yM: number): number {
    return heightAt(xM, yM) ?? groundM;
  }

  function setGround(zM: number): void {
    groundM = zM;
    showMarks();
  }

  function showMarks(): void {
    marks.show(mission, groundAtM);
  }

  /** `from`: points before this one are on screen already. */
  function showDriven(from: number): void {
    driven.show(path.xyzM, path.count, from);
    applyShown();
  }

  function applyShown(): void {
    fixes.object.visible = shown.fixes;
    vehicle.object.visible = shown.vehicle && isPlaced;
    marks.setStarted(isPlaced);
    sensors.setFieldsShown(shown.fields);
    planned.object.visible = shown.paths && hasPlan;
    driven.object.visible = shown.paths && path.count >= 2;
  }
}
