// Captures of Velodyne's packets: pulses that were written come back within the steps of a packet; bytes are where the
// manuals have them; captures of other forms, and those that cannot be read, each as it should be.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beamStates } from '#contract/log/log.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { type FiredPulse, firedPulses, recipeOf, writePackets } from './firedPulses.ts';
import { imported, type LoggedBeam, refusal } from './imported.ts';
import { identity } from './importTo.ts';
import { tumText } from './pointFiles.ts';

const packetBytes = 1206;
const recordBytes = 16 + 42 + packetBytes;

async function captureOf(
  recipe: ReturnType<typeof recipeOf>,
  pulses: readonly FiredPulse[],
  epochS = 0,
): Promise<{ file: string; leftOut: string[]; options: { trajectory: string } }> {
  const folder = temporaryFolder();
  const [file, trajectory] = [join(folder, 'x.pcap'), join(folder, 'poses.tum')];
  const leftOut = await writePackets(file, recipe, pulses, epochS);
  writeFileSync(
    trajectory,
    tumText([epochS * 1e9 - 1e9, epochS * 1e9 + 1e9], () => identity),
  );
  return { file, leftOut, options: { trajectory } };
}

/** Beams by time and laser. */
function byPlace(beams: readonly LoggedBeam[], zeroNs: bigint): Map<string, LoggedBeam> {
  return new Map(
    beams.map((beam) => [`${beam.laser} ${Math.round(Number(beam.timeNs - zeroNs) / 4000)}`, beam]),
  );
}

function worstOf(
  beams: readonly LoggedBeam[],
  pulses: readonly FiredPulse[],
  returned: (pulse: FiredPulse) => { rangeM: number; intensity: number } | undefined,
) {
  const zeroNs = 0n;
  const known = byPlace(beams, zeroNs);
  const worst = { missing: 0, state: 0, rangeM: 0, angleRad: 0, timeNs: 0, intensity: 0 };
  for (const pulse of pulses) {
    const place = Math.round(pulse.timeNs / 4000);
    const beam = [place, place - 1, place + 1]
      .map((at) => known.get(`${pulse.ring} ${at}`))
      .find((one) => one !== undefined && Math.abs(Number(one.timeNs) - pulse.timeNs) < 2000);
    if (beam === undefined) {
      worst.missing += 1;
      continue;
    }
    const expected = returned(pulse);
    const level = Math.cos(pulse.elevationRad);
    const direction = [
      level * Math.cos(pulse.azimuthRad),
      level * Math.sin(pulse.azimuthRad),
      Math.sin(pulse.elevationRad),
    ];
    const apart = Math.hypot(
      ...direction.map((value, axis) => value - (beam.direction[axis] ?? 0)),
    );
    worst.angleRad = Math.max(worst.angleRad, apart);
    worst.timeNs = Math.max(worst.timeNs, Math.abs(Number(beam.timeNs) - pulse.timeNs));
    if ((beam.state === beamStates.returned) !== (expected !== undefined)) worst.state += 1;
    if (expected === undefined) continue;
    worst.rangeM = Math.max(worst.rangeM, Math.abs(beam.rangeM - expected.rangeM));
    worst.intensity = Math.max(worst.intensity, Math.abs(beam.intensity - expected.intensity));
  }
  return worst;
}

describe.each([
  ['vlp-16', 24, 0.002],
  ['hdl-32e', 12, 0.002],
  ['vlp-32c', 12, 0.004],
  ['vls-128', 3, 0.004],
] as const)('packets of a %s', (id, sequences, stepM) => {
  const recipe = recipeOf(id);
  const packets = 20;
  const pulses = firedPulses(recipe, 7, packets * sequences - 1);

  it('give all pulses within their steps, misses included', async () => {
    const { file, leftOut, options } = await captureOf(recipe, pulses);
    expect(leftOut).toEqual([]);
    expect(readFileSync(file)).toHaveLength(24 + packets * recordBytes);
    const { reply, beams } = await imported(file, options);
    const lasers = recipe.banks[0]?.rings.length ?? 0;
    expect(beams).toHaveLength(packets * sequences * lasers);
    expect(reply).toMatchObject({ missesAre: 'recorded', source: 'pcap', lasers });
    const worst = worstOf(beams, pulses, ({ returns }) => returns[0]);
    expect(worst).toMatchObject({ missing: 0, state: 0, intensity: 0 });
    // Half a step of ranges; single precision at 61 m is 4 µm.
    expect(worst.rangeM).toBeLessThan(stepM / 2 + 1e-5);
    // Stamps are whole microseconds.
    expect(worst.timeNs).toBeLessThanOrEqual(600);
    // Half a step of azimuth, 0.005°, and the rounding of the rate between the packet's ends, over 55 µs.
    expect(worst.angleRad).toBeLessThan((0.0056 * Math.PI) / 180);
  });

  it('with two returns give the strongest and the last', async () => {
    const dual = recipeOf(id, 'strongest-and-last');
    const fired = firedPulses(dual, 0, 3 * sequences);
    const { file, leftOut, options } = await captureOf(dual, fired);
    expect(leftOut).toEqual([]);
    for (const [which, pick] of [
      ['first', (returns: FiredPulse['returns']) => returns[0]],
      ['last', (returns: FiredPulse['returns']) => returns.at(-1)],
      [
        'strongest',
        (returns: FiredPulse['returns']) =>
          returns.toSorted((a, b) => b.intensity - a.intensity)[0],
      ],
    ] as const) {
      const { beams } = await imported(file, { ...options, returns: which });
      const worst = worstOf(beams, fired, ({ returns }) => pick(returns));
      expect(worst, which).toMatchObject({ missing: 0, state: 0, intensity: 0 });
      expect(worst.rangeM).toBeLessThan(stepM / 2 + 1e-5);
    }
  });
});

describe('packets of an HDL-64E S2', () => {
  const recipe = recipeOf('hdl-64e-s2');
  const pulses = firedPulses(recipe, 0, 60);

  it('give all pulses of both banks, and need the calibration', async () => {
    const { file, leftOut, options } = await captureOf(recipe, pulses);
    expect(leftOut).toEqual([expect.stringMatching(/azimuths within a block: up to 0\.0\d° off/)]);
    expect(await refusal(file, options)).toMatchObject({
      problems: [{ path: 'calibration', message: expect.stringContaining('HDL-64E') as string }],
    });
    const { beams } = await imported(file, { ...options, calibration: 'hdl-64e-s2' });
    expect(beams).toHaveLength(pulses.length);
    const worst = beams.filter(({ state }) => state === beamStates.returned).length;
    expect(worst).toBe(pulses.filter(({ returns }) => returns.length > 0).length);
    // By the manual both banks fire together, where the sample's do in turn: 24 µs.
    const late = beams.map(({ timeNs }) => Number(timeNs));
    expect(Math.max(...late)).toBeLessThan((pulses.at(-1)?.timeNs ?? 0) + 24_000);
  });

  it('of another calibration are refused', async () => {
    const { file, options } = await captureOf(recipe, pulses);
    expect(await refusal(file, { ...options, calibration: 'vlp-16' })).toMatchObject({
      problems: [{ message: expect.stringContaining('two banks of 32 lasers') as string }],
    });
  });
});

describe('a packet of a VLP-16', () => {
  it('has its bytes where the manual (63-9243, section 9.3) has them', async () => {
    const recipe = recipeOf('vlp-16');
    const pulses = firedPulses(recipe, 0, 24);
    const { file } = await captureOf(recipe, pulses, 1_700_000_000);
    const bytes = readFileSync(file);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // Ethernet, IPv4, UDP to port 2368, 1206 bytes and the header of UDP.
    expect(view.getUint16(24 + 16 + 12)).toBe(0x0800);
    expect([view.getUint8(24 + 16 + 23), view.getUint16(24 + 16 + 36)]).toEqual([17, 2368]);
    expect(view.getUint16(24 + 16 + 38)).toBe(packetBytes + 8);
    const at = 24 + 16 + 42;
    const words = Array.from({ length: 10 }, (_, word) => view.getUint16(at - 28 + 2 * word));
    const sum = words.reduce((all, word) => all + word, 0);
    expect((sum & 0xffff) + (sum >> 16)).toBe(0xffff);
    for (let block = 0; block < 12; block++) {
      expect(view.getUint16(at + 100 * block, true)).toBe(0xeeff);
      // 0.2° a sequence at 10 Hz, two sequences a block: 110.592 µs at 3600°/s.
      const azimuthDeg = view.getUint16(at + 100 * block + 2, true) / 100;
      expect(Math.abs(azimuthDeg - block * 110.592e-6 * 3600)).toBeLessThan(0.0051);
    }
    // Laser 3 of the second sequence in block 0: pulse 19, the 20th measurement.
    expect(view.getUint16(at + 4 + 3 * 19, true)).toBe(
      Math.round((pulses[19]?.returns[0]?.rangeM ?? 0) / 0.002),
    );
    expect(view.getUint8(at + 4 + 3 * 19 + 2)).toBe(pulses[19]?.returns[0]?.intensity);
    // A pulse without a return.
    expect(view.getUint16(at + 4 + 3 * 5, true)).toBe(0);
    // Microseconds since the hour: 1,700,000,000 s is 22 h 13 min 20 s.
    expect(view.getUint32(at + 1200, true)).toBe((13 * 60 + 20) * 1e6);
    expect([view.getUint8(at + 1204), view.getUint8(at + 1205)]).toEqual([0x37, 0x22]);
  });
});

describe('a capture', () => {
  const recipe = recipeOf('vlp-16');
  const pulses = firedPulses(recipe, 0, 240);
  const returns = pulses.filter((pulse) => pulse.returns.length > 0).length;
  const changed = async (
    change: (bytes: Buffer) => Uint8Array,
    name = 'x.pcap',
  ): Promise<{ file: string; options: { trajectory: string } }> => {
    const { file, options } = await captureOf(recipe, pulses);
    const out = join(temporaryFolder(), name);
    writeFileSync(out, change(readFileSync(file)));
    return { file: out, options };
  };
  const records = (bytes: Buffer): Buffer[] =>
    Array.from({ length: (bytes.length - 24) / recordBytes }, (_, at) =>
      bytes.subarray(24 + at * recordBytes, 24 + (at + 1) * recordBytes),
    );

  it.each([
    ['of big-endian numbers', toBigEndian],
    ['with nanoseconds', toNanoseconds],
    ['in pcapng', toPcapng],
    ['with tags of a VLAN', withVlan],
  ])('%s is read', async (_, change) => {
    const { file, options } = await changed((bytes) => change(bytes, records(bytes)));
    const { reply } = await imported(file, options);
    expect(reply.returns).toBe(returns);
    expect(reply.seconds).toBeCloseTo(239.5 * 55.296e-6, 4);
  });

  it('with other datagrams has a note', async () => {
    const { file, options } = await changed((bytes) => {
      const [first = Buffer.alloc(0)] = records(bytes);
      const other = Buffer.from(first);
      other.writeUInt16LE(0x1234, 16 + 42);
      return Buffer.concat([bytes, other]);
    });
    const { reply } = await imported(file, options);
    expect(reply.notes).toContain('1 datagrams that are no data packets were left out');
  });

  it('of two sensors asks which', async () => {
    const two = (bytes: Buffer): Buffer => {
      const others = records(bytes).map((record) => {
        const other = Buffer.from(record);
        other.writeUInt8(202, 16 + 14 + 15);
        return other;
      });
      return Buffer.concat([bytes, ...others]);
    };
    const { file, options } = await changed(two);
    expect(await refusal(file, options)).toMatchObject({
      problems: [
        {
          path: 'cloud',
          message: expect.stringContaining('192.168.1.201:2368, 192.168.1.202:2368') as string,
        },
      ],
    });
    const { reply } = await imported(file, { ...options, cloud: '192.168.1.202:2368' });
    expect(reply.returns).toBe(returns);
  });

  it('whose sensor has no clock of the hour takes the times of the capture', async () => {
    const { file, options } = await changed((bytes) => {
      for (const record of records(bytes))
        record.writeUInt32LE(record.readUInt32LE(16 + 42 + 1200) + 1234e6, 16 + 42 + 1200);
      return bytes;
    });
    const { reply, beams } = await imported(file, options);
    expect(reply.notes.join()).toContain('clock is not that of the hour');
    // The capture has the time of the packet's last firing.
    expect(Math.abs(Number(beams[0]?.timeNs))).toBeLessThan(1.4e6);
  });

  it.each([
    [
      'that ends within a packet',
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 100),
      'was cut off',
    ],
    ['of no known form', (bytes: Buffer) => bytes.fill(1, 0, 4), 'expected a capture'],
    [
      'with a record of 4 GB',
      (bytes: Buffer) => bytes.fill(0xff, 24 + 8, 24 + 12),
      'found a frame of',
    ],
    ['of parts of packets', shortened, 'capture whole ones'],
    [
      'of another model',
      (bytes: Buffer) => {
        bytes.writeUInt8(0x31, 24 + recordBytes - 1);
        return bytes;
      },
      'expected packets of a VLP-16',
    ],
    ['without packets', (bytes: Buffer) => bytes.subarray(0, 24), 'expected data packets'],
  ])('%s is refused', async (_, change, message) => {
    const { file, options } = await changed(change);
    expect(await refusal(file, options)).toMatchObject({
      title: expect.stringContaining(message) as string,
    });
  });

  it('without poses, or with those of another time, is refused', async () => {
    const { file } = await captureOf(recipe, pulses);
    expect(await refusal(file)).toMatchObject({ title: 'the source has no poses' });
    const trajectory = join(temporaryFolder(), 'late.tum');
    writeFileSync(
      trajectory,
      tumText([5e9, 6e9], () => identity),
    );
    expect(await refusal(file, { trajectory })).toMatchObject({
      title: 'the poses do not cover the log',
    });
  });

  function shortened(bytes: Buffer): Buffer {
    const short = records(bytes).map((record) => {
      const cut = Buffer.from(record.subarray(0, 16 + 96));
      cut.writeUInt32LE(96, 8);
      return cut;
    });
    return Buffer.concat([bytes.subarray(0, 24), ...short]);
  }
});

describe('a sensor that is none of them', () => {
  it.each([
    ['os1-128', 'expected a sensor that turns clockwise|expected the lasers of'],
    ['hdl-64e', 'expected the lasers of a VLP-16'],
  ])('%s cannot be written', async (id, message) => {
    const recipe = recipeOf(id);
    await expect(captureOf(recipe, firedPulses(recipe, 0, 2))).rejects.toThrow(new RegExp(message));
  });
});

function toBigEndian(bytes: Buffer, all: readonly Buffer[]): Buffer {
  const head = Buffer.from(bytes.subarray(0, 24));
  for (const at of [0, 16, 20]) head.subarray(at, at + 4).swap32();
  for (const at of [4, 6]) head.subarray(at, at + 2).swap16();
  const swapped = all.map((record) => {
    const copy = Buffer.from(record);
    copy.subarray(0, 16).swap32();
    return copy;
  });
  return Buffer.concat([head, ...swapped]);
}

function toNanoseconds(bytes: Buffer, all: readonly Buffer[]): Buffer {
  const head = Buffer.from(bytes.subarray(0, 24));
  head.writeUInt32LE(0xa1b23c4d);
  const finer = all.map((record) => {
    const copy = Buffer.from(record);
    copy.writeUInt32LE(copy.readUInt32LE(4) * 1000, 4);
    return copy;
  });
  return Buffer.concat([head, ...finer]);
}

/** One section, one interface of nanoseconds, a comment, packets (draft-ietf-opsawg-pcapng). */
function toPcapng(_: Buffer, all: readonly Buffer[]): Buffer {
  const block = (type: number, body: Buffer): Buffer => {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
    const bytes = Buffer.alloc(12 + padded.length);
    bytes.writeUInt32LE(type, 0);
    bytes.writeUInt32LE(bytes.length, 4);
    padded.copy(bytes, 8);
    bytes.writeUInt32LE(bytes.length, bytes.length - 4);
    return bytes;
  };
  const section = Buffer.alloc(16);
  section.writeUInt32LE(0x1a2b3c4d, 0);
  section.writeUInt16LE(1, 4);
  section.writeBigInt64LE(-1n, 8);
  const face = Buffer.alloc(20);
  face.writeUInt16LE(1, 0);
  face.writeUInt16LE(9, 8);
  face.writeUInt16LE(1, 10);
  face.writeUInt8(9, 12);
  const packets = all.map((record) => {
    const head = Buffer.alloc(20);
    const ns =
      BigInt(record.readUInt32LE(0)) * 1_000_000_000n + BigInt(record.readUInt32LE(4)) * 1000n;
    head.writeUInt32LE(Number(ns >> 32n), 4);
    head.writeUInt32LE(Number(ns & 0xffffffffn), 8);
    head.writeUInt32LE(record.length - 16, 12);
    head.writeUInt32LE(record.length - 16, 16);
    return block(6, Buffer.concat([head, record.subarray(16)]));
  });
  return Buffer.concat([
    block(0x0a0d0d0a, section),
    block(1, face),
    block(0x0bad, section),
    ...packets,
  ]);
}

function withVlan(bytes: Buffer, all: readonly Buffer[]): Buffer {
  const tagged = all.map((record) => {
    const head = Buffer.from(record.subarray(0, 16));
    head.writeUInt32LE(record.length - 12, 8);
    head.writeUInt32LE(record.length - 12, 12);
    const tag = Buffer.from([0x81, 0, 0, 5]);
    return Buffer.concat([head, record.subarray(16, 28), tag, record.subarray(28)]);
  });
  return Buffer.concat([bytes.subarray(0, 24), ...tagged]);
}
