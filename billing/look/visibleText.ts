/**
 * Hidden characters, by Unicode properties: invisible ones (zero-width characters, joiners, variation selectors, soft hyphens, tags, blank
 * fillers), bidi controls (overrides, isolates, marks), control characters, line and paragraph separators, lone surrogates, and
 * noncharacters. The few visible format characters, such as the Arabic end of ayah, are not hidden.
 */
const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}[\p{Cf}--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]]/v;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gv');

const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
const BREAK_OR_TAB = /\r\n?|[\n\v\f\u0085\u2028\u2029\t]/g;

/**
 * Cleans text of several lines: hidden characters are removed, line breaks become `\n`, a tab becomes a space. Joiners are removed, too: an
 * emoji of several people becomes several emoji, and joined Persian or Sinhala letters are shown separately. Both stay readable.
 */
export function visible(text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => line.replaceAll('\t', ' ').replace(EVERY_HIDDEN, ''))
    .join('\n');
}

/** Marks that isolate text from the writing direction around it. Formats set them. */
const ISOLATES = /([\u2066-\u2069])/;

/** Cleans text of several lines like `visible`, but keeps the marks that formats have set. */
export function withoutHidden(text: string): string {
  return text
    .split(ISOLATES)
    .map((part) => (ISOLATES.test(part) ? part : visible(part)))
    .join('');
}

/** Cleans text of one line, such as a name or a subject: line breaks and tabs become spaces, hidden characters are removed. */
export function visibleLine(text: string): string {
  return text.replace(BREAK_OR_TAB, ' ').replace(EVERY_HIDDEN, '');
}

/** The first hidden character, as `U+202E`; null: there is none. */
export function hiddenIn(text: string): string | null {
  const point = HIDDEN.exec(text)?.[0].codePointAt(0);
  return point === undefined ? null : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Characters without a glyph: spaces, combining marks, Braille blank, null notehead (U+1D159), hieroglyph blanks (U+13441, U+13442). */
const BLANK = /[\p{White_Space}\p{M}\u2800\u{1d159}\u{13441}\u{13442}]/gv;

/** Whether a text has a visible character. */
export function hasVisible(text: string): boolean {
  return visibleLine(text).replace(BLANK, '') !== '';
}

/** Names of fields that may have several lines. */
const MULTILINE: ReadonlySet<string | symbol> = new Set(['notes', 'description', 'message', 'footer']);

/**
 * A proxy whose text, at any depth, is cleaned by `visible` or `visibleLine`. The object itself does not change. Documents, pages and mails
 * are rendered only from such proxies. The renderer adds bidi marks afterwards, so these stay; they keep the order of numbers in
 * right-to-left text.
 */
export function readable<Facts extends object>(facts: Facts): Facts {
  return new Proxy(facts, { get: (target, name) => readableValue(name, Reflect.get(target, name)) });
}

function readableValue(name: string | symbol, value: unknown): unknown {
  if (typeof value === 'string') return MULTILINE.has(name) ? visible(value) : visibleLine(value);
  if (typeof name === 'symbol' || name.startsWith('__')) return value; // internals of a library
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? readable(value) : value;
}
