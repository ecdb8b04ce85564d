// Passes over the whole canvas: targets of its size with depths that shaders read, and the rectangle that covers it.
import {
  DepthTexture,
  Mesh,
  NearestFilter,
  OrthographicCamera,
  PlaneGeometry,
  type RenderTargetOptions,
  type ShaderMaterial,
  UnsignedIntType,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';

export interface ScreenTarget {
  /** The target, of the size of the canvas; the one before is freed where that has changed. */
  fit: (renderer: WebGLRenderer) => WebGLRenderTarget;
  dispose: () => void;
}

export interface ScreenTargetOptions extends RenderTargetOptions {
  /** Pixels of the canvas along each side for a pixel of the target; left out: 1. */
  reduction?: number;
  /** Depths can be read as a texture. */
  hasDepths?: boolean;
}

/** Takes up memory of the graphics card from the first `fit` on. */
export function createScreenTarget({
  reduction = 1,
  hasDepths = false,
  ...options
}: ScreenTargetOptions): ScreenTarget {
  const size = new Vector2();
  let target: WebGLRenderTarget | null = null;
  return {
    fit(renderer) {
      renderer.getDrawingBufferSize(size).divideScalar(reduction).ceil();
      if (target !== null && target.width === size.x && target.height === size.y) return target;
      dispose();
      target = new WebGLRenderTarget(size.x, size.y, {
        minFilter: NearestFilter,
        magFilter: NearestFilter,
        depthBuffer: hasDepths,
        depthTexture: hasDepths ? new DepthTexture(size.x, size.y, UnsignedIntType) : null,
        ...options,
      });
      return target;
    },
    dispose,
  };

  function dispose(): void {
    target?.depthTexture?.dispose();
    target?.dispose();
  }
}

export interface ScreenPass {
  /** Into the renderer's target. */
  draw: (renderer: WebGLRenderer) => void;
  dispose: () => void;
}

/** Runs the fragment shader of a material, whose vertex shader is `screenVertexShader`, for each pixel. */
export function createScreenPass(material: ShaderMaterial): ScreenPass {
  const quad = new Mesh(new PlaneGeometry(2, 2), material);
  const camera = new OrthographicCamera(-1, 1, 1, -1, -1, 1);
  return {
    draw: (renderer) => void renderer.render(quad, camera),
    dispose() {
      quad.geometry.dispose();
      material.dispose();
    },
  };
}

export const screenVertexShader = `
varying vec2 at;
void main() {
  at = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;
