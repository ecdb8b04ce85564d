// Changes of JSON: values of other types and sizes, members removed, doubled, renamed, swapped, nested deeply, and keys
// that are repeated.
import type { Random } from '../random.ts';

type Json = unknown;
type Members = Record<string, Json>;

const values: readonly Json[] = [
  ...[null, true, false, 0, -1, 1, 0.5, -0, 1e300, -1e300, 5e-324, 255, 65536, 2147483647],
  ...[2147483648, 4294967295, 4294967296, 9007199254740991, 9007199254740993, 150_000_000],
  ...['', ' ', 'a', '0', 'NaN', '__proto__', '../../x', '/etc/passwd', 'data:,', 'a\nb', '\u0000'],
  ...['\ud800', '😀', 'x'.repeat(5000), 'http://localhost/x', '%2e%2e%2fx', 'EPSG:4326'],
  ...[[], {}, [[]], [null], [0], [1, 2, 3], { length: 1e9 }, new Array<number>(2000).fill(0)],
];
/** Tokens that JSON.stringify does not write. */
const tokens = ['1e999', '-1e999', '1E400', '0.1e-400', '-', 'NaN', '"\\ud800"', '"\\u0000"'];

/** Changes a few values of a JSON text; one that is none is given as it is. */
export function mutatedJson(text: string, random: Random): string {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const root: Members = { root: value };
  for (let change = 0; change <= random.below(4); change += 1) changeOne(root, random);
  const written = JSON.stringify(root['root']) ?? '';
  return random.oneIn(6) ? withOddText(written, random) : written;
}

/** Changes one member at any depth. What it puts in is its own, so that later changes of it change nothing else. */
function changeOne(root: Members, random: Random): void {
  let holder: Members | Json[] = root;
  let key: string | number = 'root';
  for (;;) {
    const child: Json = Reflect.get(holder, key);
    const keys: readonly (string | number)[] = Array.isArray(child)
      ? [...child.keys()]
      : typeof child === 'object' && child !== null
        ? Object.keys(child)
        : [];
    if (keys.length === 0 || random.oneIn(6)) break;
    holder = child as Members | Json[];
    key = random.of(keys);
  }
  const own: Json = copyOf(Reflect.get(holder, key));
  const other = Array.isArray(holder)
    ? random.below(holder.length + 1)
    : random.of(Object.keys(holder));
  switch (random.below(8)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (holder !== root) Reflect.deleteProperty(holder, key);
      break;
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 0, own);
      else Reflect.set(holder, `${key}X`, own);
      break;
    case 2:
      Reflect.set(holder, key, copyOf(Reflect.get(holder, other)));
      break;
    case 3:
      Reflect.set(holder, key, nested(own, random));
      break;
    case 4:
      Reflect.set(
        holder,
        key,
        typeof own === 'number' ? nearNumber(own, random) : [own, copyOf(own)],
      );
      break;
    case 5:
      Reflect.set(holder, key, typeof own === 'string' ? nearText(own, random) : anyValue(random));
      break;
    default:
      Reflect.set(holder, key, anyValue(random));
  }
}

function anyValue(random: Random): Json {
  return copyOf(random.of(values));
}

/** Why not structuredClone: it takes more stack at each depth. */
function copyOf(value: Json): Json {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function nested(value: Json, random: Random): Json {
  let outer = value;
  // Why no more: four such changes of one value are written by JSON.stringify, whose depth the stack limits.
  const depth = random.of([1, 2, 70, 1000]);
  for (let level = 0; level < depth; level += 1) outer = random.oneIn(2) ? [outer] : { a: outer };
  return outer;
}

function nearNumber(value: number, random: Random): number {
  return random.of([value + 1, value - 1, -value, 2 * value, value / 2, value + 0.5, 1000 * value]);
}

function nearText(value: string, random: Random): string {
  const at = random.below(value.length + 1);
  const word = random.of(['../', '/', '\\', '.', '\u0000', '%2e', ' ', ':', '#', '\n', '\u202e']);
  return random.oneIn(3) ? value.slice(0, at) : value.slice(0, at) + word + value.slice(at);
}

/** A repeated key, or a number as no writer would write it. */
function withOddText(text: string, random: Random): string {
  const members = [...text.matchAll(/"(?:[^"\\]|\\.)*":/g)];
  const member = members.length === 0 ? null : random.of(members);
  if (member !== null && random.oneIn(2)) {
    return `${text.slice(0, member.index)}${member[0]}${random.of(tokens.slice(2))},${text.slice(member.index)}`;
  }
  const numbers = [...text.matchAll(/(?<=[:,[])-?\d[\d.eE+-]*/g)];
  if (numbers.length === 0) return text;
  const number = random.of(numbers);
  return `${text.slice(0, number.index)}${random.of(tokens)}${text.slice(number.index + number[0].length)}`;
}
