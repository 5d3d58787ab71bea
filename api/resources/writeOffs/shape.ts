import { writeOffKinds } from '../../../billing/writeOff.ts';
import * as fields from '../../framework/shape.ts';

export const writeOff = fields.shape('WriteOff', 'Amount of an invoice that is not collected', {
  id: fields.id('Id of the write-off', 2),
  invoice: fields.id('Id of the invoice', 77),
  kind: fields.oneOf(
    '`part`: by request; `difference`: a payment came up short; `whole`: the invoice was closed',
    'part',
    writeOffKinds,
  ),
  currency: fields.currency(),
  amount: fields.money('Amount that is not collected', 5),
  tax: fields.money('Part of `amount` that was taken back from tax payable; the rest is bad debt', 0),
  account: fields.text('Ledger account of the bad debt', 'bad_debt'),
  payment: fields.unset(fields.id('Id of the payment that came up short')),
  reason: fields.unset(fields.text('Reason as it was given', 'Bank fees')),
  reversed_at: fields.unset(fields.timestamp('Time at which it was taken back; null: it holds')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
