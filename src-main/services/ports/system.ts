// Ports to the machine and the process: time, a log, free memory and disk, resource usage. As all
// ports, interfaces: each has a real adapter and one small working version for tests; hosts/compose.ts is the
// only place that constructs the real ones.
import type { LogLine } from '#contract/host/runMethods.ts';

export interface Clock {
  /** Wall time in milliseconds since 1970. */
  nowMs(): number;
  /** Monotonic seconds. */
  seconds(): number;
}

/** This copy of Understory, as recordings name it. */
export interface Product {
  version: string;
  /** Hash of the TypeScript that simulates, hex. */
  simulatingSources: string;
}

/** Letting time pass. */
export interface Timer {
  /** Resolves after so many seconds, or at once when the signal is aborted. */
  pause(seconds: number, signal: AbortSignal): Promise<void>;
}

/** Levels of the log, most detailed first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Its methods never throw: a disk that is full must not end what is to be logged. */
export interface Log {
  /** For developers: workers and their calls. Written at level 'debug' only. */
  debug(message: string, details?: Record<string, unknown>): void;
  info(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** The log, read again. */
export interface LogFile {
  readonly file: string;
  /** Lines of these times, oldest first; of a large log those near its end. @throws UnderstoryError 'io' */
  between(fromMs: number, toMs: number): Promise<LogLine[]>;
}

/** The machine the host runs on: what decides whether work fits. */
export interface Machine {
  readonly hostName: string;
  readonly cores: number;
  /** Memory that can be had without swapping. */
  availableMemoryBytes(): number;
  /** Free bytes of the disk that holds `path`, which need not exist yet. */
  freeDiskBytes(path: string): number;
}

/** Counters of the operating system for a process, by which benchmarks divide. */
export interface ProcessMeter {
  readonly ownPid: number;
  /** User and system time so far, threads included; NaN where the system does not report it. */
  cpuSeconds(pid: number): number;
  /** Largest resident size so far; NaN where the system does not report it. */
  peakRssBytes(pid: number): number;
  /**
   * Bytes that a process has read and written so far, of files and pipes: each is a copy between the process and the
   * system. NaN where the system does not report them.
   */
  movedBytes(pid: number): number;
  /** The main thread of this process so far. */
  mainThread(): MainThreadSeconds;
}

export interface MainThreadSeconds {
  /** Wall time in which its event loop was not idle: also what it waits for a core. */
  busy: number;
  /** Processor time. */
  cpu: number;
}
