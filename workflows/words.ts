import type { ActivityResult } from './process.ts';

/*
 * The words that Temporal's pages show of a process: summaries of what it does and waits for, and its details. What it is about (`about`) and
 * how it stands comes from the database (present/processes/process.ts).
 */

/** Maximum number of bytes that Temporal accepts in a summary. */
const MOST_BYTES = 400;

/** Replaces characters that Temporal's pages would render as links, pictures or HTML, because tenants choose the numbers of documents. */
function inert(text: string): string {
  return text.replace(/[[\]<>`]/g, '?');
}

/** A text as a summary: one line within the server's limit, without characters that JSON escapes. */
export function summary(text: string): string {
  const line = inert(text).replace(/\s+/g, ' ');
  let kept = '';
  let bytes = 2; // the JSON quotes
  for (const character of line.replace(/["\\\p{Cc}\p{Cf}\p{Cs}]/gu, '')) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > MOST_BYTES - 3) return `${kept}…`;
    kept += character;
  }
  return kept;
}

/** A time in minutes, such as "2026-11-24 10:00Z". */
function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

/** What an activity of a process does, after what the process is about. */
const DOING = {
  advance: 'advance',
  ask: 'ask the payment gateway',
  report: 'write down the problem',
  send: 'send what is due',
} as const;

export type Doing = keyof typeof DOING;

/** Summary of an activity. A step has that of its process. */
export function doing(about: string, what?: Doing): string {
  return summary(what ? `${about}: ${DOING[what]}` : about);
}

/** Summary of a signal. */
export function lookingAgain(about: string): string {
  return summary(`look again at ${about}`);
}

/** Details of a process that starts later. */
export function startsAt(at: number): string {
  return `Waits until ${minute(at)}: nothing is due before.`;
}

/** Summary of the wait after an iteration. */
export function waiting(about: string, result: ActivityResult): string {
  return summary(`${about}: ${waitsFor(result)}`);
}

/** Description of the wait, such as "waits for renewal 4, 2027-03-31 10:00Z". */
function waitsFor({ more, wakeAt, next }: ActivityResult): string {
  if (more) return 'more is due';
  if (wakeAt === null) return 'no planned step';
  return `waits for ${next ?? 'the time to look again'}, ${minute(wakeAt)}`;
}

/** Details during an iteration. */
export function atWork(about: string, since: number): string {
  return paragraphs([about, `at work since ${minute(since)}`]);
}

/** Details after an iteration: the status of the process, its wait and its last steps. */
export function standing(about: string, result: ActivityResult, now: number): string {
  return paragraphs([
    about,
    result.isStuck ? `problem, ${result.did.at(-1) ?? 'the step was refused'}` : result.stands,
    result.call === null ? waitsFor(result) : 'asking the payment gateway',
    `as of ${minute(now)}`,
    ...result.did.map((did) => `did: ${did}`),
  ]);
}

/** Blank lines separate paragraphs, because Temporal's pages render Markdown. */
function paragraphs(lines: readonly (string | undefined)[]): string {
  return inert(lines.filter(Boolean).join('\n\n'));
}
