import type { ChasedItem } from '../../billing/collection/chasing.ts';
import { promiseEndsAt } from '../../billing/collection/promise.ts';
import { isPositive } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { addDaysToDay, endOfDay, localDay } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { ChasedInvoice } from '../../db/queries/chasing/chased.ts';
import { hasOpenDispute } from '../../db/queries/invoices/paidParts.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { formatDay } from '../../present/kernel/values.ts';

/** Whether an invoice can be asked for. */
export const isAskedFor = (invoice: Invoice): boolean =>
  Boolean(invoice.issuedAt) && !invoice.closed && isPositive(invoice.balance) && changesItself(invoice) === null;

/** Why nobody asks for an invoice now that changes again when this has ended; null: it does not. */
function changesItself({ pending, nextPaymentAttemptAt, plan }: Invoice): 'pending' | 'charged' | null {
  if (pending) return 'pending';
  return nextPaymentAttemptAt && plan?.status !== 'active' ? 'charged' : null;
}

/** A changed invoice as the rules compare it. A dispute of a payment does not matter to the earliest time. */
export function chasedFrom(invoice: Invoice): ChasedInvoice {
  const { id, customer, currency, balance, date, issuedAt, dueAt = null, pastDue, promise = null, plan } = invoice;
  return {
    id,
    customerId: customer.id,
    currency,
    balance,
    issuedAt: issuedAt && issuedAt > date ? issuedAt : date,
    dueAt,
    zone: invoice.timeZone,
    pastDue,
    promise,
    expectedAt: invoice.expectedPaymentAt ?? null,
    installments: plan?.status === 'active' ? plan.installments : null,
    disputed: false,
    heldUntil: invoice.disputeHoldUntil ?? null,
    cadenceId: invoice.chasingCadence?.id ?? null,
    takenSteps: invoice.takenSteps ?? null,
    isIssueMailed: Boolean(invoice.issueMailedAt),
  };
}

/** The items of an invoice: its balance, or the missed installments of its payment plan, which count from their dates. */
export function itemsOf(invoice: ChasedInvoice, now: number): ChasedItem[] {
  const { id: invoiceId, currency, zone, installments, balance, dueAt } = invoice;
  const notBefore = lastHoldOf(invoice, now)?.notBefore ?? null;
  const issuedOn = localDay(invoice.issuedAt.getTime(), zone);
  const same = { invoiceId, currency, notBefore };
  if (!installments) {
    const due = dueAt && localDay(dueAt.getTime(), zone);
    return [{ ...same, balance, issuedOn, dueOn: due && laterDay(due, issuedOn), missedAt: null }];
  }
  if (!invoice.pastDue) return [];
  return installments
    .filter((one) => isPositive(one.balance) && endOfDay(localDay(one.date, zone), zone) <= now)
    .map(({ date, balance: amount }) => {
      const day = laterDay(localDay(date, zone), issuedOn);
      return { ...same, balance: amount, issuedOn: day, dueOn: day, missedAt: date };
    });
}

function laterDay(one: string, other: string): string {
  return one > other ? one : other;
}

/** Why an invoice is not asked for, and the first day on which it may be. */
interface Hold {
  because: 'promised' | 'line_disputed' | 'payment_disputed';
  notBefore: string;
}

/**
 * The hold of an invoice that ends last: the day after a promised one, the one after the hold of a disputed line, and tomorrow while a payment
 * of it is disputed. Null: it may be asked for on any day.
 */
function lastHoldOf(invoice: ChasedInvoice, now: number): Hold | null {
  const { promise, expectedAt, zone, disputed, heldUntil } = invoice;
  const holds: Hold[] = [];
  const promised = promiseEndsAt({ promise, expectedAt: expectedAt?.getTime() ?? null, zone });
  if (promised !== null) holds.push({ because: 'promised', notBefore: localDay(promised, zone) });
  if (heldUntil && heldUntil.getTime() > now)
    holds.push({ because: 'line_disputed', notBefore: localDay(heldUntil.getTime(), zone) });
  if (disputed) holds.push({ because: 'payment_disputed', notBefore: addDaysToDay(localDay(now, zone), 1) });
  return holds.toSorted((one, other) => (one.notBefore < other.notBefore ? -1 : 1)).at(-1) ?? null;
}

/** Refuses to ask for an issued, open invoice that its chasing would not ask for now. */
export async function refuseHeld(em: EntityManager, invoice: Invoice, now: Date): Promise<void> {
  const { accountId, id } = invoice;
  const disputed = await hasOpenDispute(em, { accountId, invoiceId: id });
  const why = whyHeld(invoice, { ...chasedFrom(invoice), disputed }, now.getTime());
  if (why !== null) throw new Refusal('state_conflict', why);
}

/** Why nobody asks for an invoice now, in words; null: it may be asked for. */
function whyHeld(invoice: Invoice, chased: ChasedInvoice, now: number): string | null {
  const { number, nextPaymentAttemptAt, expectedPaymentAt } = invoice;
  const { zone } = chased;
  const day = (at: Date | null | undefined) => (at ? formatDay(at, zone, 'en-GB') : '');
  const changes = changesItself(invoice);
  if (changes === 'pending') return `A payment of ${number} is on its way`;
  if (changes === 'charged') return `AutoPay charges ${number} on ${day(nextPaymentAttemptAt)}`;
  const hold = lastHoldOf(chased, now);
  if (hold && hold.notBefore > localDay(now, zone)) {
    if (hold.because === 'promised') return `${number} is promised for ${day(expectedPaymentAt)}`;
    if (hold.because === 'payment_disputed') return `A payment of ${number} is disputed`;
    return `A line of ${number} is disputed: nobody asks for it before ${day(chased.heldUntil)}`;
  }
  return itemsOf(chased, now).length === 0 ? `No installment of the payment plan of ${number} is missed` : null;
}
