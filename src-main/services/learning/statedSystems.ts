// The coordinate reference systems that logs and learned models state: what is used together has one.
import { UnderstoryError } from '#contract/errors.ts';
import { maxHeaderBytes, readModelHeader } from '#domain/scene/learnedHeader.ts';
import { differentSystems, systemName } from '#domain/shared/coordinateSystem.ts';
import { problemOfSystem } from '#services/documents/systems.ts';
import { systemsOfLogs } from '#services/logs/systemsOfLogs.ts';
import type { DataFiles } from '#services/ports/dataFiles.ts';
import type { Files } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';

interface SystemPorts {
  dataFiles: Pick<DataFiles, 'readStart'>;
  logs: Pick<Logs, 'open'>;
}

/**
 * Files that state no system go with any. `path`: of the request, for the problem.
 * @throws UnderstoryError 'bad-input' where several are stated; what reading a log throws
 */
export async function checkSystems(
  ports: SystemPorts,
  { models = [], logs }: { models?: readonly string[]; logs: readonly string[] },
  path: string,
): Promise<void> {
  const stated: (string | null)[] = [];
  for (const file of models) stated.push(await systemOfModel(ports, file));
  stated.push(...(await systemsOfLogs(ports.logs, logs)));
  const systems = differentSystems(stated);
  if (systems.length < 2) return;
  const what = models.length > 0 ? 'models and logs' : 'logs';
  const message = `expected ${what} of one coordinate reference system, found ${systems.map(systemName).join(' and ')}`;
  throw new UnderstoryError('bad-input', `the ${what} do not go together`, {
    problems: [{ path, code: 'custom', message }],
  });
}

/** `crs` where it may be scene.crs: logs state any, as of degrees. */
export async function systemOfScenes(
  files: Pick<Files, 'coordinateSystem'>,
  crs: string | undefined,
): Promise<string | null> {
  if (crs === undefined) return null;
  return (await problemOfSystem(files, crs)) === null ? crs : null;
}

/** Null also for a file that is no model: the worker refuses it with its place. */
async function systemOfModel({ dataFiles }: SystemPorts, file: string): Promise<string | null> {
  try {
    return readModelHeader(await dataFiles.readStart(file, maxHeaderBytes)).crs ?? null;
  } catch (error) {
    if (error instanceof UnderstoryError && error.code === 'bad-input') return null;
    throw error;
  }
}
