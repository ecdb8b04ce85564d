// Whether the file system of a folder lets processes share memory, as SQLite's WAL mode needs: those of networks do not,
// even where opening a WAL file works (sqlite.org/wal.html, section 1).
import { statfsSync } from 'node:fs';

/** Magic numbers of statfs(2) and of the file systems' own headers. */
const networkFileSystems: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x19830326, // BeeGFS
  0x00c36400, // CephFS
  0xaad7aaea, // PanFS
  0x013111a8, // IBRIX
  0x20030528, // OrangeFS
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x517b, // SMB
  0x5346414f, // AFS
]);

/** True too where the folder cannot be asked, and for FUSE and 9P, where opening a WAL file says it. */
export function hasSharedMemory(folder: string): boolean {
  try {
    // Why unsigned: a type above 2^31 comes out negative on some systems.
    return !networkFileSystems.has(statfsSync(folder).type >>> 0);
  } catch {
    return true;
  }
}
