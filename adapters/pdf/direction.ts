/**
 * Typst crashes on characters that run against the direction of their script. Letters always run in the direction of their script. Signs,
 * symbols, and marks without a letter before them take the direction of their neighbours, so they can run against it. `directed` puts a
 * direction override around each of them.
 */
const FROM_RIGHT = [
  'Adlam',
  'Arabic',
  'Avestan',
  'Chorasmian',
  'Cypriot',
  'Elymaic',
  'Garay',
  'Hanifi_Rohingya',
  'Hatran',
  'Hebrew',
  'Imperial_Aramaic',
  'Inscriptional_Pahlavi',
  'Inscriptional_Parthian',
  'Kharoshthi',
  'Lydian',
  'Mandaic',
  'Manichaean',
  'Mende_Kikakui',
  'Meroitic_Cursive',
  'Meroitic_Hieroglyphs',
  'Nabataean',
  'Nko',
  'Old_North_Arabian',
  'Old_Sogdian',
  'Old_South_Arabian',
  'Old_Turkic',
  'Old_Uyghur',
  'Palmyrene',
  'Phoenician',
  'Psalter_Pahlavi',
  'Samaritan',
  'Sogdian',
  'Syriac',
  'Thaana',
  'Yezidi',
].map((script) => `\\p{Script=${script}}`);

const RIGHT = `[${FROM_RIGHT.join('')}]`;
const LEFT = `[\\P{Script=Common}--[\\p{Script=Inherited}\\p{Script=Unknown}${RIGHT}]]`;

/** Signs that belong to a number when they are next to its digits: `5٪`, `1٬000٫5`, the sign of a year. */
const IN_NUMBER =
  '(?<=[0-9\\u06f0-\\u06f9])\\u066a|\\u066a(?=[0-9\\u06f0-\\u06f9])|(?<=\\p{Nd})[\\u066b\\u066c](?=\\p{Nd})|[\\u0600-\\u0604](?=\\p{Nd})';

/** A letter and its marks, which have the letter's direction, up to the first character of a script of the other direction. */
const lettered = (script: string, other: string) => `[[${script}&&[\\p{L}\\p{N}]]\\u0640][\\p{M}--${other}]+`;
/** Characters that take the direction of their neighbours. Marks on letters and parts of numbers match earlier alternatives of `PARTS`. */
const strays = (script: string) => `((?:(?!${IN_NUMBER})[${script}--[\\p{L}\\p{Nd}]])+)`;

const PARTS = new RegExp(
  [lettered(RIGHT, LEFT), lettered(LEFT, RIGHT), IN_NUMBER, strays(RIGHT), strays(LEFT)].join('|'),
  'gv',
);
const OF_RIGHT = new RegExp(`[${RIGHT}\\u200f\\u2067]`, 'v');

/** Adds direction overrides, so that every part of a text runs in the direction of its script. `isFromRight`: the document's direction. */
export function directed(text: string, isFromRight: boolean): string {
  if (isPlain(text)) return text;
  const canTurn = isFromRight || OF_RIGHT.test(text);
  return text.replace(PARTS, (part: string, right?: string, left?: string) => {
    if (right) return `\u202e${right}\u202c`;
    return left && canTurn ? `\u202d${left}\u202c` : part;
  });
}

/** Whether a text has only Latin letters and common signs, which need no override. Most texts do. */
function isPlain(text: string): boolean {
  return !/[^\0-\u024f\u2000-\u206f\u20a0-\u20cf]/.test(text);
}
