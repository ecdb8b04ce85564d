// A .deb of the unpacked app: its folder under /opt, the commands understory and understory-desktop, a menu entry, the file association. Made by
// dpkg-deb, which every Debian has.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface DebOptions {
  /** dist/linux-unpacked, absolute. */
  unpackedFolder: string;
  iconFile: string;
  /** Holds LICENSE and THIRD-PARTY-NOTICES.txt. */
  noticesFolder: string;
  /** Is replaced. */
  scratchFolder: string;
  outFolder: string;
  version: string;
}

/** Debian's names of what Electron needs from the system. */
const depends = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1'];

/** Writes understory_VERSION_amd64.deb and returns its path. @throws what dpkg-deb says */
export function makeDeb(options: DebOptions): string {
  const { unpackedFolder, iconFile, noticesFolder, scratchFolder, outFolder, version } = options;
  rmSync(scratchFolder, { recursive: true, force: true });
  const at = (path: string): string => {
    const file = join(scratchFolder, path);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  };
  cpSync(unpackedFolder, at('opt/Understory'), { recursive: true });
  cpSync(iconFile, at('usr/share/icons/hicolor/512x512/apps/understory.png'));
  symlinkSync('/opt/Understory/understory', at('usr/bin/understory-desktop'));
  symlinkSync('/opt/Understory/resources/cli/understory', at('usr/bin/understory'));
  for (const [name, from] of Object.entries(documents)) {
    cpSync(join(noticesFolder, from), at(`usr/share/doc/understory/${name}`));
  }
  writeFileSync(at('usr/share/applications/understory.desktop'), desktopEntry);
  writeFileSync(at('usr/share/mime/packages/understory.xml'), mimeType);
  writeFileSync(at('DEBIAN/control'), controlFile(version));
  writeFileSync(at('DEBIAN/postinst'), postInstall);
  chmodSync(at('DEBIAN/postinst'), 0o755);
  const file = join(outFolder, `understory_${version}_amd64.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z1', scratchFolder, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return file;
}

/** Debian's name of a document -> ours. */
const documents = { copyright: 'LICENSE', 'THIRD-PARTY-NOTICES.txt': 'THIRD-PARTY-NOTICES.txt' };

const desktopEntry = `[Desktop Entry]
Type=Application
Name=Understory
Comment=Simulates LIDAR in dense vegetation
Exec=/opt/Understory/understory %F
Icon=understory
Terminal=false
Categories=Science;Robotics;
MimeType=application/vnd.understory.scenario+yaml;application/vnd.understory.bundle+zip;
StartupWMClass=Understory
`;

const mimeType = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/vnd.understory.scenario+yaml">
    <comment>Understory scenario</comment>
    <sub-class-of type="text/plain"/>
    <glob pattern="*.understory.yaml" weight="80"/>
  </mime-type>
  <mime-type type="application/vnd.understory.bundle+zip">
    <comment>Understory bundle of runs</comment>
    <sub-class-of type="application/zip"/>
    <glob pattern="*.understory" weight="80"/>
  </mime-type>
</mime-info>
`;

// Why the mode: Electron's sandbox helper belongs to root and sets its own user, where the kernel gives
// ordinary users no namespaces of their own.
const postInstall = `#!/bin/sh
set -e
if [ -f /opt/Understory/chrome-sandbox ]; then chmod 4755 /opt/Understory/chrome-sandbox; fi
`;

function controlFile(version: string): string {
  return `Package: understory
Version: ${version}
Architecture: amd64
Section: science
Priority: optional
Maintainer: The Understory developers <understory@localhost>
Depends: ${depends.join(', ')}
Description: simulates LIDAR in dense vegetation
 Scenes of hundreds of millions of triangles, LIDARs on a vehicle that drives
 itself, recordings with ground truth.
`;
}
