// One pulse in the scene: its rays from the sensor to what each hit, the hits, and the returns that were formed.
import {
  BufferAttribute,
  BufferGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  type Object3D,
  type Camera,
  Points,
  PointsMaterial,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

export interface PulseLine {
  fromM: readonly [number, number, number];
  toM: readonly [number, number, number];
  /** 0 to 1 each. */
  rgb: readonly [number, number, number];
  isHit: boolean;
}

export interface PulseMarks {
  readonly object: Group;
  show(lines: readonly PulseLine[], returnsM: readonly (readonly [number, number, number])[]): void;
  setColour(returns: string): void;
  dispose(): void;
}

const widthPx = 2;
const hitPx = 7;
/** Rings about returns keep their size on screen: this share of their distance. */
const ringShare = 0.014;

/** Marks of a pulse: its rays, hits and returns; empty at first. */
export function createPulseMarks(): PulseMarks {
  const object = new Group();
  const lineMaterial = new LineMaterial({
    linewidth: widthPx,
    vertexColors: true,
    transparent: true,
  });
  lineMaterial.opacity = 0.9;
  const lines = new LineSegments2(new LineSegmentsGeometry(), lineMaterial);
  const hitMaterial = new PointsMaterial({
    size: hitPx,
    sizeAttenuation: false,
    vertexColors: true,
  });
  const hits = new Points(new BufferGeometry(), hitMaterial);
  const ringMaterial = new MeshBasicMaterial({ depthTest: false, transparent: true });
  const ringGeometry = new RingGeometry(0.75, 1, 32);
  const rings = new Group();
  for (const part of [lines, hits]) part.frustumCulled = false;
  rings.renderOrder = 10;
  object.add(lines, hits, rings);

  return {
    object,
    show(all, returnsM) {
      lines.visible = all.length > 0;
      if (all.length > 0) {
        lines.geometry.dispose();
        lines.geometry = new LineSegmentsGeometry();
        lines.geometry.setPositions(all.flatMap(({ fromM, toM }) => [...fromM, ...toM]));
        lines.geometry.setColors(all.flatMap(({ rgb }) => [...rgb, ...rgb]));
      }
      const met = all.filter(({ isHit }) => isHit);
      hits.geometry.dispose();
      hits.geometry = new BufferGeometry();
      const places = Float32Array.from(met.flatMap(({ toM }) => [...toM]));
      hits.geometry.setAttribute('position', new BufferAttribute(places, 3));
      const colours = Float32Array.from(met.flatMap(({ rgb }) => [...rgb]));
      hits.geometry.setAttribute('color', new BufferAttribute(colours, 3));
      rings.clear();
      for (const placeM of returnsM) {
        const ring = new Mesh(ringGeometry, ringMaterial);
        ring.position.set(...placeM);
        ring.onBeforeRender = (_renderer, _scene, camera) => faceCamera(ring, camera);
        ring.frustumCulled = false;
        rings.add(ring);
      }
    },
    setColour(colour) {
      ringMaterial.color.set(colour);
    },
    dispose() {
      for (const part of [lines.geometry, hits.geometry, ringGeometry]) part.dispose();
      for (const material of [lineMaterial, hitMaterial, ringMaterial]) material.dispose();
    },
  };
}

function faceCamera(ring: Object3D, camera: Camera): void {
  ring.quaternion.copy(camera.quaternion);
  ring.scale.setScalar(ringShare * camera.position.distanceTo(ring.position));
  ring.updateMatrixWorld();
}
