import { compare, roundMoney } from '../../billing/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { CustomerMoment } from '../kernel/moment.ts';

interface Wanted {
  id: number;
  amount: string;
  /** What of the invoice's balance is still to be paid; all of it when absent. */
  owed?: string;
  currency: string;
  /** The application as the request names it, `applied_to[0]`; null: it names none. */
  param: string | null;
}

/** Refuses what may not be paid: unknown, of a customer that is not of the family, another currency, over, or more than is owed. */
export function checkCollectable(
  at: CustomerMoment,
  invoice: Invoice | undefined,
  wanted: Wanted,
): asserts invoice is Invoice {
  const refuse = (message: string, field = 'invoice'): never => {
    throw new Refusal(message, wanted.param === null ? undefined : `${wanted.param}[${field}]`);
  };
  if (!invoice || !isOfFamily(at, invoice)) return refuse(`Invoice was not found: ${wanted.id}`);
  if (invoice.currency !== wanted.currency)
    return refuse(`Invoice ${invoice.number} is in ${invoice.currency}, not ${wanted.currency}`);
  if (!invoice.issuedAt) return refuse(`Invoice ${invoice.id} is a draft: issue it first`);
  if (invoice.status === 'voided') return refuse(`Invoice ${invoice.number} is voided`);
  if (invoice.paid || invoice.closed) return refuse(`Invoice ${invoice.number} is ${invoice.paid ? 'paid' : 'closed'}`);
  const owed = roundMoney(wanted.owed ?? invoice.balance, wanted.currency);
  const amount = roundMoney(wanted.amount, wanted.currency);
  if (compare(amount, owed) > 0)
    return refuse(`Invoice ${invoice.number} has a balance of ${owed}, less than ${amount}`, 'amount');
}

function isOfFamily({ customer, family }: CustomerMoment, invoice: Invoice): boolean {
  return invoice.customer.id === customer.id || Boolean(family?.has(invoice.customer.id));
}
