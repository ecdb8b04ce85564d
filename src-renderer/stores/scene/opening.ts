// Opening scenarios, wherever it is requested: the menu or a start of the desktop app, a dialog, a file that is
// dropped on the page; files with runs are imported (stores/runs/importing.ts). A scenario is checked first: one with problems opens nothing and takes nothing away.
import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { toWire } from '#contract/errors.ts';
import type { Problem } from '#contract/documents/problems.ts';
import type { ShellCommand } from '#contract/host/shell.ts';
import { useClient } from '#renderer/client/injection.ts';
import {
  fileNameOf,
  isMeshPly,
  isPointFile,
  isRunsFile,
  nameWithoutPlace,
  refusalOf,
} from '#renderer/logic/frame/openableFile.ts';
import { problemsOf } from '#renderer/logic/problems.ts';
import { useCommandList } from '../frame/commands.ts';
import { usePlace } from '../frame/place.ts';
import { useCloudFiles } from '../learn/cloudFiles.ts';
import { useRunImport } from '../runs/importing.ts';
import { useScene } from './scene.ts';
import { useSceneEdit } from './sceneEdit.ts';

/** Why something could not be opened. */
export interface Refusal {
  /** The file, or its name. */
  file: string;
  message: string;
  problems: readonly Problem[];
}

/** Commands of the desktop app's menu, by the commands of the page. */
const commandIds: Record<ShellCommand, string> = {
  'open-scenario': 'scene.open',
  'import-runs': 'runs.import',
  'show-palette': 'app.palette',
  'show-shortcuts': 'app.shortcuts',
  'next-theme': 'view.theme-next',
};

export const useOpening = defineStore('opening', () => {
  const client = useClient();
  const commands = useCommandList();
  const place = usePlace();
  const scene = useScene();
  const edit = useSceneEdit();
  const importing = useRunImport();
  const clouds = useCloudFiles();
  const shell = window.understory;
  const isChoosing = ref(false);
  /** The name of what is being checked. */
  const checking = ref<string | null>(null);
  const refusal = shallowRef<Refusal | null>(null);
  /** The message about a scenario that was opened. */
  const remark = ref<string | null>(null);
  let latest = 0;
  shell?.onCommand((command) => void commands.run(commandIds[command]));
  shell?.onOpenFile(
    (file) => void (isRunsFile(file) ? importing.importPath(file) : openFile(file)),
  );
  return { isChoosing, checking, refusal, remark, choose, openFile, openDropped };

  /** Asks for a scenario: the window's own dialog, or the page's. */
  async function choose(): Promise<void> {
    if (shell === undefined) {
      isChoosing.value = true;
      return;
    }
    const file = await shell.chooseFile({ purpose: 'open-scenario' });
    if (file !== null) await openFile(file);
  }

  /** By a file on the host's machine, or the id of a sample; files of points are shown as clouds. True where it was opened. */
  async function openFile(file: string): Promise<boolean> {
    if (isPointFile(file)) {
      isChoosing.value = false;
      place.go('learn');
      await clouds.openFile(file);
      return true;
    }
    const isOpened = await attempt(file, async () => {
      const { problems } = await client.call('scenario.check', { scenario: file });
      // Why opened: the page bakes it (bake.ts), and its document names the problem.
      return problems.every(({ path }) => path === 'scene.physics.file') ? [] : problems;
    });
    if (isOpened) void scene.open(file);
    return isOpened;
  }

  /** Takes what was dropped: files with runs, or the first file of points or scenario among it. */
  async function openDropped(files: readonly File[]): Promise<void> {
    const runs = files.filter(({ name }) => isRunsFile(name));
    if (runs.length > 0) {
      await importing.importFiles(runs);
      return;
    }
    const points = files.find(({ name }) => isPointFile(name));
    if (points !== undefined && !(await isMeshPly(points))) {
      place.go('learn');
      await clouds.openDropped(points);
      return;
    }
    const [first] = files;
    const wanted = files.find((file) => refusalOf(file) === null);
    if (wanted === undefined) {
      if (first === undefined) return;
      const message = refusalOf(first) ?? '';
      refusal.value = { file: first.name, message, problems: [] };
      return;
    }
    const path = shell?.pathOfFile(wanted) ?? '';
    if (path === '') await openText(wanted);
    else await openFile(path);
  }

  /** A file without a known path, by its contents. */
  async function openText(file: File): Promise<void> {
    const name = nameWithoutPlace(file.name);
    const text = await file.text().catch(() => null);
    if (text === null) {
      const message = 'The file cannot be read. It may have moved, or be a folder.';
      refusal.value = { file: file.name, message, problems: [] };
      return;
    }
    const isOpened = await attempt(name, async () => {
      await client.call('scenario.plan', { scenario: name, text });
      return [];
    });
    if (!isOpened) return;
    remark.value =
      `“${file.name}” was opened without its folder, which the browser does not reveal. ` +
      'Open it by its path if it names files by relative paths.';
    if (edit.document === name) void edit.setText(text, 'Open the dropped file');
    void scene.open(name, text);
  }

  async function attempt(file: string, check: () => Promise<readonly Problem[]>): Promise<boolean> {
    latest += 1;
    const mine = latest;
    const name = fileNameOf(file);
    checking.value = name;
    refusal.value = null;
    let found: Refusal | null = null;
    try {
      found = refused(name, await check());
    } catch (failure) {
      const problems = problemsOf(failure);
      const own = { file: name, message: toWire(failure).message, problems };
      found = refused(name, problems) ?? own;
    }
    // Why: of two requests in a row the second counts.
    if (mine !== latest) return false;
    checking.value = null;
    refusal.value = found;
    if (found !== null) return false;
    remark.value = null;
    isChoosing.value = false;
    place.go('scene');
    return true;
  }
});

function refused(file: string, problems: readonly Problem[]): Refusal | null {
  if (problems.length === 0) return null;
  const message = problems.length === 1 ? '1 problem:' : `${problems.length} problems:`;
  return { file, message, problems };
}
