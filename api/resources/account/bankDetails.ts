import type { z } from 'zod';
import { type BankDetails, parseBic, parseIban } from '../../../billing/bankDetails.ts';
import * as fields from '../../body/fields.ts';
import { readPlain, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';

const iban = fields.field(
  (value) => {
    const text = readPlain(value, 64);
    return parseIban(text) ?? unfit(`must be an IBAN with correct check digits: ${text}`);
  },
  { type: 'string', maxLength: 64 },
);

const bic = fields.field(
  (value) => {
    const text = readPlain(value, 16);
    return parseBic(text) ?? unfit(`must be a BIC of 8 or 11 characters: ${text}`);
  },
  { type: 'string', maxLength: 16 },
);

const MOST_ACCOUNTS = 20;

export const bankDetails = fields.described(
  fields.list(
    object({
      currency: fields.required(fields.currency),
      account_holder: fields.name,
      bank_name: fields.name,
      iban,
      bic,
      account_number: fields.reference,
      routing_number: fields.reference,
    }),
    MOST_ACCOUNTS,
  ),
  'Bank accounts for transfers, at most one for each currency; they replace the current ones. Each needs `iban` or `account_number`',
);

/** Converts the bank details of a request; undefined: they stay; null: there are none. */
export function bankDetailsOf(sent: z.output<typeof bankDetails>): BankDetails[] | null | undefined {
  if (!sent || sent.length === 0) return sent && null;
  return sent.map((one) => ({
    currency: one.currency,
    accountHolder: one.account_holder ?? null,
    bankName: one.bank_name ?? null,
    iban: one.iban ?? null,
    bic: one.bic ?? null,
    accountNumber: one.account_number ?? null,
    routingNumber: one.routing_number ?? null,
  }));
}
