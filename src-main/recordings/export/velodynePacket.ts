// One packet after another from the firings of a simulated sensor: each block has the azimuth from which a decoder, by
// the times of the model's manual, comes nearest to those of its lasers.
import { wrapAngle } from '#domain/shared/numbers.ts';
import { mean } from '#domain/shared/statistics.ts';
import {
  firingTimeUs,
  firstSequenceOf,
  type Measurement,
  packetWriter,
  placesOf,
  returnModeBytes,
  sequencesPerPacket,
  turnSteps,
} from '#domain/shared/velodyne/packets.ts';
import type { VelodyneSensor } from '#domain/shared/velodyne/sensor.ts';

const hourUs = 3_600_000_000n;
const stepRad = (2 * Math.PI) / turnSteps;

/** A pulse: its returns, and where the head was. */
export interface Firing {
  headRad: number;
  /** The only one where packets have one return; null: no return. */
  returns: { last: Measurement | null; strongest: Measurement | null };
}

export interface PacketBuilder {
  /** @param sequence of the packet under way @param azimuthRad of the pulse, counter-clockwise */
  add(pulse: number, sequence: number, azimuthRad: number, returns: Firing['returns']): void;
  /** The packet that begins with this firing sequence; the next one is under way then. */
  end(firstSequence: number): { timeUs: bigint; bytes: Uint8Array };
  /** Largest difference of an azimuth from what a decoder finds, but for the rounding of blocks. */
  worstDeg(): number;
}

/** @param epochS instant of time 0, seconds since 1970 */
export function createPacketBuilder(sensor: VelodyneSensor, epochS: number): PacketBuilder {
  const { model, isDual } = sensor;
  const epochUs = BigInt(Math.round(epochS * 1e6));
  let firings = new Map<number, Firing>();
  let worstRad = 0;
  /** The head before its place by the turning rate alone. */
  let aheadRad = 0;

  /** Azimuths of the blocks in which firings of a sequence of the packet are. */
  function blockAzimuths(first: number): Map<number, number> {
    const aheadByBlock = new Map<number, { turnedRad: number; aheadRad: number[] }>();
    for (let sequence = 0; sequence < sequencesPerPacket(model, isDual); sequence++) {
      const begin = firstSequenceOf(model, sequence);
      const turnedRad = turnedBy(sensor, sensor.phaseNs + sensor.sequenceNs * (first + begin));
      for (let laser = 0; laser < model.lasers; laser++) {
        const sinceUs = firingTimeUs(model, sequence, laser) - model.sequenceUs * begin;
        const places = placesOf(model, isDual, sequence, laser);
        const firing = firings.get(sequence * model.lasers + laser);
        for (const { block } of [places.first, places.second ?? places.first]) {
          const known = aheadByBlock.get(block) ?? { turnedRad, aheadRad: [] };
          aheadByBlock.set(block, known);
          if (firing === undefined) continue;
          const expectedRad = turnedRad + turnedBy(sensor, 1000 * sinceUs);
          known.aheadRad.push(wrapAngle(firing.headRad - expectedRad));
        }
      }
    }
    return new Map(
      [...aheadByBlock].map(([block, { turnedRad, aheadRad: found }]) => {
        if (found.length > 0) aheadRad = mean(found);
        for (const one of found) worstRad = Math.max(worstRad, Math.abs(one - aheadRad));
        return [block, turnedRad + aheadRad];
      }),
    );
  }

  return {
    add(pulse, sequence, azimuthRad, returns) {
      const fired = sensor.lasers[pulse % sensor.lasers.length];
      if (fired === undefined || sequence < 0) return;
      const headRad = fired.azimuthOffsetRad - azimuthRad;
      firings.set(sequence * model.lasers + fired.laser, { headRad, returns });
    },
    end(first) {
      const firstUs = (sensor.phaseNs + sensor.sequenceNs * first) / 1000;
      const stampUs = epochUs + BigInt(Math.round(firstUs + model.stampUs));
      const packet = packetWriter(model, {
        isDual,
        modeByte: returnModeBytes[sensor.returns],
        stampUs: Number(stampUs % hourUs),
      });
      for (const [block, azimuthRad] of blockAzimuths(first)) {
        const steps = Math.round(azimuthRad / stepRad) % turnSteps;
        packet.setAzimuthSteps(block, (steps + turnSteps) % turnSteps);
      }
      for (const [at, { returns }] of firings) {
        const [sequence, laser] = [Math.floor(at / model.lasers), at % model.lasers];
        const places = placesOf(model, isDual, sequence, laser);
        if (returns.last !== null) packet.setMeasurement(places.first, returns.last);
        if (places.second !== null && returns.strongest !== null) {
          packet.setMeasurement(places.second, returns.strongest);
        }
      }
      firings = new Map();
      const lastUs = firingTimeUs(model, sequencesPerPacket(model, isDual) - 1, model.lasers - 1);
      return { timeUs: stampUs + BigInt(Math.round(lastUs)), bytes: packet.bytes };
    },
    worstDeg: () => (worstRad * 180) / Math.PI,
  };
}

/** Clockwise. */
function turnedBy({ turnStepsPerNs }: VelodyneSensor, ns: number): number {
  return turnStepsPerNs * stepRad * ns;
}
