// A canvas of a plot of runs: as sharp as the screen, painted again when its room, the theme or what it shows changes.
import { watchEffect, type Ref } from 'vue';
import type { PlotSize } from '#renderer/logic/campaigns/scatterPoints.ts';
import { useTheme } from '#renderer/stores/preferences/theme.ts';

export interface RunCanvas {
  context: CanvasRenderingContext2D;
  size: PlotSize;
  /** A colour of the theme, like '--accent'. */
  themed: (name: string) => string;
}

/**
 * `draws`: reads what is to be shown, and returns what paints it on the empty canvas a frame later. `size`: of the canvas, px
 * of the page. Within a set-up.
 */
export function useRunCanvas(
  canvas: Readonly<Ref<HTMLCanvasElement | null>>,
  size: Readonly<Ref<PlotSize>>,
  draws: () => (on: RunCanvas) => void,
): void {
  const theme = useTheme();
  watchEffect(
    (onCleanup) => {
      const [element, { widthPx, heightPx }, paint] = [canvas.value, size.value, draws()];
      // Read, so that another theme paints again.
      void theme.theme.value;
      const request = requestAnimationFrame(() => {
        const context = element?.getContext('2d');
        if (element === null || context === null || context === undefined) return;
        element.width = Math.round(widthPx * devicePixelRatio);
        element.height = Math.round(heightPx * devicePixelRatio);
        context.scale(devicePixelRatio, devicePixelRatio);
        const style = getComputedStyle(element);
        const themed = (name: string): string => style.getPropertyValue(name).trim();
        paint({ context, size: { widthPx, heightPx }, themed });
      });
      onCleanup(() => cancelAnimationFrame(request));
    },
    { flush: 'post' },
  );
}
