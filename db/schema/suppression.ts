import { defineEntity, p } from '@mikro-orm/core';
import { type SuppressionReason, suppressionReasons } from '../../billing/mail/mailEvents.ts';
import { addressPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';
import { partialIndex } from './indexes.ts';

const LIVE = 'lifted_at is null';

const SuppressionSchema = defineEntity({
  name: 'Suppression',
  policies: addressPolicies,
  comment:
    'An address to which an account sends no mail, or sent none for a time. It stays when its customer is anonymized',
  properties: {
    ...tenantKey,
    /** SHA-256 of the account and the address, hexadecimal. */
    addressHash: p.string().length(64).name('digest'),
    /** Lower case; null: its customer was anonymized. */
    address: p.string().length(255).nullable(),
    reason: p.string().length(12).$type<SuppressionReason>(),
    /** Words of the provider or the mail server; null: its customer was anonymized. */
    detail: p.text().nullable(),
    /** Whether the status code in its words was checked; false: it is lifted, or an earlier version stored it, and the sweep checks it. */
    isChecked: p.boolean().default(false),
    suppressedAt: p.datetime(),
    /** When it was allowed again; null: nothing is sent to it. */
    liftedAt: p.datetime().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'suppression_digest', properties: ['accountId', 'addressHash'] }],
  indexes: [
    partialIndex('suppression', 'suppression_live', ['account_id, id', LIVE]),
    partialIndex('suppression', 'suppression_unchecked', ['account_id, id', `${LIVE} and not is_checked`]),
    partialIndex('suppression', 'suppression_by_address', ['account_id, address, id', LIVE]),
    partialIndex('suppression', 'suppression_by_reason', ['account_id, reason, id', LIVE]),
    partialIndex('suppression', 'suppression_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('suppression', 'suppression_by_updated', ['account_id, updated_at, id', LIVE]),
  ],
  checks: [oneOf('suppression', 'reason', suppressionReasons)],
});
export class Suppression extends SuppressionSchema.class {}
SuppressionSchema.setClass(Suppression);
