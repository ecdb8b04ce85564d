// Calls and events between a host and its run process, by name; bodies in contract/host/run.ts.

/** RunOrder with column `heights` -> chunks of RunEvent with their columns, then RunOutcome. */
export const executeMethod = 'run.execute';
/** Event: RunView with its columns. */
export const viewEvent = 'run.view';
/** Event, from the host: one `run.view` has arrived. Until then the run leaves views out. */
export const viewTakenEvent = 'run.viewTaken';

/** { file } -> what Recordings.recover returns. */
export const recoverMethod = 'run.recover';

/** { file, isQuick } -> CatalogueReport. */
export const checkCatalogueMethod = 'run.checkCatalogue';

/** {} -> {}: a sign of life. */
export const aliveMethod = 'run.alive';
/** Event, from the host: RunControl. */
export const controlEvent = 'run.control';

/** Variable of a run process's environment: the folder in which its worker keeps meshes; unset: none. */
export const meshFolderVariable = 'UNDERSTORY_MESH_FOLDER';
