import { checkNotDisputed, heldUntil } from '../../billing/collection/lineDispute.ts';
import { checkCustomersPromise } from '../../billing/collection/promise.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { isNotCollected } from '../aggregates/collectionState.ts';
import { invoiceEventObject, type LockedInvoice, lockInvoice, recordInvoice } from '../aggregates/invoice.ts';
import type { Caller } from '../kernel/caller.ts';
import { writeOwnersTask } from '../tasks/tasks.ts';
import { updateInvoice } from './changes.ts';

interface Whose {
  caller: Caller;
  id: number;
}

/**
 * Promises a payment of an invoice as its customer does. Refuses what `checkCustomersPromise` refuses, and an invoice that nobody collects.
 * Throws Missing.
 */
export async function promiseAsCustomer(
  em: EntityManager,
  { date, ...whose }: Whose & { date: Date },
  systemNow: Date,
): Promise<LockedInvoice> {
  const { invoice, customer, moment } = await lockInvoice(em, whose, systemNow);
  const { timeZone, promise = null } = invoice;
  checkCustomersPromise({
    day: localDay(date.getTime(), timeZone),
    today: localDay(moment.now.getTime(), timeZone),
    days: setting(moment.caller.account, 'portal_promise_days'),
    promise,
    hasBroken: await hasBrokenPromise(em, { accountId: customer.accountId, customerId: customer.id }),
  });
  const expectedPayment = { date, method: null, reference: null };
  return updateInvoice(em, { ...whose, expectedPayment, fields: {}, content: {} }, systemNow);
}

/** Whether the promised payment of an open invoice of a customer did not come. */
export async function hasBrokenPromise(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<boolean> {
  const customer: [number, number] = [accountId, customerId];
  const broken = { accountId, customer, closed: false, deletedAt: null, promise: 'broken' as const };
  return (await em.count(Invoice, broken)) > 0;
}

/**
 * Disputes a line of an open invoice as its customer does. The owner of the customer, or anybody, gets the task to answer; until it is due
 * nobody asks for the invoice. Refuses an unknown line, one that is disputed already, and an invoice that nobody collects. Throws Missing.
 */
export async function disputeLineAsCustomer(
  em: EntityManager,
  { lineId, reason, ...whose }: Whose & { lineId: number; reason: string },
  systemNow: Date,
): Promise<LockedInvoice> {
  const locked = await lockInvoice(em, whose, systemNow);
  const { invoice, lines, moment } = locked;
  const { account } = moment.caller;
  const { timeZone: zone, disputedLines, disputeHoldUntil } = invoice;
  const name = invoice.number ?? `${invoice.id}`;
  if (!setting(account, 'portal_disputes'))
    throw new Refusal('state_conflict', 'Customers of this account cannot dispute a line themselves');
  if (isNotCollected(invoice))
    throw new Refusal('state_conflict', `Invoice ${name} is not open: its lines cannot be disputed`);
  const line = lines.find(({ id }) => id === lineId);
  if (!line) throw new Refusal('resource_missing', `Line was not found: ${lineId}`, 'line_item');
  checkNotDisputed(disputedLines ?? [], lineId);
  const before = invoiceEventObject(locked);
  const now = moment.now.getTime();
  const days = setting(account, 'dispute_hold_days');
  const until = new Date(heldUntil({ held: disputeHoldUntil?.getTime() ?? null, days, now, zone }));
  invoice.disputedLines = [...(disputedLines ?? []), { line: lineId, reason, at: now }];
  Object.assign(invoice, { disputeHoldUntil: until, updatedAt: moment.now });
  recordInvoice(em, locked, { type: 'invoice.updated', before, reason: 'line_disputed' });
  const disputed = line.name ?? line.itemCode ?? `line ${line.position + 1}`;
  const task = { name: `${name}: ${disputed} is disputed: ${reason}`, action: 'review', dueAt: until } as const;
  await writeOwnersTask(em, locked, { ...task, disputedInvoiceId: invoice.id });
  return locked;
}
