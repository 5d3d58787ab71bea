/**
 * What is hidden in text, by the properties that Unicode keeps: what is not displayed (zero-width characters, joiners and variation
 * selectors, soft hyphens, tags, blank fillers), what turns the order of other text around (overrides, isolates, marks), controls, and
 * what is no character at all (halves of surrogates, noncharacters). The few format characters that are seen, such as the Arabic end of
 * ayah, are not.
 */
const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}[\p{Cf}--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]]/v;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gv');

const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
const BREAK_OR_TAB = /\r\n?|[\n\v\f\u0085\u2028\u2029\t]/g;

/**
 * Text of several lines as people read it: what is hidden is gone, line breaks are `\n`, a tab is a space. Joiners go too: an emoji of
 * several people is those people one by one, and Persian or Sinhala letters stand beside one another; both can still be read.
 */
export function visible(text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => line.replaceAll('\t', ' ').replace(EVERY_HIDDEN, ''))
    .join('\n');
}

/** The same on one line, as names and headers are. */
export function visibleLine(text: string): string {
  return text.replace(BREAK_OR_TAB, ' ').replace(EVERY_HIDDEN, '');
}

/** The first hidden character, as `U+202E`; null: there is none. */
export function hiddenIn(text: string): string | null {
  const point = HIDDEN.exec(text)?.[0].codePointAt(0);
  return point === undefined ? null : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Spaces, marks that are seen on another character alone, and characters that are displayed and yet blank (Braille, notes, fillers). */
const BLANK = /[\p{White_Space}\p{M}\u2800\u{1d159}\u{13441}\u{13442}]/gv;

/** Whether there is anything to see of a text. */
export function hasVisible(text: string): boolean {
  return visibleLine(text).replace(BLANK, '') !== '';
}

/** Fields that have lines; all others are one. */
const OF_LINES: ReadonlySet<string | symbol> = new Set(['notes', 'description', 'message']);

/**
 * An object whose text, however deep, is as people read it; the object itself is as it was. Documents, pages and mails are written from
 * such objects alone, before anything of their own is added: the marks that keep numbers in order in text from right to left stay.
 */
export function readable<Facts extends object>(facts: Facts): Facts {
  return new Proxy(facts, { get: (target, name) => readableValue(name, Reflect.get(target, name)) });
}

function readableValue(name: string | symbol, value: unknown): unknown {
  if (typeof value === 'string') return OF_LINES.has(name) ? visible(value) : visibleLine(value);
  if (typeof name === 'symbol' || name.startsWith('__')) return value; // of a library, for itself
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? readable(value) : value;
}
