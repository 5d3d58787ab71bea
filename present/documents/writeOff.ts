import { add } from '../../billing/money.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { WriteOff } from '../../db/schema/writeOff.ts';
import { number, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

export function presentWriteOff(row: Plain<WriteOff>): Presented {
  return {
    id: row.id,
    object: 'write_off',
    invoice: row.invoice.id,
    kind: row.kind,
    currency: row.currency,
    amount: number(row.amount),
    tax: number(add('0', ...Object.values(row.taxes))),
    account: row.ledgerAccount,
    payment: orNull(row.paymentId),
    reason: orNull(row.reason),
    reversed_at: unixOrNull(row.reversedAt),
    created_at: unix(row.createdAt),
    updated_at: unix(row.updatedAt),
  };
}
