import { nextCollectionStep } from '../billing/collection.ts';
import { invoiceStatus } from '../billing/invoice.ts';
import { compare, isZero } from '../billing/money.ts';
import { Refusal } from '../billing/refusal.ts';
import { customerIdOf, lockRow, lockRows } from '../db/lock.ts';
import type { EntityManager } from '../db/orm.ts';
import { AttemptInvoice } from '../db/schema/attemptInvoice.ts';
import { Invoice } from '../db/schema/invoice.ts';
import { InvoiceLine } from '../db/schema/invoiceLine.ts';
import { Item } from '../db/schema/item.ts';
import type { Wakeup } from '../db/schema/wakeup.ts';
import type { Caller } from './caller.ts';
import { collectionStateOf } from './collectionState.ts';
import { invoiceForEvent, type NewInvoice, type NewLine, numberInvoice, writeInvoice } from './issuing.ts';
import { Missing } from './missing.ts';
import { type CustomerMoment, lockMoment } from './moment.ts';
import { checkNumberFree } from './numbering.ts';
import { ledger, post } from './posting.ts';
import { record } from './record.ts';
import { type Planned, setWakeups, wakeupsOf } from './waking.ts';

export interface RequestedLine extends Omit<NewLine, 'unitCost' | 'name'> {
  name: string | null;
  /** Null: the item's. */
  unitCost: string | null;
}

export interface RequestedInvoice extends Omit<NewInvoice, 'lines' | 'currency' | 'billing'> {
  caller: Caller;
  customerId: number;
  /** Null: the customer's, else the account's. */
  currency: string | null;
  lines: RequestedLine[];
}

/** An invoice with its lines, its customer locked. */
export interface InvoiceMoment extends CustomerMoment {
  invoice: Invoice;
  lines: InvoiceLine[];
}

/** Issues an invoice by request. Refuses an unknown customer or item, a taken number, foreign currency, a negative total. */
export async function createInvoice(
  em: EntityManager,
  input: RequestedInvoice,
  systemNow: Date,
): Promise<InvoiceMoment> {
  const at = await lockMoment(em, input, systemNow).catch((error) => {
    throw error instanceof Missing ? new Refusal(error.message, 'customer') : error;
  });
  const { account } = input.caller;
  if (input.number) await checkNumberFree(em, 'invoice', { accountId: account.id, number: input.number });
  const currency = input.currency ?? at.customer.currency ?? account.currency;
  const lines = await priceLines(em, account.id, { lines: input.lines, currency });
  const written = await writeInvoice(em, at, { ...input, currency, lines });
  await numberInvoice(em, at, written);
  return { ...at, ...written };
}

/** Fills lines from the catalog items that they name: one query for all of them. */
async function priceLines(
  em: EntityManager,
  accountId: number,
  asked: { lines: RequestedLine[]; currency: string },
): Promise<NewLine[]> {
  const codes = [...new Set(asked.lines.flatMap((line) => (line.itemCode ? [line.itemCode] : [])))];
  const items = codes.length === 0 ? [] : await em.find(Item, { accountId, code: { $in: codes }, archivedAt: null });
  const byCode = new Map(items.map((item) => [item.code, item]));
  return asked.lines.map((line, index) => {
    const item = line.itemCode ? byCode.get(line.itemCode) : undefined;
    if (line.itemCode && !item)
      throw new Refusal(`Item was not found: ${line.itemCode}`, `items[${index}][catalog_item]`);
    if (item?.currency && item.currency !== asked.currency) {
      throw new Refusal(
        `Item ${item.code} is priced in ${item.currency}, not ${asked.currency}`,
        `items[${index}][catalog_item]`,
      );
    }
    return {
      ...line,
      name: line.name ?? item?.name ?? null,
      description: line.description ?? item?.description ?? null,
      type: line.type ?? item?.type ?? null,
      unitCost: line.unitCost ?? item?.unitCost ?? '0',
      glAccount: item?.glAccount ?? null,
    };
  });
}

/** Voids an invoice. Refuses while something is applied to it or a charge of it is under way. */
export async function voidInvoice(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<InvoiceMoment> {
  const at = await lockInvoice(em, input, systemNow);
  const { invoice, lines, moment } = at;
  const { accountId } = invoice;
  if (invoice.status === 'voided') throw new Refusal('Invoice is already voided');
  if (compare(invoice.balance, invoice.total) !== 0)
    throw new Refusal('Invoice has payments applied and cannot be voided');
  const undecided = await em.count(AttemptInvoice, { accountId, invoice: [accountId, invoice.id], undecided: true });
  if (undecided > 0)
    throw new Refusal('A charge of this invoice is under way; it can be voided once that has an outcome');
  const about = { customerId: at.customer.id, invoiceId: invoice.id, paymentId: null };
  const dates = { documentAt: invoice.date, postedAt: moment.now };
  post(
    em,
    { accountId, currency: invoice.currency, reason: 'void', ...about, ...dates },
    lines.map((line) => ({ debit: ledger.revenue(line.glAccount), credit: ledger.receivable, amount: line.amount })),
  );
  const before = forEvent(at);
  Object.assign(invoice, { voidedAt: moment.now, balance: '0', closed: true, paid: false, nextPaymentAttemptAt: null });
  settle(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
  await replanInvoice(em, at, {});
  return at;
}

/** Locks an invoice behind its customer (looked up unless it is given), with its lines. */
export async function lockInvoice(
  em: EntityManager,
  who: { caller: Caller; id: number; customerId?: number },
  systemNow: Date,
): Promise<InvoiceMoment> {
  const accountId = who.caller.account.id;
  const customerId = who.customerId ?? (await customerIdOf(em, 'invoice', { accountId, id: who.id }));
  if (customerId === null) throw new Missing('Invoice', who.id);
  const at = await lockMoment(em, { caller: who.caller, customerId }, systemNow);
  const invoice = await lockRow(em, Invoice, { accountId, id: who.id });
  if (!invoice) throw new Missing('Invoice', who.id);
  const lines = await em.find(InvoiceLine, { accountId, invoice }, { orderBy: { position: 'asc' } });
  return { ...at, invoice, lines };
}

/** Locks several invoices of a locked customer, with their lines: two queries however many. What the account does not have is left out. */
export async function lockInvoices(em: EntityManager, at: CustomerMoment, ids: number[]): Promise<InvoiceMoment[]> {
  const { accountId } = at.customer;
  const invoices = await lockRows(em, Invoice, { accountId, ids });
  if (invoices.length === 0) return [];
  const lines = await em.find(InvoiceLine, { accountId, invoice: invoices }, { orderBy: { position: 'asc' } });
  return invoices.map((invoice) => ({ ...at, invoice, lines: lines.filter((line) => line.invoice.id === invoice.id) }));
}

/** Brings status, `paid` and `closed` in line with the rest of a changed invoice. */
export function settle(invoice: Invoice, now: Date): void {
  const voided = Boolean(invoice.voidedAt);
  if (!voided && isZero(invoice.balance))
    Object.assign(invoice, { paid: true, closed: true, nextPaymentAttemptAt: null });
  const { balance, pending, pastDue } = invoice;
  invoice.status = invoiceStatus({ voided, balance, pending, pastDue });
  invoice.updatedAt = now;
}

/** Writes the wake-ups that the invoice's state now asks for. */
export async function replanInvoice(
  em: EntityManager,
  at: InvoiceMoment,
  how: { inside?: boolean; attemptUndecided?: boolean; lastFailure?: string | null; existing?: Wakeup[] },
): Promise<Planned & { more: boolean }> {
  const { invoice, moment, clockId } = at;
  const state = collectionStateOf(moment.caller.account, invoice, {
    attemptUndecided: how.attemptUndecided ?? false,
    lastFailure: how.lastFailure ?? null,
    hasSource: at.customer.defaultSource?.chargeable ?? false,
  });
  const next = nextCollectionStep(state, moment.now.getTime());
  const key = { accountId: invoice.accountId, process: 'invoice' as const, ids: [invoice.id] };
  const existing = how.existing ?? (await wakeupsOf(em, key));
  const waiter = { process: 'invoice' as const, subjectId: invoice.id, clockId };
  const planned = await setWakeups(em, moment, { waiter, waits: next.waits, existing, inside: how.inside ?? false });
  return { ...planned, more: next.due !== null };
}

export function recordInvoice(
  em: EntityManager,
  at: InvoiceMoment,
  change: { type: 'invoice.updated' | 'invoice.paid'; before: ReturnType<typeof forEvent> },
): void {
  const subject = { type: 'invoice', id: at.invoice.id, row: at.invoice };
  record(em, at.moment, { type: change.type, subject, object: forEvent(at), before: change.before });
}

export function forEvent(at: InvoiceMoment) {
  return invoiceForEvent(at.customer, at.invoice, at.lines);
}
