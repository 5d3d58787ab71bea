import { paymentMethods } from '../../../billing/paymentMethods.ts';
import * as fields from '../../body/fields.ts';

const MOST_ATTACHMENTS = 20;

export const attachments = fields.described(
  fields.list(fields.required(fields.id), MOST_ATTACHMENTS),
  'Ids of the attached files, in order',
);

export const disabledPaymentMethods = fields.list(
  fields.required(fields.choice(...paymentMethods)),
  paymentMethods.length,
);

/** The words of a list without duplicates. */
export function eachOnce<Word>(words: readonly Word[] | null | undefined): Word[] {
  return [...new Set(words ?? [])];
}
