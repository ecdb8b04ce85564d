// A folder in which processes of several machines leave finished runs of campaigns, by identity. Guarantees: a result is
// there whole or not at all, its recording with it; writing one twice changes nothing.

export interface SharedResults {
  /** A stored result; null: there is none. */
  read(identity: string): Promise<Uint8Array | null>;
  /** Stores a result, its recording first: aside, synced, renamed. `recordingFile`: absolute; null: none. */
  write(identity: string, bytes: Uint8Array, recordingFile: string | null): Promise<void>;
  /** Copies the recording of a result to `file` (absolute); false: it has none. */
  copyRecording(identity: string, file: string): Promise<boolean>;
  /** Removes a result, so that its run is executed again. */
  remove(identity: string): Promise<void>;
  /** How many results there are. */
  count(): Promise<number>;
}

/** Opens the folder (absolute), which is made with the first result. */
export type OpenSharedResults = (folder: string) => SharedResults;
