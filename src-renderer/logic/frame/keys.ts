// Keys as a person writes them ('Space', 'Ctrl+K', 'Shift+ArrowLeft', '?') against what a keyboard sends.
// Guarantees: text typed into a field is never taken for a command, and a control that has the
// focus keeps the keys that it has a use for.

/** The fields of a keyboard event that count; a KeyboardEvent is one. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

interface Keys {
  name: string;
  hasCtrl: boolean;
  hasAlt: boolean;
  hasShift: boolean;
}

/** True where the event is what `keys` says. Ctrl is Command on a Mac. */
export function isPressed(keys: string, event: KeyPress): boolean {
  const { name, hasCtrl, hasAlt, hasShift } = parseKeys(keys);
  if ((event.ctrlKey || event.metaKey) !== hasCtrl || event.altKey !== hasAlt) return false;
  if (name.length > 1) {
    return event.shiftKey === hasShift && (event.code === name || event.key === name);
  }
  if (/[A-Z]/.test(name)) return event.shiftKey === hasShift && letterOf(event) === name;
  // Why shift is not asked for: where a sign is on the keyboard depends on the country.
  return event.key === name || (/\d/.test(name) && event.code === `Numpad${name}`);
}

/** True where the focused element needs the key itself, so that no command may take it. */
export function isUsedByControl(keys: string, target: Element | null): boolean {
  const { name, hasCtrl, hasAlt } = parseKeys(keys);
  if (target === null || hasCtrl || hasAlt) return false;
  if (target.closest(typedInto) !== null) return !/^F\d+$/.test(name);
  if (target.closest(arrowed) !== null && /^(Arrow|Home|End|Page)/.test(name)) return true;
  return target.closest(pressed) !== null && /^(Space|Enter)$/.test(name);
}

/** For a person: the parts, each to be set as a key. */
export function keyCaps(keys: string): string[] {
  const { name, hasCtrl, hasAlt, hasShift } = parseKeys(keys);
  return [
    ...(hasCtrl ? ['Ctrl'] : []),
    ...(hasAlt ? ['Alt'] : []),
    ...(hasShift ? ['Shift'] : []),
    capNames[name] ?? name,
  ];
}

const typedInto =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), select, textarea, [contenteditable]';
const arrowed = '[role=tab], [role=menu], [role=grid], [role=listbox], [type=radio]';
const pressed = 'button, a, summary, [role=tab], [role=button], [type=checkbox], [type=radio]';
const capNames: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};

function parseKeys(keys: string): Keys {
  // Why not split alone: the plus sign is a key too ('Ctrl++').
  const parts = keys.endsWith('+') ? [...keys.slice(0, -1).split('+'), '+'] : keys.split('+');
  const modifiers = parts.slice(0, -1);
  const name = parts.at(-1) ?? '';
  return {
    name: name.length === 1 ? name.toUpperCase() : name,
    hasCtrl: modifiers.includes('Ctrl'),
    hasAlt: modifiers.includes('Alt'),
    hasShift: modifiers.includes('Shift'),
  };
}

/** In another alphabet the position on the keyboard counts. */
function letterOf({ key, code }: KeyPress): string {
  if (/^[a-zA-Z]$/.test(key)) return key.toUpperCase();
  return /^Key([A-Z])$/.exec(code)?.[1] ?? '';
}
