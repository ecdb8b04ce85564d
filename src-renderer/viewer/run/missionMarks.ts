// Start and goal of a drive.
import { CylinderGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, RingGeometry } from 'three';

export interface Mission {
  startM: readonly [number, number];
  goalM: readonly [number, number];
  goalToleranceM: number;
}

export interface MissionMarks {
  readonly object: Group;
  /** Null hides them. */
  show(mission: Mission | null, groundM: number): void;
  setColours(colours: { start: string; goal: string }): void;
  dispose(): void;
}

const poleHeightM = 3;

/** Marks without a mission. */
export function createMissionMarks(): MissionMarks {
  const object = new Group();
  const startColour = new MeshBasicMaterial({ side: DoubleSide });
  const goalColour = new MeshBasicMaterial({ side: DoubleSide });
  const goal = new Group();
  const goalRing = new Mesh(new RingGeometry(0.9, 1, 64), goalColour);
  const pole = new Mesh(new CylinderGeometry(0.06, 0.06, poleHeightM, 12), goalColour);
  pole.rotation.x = Math.PI / 2;
  pole.position.z = poleHeightM / 2;
  const flag = new Mesh(new CylinderGeometry(0, 0.45, 0.9, 4), goalColour);
  flag.rotation.x = -Math.PI / 2;
  flag.position.z = poleHeightM + 0.3;
  goal.add(goalRing, pole, flag);
  const start = new Mesh(new RingGeometry(0.7, 1, 48), startColour);
  start.visible = false;
  goal.visible = false;
  object.add(start, goal);

  return {
    object,
    show(mission, groundM) {
      start.visible = mission !== null;
      goal.visible = mission !== null;
      if (mission === null) return;
      start.position.set(mission.startM[0], mission.startM[1], groundM + 0.05);
      goal.position.set(mission.goalM[0], mission.goalM[1], groundM + 0.05);
      goalRing.scale.setScalar(mission.goalToleranceM);
    },
    setColours(colours) {
      startColour.color.set(colours.start);
      goalColour.color.set(colours.goal);
    },
    dispose() {
      startColour.dispose();
      goalColour.dispose();
      for (const { geometry } of [goalRing, pole, flag, start]) geometry.dispose();
    },
  };
}
