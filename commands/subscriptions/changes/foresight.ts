import { nextSubscriptionStep } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { breather } from '../../../db/fairness/breather.ts';
import { reserveIds } from '../../../db/ids.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type Line, linesOfEach } from '../../../db/queries/documents/lines.ts';
import { CreditNote } from '../../../db/schema/creditNote.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import type { WrittenBill } from '../../bills/bills.ts';
import type { Caller } from '../../kernel/caller.ts';
import { type LockedCustomer, lockNamedCustomer, lockOwner, retryOnOwnerChange } from '../../kernel/lockedCustomer.ts';
import { takeStep } from '../steps/billing.ts';

/** A change of a subscription whose bills are to be foreseen. */
export interface Foresight<Shown> {
  caller: Caller;
  /** The subscription, or the customer of a new one. */
  of: { id: number } | { customerId: number };
  /** Number of invoices. */
  count: number;
  /** Makes the change by the command of the real request. `shown`: its answer. The steps that follow change the subscription further. */
  change(): Promise<{ locked: LockedSubscription; shown: Shown }>;
}

/** The result of a dry run. Its documents have no numbers, and ids that nothing will have. */
export interface Foreseen<Shown> {
  shown: Shown;
  /** Time of the change: documents with a later date follow from it. */
  asOf: Date;
  invoices: { invoice: Invoice; lines: Line[] }[];
  /** `corrected`: the existing invoice that it corrects; null: it corrects one of `invoices`, or none. */
  creditNotes: { creditNote: CreditNote; lines: Line[]; corrected: number | null }[];
}

/**
 * Makes a change and takes the steps that follow, each at its time, until there are `count` invoices, or the subscription ends or waits for
 * a request. Nothing else happens meanwhile: nothing is paid, and no test clock moves. Call it in a dry run. Throws what the change throws.
 */
export async function foresee<Shown>(
  em: EntityManager,
  { count, change, ...who }: Foresight<Shown>,
  systemNow: Date,
): Promise<Foreseen<Shown>> {
  const { customer } = await lockCustomerOf(em, who, systemNow);
  // While the customer is locked, only this transaction writes its documents: those with higher ids are foreseen.
  const last = await reserveIds(em, 'invoice', 'credit_note');
  const { locked, shown } = await change();
  await em.write();
  await takeNextSteps(em, locked, count - (await em.count(Invoice, writtenAfter(last.invoice, customer))));
  return { shown, asOf: locked.moment.now, ...(await documentsAfter(em, customer, { last, count })) };
}

function lockCustomerOf(
  em: EntityManager,
  { caller, of }: Pick<Foresight<unknown>, 'caller' | 'of'>,
  systemNow: Date,
): Promise<LockedCustomer> {
  if ('customerId' in of) return lockNamedCustomer(em, { caller, customerId: of.customerId }, systemNow);
  return retryOnOwnerChange(() => lockOwner(em, { caller, table: 'subscription', id: of.id }, systemNow));
}

/** Maximum number of steps and of waits between them. An invoice takes few: with a contract of one cycle, a bill, a renewal and a wait. */
const MOST_STEPS = 400;

/** Number of lines after which no further step is taken, so that the answer stays small. */
const MOST_LINES_FORESEEN = 10_000;

async function takeNextSteps(em: EntityManager, changed: LockedSubscription, count: number): Promise<void> {
  const breathe = breather();
  let locked: LockedSubscription | null = changed;
  let [invoices, lines] = [0, 0];
  for (let steps = 0; locked && steps < MOST_STEPS && invoices < count && lines < MOST_LINES_FORESEEN; steps++) {
    const { due } = nextSubscriptionStep(stateOf(locked), locked.moment.now.getTime());
    if (!due) {
      locked = atNextWait(locked);
      continue;
    }
    const written = await takeStep(em, locked, due);
    await em.write();
    for (const bill of billsOf(written)) {
      invoices += 1;
      lines += bill.lines.length;
    }
    await breathe();
  }
}

function billsOf(written: WrittenBill | null): WrittenBill[] {
  return written ? [written, ...written.more] : [];
}

/** The subscription at its next wait; null: it waits for nothing. The rows of the customer's test clock keep their time. */
function atNextWait(locked: LockedSubscription): LockedSubscription | null {
  const now = locked.moment.now.getTime();
  const later = nextSubscriptionStep(stateOf(locked), now).waits.flatMap((wait) => (wait.at > now ? [wait.at] : []));
  return later.length === 0 ? null : { ...locked, moment: { ...locked.moment, now: new Date(Math.min(...later)) } };
}

function writtenAfter(id: number, customer: Customer) {
  return { accountId: customer.accountId, customer, id: { $gt: id } };
}

async function documentsAfter(
  em: EntityManager,
  customer: Customer,
  { last, count }: { last: { invoice: number; credit_note: number }; count: number },
): Promise<Omit<Foreseen<unknown>, 'shown' | 'asOf'>> {
  const { accountId } = customer;
  const inOrder = { orderBy: { id: 'asc' } } as const;
  const invoices = await em.find(Invoice, writtenAfter(last.invoice, customer), { ...inOrder, limit: count });
  const notes = await em.find(CreditNote, writtenAfter(last.credit_note, customer), inOrder);
  const idsOf = (documents: readonly { id: number }[]) => ({ accountId, ids: documents.map(({ id }) => id) });
  const linesOfInvoices = await linesOfEach(em, 'invoice', idsOf(invoices));
  const linesOfNotes = await linesOfEach(em, 'credit_note', idsOf(notes));
  return {
    invoices: invoices.map((invoice) => ({ invoice, lines: linesOfInvoices.get(invoice.id) ?? [] })),
    creditNotes: notes.map((creditNote) => {
      const corrected = creditNote.invoice?.id ?? null;
      const isOld = corrected !== null && corrected < last.invoice;
      return { creditNote, lines: linesOfNotes.get(creditNote.id) ?? [], corrected: isOld ? corrected : null };
    }),
  };
}
