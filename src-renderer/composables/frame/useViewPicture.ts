// A 3D view saved as a picture: a command, and a function for a tool in the view.
import type { ShallowRef } from 'vue';
import { fileName, saveFile } from '#renderer/browser/saveFile.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';

interface PicturedView {
  picture(): Promise<Blob | null>;
}

/** `name`: of the file, without its ending. Within a set-up. */
export function useViewPicture(
  viewer: Readonly<ShallowRef<PicturedView | null>>,
  { id, title, name, when }: { id: string; title: string; name: () => string; when: () => boolean },
): () => Promise<void> {
  useCommands([{ id, title, when, run: () => void save() }]);
  return save;

  async function save(): Promise<void> {
    const picture = (await viewer.value?.picture()) ?? null;
    if (picture !== null) saveFile(`${fileName(name())}.png`, picture);
  }
}
