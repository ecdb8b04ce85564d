// The names of materials in a mesh file, as the host finds them there.
import { shallowRef, watch, type ShallowRef } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';

/** Materials of the file of that name in the open scenario; none for null, and for a file that cannot be read. */
export function useMeshMaterials(file: () => string | null): ShallowRef<readonly string[]> {
  const client = useClient();
  const edit = useSceneEdit();
  const names = shallowRef<readonly string[]>([]);
  let latest = 0;
  watch(
    () => [file(), edit.file] as const,
    async ([asked, from]) => {
      latest += 1;
      const mine = latest;
      names.value = [];
      if (asked === null || from === null) return;
      // Why a failure is not reported: the document's own check says it, at the field of the file.
      const found = await client.call('document.mesh', { file: asked, from }).catch(() => null);
      if (mine === latest && found !== null) names.value = found.materials;
    },
    { immediate: true },
  );
  return names;
}
