import type { ErrorCode } from '../../billing/errorCodes.ts';
import { compare, roundMoney } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

interface Wanted {
  id: number;
  amount: string;
  /** The balance that earlier applications of the request leave; absent: the whole balance. */
  owed?: string;
  currency: string;
  /** Path of the application in the request, `applied_to[0]`; null: none. */
  param: string | null;
}

/**
 * Refuses an invoice that cannot be paid: one that is unknown, of a customer outside the family, in another currency, a draft, voided, paid
 * or closed, or whose balance is smaller than the amount.
 */
export function checkCollectable(
  locked: LockedCustomer,
  invoice: Invoice | undefined,
  wanted: Wanted,
): asserts invoice is Invoice {
  const refuse = (code: ErrorCode, message: string, field = 'invoice'): never => {
    throw new Refusal(code, message, wanted.param === null ? undefined : `${wanted.param}[${field}]`);
  };
  if (!invoice || !isOfFamily(locked, invoice))
    return refuse('resource_missing', `Invoice was not found: ${wanted.id}`);
  if (invoice.currency !== wanted.currency)
    return refuse('currency_mismatch', `Invoice ${invoice.number} is in ${invoice.currency}, not ${wanted.currency}`);
  if (!invoice.issuedAt) return refuse('state_conflict', `Invoice ${invoice.id} is a draft: issue it first`);
  if (invoice.status === 'voided') return refuse('state_conflict', `Invoice ${invoice.number} is voided`);
  if (invoice.paid || invoice.closed)
    return refuse('state_conflict', `Invoice ${invoice.number} is ${invoice.paid ? 'paid' : 'closed'}`);
  const owed = roundMoney(wanted.owed ?? invoice.balance, wanted.currency);
  const amount = roundMoney(wanted.amount, wanted.currency);
  if (compare(amount, owed) > 0)
    return refuse(
      'amount_too_large',
      `Invoice ${invoice.number} has a balance of ${owed}, less than ${amount}`,
      'amount',
    );
}

function isOfFamily({ customer, family }: LockedCustomer, invoice: Invoice): boolean {
  return invoice.customer.id === customer.id || Boolean(family?.has(invoice.customer.id));
}
