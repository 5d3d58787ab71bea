import { compare, roundMoney } from '../../billing/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { CustomerMoment } from '../kernel/moment.ts';

interface Wanted {
  id: number;
  amount: string;
  /** What is left of the credit note; all of its balance when absent. */
  left?: string;
  currency: string;
  /** The application as the request names it, `applied_to[0]`. */
  param: string;
}

/** Refuses what cannot pay: an unknown credit note, another customer's, another currency, a draft, one that is over, or too little. */
export function checkApplicable(
  at: CustomerMoment,
  note: CreditNote | undefined,
  wanted: Wanted,
): asserts note is CreditNote {
  const refuse = (message: string, field = 'credit_note'): never => {
    throw new Refusal(message, `${wanted.param}[${field}]`);
  };
  if (!note || note.customer.id !== at.customer.id) return refuse(`Credit note was not found: ${wanted.id}`);
  const name = `Credit note ${note.number ?? note.id}`;
  if (note.currency !== wanted.currency) return refuse(`${name} is in ${note.currency}, not ${wanted.currency}`);
  if (note.status === 'draft') return refuse(`${name} is a draft: issue it first`);
  if (note.status === 'voided' || note.status === 'closed') return refuse(`${name} is ${note.status}`);
  const left = roundMoney(wanted.left ?? note.balance, wanted.currency);
  const amount = roundMoney(wanted.amount, wanted.currency);
  if (compare(amount, left) > 0) return refuse(`${name} has a balance of ${left}, less than ${amount}`, 'amount');
}
