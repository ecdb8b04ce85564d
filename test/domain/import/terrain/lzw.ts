// LZW as TIFF has it (TIFF 6.0, section 13), written: codes of 9 to 12 bits, the most significant bit first.

const [clearCode, endCode] = [256, 257];
/** Before the table is full, as the specification asks. */
const lastCode = 4094;

export function packLzw(bytes: Uint8Array): Uint8Array {
  const packed: number[] = [];
  let [held, heldBits] = [0, 0];
  let codes = new Map<string, number>();
  let next = endCode + 1;
  let codeBits = 9;
  const write = (code: number): void => {
    held = (held << codeBits) | code;
    heldBits += codeBits;
    while (heldBits >= 8) {
      heldBits -= 8;
      packed.push((held >>> heldBits) & 0xff);
      held &= (1 << heldBits) - 1;
    }
  };
  /** The code of a string of letters; each is its own below 256. */
  const codeOf = (letters: string): number =>
    letters.length === 1 ? letters.charCodeAt(0) : (codes.get(letters) ?? -1);
  write(clearCode);
  let letters = '';
  for (const byte of bytes) {
    const longer = letters + String.fromCharCode(byte);
    if (codeOf(longer) >= 0) {
      letters = longer;
      continue;
    }
    write(codeOf(letters));
    codes.set(longer, next);
    next += 1;
    if (next === 2 ** codeBits && codeBits < 12) codeBits += 1;
    if (next > lastCode) {
      write(clearCode);
      codes = new Map();
      [next, codeBits] = [endCode + 1, 9];
    }
    letters = String.fromCharCode(byte);
  }
  if (letters !== '') write(codeOf(letters));
  if (next + 1 === 2 ** codeBits && codeBits < 12) codeBits += 1;
  write(endCode);
  packed.push((held << (8 - heldBits)) & 0xff);
  return Uint8Array.from(packed);
}
