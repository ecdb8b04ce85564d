// Where the lines of a grid of metres lie: at round numbers, about twenty on the longer side.

/** Lines at x and at y, rising; the outermost ones enclose the rectangle. `givenStepM`: in place of a chosen step. */
export function gridLines(
  minM: readonly [number, number],
  maxM: readonly [number, number],
  givenStepM?: number,
): { stepM: number; xM: number[]; yM: number[] } {
  const spanM = Math.max(maxM[0] - minM[0], maxM[1] - minM[1], 1);
  const stepM = givenStepM ?? roundStep(spanM / 20);
  const between = (from: number, to: number): number[] => {
    const first = Math.floor(from / stepM + 1e-6);
    const last = Math.ceil(to / stepM - 1e-6);
    // Why + 0: no line is to be called "-0".
    return Array.from({ length: last - first + 1 }, (_, k) => clean((first + k) * stepM));
  };
  return { stepM, xM: between(minM[0], maxM[0]), yM: between(minM[1], maxM[1]) };
}

/** The smallest of 1, 2, 5, 10 … (and of 0.1, 0.2 …) that is not less. */
function roundStep(lowestM: number): number {
  const power = 10 ** Math.floor(Math.log10(lowestM));
  const factor = [1, 2, 5, 10].find((one) => one * power >= lowestM * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function clean(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}
