import type { ErrorCode } from '../../billing/errorCodes.ts';
import { compare, roundMoney } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

interface Wanted {
  id: number;
  amount: string;
  /** The balance that earlier applications of the request leave; absent: the whole balance. */
  left?: string;
  currency: string;
  /** Path of the application in the request, `applied_to[0]`. */
  param: string;
}

/**
 * Refuses a credit note that cannot be applied: one that is unknown, of another customer, in another currency, a draft, voided or closed,
 * or whose balance is too small.
 */
export function checkApplicable(
  locked: LockedCustomer,
  note: CreditNote | undefined,
  wanted: Wanted,
): asserts note is CreditNote {
  const refuse = (code: ErrorCode, message: string, field = 'credit_note'): never => {
    throw new Refusal(code, message, `${wanted.param}[${field}]`);
  };
  if (!note || note.customer.id !== locked.customer.id)
    return refuse('resource_missing', `Credit note was not found: ${wanted.id}`);
  const name = `Credit note ${note.number ?? note.id}`;
  if (note.currency !== wanted.currency)
    return refuse('currency_mismatch', `${name} is in ${note.currency}, not ${wanted.currency}`);
  if (note.status === 'draft') return refuse('state_conflict', `${name} is a draft: issue it first`);
  if (note.status === 'voided' || note.status === 'closed')
    return refuse('state_conflict', `${name} is ${note.status}`);
  const left = roundMoney(wanted.left ?? note.balance, wanted.currency);
  const amount = roundMoney(wanted.amount, wanted.currency);
  if (compare(amount, left) > 0)
    return refuse('amount_too_large', `${name} has a balance of ${left}, less than ${amount}`, 'amount');
}
