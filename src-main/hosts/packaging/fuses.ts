// Electron's fuses: what the packaged binary can never be talked into again. All of them are set on purpose.
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

export const fuses: Record<FuseV1Options, boolean> = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
};

/** Sets them in the binary of a package. */
export async function setFuses(binary: string): Promise<void> {
  await flipFuses(binary, { version: FuseVersion.V1, strictlyRequireAllFuses: true, ...fuses });
}
