import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CreditBalanceAdjustment } from '../../db/schema/creditBalanceAdjustment.ts';
import { number, orNull, type Presented, unix } from '../kernel/values.ts';

export function presentCreditBalanceAdjustment(adjustment: Plain<CreditBalanceAdjustment>): Presented {
  return {
    id: adjustment.id,
    object: 'credit_balance_adjustment',
    customer: adjustment.customer.id,
    currency: adjustment.currency,
    amount: number(adjustment.amount),
    date: unix(adjustment.date),
    notes: orNull(adjustment.notes),
    credit_note: adjustment.creditNoteId ?? null,
    refund: adjustment.refundId ?? null,
    created_at: unix(adjustment.createdAt),
    updated_at: unix(adjustment.updatedAt),
  };
}
