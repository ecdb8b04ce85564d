// A text that arrives in pieces of any length, line by line.

export interface TextLines {
  /** The lines that end in the piece, without their ends. */
  take(piece: string): string[];
  /** The last line, where no end of line follows it; nothing is taken after that. */
  end(): string[];
  /** Letters so far of the line that has not ended. */
  readonly openLetters: number;
}

export function createTextLines(): TextLines {
  let open = '';
  return {
    take: (piece) => {
      const lines = (open + piece).split('\n');
      open = lines.pop() ?? '';
      return lines;
    },
    end: () => (open === '' ? [] : [open]),
    get openLetters() {
      return open.length;
    },
  };
}
