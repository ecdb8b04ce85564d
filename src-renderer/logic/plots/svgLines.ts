// Lines of a drawing as the attributes of <line>.

interface LineAttributes {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

export function verticalLine(x: number, y1: number, y2: number): LineAttributes {
  return { x1: x, x2: x, y1, y2 };
}

export function horizontalLine(y: number, x1: number, x2: number): LineAttributes {
  return { x1, x2, y1: y, y2: y };
}
