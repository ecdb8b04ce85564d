// The only place that puts the real parts together: disk, catalogue, workers and run processes behind the
// services, and the services behind one set of handlers for every front end.
import type { Files, ScratchFiles } from '#services/ports/files.ts';
import { randomUUIDv7 } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutation } from '#contract/worker/mutations.ts';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { toWire, UnderstoryError } from '#contract/errors.ts';
import { failureReason } from '#files/failureReason.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { bundleHandlers } from '#services/bundles/bundleHandlers.ts';
import type { UnpackPorts } from '#services/bundles/unpackRuns.ts';
import { benchHandlers } from '#services/bench/benchHandlers.ts';
import { documentHandlers, plantHandlers } from '#services/documents/documentHandlers.ts';
import { manualHandlers } from '#services/documents/manualHandlers.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { campaignHandlers } from '#services/campaigns/campaignHandlers.ts';
import type { RunCampaignPorts } from '#services/campaigns/runCampaign.ts';
import { createResultTables } from '#recordings/export/resultParquet.ts';
import { checkHandlers } from '#services/dataFolder/checkHandler.ts';
import type { CheckPorts } from '#services/dataFolder/checkPorts.ts';
import { driveHandlers } from '#services/liveRuns/driveHandlers.ts';
import { cloudHandlers } from '#services/clouds/cloudHandlers.ts';
import { createEvents, type HostEvents } from '#services/events.ts';
import { mergeHandlers, type Handlers, type HandlersByNoun } from '#services/handlers.ts';
import { hostHandlers } from '#services/hostHandlers.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RecordingReader, Recordings } from '#services/ports/recordings.ts';
import type { Log, LogLevel } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { followRecording } from '#services/runs/followRecording.ts';
import { warnOfLostCatalogue, watchDeadRuns } from '#services/runs/recovery.ts';
import { learnHandlers, type LearnPorts } from '#services/learning/learnHandlers.ts';
import { learnedViewHandlers, type LearnedViewPorts } from '#services/learning/viewHandlers.ts';
import { logHandlers, type LogPorts } from '#services/logs/logHandlers.ts';
import { renderHandlers } from '#services/scans/renderHandlers.ts';
import { runsHandlers } from '#services/runs/runsHandlers.ts';
import { scanHandlers } from '#services/scans/scanHandlers.ts';
import { addModelHandlers, type AddModelPorts } from '#services/scenarios/addModel.ts';
import type { BakePorts } from '#services/scenarios/bakeScenario.ts';
import type { ImportPorts } from '#services/scenarios/importScenario.ts';
import { scenarioHandlers } from '#services/scenarios/scenarioHandlers.ts';
import type { TruthPorts } from '#services/scenarios/scenarioTruth.ts';
import { sceneHandlers } from '#services/scenes/sceneHandlers.ts';
import { sensorHandlers } from '#services/documents/sensorHandlers.ts';
import { createWarmWorker, type WarmWorker } from '#services/documents/warmWorker.ts';
import { withMotions } from '#services/movingWorkers.ts';
import { createMutex } from '#services/mutex.ts';
import { validateHandlers } from '#validation/validateHandlers.ts';
import {
  createMutantLauncher,
  createWorkerLauncher,
  type WorkerLauncherOptions,
} from '#workers/workerLauncher.ts';
import { filesOf, uploadsOf } from './fileAdapters.ts';
import { makeFolders } from './node/makeFolders.ts';
import { createNodeClock } from './node/nodeClock.ts';
import { createNodeDataFolder } from './node/nodeDataFolder.ts';
import { createNodeFiles } from './node/nodeFiles.ts';
import { createNodeLog } from './node/nodeLog.ts';
import { createNodeLogFile } from './node/nodeLogFile.ts';
import { createNodeMachine } from './node/nodeMachine.ts';
import { createNodeOctrees } from './node/nodeOctrees.ts';
import { createNodeProcessMeter } from './node/nodeProcessMeter.ts';
import { createNodeRunFolders } from './node/nodeRunFolders.ts';
import { createNodeScratchFiles } from './node/nodeScratchFiles.ts';
import { createNodeSharedResults } from './node/nodeSharedResults.ts';
import { createNodeTimer } from './node/nodeTimer.ts';
import { assetsFolder, mpiWorkerBinary, mutantsBinary, workerBinary } from './packageFolders.ts';
import { spawnRunChild } from './runProcess/launch.ts';
import { createRunProcesses, type StartRunChild } from './runProcess/runProcess.ts';
import { checkCatalogueApart, recoverApart } from './runProcess/workApart.ts';
import { simulatingSources } from './simulatingSources.ts';
import { understoryVersion as version } from './version.ts';

export interface UnderstoryConfig {
  /** Absolute; made where it does not exist. */
  dataFolder: string;
  /** Absolute: the cache, whose files can be made again. null: none. */
  cacheFolder?: string | null;
  /** Default: 'info'. */
  logLevel?: LogLevel;
  /** How run processes are started; default: as children of Node. */
  startRunChild?: StartRunChild;
  /** False: dead runs are recovered while the host works already, for hosts that live long. */
  isRecoveryAwaited?: boolean;
  /**
   * False: an empty catalogue, in memory, is in place of one that cannot be opened, for a check of everything else.
   * Default: true.
   */
  isCatalogueNeeded?: boolean;
  /** Receives warnings beside the log file. */
  onWarning?: (message: string) => void;
}

export interface Understory {
  handlers: Handlers;
  events: HostEvents;
  log: Log;
  /** Runs that were found dead, marked as interrupted and closed properly, where that was awaited. */
  recovered: string[];
  /** The recording of a run under way, read as it grows (services/runs/followRecording.ts). */
  follow(runId: string, signal: AbortSignal): Promise<RecordingReader>;
  /** How many runs of this host are under way. */
  liveRuns(): number;
  /** Resolves when none is. */
  whenIdle(): Promise<void>;
  /** Ends the runs under way, keeping them, closes every open scene and the catalogue. */
  dispose(): Promise<void>;
}

/** @throws UnderstoryError 'io' | 'disk-full' | 'corrupt' where the data folder cannot be used */
export async function openUnderstory(config: UnderstoryConfig): Promise<Understory> {
  const {
    dataFolder,
    cacheFolder = null,
    logLevel = 'info',
    onWarning,
    startRunChild: startChild = spawnRunChild,
    isRecoveryAwaited = true,
  } = config;
  makeDataFolder(dataFolder);
  const log = createNodeLog({ dataFolder, level: logLevel, onWarning });
  const events = createEvents((error) => log.error('a listener failed', { ...toWire(error) }));
  const [machine, folders] = [createNodeMachine(), createNodeRunFolders({ dataFolder })];
  const files = createNodeFiles({ assetsFolder, dataFolder, log });
  const documents = createDocuments({ files });
  const meshFolder = cacheFolder === null ? null : join(cacheFolder, 'meshes');
  const launcherOptions = { log, ...workerBinaries, cacheFolder: meshFolder };
  const launcher = withMotions(createWorkerLauncher(launcherOptions));
  const [builds, locks, closing] = [createMutex(), createRunLocks(), new AbortController()];
  const processOptions = { log, logLevel, startChild, cacheFolder: meshFolder };
  const processes = createRunProcesses({ ...processOptions, builds });
  const recordings = recordingsOf(files, recoverApart(startChild, closing.signal));
  const ofFiles = filesOf(dataFolder, files, log);
  const { catalogue, failure } = openedCatalogue(config);
  if (catalogue.isReadOnly) onWarning?.(readOnlyText);
  const [clock, timer] = [createNodeClock(), createNodeTimer()];
  const { scratch, ...ofUploads } = uploadsOf(dataFolder, { machine, clock });
  const shared = { catalogue, recordings, processes, folders, locks, clock, timer, events, log };
  const product = { version, simulatingSources: simulatingSources() };
  const recovery = watchDeadRuns(shared);
  const recovered = isRecoveryAwaited ? await recovery.first : [];
  if (failure === null) warnOfLostCatalogue(shared);
  const drives = driveHandlers({ ...shared, documents, machine, version, newId: randomUUIDv7 });
  // Why without turns: as many runs of a campaign are executed at once as memory allows.
  const unbounded = createRunProcesses(processOptions);
  const ofCampaigns = { ...shared, files, launcher, machine, product, processes: unbounded };
  const campaigns = campaignsOf({ ...ofCampaigns, scratch });
  const describing = createWarmWorker({ launcher, timer });
  const viewing = createWarmWorker({ launcher, timer, threads: null });
  const workers = { launcher, machine, builds };
  const logging = { ...ofFiles, documents, files, scratch: scratchOfLogs(cacheFolder) };
  const octreeFolder = join(cacheFolder ?? dataFolder, 'octrees');
  const octrees = createNodeOctrees({ folder: octreeFolder, machine, log });
  const scenes = sceneHandlers({ documents, octrees, ...workers, newId: randomUUIDv7 });
  const runPorts = { ...shared, ...workers, files, texts: files.texts };
  const logFile = createNodeLogFile({ dataFolder });
  const runs = runsHandlers({ ...runPorts, exporters: ofFiles.exporters, logFile });
  const ofLogs = { ...shared, ...workers, ...logging, version, viewing, dataFolder };
  const handlers = mergeHandlers({
    host: hostHandlers({ machine, folders, version }),
    scenario: scenariosOf({ ...runPorts, documents, viewing, ...ofFiles, dataFolder }),
    sensor: sensorHandlers({ documents, worker: describing }),
    scene: scenes.handlers,
    document: documentHandlers({ files, folders: [folders.dataFile('scenarios')] }),
    manual: manualHandlers({ files }),
    plant: plantHandlers({ files }),
    scan: scanHandlers({ documents, files, ...workers, ...ofFiles, recordings, product }),
    ...logsAndModels(ofLogs),
    cloud: cloudHandlers({ ...shared, ...ofFiles, ...ofUploads, octrees, files }),
    render: renderHandlers({ documents, ...workers }),
    data: checkHandlers({
      ...runPorts,
      logs: ofFiles.logs,
      dataFolder: createNodeDataFolder({ dataFolder }),
      dataFiles: ofFiles.dataFiles,
      checkCatalogue: failure === null ? checkCatalogueApart(startChild) : failedCheck(failure),
    }),
    drive: drives.handlers,
    campaign: campaigns.handlers,
    runs: {
      ...runs,
      ...bundleHandlers({
        ...runPorts,
        version,
        scratch,
        openDataFolder,
        ...ofUploads,
        exportRun: runs['runs.export'],
        // Why only then: the libraries that draw would slow the start of every host.
        drawings: async () => (await import('./pages/runDrawings.ts')).runDrawings,
      }),
    },
    bench: benchHandlers({
      ...runPorts,
      documents,
      product,
      meter: createNodeProcessMeter(),
      scratch: logging.scratch,
      logs: ofFiles.logs,
      drives: drives.handlers,
    }),
    validate: validateHandlers({
      ...workers,
      ...logging,
      recordings,
      clock,
      product,
      mutantLauncher: mutantLauncherOf(launcherOptions),
      meter: createNodeProcessMeter(),
    }),
  });
  return {
    handlers,
    events,
    log,
    recovered,
    follow: (runId, signal) => followRecording(shared, runId, signal),
    liveRuns: () => drives.liveRuns(),
    whenIdle: () => drives.whenIdle(),
    dispose: async () => {
      await Promise.all([
        drives.stopAll(),
        campaigns.stopAll(),
        scenes.closeAll(),
        ...[describing, viewing, octrees].map((one) => one.dispose()),
      ]);
      closing.abort();
      await recovery.end();
      catalogue.dispose();
    },
  };
}

const readOnlyText = 'the data folder is read-only: runs can be read, but not started or changed';

/** The catalogue; `failure`: why an empty one is in its place. */
function openedCatalogue({ dataFolder, isCatalogueNeeded = true }: UnderstoryConfig): {
  catalogue: Catalogue;
  failure: UnderstoryError | null;
} {
  try {
    return { catalogue: openCatalogue(join(dataFolder, 'catalogue.sqlite')), failure: null };
  } catch (error) {
    if (isCatalogueNeeded || !(error instanceof UnderstoryError)) throw error;
    if (!['corrupt', 'unsupported', 'bad-input', 'io'].includes(error.code)) throw error;
    return { catalogue: openCatalogue(':memory:', undefined, { isShared: false }), failure: error };
  }
}

/** The check of a catalogue that could not be opened. */
function failedCheck({ message }: UnderstoryError): CheckPorts['checkCatalogue'] {
  const text = { where: 'file', expected: 'one that can be opened', found: message };
  const fault = { kind: 'catalogue-damaged', runId: null, ...text } as const;
  return () => Promise.resolve({ faults: [fault], damagedDocuments: [] });
}

const workerBinaries = { binary: workerBinary, mpiBinary: mpiWorkerBinary };

/** Why not in the data folder: exporters and logs refuse files there. */
function scratchOfLogs(cacheFolder: string | null): ScratchFiles {
  return createNodeScratchFiles({ dataFolder: cacheFolder ?? join(tmpdir(), 'understory') });
}

/** None where the binary with mutations was not built, as in a package. */
function mutantLauncherOf(
  options: WorkerLauncherOptions,
): ((mutation: Mutation) => WorkerLauncher) | null {
  const binary = mutantsBinary;
  if (binary === null || !existsSync(binary)) return null;
  return (mutation) => withMotions(createMutantLauncher({ ...options, binary }, mutation));
}

/** Campaigns, their tables and their trials in folders that are gone afterwards. */
function campaignsOf({
  scratch,
  ...given
}: Omit<RunCampaignPorts, MadeForCampaigns> & {
  scratch: ScratchFiles;
}): ReturnType<typeof campaignHandlers> {
  return campaignHandlers({
    ...given,
    version,
    newId: randomUUIDv7,
    tables: createResultTables(),
    meter: createNodeProcessMeter(),
    openSharedResults: createNodeSharedResults,
    withTrialFolder: trialFolders(scratch),
  });
}

type MadeForCampaigns = 'meter' | 'newId' | 'openSharedResults' | 'version' | 'withTrialFolder';

/** Data folders of their own, with catalogue, that are gone after their work. */
function trialFolders(scratch: ScratchFiles): RunCampaignPorts['withTrialFolder'] {
  return (work) =>
    scratch.use('trial', async (dataFolder) => {
      makeDataFolder(dataFolder);
      const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
      try {
        return await work({ catalogue, folders: createNodeRunFolders({ dataFolder }) });
      } finally {
        catalogue.dispose();
      }
    });
}

/** Another data folder, to be read: nothing is written in it. */
function openDataFolder(dataFolder: string): ReturnType<UnpackPorts['openDataFolder']> {
  const file = join(dataFolder, 'catalogue.sqlite');
  if (!existsSync(file)) {
    throw new UnderstoryError(
      'not-found',
      `'${dataFolder}' is no data folder: it has no catalogue`,
    );
  }
  const catalogue = openCatalogue(file, undefined, { isForeign: true });
  return { catalogue, folders: createNodeRunFolders({ dataFolder }) };
}

function makeDataFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    const reason = failureReason(error);
    throw new UnderstoryError('io', `the data folder '${folder}' cannot be made: ${reason}`);
  }
}

/** Scenarios, and learned models in them. */
function scenariosOf(
  given: ImportPorts & BakePorts & TruthPorts & AddModelPorts,
): HandlersByNoun['scenario'] {
  return { ...scenarioHandlers(given), ...addModelHandlers(given) };
}

/** Logs, models that are learned from them, and views of both. */
function logsAndModels(
  given: Omit<LogPorts & LearnPorts & LearnedViewPorts, 'worker'> & { viewing: WarmWorker },
): Pick<HandlersByNoun, 'learn' | 'log'> {
  const ports = { ...given, worker: given.viewing };
  const views = learnedViewHandlers(ports);
  return {
    learn: { ...learnHandlers(ports), ...views.learn },
    log: { ...logHandlers(ports), ...views.log },
  };
}

/** Recordings whose heads are parsed off this thread, and which another process recovers. */
function recordingsOf(files: Files, recover: Recordings['recover']): Recordings {
  const readHead = (json: string): ReturnType<typeof files.texts.recordingHead> =>
    files.texts.recordingHead({ name: 'head of a recording' }, json);
  return { ...createRecordings({ readHead }), recover };
}
