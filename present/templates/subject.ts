import type { MailView } from '../../billing/mailView.ts';
import { visibleLine } from '../../billing/visibleText.ts';

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
