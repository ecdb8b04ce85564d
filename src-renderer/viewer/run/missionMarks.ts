// Start and goal of a drive.
import {
  type BufferGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  SphereGeometry,
  type Vector3,
} from 'three';

export interface Mission {
  startM: readonly [number, number];
  goalM: readonly [number, number];
  goalToleranceM: number;
}

export interface MissionMarks {
  readonly object: Group;
  /** Null hides them. `groundM`: height of the ground at a place. */
  show(mission: Mission | null, groundM: (xM: number, yM: number) => number): void;
  /** Without its pole: the vehicle stands there. */
  setStarted: (isStarted: boolean) => void;
  /** Far poles are as large on screen as those at a near distance. */
  faceFrom: (cameraM: Vector3) => void;
  setColours(colours: { start: string; goal: string }): void;
  dispose(): void;
}

const poleHeightM = 3;
/** Above the ground. */
const liftM = 0.05;
/** Poles that are farther away are enlarged. */
const nearM = 35;

/** Marks without a mission: rings on the ground, and poles that nothing hides. */
export function createMissionMarks(): MissionMarks {
  const goal = createMark(new CylinderGeometry(0, 0.45, 0.9, 4));
  const start = createMark(new SphereGeometry(0.35, 16, 12));
  const marks = [start, goal];
  const object = new Group();
  object.add(start.object, goal.object);

  return {
    object,
    show(mission, groundM) {
      object.visible = mission !== null;
      if (mission === null) return;
      start.place(mission.startM, groundM(...mission.startM), 1);
      goal.place(mission.goalM, groundM(...mission.goalM), mission.goalToleranceM);
    },
    setStarted: (isStarted) => (start.pole.visible = !isStarted),
    faceFrom(cameraM) {
      for (const { object: at, pole } of marks) {
        pole.scale.setScalar(Math.max(1, at.position.distanceTo(cameraM) / nearM));
      }
    },
    setColours(colours) {
      start.setColour(colours.start);
      goal.setColour(colours.goal);
    },
    dispose() {
      for (const mark of marks) mark.dispose();
    },
  };
}

interface Mark {
  readonly object: Group;
  readonly pole: Group;
  place: (placeM: readonly [number, number], groundM: number, radiusM: number) => void;
  setColour: (colour: string) => void;
  dispose: () => void;
}

function createMark(topShape: BufferGeometry): Mark {
  const ground = new MeshBasicMaterial({ side: DoubleSide });
  const overall = new MeshBasicMaterial({ side: DoubleSide, depthTest: false });
  const ring = new Mesh(new RingGeometry(0.85, 1, 64), ground);
  const post = new Mesh(new CylinderGeometry(0.06, 0.06, poleHeightM, 12), overall);
  const top = new Mesh(topShape, overall);
  const [object, pole] = [new Group(), new Group()];
  post.rotation.x = Math.PI / 2;
  post.position.z = poleHeightM / 2;
  top.rotation.x = -Math.PI / 2;
  top.position.z = poleHeightM + 0.3;
  for (const part of [post, top]) part.renderOrder = 1;
  pole.add(post, top);
  object.add(ring, pole);
  return {
    object,
    pole,
    place([xM, yM], groundM, radiusM) {
      object.position.set(xM, yM, groundM + liftM);
      ring.scale.setScalar(radiusM);
    },
    setColour(colour) {
      for (const material of [ground, overall]) material.color.set(colour);
    },
    dispose() {
      for (const part of [ground, overall, ring.geometry, post.geometry, topShape]) part.dispose();
    },
  };
}
