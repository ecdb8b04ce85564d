// A survey along a million poses: memory of the host and of the worker does not grow with the number of pulses.
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { start } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { circularBeam, sensor } from '#test/support/documents.ts';

const poses = 1_000_000;
const beam = sensor({
  scan: { kind: 'sweep', rateHz: 10, minAzimuthDeg: -45, maxAzimuthDeg: 45, slotsPerScan: 100 },
  banks: [{ name: 'beam', elevationsDeg: [-20] }],
  range: { minM: 0, maxM: 200 },
  beam: circularBeam(0, 1),
});

/** One thousand seconds at 1 cm/s, a pose each millisecond. */
function trajectory(): string {
  const lines: string[] = [];
  for (let pose = 0; pose < poses; pose += 1) {
    const turnRad = 1e-6 * pose;
    const rotation = `0 0 ${Math.sin(turnRad / 2)} ${Math.cos(turnRad / 2)}`;
    lines.push(`${(pose / 1000).toFixed(3)} ${pose * 1e-5} 0 1.5 ${rotation}`);
  }
  return lines.join('\n');
}

interface PeakBytes {
  host: number;
  worker: number;
}

/** VmHWM of a process; 0: it has ended. */
function peakOf(pid: number | string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The processes that it started. */
function childrenOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
}

async function survey(
  folder: string,
  slotsPerScan: number,
): Promise<PeakBytes & { pulses: number }> {
  const { child, finished } = start(
    folder,
    ...['scan', 'box', '--sensor', 'beam.yaml', '--trajectory', 'path.tum'],
    ...['--set', `sensor.scan.slotsPerScan=${slotsPerScan}`, '--json'],
    ...['--columns', 'time_ns,x_m,y_m,z_m,range_m,intensity', '--out', `${slotsPerScan}.npz`],
  );
  const pid = child.pid ?? 0;
  const peak = { host: 0, worker: 0 };
  while (child.exitCode === null) {
    peak.host = Math.max(peak.host, peakOf(pid));
    for (const each of childrenOf(pid)) peak.worker = Math.max(peak.worker, peakOf(each));
    await setTimeout(20);
  }
  const { exitCode, stdout, stderr } = await finished;
  expect(exitCode, stderr).toBe(0);
  const { pulses } = JSON.parse(stdout) as { pulses: number };
  return { ...peak, pulses };
}

it('takes as much memory for ten times the pulses', { timeout: 1_200_000 }, async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'path.tum'), trajectory());
  await writeFile(join(folder, 'beam.yaml'), beam);
  const few = await survey(folder, 100);
  const many = await survey(folder, 1000);
  expect(few.pulses).toBeGreaterThan(0.99e6);
  expect(many.pulses).toBeGreaterThan(9.99e6);
  // Nine million rows of 28 bytes are 252 MB: a part of them that stayed would be seen.
  expect(Math.abs(many.host - few.host)).toBeLessThan(80e6);
  expect(Math.abs(many.worker - few.worker)).toBeLessThan(80e6);
});
