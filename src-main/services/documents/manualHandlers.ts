// manual.*: the pages of assets/manual.
import { UnderstoryError } from '#contract/errors.ts';
import { manualPages, type ManualPage, type ManualPageName } from '#contract/host/manualMethods.ts';
import type { Handlers } from '../handlers.ts';
import type { Files } from '../ports/files.ts';

/** The handlers of `manual.*` (contract/host/manualMethods.ts). */
export function manualHandlers({ files }: { files: Files }): Handlers<'manual'> {
  return {
    'manual.read': async ({ page }) => {
      const listed = await files.listAssets('manual');
      const names = page === undefined ? manualPages : [page];
      return { reply: await Promise.all(names.map((name) => read(files, listed, name))) };
    },
  };
}

async function read(
  files: Files,
  listed: readonly string[],
  name: ManualPageName,
): Promise<ManualPage> {
  const file = listed.find((one) => one.split(/[\\/]/).at(-1) === `${name}.md`);
  if (file === undefined) throw new UnderstoryError('not-found', `the page '${name}' is missing`);
  const text = await files.readText(file);
  return { name, title: /^# (.+)/.exec(text)?.[1] ?? name, text };
}
