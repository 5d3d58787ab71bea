import { Refusal } from '../billing/refusal.ts';
import { dueAt, parseTerms } from '../billing/terms.ts';
import { reserveIds } from '../db/ids.ts';
import { lockRows, lockTestClock } from '../db/lock.ts';
import type { EntityManager } from '../db/orm.ts';
import { Customer } from '../db/schema/customer.ts';
import { Invoice } from '../db/schema/invoice.ts';
import { LineItem } from '../db/schema/lineItem.ts';
import type { TestClock } from '../db/schema/testClock.ts';
import { presentCustomer } from '../present/customer.ts';
import type { Caller } from './caller.ts';
import { assignChanges } from './changes.ts';
import { forEvent, giveDueDate, type InvoiceMoment, recordInvoice, replanInvoice, settle } from './invoiceMoment.ts';
import { accountMoment, type CustomerMoment, lockMoment, whileAdvancing } from './moment.ts';
import { checkNumberFree, takeCustomerNumber } from './numbering.ts';
import { type Moment, record } from './record.ts';
import { wakeupsOf } from './waking.ts';

/** What a request says of a customer. */
export type CustomerFields = Pick<
  Customer,
  | 'name'
  | 'email'
  | 'autopay'
  | 'autopayDelayDays'
  | 'paymentTerms'
  | 'attentionTo'
  | 'address1'
  | 'address2'
  | 'city'
  | 'state'
  | 'postalCode'
  | 'country'
  | 'language'
  | 'currency'
  | 'phone'
  | 'taxId'
  | 'type'
  | 'notes'
> & { metadata: Record<string, string> };

export interface NewCustomer {
  caller: Caller;
  /** Null: the next of the series. */
  number: string | null;
  /** The test clock that it is to live on, with all it owns. */
  testClockId?: number | null;
  fields: CustomerFields;
}

export interface CustomerChange {
  caller: Caller;
  id: number;
  number?: string | undefined;
  fields: { [Name in keyof CustomerFields]?: CustomerFields[Name] | undefined };
}

/** Creates a customer. Refuses a number that is taken, terms that nobody understands, and a test clock that is not there or advances. */
export async function createCustomer(em: EntityManager, input: NewCustomer, systemNow: Date): Promise<Customer> {
  const accountId = input.caller.account.id;
  const testClock = input.testClockId ? await lockClockOf(em, { accountId, id: input.testClockId }) : null;
  const moment = { ...accountMoment(input.caller, systemNow), now: testClock?.frozenAt ?? systemNow };
  if (input.fields.paymentTerms) parseTerms(input.fields.paymentTerms);
  if (input.number) await checkNumberFree(em, 'customer', { accountId, number: input.number });
  const { customer: id } = await reserveIds(em, 'customer');
  const number = input.number ?? (await takeCustomerNumber(em, accountId));
  const times = { createdAt: moment.now, updatedAt: moment.now };
  const customer = em.create(Customer, { ...input.fields, ...times, accountId, id, number, testClock });
  recordCustomer(em, moment, { customer, type: 'customer.created' });
  return customer;
}

/** The clock of a new customer, kept from moving until that is written. */
async function lockClockOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<TestClock> {
  const clock = await lockTestClock(em, { accountId, id }, 'share');
  if (!clock) throw new Refusal(`Test clock was not found: ${id}`, 'test_clock');
  if (clock.status === 'advancing') throw new Refusal(whileAdvancing(id), 'test_clock');
  return clock;
}

/** Changes a customer, if anything differs. Switching AutoPay off switches it off on its open invoices. */
export async function updateCustomer(em: EntityManager, change: CustomerChange, systemNow: Date): Promise<Customer> {
  const at = await lockMoment(em, { caller: change.caller, customerId: change.id }, systemNow);
  const { customer, moment } = at;
  const { accountId } = customer;
  if (change.fields.paymentTerms) parseTerms(change.fields.paymentTerms);
  const { number } = change;
  if (number !== undefined && number !== customer.number) await checkNumberFree(em, 'customer', { accountId, number });
  const before = presentCustomer(customer, customer.defaultSource ?? null);
  const wasAutopay = customer.autopay;
  if (!assignChanges(customer, { ...change.fields, number })) return customer;
  customer.updatedAt = moment.now;
  recordCustomer(em, moment, { customer, type: 'customer.updated', before });
  if (wasAutopay && !customer.autopay) await stopAutopay(em, at);
  return customer;
}

function recordCustomer(
  em: EntityManager,
  moment: Moment,
  change: {
    customer: Customer;
    type: 'customer.created' | 'customer.updated';
    before?: ReturnType<typeof presentCustomer>;
  },
): void {
  const { customer, type, before } = change;
  const subject = { type: 'customer', id: customer.id, row: customer };
  const object = presentCustomer(customer, customer.defaultSource ?? null);
  record(em, moment, { type, subject, object, ...(before ? { before } : {}) });
}

/** Open invoices changed at a time. */
const BATCH = 200;

/** AutoPay off on every open invoice: due by the terms from now on. A charge that is under way goes on. */
async function stopAutopay(em: EntityManager, at: CustomerMoment): Promise<void> {
  const { accountId } = at.customer;
  const open = { accountId, customer: [accountId, at.customer.id] as const, autopay: true, paid: false, closed: false };
  for (;;) {
    const found = await em.find(Invoice, open, {
      fields: ['id'],
      orderBy: { id: 'asc' },
      limit: BATCH,
      disableIdentityMap: true,
    });
    const ids = found.map((invoice) => invoice.id);
    if (ids.length === 0) return;
    await stopAutopayOf(em, at, ids);
    await em.flush();
  }
}

/** Due by the customer's own terms, if it has any; else the account's decide. */
function dueByTerms(at: InvoiceMoment): Date | null {
  const { paymentTerms } = at.customer;
  const due = paymentTerms ? dueAt(at.moment.now.getTime(), parseTerms(paymentTerms), at.invoice.timeZone) : null;
  return due === null ? null : new Date(due);
}

async function stopAutopayOf(em: EntityManager, at: CustomerMoment, ids: number[]): Promise<void> {
  const { accountId } = at.customer;
  const invoices = await lockRows(em, Invoice, { accountId, ids });
  const lines = await em.find(LineItem, { accountId, invoice: invoices }, { orderBy: { position: 'asc' } });
  const wakeups = await wakeupsOf(em, { accountId, process: 'invoice', ids });
  for (const invoice of invoices) {
    const own = { ...at, invoice, lines: lines.filter((line) => line.invoice?.id === invoice.id) };
    const before = forEvent(own);
    invoice.dueAt ??= dueByTerms(own);
    giveDueDate(own);
    Object.assign(invoice, { autopay: false, autopayStopped: false });
    settle(invoice, at.moment.now);
    recordInvoice(em, own, { type: 'invoice.updated', before });
    await replanInvoice(em, own, { existing: wakeups.filter((row) => row.subjectId === invoice.id) });
  }
}
