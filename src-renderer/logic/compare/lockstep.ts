// Several players that show the same time: a player that is ahead waits for those behind it.

export interface Lockstep {
  /** Resolves when the member may show this time: every other member has got as far, or has left. */
  arrive(member: number, timeS: number): Promise<void>;
  /** The member waits for no other, and no other for it. */
  leave(member: number): void;
  /** All members are at the beginning again; waiting members continue. */
  restart(): void;
}

export function createLockstep(members: number): Lockstep {
  const reachedS = new Float64Array(members).fill(-Infinity);
  const waiting = new Map<number, () => void>();
  return {
    arrive(member, timeS) {
      reachedS[member] = timeS;
      return new Promise((resolve) => {
        waiting.get(member)?.();
        waiting.set(member, resolve);
        release();
      });
    },
    leave(member) {
      reachedS[member] = Infinity;
      letGo(member);
      release();
    },
    restart() {
      reachedS.fill(-Infinity);
      for (const member of [...waiting.keys()]) letGo(member);
    },
  };

  function release(): void {
    const slowestS = Math.min(...reachedS);
    for (const member of [...waiting.keys()]) {
      if ((reachedS[member] ?? 0) <= slowestS) letGo(member);
    }
  }

  function letGo(member: number): void {
    const go = waiting.get(member);
    waiting.delete(member);
    go?.();
  }
}
