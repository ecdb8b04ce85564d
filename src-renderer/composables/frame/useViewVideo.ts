// A 3D view recorded as a video while it changes: a command, and a switch for a tool in the view.
import { computed, onBeforeUnmount, ref, type Ref } from 'vue';
import { fileName, saveFile } from '#renderer/browser/saveFile.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';

export interface ViewVideo {
  isRecording: Readonly<Ref<boolean>>;
  /** Begins; or ends, and saves what was recorded. */
  toggle: () => void;
}

/** Frames a second at most; a view that rests has none. */
const framesPerSecond = 30;
const mimeType = 'video/webm';

/** `name`: of the file, without its ending. Within a set-up. */
export function useViewVideo(
  canvas: Readonly<Ref<HTMLCanvasElement | null>>,
  { id, title, name, when }: { id: string; title: string; name: () => string; when: () => boolean },
): ViewVideo {
  const recorder = ref<MediaRecorder | null>(null);
  const isRecording = computed(() => recorder.value !== null);
  useCommands([{ id, title, when, run: toggle }]);
  onBeforeUnmount(() => recorder.value?.stop());
  return { isRecording, toggle };

  function toggle(): void {
    if (recorder.value !== null) recorder.value.stop();
    else if (canvas.value !== null) recorder.value = record(canvas.value);
  }

  function record(element: HTMLCanvasElement): MediaRecorder {
    const parts: Blob[] = [];
    const made = new MediaRecorder(element.captureStream(framesPerSecond), { mimeType });
    made.ondataavailable = ({ data }) => void parts.push(data);
    made.onstop = () => {
      recorder.value = null;
      saveFile(`${fileName(name())}.webm`, new Blob(parts, { type: mimeType }));
    };
    made.start();
    return made;
  }
}
