import { readable } from '../../../billing/look/visibleText.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Account } from '../../../db/schema/account.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import { Subscription } from '../../../db/schema/subscription.ts';
import type { MailedSubscription } from '../../../present/emails/subscription.ts';
import type { PrintedDocument } from '../../../present/printed/document.ts';
import { printableInvoice, printInvoice } from '../../../present/printed/invoice.ts';
import { addonsOfEach, isOver, type LockedSubscription, lockSubscription } from '../../aggregates/subscription.ts';
import { partiesOf } from '../../documents/snapshots.ts';
import { systemCallerOf } from '../../kernel/caller.ts';
import { mailedSubscription } from '../steps/mails.ts';
import { type Foreseen, foresee } from './foresight.ts';

/** A subscription as its public page shows it. */
export interface SubscriptionOnPage {
  customer: Customer;
  terms: MailedSubscription;
  /** The row before the steps that are foreseen. */
  state: Pick<
    Subscription,
    | 'status'
    | 'paused'
    | 'resumeAt'
    | 'cancelAtPeriodEnd'
    | 'periodEndAt'
    | 'pendingRenewal'
    | 'canceledAt'
    | 'startAt'
    | 'anchorAt'
  >;
  addons: { name: string; quantity: number }[];
  /** The next invoice as it would be billed now; null: none is planned. */
  next: { document: PrintedDocument; date: Date } | null;
}

/**
 * Reads a subscription and foresees its next invoice, by the steps that bill. Call it in a dry run, because these steps change rows. Throws
 * Missing.
 */
export async function subscriptionOnPage(
  em: EntityManager,
  { account, id }: { account: Account; id: number },
  systemNow: Date,
): Promise<SubscriptionOnPage> {
  const caller = systemCallerOf(account);
  const locked = await lockSubscription(em, { caller, id }, systemNow);
  const shown = {
    customer: locked.customer,
    ...storedOf(locked),
    addons: locked.addons.map(({ plan, item, quantity }) => ({ name: plan?.name ?? item?.name ?? '', quantity })),
  };
  return { ...shown, next: isOver(locked.subscription) ? null : await nextInvoice(em, locked, systemNow) };
}

/** Terms and state of a subscription as they are stored. */
function storedOf(locked: LockedSubscription): Pick<SubscriptionOnPage, 'terms' | 'state'> {
  const { status, paused, resumeAt, cancelAtPeriodEnd, periodEndAt, pendingRenewal, canceledAt, startAt, anchorAt } =
    locked.subscription;
  return {
    terms: readable(mailedSubscription(locked)),
    state: { status, paused, resumeAt, cancelAtPeriodEnd, periodEndAt, pendingRenewal, canceledAt, startAt, anchorAt },
  };
}

/** A subscription as a list shows it. */
export interface ListedSubscription extends Pick<SubscriptionOnPage, 'terms' | 'state'> {
  id: number;
}

/** The newest subscriptions of a customer, of what is stored: the price since the last change or bill. It locks nothing and foresees nothing. */
export async function listedSubscriptions(
  em: EntityManager,
  { account, customer, most }: { account: Account; customer: Customer; most: number },
  now: Date,
): Promise<ListedSubscription[]> {
  const newest = { orderBy: { id: 'desc' }, limit: most, populate: ['plan.item'] } as const;
  const rows: Subscription[] = await em.find(Subscription, { accountId: account.id, customer }, newest);
  const addons = await addonsOfEach(em, rows);
  const moment = { caller: systemCallerOf(account), now, systemNow: now };
  const of = { customer, moment, clockId: null, advance: null, hasCadences: false };
  return rows.map((subscription) => {
    const own = { ...of, subscription, plan: subscription.plan, addons: addons.get(subscription.id) ?? [] };
    return { id: subscription.id, ...storedOf(own) };
  });
}

async function nextInvoice(
  em: EntityManager,
  locked: LockedSubscription,
  systemNow: Date,
): Promise<SubscriptionOnPage['next']> {
  const { caller } = locked.moment;
  const change = async () => ({ locked, shown: null });
  const { invoices } = await foresee(em, { caller, of: { id: locked.subscription.id }, count: 1, change }, systemNow);
  const [bill] = invoices;
  return bill ? { document: printForeseen(locked, bill), date: bill.invoice.date } : null;
}

/** Prints an invoice that is only foreseen, as its customer would get it. */
export function printForeseen(
  { moment, customer }: LockedSubscription,
  { invoice, lines }: Foreseen<unknown>['invoices'][number],
): PrintedDocument {
  const { account } = moment.caller;
  const { seller, billTo: buyer, language } = partiesOf({ account, customer, billed: customer, theme: null });
  return printInvoice(readable(printableInvoice(invoice, lines, { seller, buyer, language })));
}
