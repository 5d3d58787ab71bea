import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { checkBillable } from '../customers/billable.ts';
import type { Caller } from '../kernel/caller.ts';
import { lockCustomer } from '../kernel/lockedCustomer.ts';
import { pendingCurrencies } from '../lineItems/pendingLines.ts';
import { whyUnbillable } from '../lineItems/unbillable.ts';
import { numberBill, type WrittenBill, writePending } from './bills.ts';

/**
 * Invoices the pending lines of a customer by request: for each currency as many invoices as the lines need, the customer's own currency
 * first. Returns the first invoice. Refuses when there are no lines, when no line can be billed, and when the sum is negative in every
 * currency. Refuses a customer that is not active, is on credit hold, or would be over its credit limit. Throws Missing.
 */
export async function invoicePendingLines(
  em: EntityManager,
  who: { caller: Caller; customerId: number },
  systemNow: Date,
): Promise<LockedInvoice> {
  const locked = await lockCustomer(em, who, systemNow);
  const { id } = locked.customer;
  checkBillable(locked);
  const currencies = await pendingCurrencies(em, locked);
  if (currencies.length === 0) throw new Refusal('state_conflict', `Customer ${id} has no pending line items`);
  const bills: WrittenBill[] = [];
  for (const currency of currencies) bills.push(...(await writePending(em, locked, { currency })));
  const holdReason = bills.find((bill) => bill.holdReason !== null)?.holdReason;
  if (holdReason) throw new Refusal('state_conflict', `${holdReason}: nothing can be issued to it`, 'customer');
  const [first] = bills;
  if (!first) {
    const unbillable = await whyUnbillable(em, locked);
    throw new Refusal(
      'state_conflict',
      unbillable ??
        `Pending line items of customer ${id} have a negative sum: they stay pending until other lines outweigh them`,
    );
  }
  for (const bill of bills) await numberBill(em, locked, bill);
  return { ...locked, ...first };
}
