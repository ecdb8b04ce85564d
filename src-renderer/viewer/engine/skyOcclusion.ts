// Sky occlusion of a scene's surfaces: places that see less of the sky because of what is near them get less of its
// diffuse light; the light of the sun is left as it is. Surfaces write 1 minus the share of diffuse light in their
// colour as opacity, all else 1, so that one pass over the scene yields colours, shares and depths.
import {
  AlwaysDepth,
  type PerspectiveCamera,
  type Scene,
  ShaderMaterial,
  SRGBColorSpace,
  Vector2,
  type WebGLRenderer,
} from 'three';
import { pixelsPerRad } from './camera/viewSpace.ts';
import { createScreenPass, createScreenTarget, screenVertexShader } from './screenPass.ts';
import { occlusionFragmentShader, shadedFragmentShader } from './skyOcclusionShaders.ts';

export interface SkyOcclusion {
  /** Clears the canvas and draws the scene with its depths, in two draw calls more than without. */
  draw: (renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera) => void;
  dispose: () => void;
}

/** Surfaces farther away hide nothing. */
const radiusM = 2;
/** Behind something so thick there is sky again: more than a cluster of leaves, less than a crown. */
const thicknessM = 0.5;
const maxSamples = 4;

/** Its targets have the size of the canvas, from the first frame on. */
export function createSkyOcclusion(): SkyOcclusion {
  const view = {
    depths: { value: null as unknown },
    nearFar: { value: new Vector2() },
    tanHalf: { value: new Vector2() },
    screenPx: { value: new Vector2() },
  };
  const reach = {
    radiusM: { value: radiusM },
    thicknessM: { value: thicknessM },
    pixelsPerRad: { value: 1 },
  };
  const images = { colours: { value: null as unknown }, occlusion: { value: null as unknown } };
  // Why no test of depths: the pass replaces those of the canvas, for what is drawn after it.
  const common = { vertexShader: screenVertexShader, depthFunc: AlwaysDepth };
  const occlude = createScreenPass(
    new ShaderMaterial({
      ...common,
      uniforms: { ...view, ...reach },
      fragmentShader: occlusionFragmentShader,
    }),
  );
  const shade = createScreenPass(
    new ShaderMaterial({
      ...common,
      uniforms: { ...view, ...images },
      fragmentShader: shadedFragmentShader,
    }),
  );
  const surfaces = createScreenTarget({
    hasDepths: true,
    samples: maxSamples,
    colorSpace: SRGBColorSpace,
  });
  const sky = createScreenTarget({ reduction: 2 });

  return {
    draw(renderer, scene, camera) {
      const target = surfaces.fit(renderer);
      const share = sky.fit(renderer);
      renderer.autoClear = true;
      renderer.setRenderTarget(target);
      renderer.render(scene, camera);
      view.depths.value = target.depthTexture;
      view.nearFar.value.set(camera.near, camera.far);
      view.screenPx.value.set(target.width, target.height);
      const up = Math.tan((camera.fov * Math.PI) / 360);
      view.tanHalf.value.set(up * camera.aspect, up);
      reach.pixelsPerRad.value = pixelsPerRad(camera, target.height);
      renderer.setRenderTarget(share);
      occlude.draw(renderer);
      renderer.setRenderTarget(null);
      images.colours.value = target.texture;
      images.occlusion.value = share.texture;
      shade.draw(renderer);
    },
    dispose() {
      for (const part of [surfaces, sky, occlude, shade]) part.dispose();
    },
  };
}
