import { createHash } from 'node:crypto';
import { Refusal } from '../../../billing/refusal.ts';
import { recurring } from '../../../billing/subscriptions/recurring.ts';
import {
  checkCustomersAddon,
  checkCustomersPlan,
  checkCustomersQuantity,
  checkPreviewedAt,
  type RegularPrice,
  timeOfChange,
} from '../../../billing/subscriptions/selfService.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { linesOfEach } from '../../../db/queries/documents/lines.ts';
import { CreditNote } from '../../../db/schema/creditNote.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import { presentPendingChange } from '../../../present/subscriptions/subscription.ts';
import { labelsOf } from '../../../words/labels/words.ts';
import { type LockedSubscription, lockSubscription } from '../../aggregates/subscription.ts';
import type { Caller } from '../../kernel/caller.ts';
import { chooseAddons, type WantedAddon } from '../changes/addons.ts';
import { updateSubscription } from '../changes/changing.ts';
import { componentLines, componentsWanted } from '../changes/components.ts';
import { type Foreseen, foresee } from '../changes/foresight.ts';
import { asWanted } from '../changes/pendingChange.ts';
import { priceAfter } from '../prices/renewalPrice.ts';
import { findPlan } from '../steps/plans.ts';
import {
  type AskedAddon,
  allowedBy,
  canTake,
  changedAddons,
  refuseObstacle,
  refuseRepeated,
  requestedAddons,
} from './asking.ts';

/** A change of a subscription that its customer asks for. Absent fields stay as they are. */
export interface CustomersChange {
  caller: Caller;
  id: number;
  planCode?: string | undefined;
  quantity?: number | undefined;
  /** Those that are not named stay. */
  addons?: readonly AskedAddon[] | undefined;
  /** When the customer saw the preview: the change counts from then. Absent: from now. */
  previewedAt?: Date | undefined;
  /** The fingerprint of the preview. Absent: there was none. */
  seen?: string | undefined;
}

/** A change that was made. */
export interface MadeChange {
  locked: LockedSubscription;
  time: 'now' | 'renewal';
  /** Total of a regular bill afterwards, with taxes. */
  recurringTotal: string;
  /** Ids of the documents that it wrote at once. */
  invoiceIds: number[];
  creditNoteIds: number[];
  /** What the customer agrees to: it differs once anything that the preview showed does. */
  seen: string;
}

/**
 * Makes a change that a customer asks for. A lower price waits for the renewal or counts now, a higher one likewise, as the account says. Refuses
 * what the account does not allow, a change while something else is planned, and one whose result differs from the preview. Throws Missing.
 */
export async function changeAsCustomer(
  em: EntityManager,
  asked: CustomersChange,
  systemNow: Date,
): Promise<MadeChange> {
  const made = await make(em, asked, systemNow);
  if (asked.seen !== undefined && asked.seen !== made.seen)
    throw new Refusal('state_conflict', 'The change would cost something else than the preview showed', 'seen');
  return made;
}

/** A change that a customer may make, and what follows. */
export interface PreviewedChange {
  made: MadeChange;
  /** When it counts from. */
  previewedAt: Date;
  /** The documents at once, and the first invoice afterwards; null: none is planned. */
  invoices: Foreseen<unknown>['invoices'];
  creditNotes: Foreseen<unknown>['creditNotes'];
  next: Foreseen<unknown>['invoices'][number] | null;
}

/** Makes a change to show what it costs. Call it in a dry run. Refuses what `changeAsCustomer` refuses. */
export async function previewAsCustomer(
  em: EntityManager,
  asked: CustomersChange,
  systemNow: Date,
): Promise<PreviewedChange> {
  const { caller, id } = asked;
  const { moment } = await lockSubscription(em, { caller, id }, systemNow);
  const previewedAt = asked.previewedAt ?? new Date(Math.floor(moment.now.getTime() / 1000) * 1000); // as requests send it back
  const change = async () => {
    const made = await make(em, { ...asked, previewedAt, seen: undefined }, systemNow);
    return { locked: made.locked, shown: made };
  };
  const { shown, invoices, creditNotes } = await foresee(em, { caller, of: { id }, count: 2, change }, systemNow);
  const atOnce = (documentId: number) => shown.invoiceIds.includes(documentId);
  return {
    made: shown,
    previewedAt,
    invoices: invoices.filter(({ invoice }) => atOnce(invoice.id)),
    creditNotes: creditNotes.filter(({ creditNote }) => shown.creditNoteIds.includes(creditNote.id)),
    next: invoices.find(({ invoice }) => !atOnce(invoice.id)) ?? null,
  };
}

async function make(em: EntityManager, asked: CustomersChange, systemNow: Date): Promise<MadeChange> {
  const { caller, id } = asked;
  const locked = await lockSubscription(em, { caller, id }, systemNow);
  refuseObstacle(locked);
  if (asked.previewedAt) checkPreviewedAt(asked.previewedAt.getTime(), locked.moment.now.getTime());
  const wanted = await wantedBy(em, locked, asked);
  const time = timeOf(locked, wanted);
  const last = await lastDocuments(em, locked);
  const { planCode, quantity, addons } = wanted.change;
  const price = {
    ...(planCode === undefined ? {} : { planCode }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(addons === undefined ? {} : { addons }),
  };
  const at = time === 'now' ? countsFrom(locked, asked.previewedAt) : {};
  const when = time === 'now' ? ({ prorate: 'now', ...at } as const) : { isForRenewal: true };
  const changed = await updateSubscription(em, { caller, id, ...price, ...when, isOfCustomer: true }, systemNow);
  await em.write();
  const { price: recurringTotal } = await priceAfter(em, changed, changed.subscription.pendingChange ?? null);
  const made = { locked: changed, time, recurringTotal };
  const written = await documentsSince(em, changed, last);
  return {
    ...made,
    invoiceIds: written.invoices.map(({ id }) => id),
    creditNoteIds: written.creditNotes.map(({ id }) => id),
    seen: await fingerprintOf(em, made, written),
  };
}

/** What a customer asks for, once it was found and allowed. */
interface Wanted {
  change: Pick<CustomersChange, 'planCode' | 'quantity'> & { addons?: ReturnType<typeof requestedAddons> };
  plan: Plan;
  quantity: number;
  addons: WantedAddon[];
}

/** Finds what a customer asks for. Refuses what it cannot have. */
async function wantedBy(em: EntityManager, locked: LockedSubscription, asked: CustomersChange): Promise<Wanted> {
  const { subscription, plan: current } = locked;
  const plan = await planOf(em, locked, asked.planCode);
  const isOtherPlan = plan !== current;
  const isMetered = plan.quantityType === 'usage';
  const quantity = isMetered ? 1 : (asked.quantity ?? subscription.quantity);
  const allowed = allowedBy(locked, plan);
  if (!isMetered) checkCustomersQuantity(allowed, { before: subscription.quantity, after: quantity, isOtherPlan });
  refuseRepeated(asked.addons ?? []);
  const named = changedAddons(locked, asked.addons ?? []);
  for (const [index, one] of named.entries()) checkCustomersAddon(allowed, one, `addons[${index}]`);
  const requested = requestedAddons(locked, named);
  const addons =
    named.length === 0
      ? locked.addons.map(asWanted)
      : await chooseAddons(em, { plan, requested, current: locked.addons });
  const change = {
    planCode: isOtherPlan ? plan.code : undefined,
    quantity: isMetered || quantity === subscription.quantity ? undefined : quantity,
    ...(named.length === 0 ? {} : { addons: requested }),
  };
  return { change, plan, quantity, addons };
}

/** The plan that a customer asks for: the present one, or another one that it can choose. */
async function planOf(em: EntityManager, locked: LockedSubscription, code: string | undefined): Promise<Plan> {
  if (code === undefined || code === locked.plan.code) return locked.plan;
  checkCustomersPlan(allowedBy(locked, locked.plan), code);
  const plan = await findPlan(em, { accountId: locked.subscription.accountId, code });
  if (canTake(locked, plan)) return plan;
  throw new Refusal('state_conflict', `The customer of this subscription cannot change to plan ${code} itself`, 'plan');
}

function timeOf(locked: LockedSubscription, { plan, quantity, addons, change }: Wanted): 'now' | 'renewal' {
  if (Object.values(change).every((value) => value === undefined)) return 'now'; // nothing changes
  const { subscription, plan: current } = locked;
  const { amount = null } = subscription;
  const before = priceOf(current, { quantity: subscription.quantity, amount, addons: locked.addons.map(asWanted) });
  const after = priceOf(plan, { quantity, amount: plan === current ? amount : null, addons });
  const param = change.planCode !== undefined ? 'plan' : change.quantity !== undefined ? 'quantity' : 'addons';
  return timeOfChange(allowedBy(locked, current), { before, after, param });
}

/** The regular price, without discounts and taxes. Usage is left out. */
function priceOf(plan: Plan, sold: Parameters<typeof componentsWanted>[1]): RegularPrice {
  const { currency, interval, intervalCount } = plan;
  const lines = componentsWanted(plan, sold).flatMap((component) =>
    componentLines(component, { rates: new Map(), labels: labelsOf('en') }),
  );
  const { mrr } = recurring({ lines, discounts: [], taxes: [], currency, interval, intervalCount });
  return { monthly: mrr, interval, intervalCount };
}

/** The time from which a change counts: that of its preview, if the same period runs. */
function countsFrom(
  { subscription, moment }: LockedSubscription,
  previewedAt: Date | undefined,
): { prorationDate?: Date } {
  if (!previewedAt) return {};
  const { periodStartAt, periodEndAt } = subscription;
  const isRunning =
    periodStartAt &&
    periodEndAt &&
    Math.floor(periodStartAt.getTime() / 1000) <= Math.floor(previewedAt.getTime() / 1000) &&
    periodEndAt > moment.now;
  return isRunning ? { prorationDate: previewedAt } : {};
}

/** Ids of the newest documents of a locked customer. Only this transaction writes further ones. */
async function lastDocuments(em: EntityManager, { customer }: LockedSubscription): Promise<Last> {
  const { accountId } = customer;
  const newest = { orderBy: { id: 'desc' }, limit: 1 } as const;
  const [invoice] = await em.find(Invoice, { accountId, customer }, newest);
  const [creditNote] = await em.find(CreditNote, { accountId, customer }, newest);
  return { invoice: invoice?.id ?? 0, creditNote: creditNote?.id ?? 0 };
}

interface Last {
  invoice: number;
  creditNote: number;
}

/** The documents that a change wrote at once. */
interface AtOnce {
  invoices: Invoice[];
  creditNotes: CreditNote[];
}

async function documentsSince(em: EntityManager, { customer }: LockedSubscription, last: Last): Promise<AtOnce> {
  const { accountId } = customer;
  const inOrder = { orderBy: { id: 'asc' } } as const;
  const invoices: Invoice[] = await em.find(Invoice, { accountId, customer, id: { $gt: last.invoice } }, inOrder);
  const since = { accountId, customer, id: { $gt: last.creditNote } };
  const creditNotes: CreditNote[] = await em.find(CreditNote, since, inOrder);
  return { invoices, creditNotes };
}

/** The fingerprint of everything that a change sells and bills at once. */
async function fingerprintOf(
  em: EntityManager,
  { locked, time, recurringTotal }: Pick<MadeChange, 'locked' | 'time' | 'recurringTotal'>,
  { invoices, creditNotes }: AtOnce,
): Promise<string> {
  const { subscription, plan, addons } = locked;
  const sold = addons.map((addon) => [addon.plan?.code ?? null, addon.item?.code ?? null, addon.quantity]);
  const pending = presentPendingChange(subscription.pendingChange);
  const billed = [...(await billedBy(em, 'invoice', invoices)), ...(await billedBy(em, 'credit_note', creditNotes))];
  const told = [time, plan.code, subscription.quantity, sold, pending, Number(recurringTotal), billed];
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 32);
}

/** The lines and sums of documents. */
async function billedBy(
  em: EntityManager,
  kind: 'invoice' | 'credit_note',
  documents: readonly (Invoice | CreditNote)[],
): Promise<unknown[]> {
  const [first] = documents;
  if (!first) return [];
  const lines = await linesOfEach(em, kind, { accountId: first.accountId, ids: documents.map(({ id }) => id) });
  return documents.map(({ id, total }) => [
    kind,
    Number(total),
    (lines.get(id) ?? []).map(({ name, quantity, unitCost }) => [name, Number(quantity), Number(unitCost)]),
  ]);
}
