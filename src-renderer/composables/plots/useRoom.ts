// The room of an element, for what is drawn in its pixels.
import { onBeforeUnmount, ref, watch, type Ref } from 'vue';

interface Room {
  widthPx: number;
  heightPx: number;
}

/** The size of an element, px of the page; as it was first until it has one. */
export function useRoom(element: Readonly<Ref<Element | null>>, first: Room): Ref<Room> {
  const size = ref(first);
  const observer = new ResizeObserver(([entry]) => {
    const { width = 0, height = 0 } = entry?.contentRect ?? {};
    if (width > 0 && height > 0) {
      size.value = { widthPx: Math.floor(width), heightPx: Math.floor(height) };
    }
  });
  watch(element, (now) => {
    observer.disconnect();
    if (now !== null) observer.observe(now);
  });
  onBeforeUnmount(() => observer.disconnect());
  return size;
}
