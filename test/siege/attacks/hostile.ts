import type { Random } from '../random.ts';

const zalgo = `Z${'\u0301\u0338\u20dd'.repeat(60)}`;
const family = '👩‍👩‍👧‍👦';

/** Texts that have crashed, slowed down or misled programs that render text. */
export const HOSTILE: readonly [string, ...string[]] = [
  '\u202Egnp.exe',
  'Acme \u202Dabc',
  'a\u200Bb\u200Bc',
  '\u200B',
  '\u2066\u2067\u2068x\u2069',
  '\u061C\u200E\u200F',
  '\uFEFFBOM',
  'nul \u0000 amid',
  'bell \u0007 escape \u001b[31m red',
  'C1 \u0085\u009b31m',
  'line\u2028paragraph\u2029end',
  'to\r\nBcc: everybody@attacker.example',
  'half \ud800 pair',
  'tags \u{E0001}\u{E0041}\u{E007F}',
  'private \uE000\u{10FFFD} none \uFFFF\uFFFE',
  zalgo,
  family.repeat(20),
  'שלום עולם \u202E123',
  'العربية \u202B456 ﷽',
  'ﷺ'.repeat(100),
  'x'.repeat(255),
  'W\u0335'.repeat(120),
  '\u1100'.repeat(200),
  '각'.repeat(60),
  'नि\u200D'.repeat(60),
  '\uFE0F'.repeat(200),
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '{{constructor.constructor("return process")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of other template engines
  '${7*7} #{7*7} <%= 7*7 %>',
  '#import "/etc/passwd": * #eval("1")',
  '#set page(width: 1e9pt)',
  '$ sum_(k=0)^n k $ `raw` *bold* _em_ @label <label>',
  "'; drop table invoice; --",
  '../../../../etc/passwd',
  '=cmd|calc!A1',
  '%s%s%s%n',
  '𝕳𝖊𝖑𝖑𝖔 \u{1F1E9}\u{1F1EA}',
];

const RANGES: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [0x20, 0x7e],
  [0x80, 0x24f],
  [0x300, 0x36f],
  [0x590, 0x6ff],
  [0x900, 0xdff],
  [0x2000, 0x206f],
  [0x3000, 0x30ff],
  [0xac00, 0xacff],
  [0xd800, 0xdfff],
  [0xfe00, 0xfeff],
  [0xfff0, 0xffff],
  [0x1d400, 0x1d7ff],
  [0x1f300, 0x1faff],
  [0xe0000, 0xe007f],
];

/** A random hostile text of at most `most` characters. */
export function hostileText(random: Random, most = 255): string {
  if (random.number() < 0.6) return random.pick(HOSTILE).slice(0, most);
  const letters = Array.from({ length: 1 + random.below(60) }, () => {
    const [from, to] = random.pick(RANGES);
    return String.fromCodePoint(from + random.below(to - from + 1));
  });
  return letters.join('').slice(0, most);
}
