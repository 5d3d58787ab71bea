import { knownDeclineCode } from '../../../billing/declines.ts';
import { payingWordsOf } from './words.ts';

/** A decline as the gateway told it. */
export interface ToldDecline {
  code: string | null;
  message: string | null;
}

/** The reason of a decline in a language. The gateway's own words if the code is unknown. */
export function declineInWords(language: string, { code, message }: ToldDecline): string {
  const known = knownDeclineCode(code);
  const { declines } = payingWordsOf(language);
  return known === null ? (message ?? declines.generic_decline) : declines[known];
}
