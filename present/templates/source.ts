import { visibleLine } from '../../billing/look/visibleText.ts';
import type { MailView } from '../../billing/mail/mailView.ts';

/** The sources of a customized email. Null: that part keeps the default wording. */
export interface TemplateSource {
  subject: string | null;
  html: string | null;
  /** Null with custom HTML: the text is derived from it. */
  text: string | null;
}

export type Part = keyof TemplateSource;

export const parts: readonly Part[] = ['subject', 'html', 'text'];

/** Maximum size of one part, in bytes. */
export const MOST_BYTES = 64 * 1024;

/** A mistake in a source. `known`: the names that are possible at this place of an unknown one. */
export interface Mistake {
  part: Part;
  message: string;
  line: number | null;
  column: number | null;
  unknown?: { name: string; known: string[] };
}

const MOST_OF_SUBJECT = 500;

/** Beginning of the subject of a mail that tries out a template. */
export const TEST_MARK = '[Test] ';

/** A subject in one line, without hidden characters. */
export const oneLine = (subject: string): string => [...visibleLine(subject).trim()].slice(0, MOST_OF_SUBJECT).join('');

/** A mail and its values, marked as one that tries out a template. */
export function asTest<Mail extends { subject: string; view: MailView | null }>(mail: Mail): Mail {
  return {
    ...mail,
    subject: oneLine(`${TEST_MARK}${mail.subject}`),
    view: mail.view && { ...mail.view, isTest: true },
  };
}
