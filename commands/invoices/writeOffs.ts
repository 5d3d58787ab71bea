import { exactAmount } from '../../billing/limits.ts';
import { add, amountText, compare } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { WriteOff } from '../../db/schema/writeOff.ts';
import { writeOffsOf } from '../aggregates/badDebt.ts';
import {
  invoiceEventObject,
  type LockedInvoice,
  lockInvoice,
  recordInvoice,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { takePartBack, writeOffPart } from '../aggregates/writeOff.ts';
import { checkCreditLimit } from '../customers/billable.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { updateAfterBalanceChange } from '../payments/applying.ts';

export interface PartToWriteOff {
  caller: Caller;
  id: number;
  amount: string;
  reason: string;
}

/**
 * Writes off a part of what an invoice owes, as bad debt. If something was paid on the invoice, it becomes paid when the rest is written
 * off. Refuses more than is owed, and the whole of an invoice on which nothing was paid: such an invoice is closed instead. Throws Missing.
 */
export async function writeOffOfInvoice(
  em: EntityManager,
  { caller, id, amount: asked, reason }: PartToWriteOff,
  systemNow: Date,
): Promise<LockedInvoice> {
  const locked = await lockInvoice(em, { caller, id }, systemNow);
  const { invoice, moment } = locked;
  const { currency } = invoice;
  const name = `Invoice ${invoice.number ?? invoice.id}`;
  if (!invoice.issuedAt || invoice.closed) {
    const state = invoice.writtenOffAt ? 'closed' : invoice.status;
    const owed = state === 'draft' ? 'it is not owed yet' : 'nothing of it is collected';
    throw new Refusal('state_conflict', `${name} is ${state}: ${owed}`);
  }
  const amount = exactAmount(asked, currency, 'amount');
  if (compare(amount, invoice.balance) > 0) {
    const message = `${name} owes ${amountText(invoice.balance, currency)}, less than ${amount}`;
    throw new Refusal('amount_too_large', message, 'amount');
  }
  const isUnpaid = compare(add(invoice.balance, invoice.writtenOff), invoice.total) === 0;
  if (isUnpaid && compare(amount, invoice.balance) === 0)
    throw new Refusal('state_conflict', `Nothing of ${name} was paid: close it to write off all of it`, 'amount');
  const before = invoiceEventObject(locked);
  writeOffPart(em, locked, { amount, kind: 'part', reason });
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: invoice.paid ? 'invoice.paid' : 'invoice.updated', before });
  await updateAfterBalanceChange(em, [locked]);
  return locked;
}

/** Takes a write-off of a part back: it is owed again. Refuses one that closed its invoice, and one that was taken back. Throws Missing. */
export async function reverseWriteOffOfInvoice(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<WriteOff> {
  const found = await em.findOne(WriteOff, { accountId: caller.account.id, id });
  if (!found) throw new Missing('Write-off', id);
  const locked = await lockInvoice(em, { caller, id: found.invoice.id }, systemNow);
  const { invoice, moment } = locked;
  const name = `Invoice ${invoice.number ?? invoice.id}`;
  if (found.kind === 'whole')
    throw new Refusal('state_conflict', `${name} was closed: open it again to take the write-off back`);
  const row = writeOffsOf(invoice).find((one) => one.id === id);
  if (!row) throw new Refusal('state_conflict', `Write-off ${id} was taken back already`);
  if (invoice.writtenOffAt) throw new Refusal('state_conflict', `${name} is closed: open it again first`);
  const before = invoiceEventObject(locked);
  takePartBack(em, locked, row);
  updateInvoiceStatus(invoice, moment.now);
  await checkCreditLimit(em, locked, invoice.currency);
  recordInvoice(em, locked, { type: 'invoice.updated', before });
  await updateAfterBalanceChange(em, [locked]);
  return row;
}
