import { type ConditionFacts, cadenceFor } from '../../billing/collection/cadence.ts';
import { type ChasePlan, type ChasingState, planChase } from '../../billing/collection/chasing.ts';
import { setting } from '../../billing/settings.ts';
import { stepText, stepTexts } from '../../billing/stepTexts.ts';
import type { Wait } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  type ChasedInvoice,
  chasedInvoices,
  paidUpCustomers,
  unappliedMoney,
} from '../../db/queries/chasing/chased.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Account } from '../../db/schema/account.ts';
import { Chase } from '../../db/schema/chase.ts';
import { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { NOTHING_PLANNED, type Planned, setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { chasedFrom, isAskedFor, itemsOf } from './chasedItems.ts';
import { type ChasedInvoices, earliestInvoiceStep, isOnCadence, readInvoiceChases } from './invoiceChasing.ts';
import { STATEMENT_RULE, statementWaits } from './statementWaits.ts';

/** Rules of the wake-ups of a customer's chasing: the next step, and planning anew. */
const CHASE_RULE = 'chase';
const REPLAN_RULE = 'chase_plan';

/** The fields of a customer that conditions of cadences compare. */
export function conditionFactsOf(customer: Plain<Customer>): ConditionFacts {
  const { country, state, currency, language, type, paymentTerms, ownerId, parent, autopay, metadata } = customer;
  const texts = Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value]);
  return {
    ...Object.fromEntries(texts),
    country: country ?? null,
    state: state ?? null,
    currency: currency ?? null,
    language: language ?? null,
    type,
    payment_terms: paymentTerms ?? null,
    owner: ownerId ? String(ownerId) : null,
    parent_customer: parent ? String(parent.id) : null,
    autopay: String(autopay),
  };
}

/** The cadence that a customer follows; null: none. `cadences`: all of the account. */
export function cadenceOf<Cadence extends Plain<ChasingCadence>>(
  customer: Plain<Customer>,
  cadences: readonly Cadence[],
): Cadence | null {
  return cadenceFor(cadences, { named: customer.chasingCadence?.id ?? null, facts: conditionFactsOf(customer) });
}

/** All cadences of an account that ask customers. */
export function cadencesOf(em: EntityManager, accountId: number): Promise<ChasingCadence[]> {
  return em.find(ChasingCadence, { accountId, kind: 'customer' }, { orderBy: { id: 'asc' } });
}

/** The chasing of one customer: what was asked so far, and what can be asked. */
export interface Chased {
  cadence: ChasingCadence | null;
  chase: Chase | null;
  state: ChasingState;
  /** Its invoices on invoice cadences, which `state` leaves out. */
  own: ChasedInvoices;
}

/** Facts about a customer of an account, which the rules of chasing compare. Times are the customer's. */
interface Subject {
  account: Account;
  customer: Customer;
  now: Date;
}

/**
 * Builds the input of the rules from rows that were read. A process loads the holidays of all countries, which take 35 MiB, when it first
 * plans or previews chasing on working days.
 */
export async function chasingStateOf(
  { account, customer, now }: Subject,
  read: {
    cadence: ChasingCadence | null;
    chase: Pick<Chase, 'taken' | 'lastStepOn'> | null;
    invoices: readonly ChasedInvoice[];
    credits: ReadonlyMap<string, string>;
  },
): Promise<ChasingState> {
  const { country = null, state = null } = customer.country ? customer : account;
  const place = { country, state };
  const everyDay = setting(account, 'chasing_days') === 'every';
  const isWorkingDay = everyDay ? () => true : (await import('../../billing/time/workingDays.ts')).isWorkingDay;
  return {
    cadence: read.cadence,
    silence: silenceOf(customer),
    taken: read.chase?.taken ?? [],
    lastStepOn: read.chase?.lastStepOn ?? null,
    items: read.invoices
      .filter((invoice) => !isOnCadence(invoice))
      .flatMap((invoice) => itemsOf(invoice, now.getTime())),
    credits: read.credits,
    isWorkingDay: (day) => isWorkingDay(day, place),
    zone: account.timeZone,
  };
}

function silenceOf({ chase, creditHold, anonymizedAt }: Customer): ChasingState['silence'] {
  if (!chase || anonymizedAt) return 'switched_off';
  return creditHold ? 'credit_hold' : null;
}

/** Reads the chasing of a locked customer. Begins it anew if nothing that was asked for is open any more. Writes unwritten changes first. */
export async function readChased(em: EntityManager, locked: LockedCustomer): Promise<Chased> {
  await em.write();
  const { customer, moment } = locked;
  const { accountId, id } = customer;
  const whose = { accountId, customerIds: [id] };
  const cadence = cadenceOf(customer, await cadencesOf(em, accountId));
  const chase = await em.findOne(Chase, { accountId, id });
  if (chase && (await paidUpCustomers(em, whose)).has(id)) Object.assign(chase, { taken: [], lastStepAt: null });
  const invoices = await chasedInvoices(em, whose);
  const credits = new Map((await unappliedMoney(em, whose)).map(({ currency, amount }) => [currency, amount]));
  const subject = { account: moment.caller.account, customer, now: moment.now };
  const state = await chasingStateOf(subject, { cadence, chase, invoices, credits });
  const itemOf = (invoice: ChasedInvoice) => itemsOf(invoice, moment.now.getTime());
  return { cadence, chase, state, own: await readInvoiceChases(em, locked, { state, invoices, itemOf }) };
}

/** The next step that a customer waits for: of its cadence, or for one of its invoices. Null: none. */
export function nextChase({ cadence, state, own }: Omit<Chased, 'chase'>, now: number): Wait | null {
  return earlierChase(planChase(state, now), { cadence, own, now });
}

/**
 * Chooses between the cadence's step and the next one for an invoice: the earlier of the two. Operators read its words in Temporal, so they
 * name no customer.
 */
function earlierChase(
  plan: ChasePlan | null,
  { cadence, own, now }: Pick<Chased, 'cadence' | 'own'> & { now: number },
): Wait | null {
  const invoice = earliestInvoiceStep(own, now);
  if (plan?.kind === 'step' && (!invoice || plan.at <= invoice.at))
    return chaseWait(
      plan.at,
      stepText('chase', { number: plan.number, count: cadence?.steps.length ?? 0, action: plan.step.action }),
    );
  return (
    invoice &&
    chaseWait(invoice.at, stepText('chase_invoice', { id: invoice.chase.item.invoiceId, action: invoice.step.action }))
  );
}

/** The wait for a step of a customer's chasing. */
export function chaseWait(at: number, step: string): Wait {
  return { rule: CHASE_RULE, at, step };
}

/** What a customer's process waits for next, besides its statement. */
interface ChasingWait {
  /** Null: nothing. */
  next: Wait | null;
  /** The cadence that it follows. Undefined: the one with which it was last planned. */
  cadence?: ChasingCadence | null;
  /** Its current wake-ups; absent: they are read. */
  existing?: readonly Wakeup[];
  /** True when the process itself calls: it has taken what was due. */
  inside?: boolean;
}

/** Replaces the wake-ups of a customer's chasing and statement by those that it needs. Its chasing begins with the first one. */
export async function planChasing(
  em: EntityManager,
  locked: Pick<LockedCustomer, 'customer' | 'moment' | 'clockId'>,
  { next, cadence, inside = false, existing: known }: ChasingWait,
): Promise<Planned> {
  const { customer, moment, clockId } = locked;
  const { accountId, id } = customer;
  const existing = known ?? (await wakeupsOf(em, { accountId, process: 'chasing', ids: [id] }));
  const waits = [...(next ? [next] : []), ...statementWaits(locked, inside ? [] : existing)];
  if (waits.length === 0 && existing.length === 0) return NOTHING_PLANNED;
  const chase = (await em.findOne(Chase, { accountId, id })) ?? newChase(em, locked);
  const cadenceId = cadence?.id ?? null;
  if (cadence !== undefined && chase.cadenceId !== cadenceId)
    Object.assign(chase, { cadenceId, updatedAt: moment.now });
  const waiter = { process: 'chasing' as const, subjectId: id, clockId };
  return setWakeups(em, moment, { waiter, waits, existing, inside });
}

export function newChase(em: EntityManager, { customer, moment }: Pick<LockedCustomer, 'customer' | 'moment'>): Chase {
  const { accountId, id } = customer;
  const times = { createdAt: moment.now, updatedAt: moment.now };
  return em.create(Chase, { accountId, id, customer, cadenceId: null, taken: [], ...times });
}

/** Plans the chasing of the customers of changed invoices. Makes no query for accounts without cadences. */
export async function chaseInvoices(
  em: EntityManager,
  targets: readonly (LockedCustomer & { invoice: Invoice })[],
): Promise<void> {
  for (const ofCustomer of Map.groupBy(targets, ({ customer }) => customer.id).values()) {
    const [locked] = ofCustomer;
    const asked = ofCustomer.map(({ invoice }) => invoice).filter(isAskedFor);
    if (locked?.hasCadences && !silenceOf(locked.customer) && asked.length > 0)
      await chaseSooner(em, locked, asked.map(chasedFrom));
  }
}

/**
 * Plans a customer's chasing for the earliest time at which changed invoices can be due. An earlier plan stays. The process reads all open
 * invoices when it wakes.
 */
async function chaseSooner(em: EntityManager, locked: LockedCustomer, changed: ChasedInvoice[]): Promise<void> {
  const { customer, moment } = locked;
  const { accountId, id } = customer;
  const now = moment.now.getTime();
  const cadence = cadenceOf(customer, await cadencesOf(em, accountId));
  if (!cadence && !changed.some(isOnCadence)) return;
  const chase = await em.findOne(Chase, { accountId, id });
  const subject = { account: moment.caller.account, customer, now: moment.now };
  const state = await chasingStateOf(subject, { cadence, chase, invoices: changed, credits: new Map() });
  const itemOf = (invoice: ChasedInvoice) => itemsOf(invoice, now);
  const own = await readInvoiceChases(em, locked, { state, invoices: changed, itemOf });
  const next = earlierChase(cadence && earliestStep(state, cadence, now), { cadence, own, now });
  const existing = await wakeupsOf(em, { accountId, process: 'chasing', ids: [id] });
  const isPlanned = existing.some(({ rule, at }) => rule !== STATEMENT_RULE && next && at.getTime() <= next.at);
  if (next && !isPlanned) await planChasing(em, locked, { next, cadence, existing });
}

type PlannedStep = Extract<ChasePlan, { kind: 'step' }>;

/** The earliest step that invoices can lead to: the next one, or the first one if the cadence begins anew. Null: none. */
function earliestStep(state: ChasingState, cadence: ChasingCadence, now: number): PlannedStep | null {
  const steps = [state.taken, []].flatMap((taken) => {
    const minBalance = '0';
    const plan = planChase({ ...state, taken, cadence: { ...cadence, minBalance } }, now);
    return plan.kind === 'step' ? [plan] : [];
  });
  return steps.sort((one, other) => one.at - other.at)[0] ?? null;
}

/** Lets the process of a customer plan its next step and statement anew: a cadence, or a field that decides about them, changed. */
export async function planChasingAnew(em: EntityManager, locked: LockedCustomer): Promise<void> {
  const replan: Wait = { rule: REPLAN_RULE, at: locked.moment.now.getTime(), step: stepTexts.plan };
  await planChasing(em, locked, { next: locked.hasCadences ? replan : null });
}
