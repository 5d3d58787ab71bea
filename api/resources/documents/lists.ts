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

/** A list without duplicates. Null and undefined become an empty list. */
export function unique<Word>(words: readonly Word[] | null | undefined): Word[] {
  return [...new Set(words ?? [])];
}
