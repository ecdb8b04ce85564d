// The Debian packages that Understory is built and tested with.
import { spawnSync } from 'node:child_process';
import { runTool } from './tools.mjs';

/** A package manager that another process holds is tried again for ten minutes. */
const lockedPauseMs = 5000;
const maxLockedAttempts = 120;

/** For the native worker. */
export const buildPackages = [
  'cmake',
  'g++',
  'ninja-build',
  'libembree-dev',
  'libtbb-dev',
  'nlohmann-json3-dev',
  'librandom123-dev',
  'libxxhash-dev',
  'libzstd-dev',
  'libdeflate-dev',
  'libpng-dev',
  'libjpeg-dev',
  'libeigen3-dev',
  'libnanoflann-dev',
];
/** For `bench kernels`. */
export const kernelPackages = ['libbenchmark-dev'];
/** For the check of the C++ format. */
export const formatPackages = ['clang-format'];
/** For `npm run interop`: programs that read what is written. */
export const interopPackages = [
  'libfastcdr-dev',
  'python3-numpy',
  'python3-open3d',
  'pcl-tools',
  // The grabbers of Velodyne's packets.
  'libpcl-dev',
  'pkg-config',
  'gdal-bin',
  'cloudcompare',
  'meshlab',
  // MeshLab needs a screen, also to convert.
  'xvfb',
  'xauth',
];
/** For `scan --ranks`. */
export const mpiPackages = ['libopenmpi-dev', 'openmpi-bin'];
/** For `npm run cluster`: a Slurm of several nodes on this machine. */
export const clusterPackages = [...mpiPackages, 'slurm-wlm', 'munge', 'lsof'];
/** For the tests. */
export const testPackages = [
  'doctest-dev',
  'chromium',
  'python3-numpy',
  ...kernelPackages,
  ...formatPackages,
];

/** Packages that are not installed; all where that cannot be found out. */
export function missingPackages(packages) {
  const query = spawnSync(
    'dpkg-query',
    ['-W', '-f', '${Package} ${db:Status-Status}\n', ...packages],
    {
      encoding: 'utf8',
    },
  );
  if (query.error) return packages;
  const installed = new Set(
    query.stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  return packages.filter((name) => !installed.has(name));
}

/** @throws Error that says what a person has to do, where rights are missing or this is no Debian */
export async function installPackages(missing) {
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  const isRoot = process.getuid?.() === 0;
  const hasSudo = !isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error(
      `these Debian packages, or what your system calls them, are needed: ${missing.join(' ')}`,
    );
  }
  if (!isRoot && !hasSudo) {
    throw new Error(
      `please run this line, then the same command again:\n  sudo ${install.join(' ')}`,
    );
  }
  const [tool, ...args] = isRoot ? install : ['sudo', ...install];
  const update = isRoot ? ['apt-get', 'update'] : ['sudo', 'apt-get', 'update'];
  const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  await runUnlocked(update[0], update.slice(1), env);
  await runUnlocked(tool, args, env);
}

/** Waits while another process, such as a second set-up, installs packages. */
async function runUnlocked(tool, args, env) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await runTool(tool, args, 'packages', env);
    } catch (error) {
      const isLocked = /Could not get lock|Unable to (acquire|lock)/.test(error.message);
      if (!isLocked || attempt === maxLockedAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, lockedPauseMs));
    }
  }
}
