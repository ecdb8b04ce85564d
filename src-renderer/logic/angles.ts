// Radians inside, degrees on screen.

export function degreesOf(angleRad: number): number {
  return (angleRad * 180) / Math.PI;
}

export function radiansOf(angleDeg: number): number {
  return (angleDeg * Math.PI) / 180;
}
