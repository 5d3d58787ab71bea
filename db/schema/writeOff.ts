import { defineEntity, p } from '@mikro-orm/core';
import { type AccountAmounts, type WriteOffKind, writeOffKinds } from '../../billing/collection/writeOff.ts';
import { policiesThrough } from '../tenant.ts';
import { amount, oneOf, tenantKey, timestamps } from './columns.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

const WriteOffSchema = defineEntity({
  name: 'WriteOff',
  policies: policiesThrough('write_off', 'invoice'),
  comment: 'An amount of an invoice that is not collected',
  properties: {
    ...tenantKey,
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('cascade'),
    kind: p.string().length(10).$type<WriteOffKind>(),
    currency: p.string().length(3),
    amount: amount(),
    /** Ledger account of the bad debt, which has the amount without the taxes. */
    ledgerAccount: p.string().length(300),
    /** The taxes that it takes back, by ledger account. */
    taxes: p.json().$type<AccountAmounts>().defaultRaw("'{}'::jsonb"),
    /** Id of the payment that came up short; null: none did. */
    paymentId: p.integer().nullable(),
    reason: p.string().length(255).nullable(),
    /** When it was taken back; null: it holds. */
    reversedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'write_off_by_invoice', properties: ['accountId', 'invoice', 'id'] },
    { name: 'write_off_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'write_off_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    partialIndex('write_off', 'write_off_by_payment', ['account_id, payment_id', 'payment_id is not null']),
  ],
  checks: [oneOf('write_off', 'kind', writeOffKinds), { name: 'write_off_amount', expression: 'amount > 0' }],
});
export class WriteOff extends WriteOffSchema.class {}
WriteOffSchema.setClass(WriteOff);
