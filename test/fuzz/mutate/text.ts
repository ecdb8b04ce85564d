// Changes of texts: words put in, parts removed, doubled or swapped; numbers at their extremes; elements and attributes
// of XML.
import type { Random } from '../random.ts';

const words = [
  ...['0', '-1', '1e309', '-1e309', '.nan', 'nan', '.inf', 'inf', '9007199254740993', '0x7fffffff'],
  ...['4294967295', '4294967296', '2147483648', '1e-320', '-0', '99999999999999999999', '1,5'],
  ...['null', '~', 'yes', '[]', '{}', '&a', '*a', '!!binary', '!!js/function', '<<: *a', '? '],
  ...['- ', '|', '>', '---\n', '__proto__: 1', 'constructor:', '\t', '\u0000', '\u2028', '😀'],
  ...['"', "'", '#', '%YAML 1.1\n', '\r', ';', '..', '/', '\ufeff', '&#0;', '&lt;', '<!--', ']]>'],
];

/** A few changes anywhere. */
export function mutatedText(text: string, random: Random): string {
  let changed = text;
  for (let change = 0; change <= random.below(5); change += 1) {
    changed = random.oneIn(3) ? withNumber(changed, random) : changedPart(changed, random);
  }
  return changed;
}

function changedPart(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(40));
  const to = random.below(text.length + 1);
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at) + random.of(words) + text.slice(at);
    case 1:
      return text.slice(0, at) + random.of(words) + text.slice(end);
    case 2:
      return text.slice(0, at) + text.slice(end);
    case 3:
      return text.slice(0, to) + text.slice(at, end) + text.slice(to);
    case 4:
      return random.oneIn(3) ? text.slice(0, at) : text;
    default:
      return withLines(text, random);
  }
}

/** A line is removed, doubled, or takes the place of another. */
function withLines(text: string, random: Random): string {
  const lines = text.split('\n');
  const from = random.below(lines.length);
  const line = lines[from] ?? '';
  switch (random.below(4)) {
    case 0:
      lines.splice(from, 1);
      break;
    case 1:
      lines.splice(from, 0, ...new Array<string>(random.of([1, 1, 2, 500])).fill(line));
      break;
    default:
      lines[random.below(lines.length)] = line;
  }
  return lines.join('\n');
}

function withNumber(text: string, random: Random): string {
  const numbers = [...text.matchAll(/-?\d[\d.]*(?:e[+-]?\d+)?/gi)];
  if (numbers.length === 0) return text;
  const number = random.of(numbers);
  return (
    text.slice(0, number.index) +
    random.of(words.slice(0, 17)) +
    text.slice(number.index + number[0].length)
  );
}

/** Elements removed, doubled, nested, and attributes with other values. */
export function mutatedXml(text: string, random: Random): string {
  let changed = text;
  for (let change = 0; change <= random.below(4); change += 1)
    changed = changedXml(changed, random);
  return random.oneIn(4) ? mutatedText(changed, random) : changed;
}

function changedXml(text: string, random: Random): string {
  const attributes = [...text.matchAll(/[\w:]+="([^"]*)"/g)];
  if (attributes.length > 0 && random.oneIn(2)) {
    const attribute = random.of(attributes);
    const [whole] = attribute;
    const name = whole.slice(0, whole.indexOf('='));
    const value = random.of([random.of(words).replaceAll(/["<&]/g, ''), '', 'true', '1;2', '#x']);
    const to = random.of([`${name}="${value}"`, '', `${whole} ${whole}`, `${name}X="${value}"`]);
    return text.slice(0, attribute.index) + to + text.slice(attribute.index + whole.length);
  }
  const elements = [...text.matchAll(/<(\w+)\b[^<>]*(?:\/>|>(?:[^<]*)<\/\1>)/g)];
  if (elements.length === 0) return text;
  const element = random.of(elements);
  const [whole, name = ''] = element;
  const depth = random.of([1, 70, 3000]);
  const to = random.of([
    '',
    whole.repeat(random.of([2, 2, 400])),
    `<${name}>`.repeat(depth) + whole + `</${name}>`.repeat(depth),
    `<${name}/>`,
    random.of(elements)[0],
  ]);
  return text.slice(0, element.index) + to + text.slice(element.index + whole.length);
}
