// Round dots of sizes and colours of their own, with a ring of one colour that sets them off from any ground; whatever is
// in front.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  type ColorRepresentation,
  Points,
  PointsMaterial,
} from 'three';

export interface Dot {
  positionM: readonly [number, number, number];
  /** With its ring. */
  sizePx: number;
  colour: Color;
}

export interface Dots {
  readonly object: Points;
  show: (dots: readonly Dot[]) => void;
  setRing: (colour: ColorRepresentation) => void;
  dispose: () => void;
}

/** None at first. */
export function createDots(): Dots {
  const ring = { value: new Color() };
  const material = new PointsMaterial({ vertexColors: true, sizeAttenuation: false });
  Object.assign(material, { size: 1, depthTest: false, transparent: true });
  material.onBeforeCompile = (shader) => {
    shader.uniforms['ringColour'] = ring;
    shader.vertexShader = `attribute float dotSize;\n${shader.vertexShader}`.replace(
      'gl_PointSize = size;',
      'gl_PointSize = size * dotSize;',
    );
    shader.fragmentShader = `uniform vec3 ringColour;\n${shader.fragmentShader}`
      .replace(
        'void main() {',
        'void main() {\n  float fromMiddle = length(gl_PointCoord - 0.5);\n  if (fromMiddle > 0.5) discard;',
      )
      .replace(
        '#include <color_fragment>',
        '#include <color_fragment>\n  diffuseColor.rgb = mix(diffuseColor.rgb, ringColour, step(0.34, fromMiddle));',
      );
  };
  const object = new Points(new BufferGeometry(), material);
  object.frustumCulled = false;
  object.visible = false;
  return {
    object,
    show(dots) {
      object.visible = dots.length > 0;
      object.geometry.dispose();
      object.geometry = new BufferGeometry();
      const attribute = (name: string, width: number, values: number[]): void =>
        void object.geometry.setAttribute(
          name,
          new BufferAttribute(Float32Array.from(values), width),
        );
      attribute(
        'position',
        3,
        dots.flatMap(({ positionM }) => [...positionM]),
      );
      attribute(
        'color',
        3,
        dots.flatMap(({ colour }) => colour.toArray()),
      );
      attribute(
        'dotSize',
        1,
        dots.map(({ sizePx }) => sizePx),
      );
    },
    setRing: (colour) => void ring.value.set(colour),
    dispose() {
      object.geometry.dispose();
      material.dispose();
    },
  };
}
