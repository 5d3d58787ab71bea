import { createHash, randomUUID } from 'node:crypto';
import { Refusal } from '../../billing/refusal.ts';
import { type Choice, checkChoice } from '../../billing/signUps/terms.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Coupon } from '../../db/schema/coupon.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { Plan } from '../../db/schema/plan.ts';
import type { SignUpDetails } from '../../db/schema/signUp.ts';
import type { SignUpPage } from '../../db/schema/signUpPage.ts';
import type { MailedSubscription } from '../../present/emails/subscription.ts';
import type { LockedSubscription } from '../aggregates/subscription.ts';
import { createCustomer, type NewCustomer } from '../customers/customers.ts';
import type { Caller } from '../kernel/caller.ts';
import { createSubscription, type NewSubscription } from '../subscriptions/changes/creating.ts';
import { type Foreseen, foresee } from '../subscriptions/changes/foresight.ts';
import { mailedSubscription } from '../subscriptions/steps/mails.ts';
import { findPlan } from '../subscriptions/steps/plans.ts';

/** What a visitor of a sign-up page orders. */
export interface Order {
  caller: Caller;
  page: SignUpPage;
  choice: Choice;
  /** Null: an existing customer orders. */
  details: SignUpDetails | null;
  /** The existing customer; null: a new one. */
  customerId: number | null;
  language: string;
}

/** The price of an order, by the functions that bill it. */
export interface Quote {
  currency: string;
  trialDays: number;
  /** Decimal text: what is charged at once. */
  due: string;
  /** The total of later bills as long as nothing changes, with taxes and discounts without an end. */
  recurringTotal: string;
  /** The first invoice, issued at once or after the trial. */
  first: Foreseen<unknown>['invoices'][number];
  /** The subscription as mails tell of it. */
  terms: MailedSubscription;
  /** Number of bills after which its coupon ends; null: it has none that ends. */
  discountedBills: number | null;
}

/** Makes an order to show its price. Call it in a dry run. Refuses what the page does not offer and what `createSubscription` refuses. */
export async function quoteOrder(em: EntityManager, order: Order, systemNow: Date): Promise<Quote> {
  checkChoice(order.choice, order.page);
  const plan = await findPlan(em, { accountId: order.page.accountId, code: order.choice.plan });
  const customerId =
    order.customerId ?? (await createCustomer(em, newCustomer(order, plan, { number: randomUUID() }), systemNow)).id;
  await em.write();
  const change = async () => {
    const locked = await createSubscription(em, newSubscription(order, customerId), systemNow);
    const { recurringTotal } = locked.subscription;
    return { locked, shown: { recurringTotal, terms: mailedSubscription(locked), now: locked.moment.now.getTime() } };
  };
  const { caller } = order;
  const { shown: made, invoices } = await foresee(em, { caller, of: { customerId }, count: 1, change }, systemNow);
  const discountedBills = await billsOfCoupon(em, order);
  const [first] = invoices;
  if (!first) throw new Error(`an order of plan ${plan.code} bills nothing`);
  refuseHeld(first.invoice);
  const { now, ...shown } = made;
  const { trialDays } = order.page;
  const due = first.invoice.issuedAt?.getTime() === now ? first.invoice.balance : '0';
  return { ...shown, discountedBills, currency: plan.currency, trialDays, first, due };
}

async function billsOfCoupon(em: EntityManager, { page, choice }: Order): Promise<number | null> {
  if (choice.coupon === null) return null;
  const coupon = await em.findOne(Coupon, { accountId: page.accountId, code: choice.coupon, archivedAt: null });
  return coupon?.duration || null;
}

/** Refuses the order of a customer whose first invoice would be held for a review: it would subscribe, and nothing would be charged. */
export function refuseHeld({ issuedAt }: Invoice): void {
  if (!issuedAt) throw new Refusal('state_conflict', 'The first invoice would be held for a review', 'customer');
}

/** Hash of what a visitor has to know before it orders. */
export function seenOf(quote: Pick<Quote, 'currency' | 'due' | 'recurringTotal' | 'trialDays'>): string {
  const { currency, due, recurringTotal, trialDays } = quote;
  const told = [currency, Number(due), Number(recurringTotal), trialDays].join(' ');
  return createHash('sha256').update(told).digest('hex');
}

/** The first invoice of a subscription that was created in this transaction. Null: there is none, as in a trial. */
export async function firstInvoice(em: EntityManager, { subscription }: LockedSubscription): Promise<Invoice | null> {
  await em.write();
  const { accountId, id } = subscription;
  return em.findOne(Invoice, { accountId, subscription: [accountId, id] as const });
}

/** The plans of a page that can be chosen, in their order. */
export async function offeredPlans(em: EntityManager, { accountId, plans }: SignUpPage): Promise<Plan[]> {
  const found = await em.find(Plan, { accountId, code: { $in: plans }, archivedAt: null });
  return plans.flatMap((code) => found.find((plan) => plan.code === code) ?? []);
}

/** The customer of an order. `number`: null takes the next one of the series. */
export function newCustomer(
  { caller, details, language }: Order,
  { currency }: Pick<Plan, 'currency'>,
  how: { id?: number; number: string | null },
): NewCustomer {
  const { taxId = null, ...known } = details ?? EMPTY;
  return {
    caller,
    ...how,
    fields: {
      ...known,
      taxId,
      type: taxId === null ? 'person' : 'company',
      autopay: true,
      autopayDelayDays: -1,
      currency,
      language,
      metadata: {},
    },
  };
}

const EMPTY = { name: '', taxId: null };

/** The subscription of an order. Its confirmation is mailed once the first invoice is paid. */
export function newSubscription({ caller, page, choice }: Order, customerId: number): NewSubscription {
  return {
    caller,
    customerId,
    planCode: choice.plan,
    quantity: choice.quantity,
    addons: choice.addons.map(({ index, quantity }) => {
      const { plan = null, item = null } = page.addons[index] ?? {};
      return { planCode: plan, itemCode: item, quantity };
    }),
    discounts: choice.coupon === null ? [] : [choice.coupon],
    startAt: null,
    trialDays: page.trialDays > 0 ? page.trialDays : null,
    cycles: null,
    paused: false,
    cancelAtPeriodEnd: false,
    metadata: {},
    isConfirmedLater: true,
  };
}
