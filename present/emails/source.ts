import type { ChargedSource } from '../../db/schema/charge.ts';
import { fill } from '../printed/labels.ts';
import type { Writing } from './writing.ts';

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  mastercard: 'Mastercard',
  visa: 'Visa',
  discover: 'Discover',
};

/** A payment source, as far as mails name it. */
export type MailedSource = Pick<ChargedSource, 'type' | 'brand' | 'bankName' | 'last4'>;

/** A payment source in words: "Visa ending in 4242", "Bank account ending in 6789". */
export function sourceInWords(source: MailedSource, { labels, words }: Pick<Writing, 'labels' | 'words'>): string {
  const card = labels.methods.credit_card ?? '';
  const brand = source.brand ? (BRANDS[source.brand.toLowerCase()] ?? source.brand) : card;
  const name = source.type === 'card' ? brand : (source.bankName ?? words.bankAccount);
  return fill(labels.endingIn, { name, digits: source.last4 });
}
