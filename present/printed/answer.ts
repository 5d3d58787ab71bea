import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import { type Between, penFor } from './head.ts';
import { fill } from './labels.ts';

/** The customer's answer to an estimate, or whether it can still be given. */
export interface PrintedAnswer {
  isOpen: boolean;
  said: { text: string; tone: 'good' | 'quiet' } | null;
}

export function printAnswer(
  estimate: Plain<Estimate>,
  parties: Pick<Between, 'seller' | 'buyer' | 'language'>,
): PrintedAnswer {
  const { status, answer, approvedAt, declinedAt, currency, timeZone } = estimate;
  const { labels, formats } = penFor({ ...parties, currency, timeZone });
  const words = (by: string, alone: string, at: Date) =>
    answer ? fill(by, { initials: answer.initials, day: formats.day(at) }) : alone;
  const isOpen = status === 'not_sent' || status === 'sent';
  if (approvedAt)
    return { isOpen, said: { text: words(labels.approvedBy, labels.approved, approvedAt), tone: 'good' } };
  if (!declinedAt) return { isOpen, said: null };
  return { isOpen, said: { text: words(labels.declinedBy, labels.declined, declinedAt), tone: 'quiet' } };
}
