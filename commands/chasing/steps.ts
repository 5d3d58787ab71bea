import { type ChaseStep, nextStepOf } from '../../billing/collection/cadence.ts';
import { planChase } from '../../billing/collection/chasing.ts';
import { isIssueMail, takenAfter } from '../../billing/collection/invoiceChasing.ts';
import { stepText } from '../../billing/stepTexts.ts';
import { addDaysToDay, localDay } from '../../billing/time/calendar.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { noteReminder, storeTakenSteps } from '../../db/queries/chasing/chased.ts';
import { hasOtherWork } from '../../db/queries/chasing/tasks.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { type Chased, chaseWait, newChase, nextChase, planChasing, readChased } from '../aggregates/chasing.ts';
import { recordCustomer } from '../customers/customers.ts';
import { type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { type ProcessKey, type StepOutcome, tellClock } from '../kernel/stepOutcome.ts';
import { ifDue } from '../kernel/waking.ts';
import { MOST_BEFORE, payOpenInvoices } from '../payments/spending.ts';
import { sendDueStatements } from '../statements/scheduled.ts';
import { carryOut } from './carryOut.ts';
import { askedIn, type DueReminder, dueReminders } from './dueReminders.ts';

/**
 * Sends a customer's due statement, and takes the due steps of its cadence and its invoices, if any: mails a reminder or makes a task.
 * Steps of the same channel become one reminder. At most one reminder per customer, channel and day.
 */
export function advanceChasing(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'chasing', systemNow }, () => takeSteps(em, key, systemNow));
}

async function takeSteps(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const locked = await retryOnOwnerChange(() => lockOwnerAsSystem(em, { table: 'chase', accountId, id }, systemNow));
  const said = await sendDueStatements(em, locked);
  let { chased, due } = await readDue(em, locked);
  const [first] = due;
  const isPostponed = first !== undefined && (await waitsForOthers(em, locked, first));
  if (first && !isPostponed && (await applyCreditFirst(em, locked, chased)))
    ({ chased, due } = await readDue(em, locked));
  if (!isPostponed) {
    for (const reminder of due) said.push(...(await ask(em, locked, { chased, reminder })));
    showNextStep(em, locked, chased);
  }
  const did = said.length > 0 ? said.join('; ') : null;
  if (did) tellClock(em, locked, { type: 'chasing', id, did });
  if (did) await failpoint('chase.before_commit');
  const now = locked.moment.now.getTime();
  const wait = isPostponed
    ? { next: postponed(first, now) }
    : { next: nextChase(chased, now), cadence: chased.cadence };
  return { did, ...(await planChasing(em, locked, { ...wait, inside: true })), call: null };
}

async function readDue(em: EntityManager, locked: LockedCustomer): Promise<{ chased: Chased; due: DueReminder[] }> {
  const chased = await readChased(em, locked);
  const now = locked.moment.now.getTime();
  return { chased, due: dueReminders(chased, planChase(chased.state, now), now) };
}

/** Pays open invoices from credit in the currencies that a reminder may ask for. Returns whether it paid any. */
async function applyCreditFirst(em: EntityManager, locked: LockedCustomer, { state, own }: Chased): Promise<boolean> {
  const items = [...state.items, ...own.invoices.map(({ item }) => item)];
  let isPaid = false;
  for (const currency of new Set(items.map((item) => item.currency)))
    if (await payOpenInvoices(em, locked, { currency, most: MOST_BEFORE })) isPaid = true;
  return isPaid;
}

const PAUSE_MILLISECONDS = 10 * 60_000;
const LONGEST_WAIT_MILLISECONDS = 60 * 60_000;

/** Reminders come last: whatever else is due for the customer at the same time is done first, for which a step waits an hour at most. */
async function waitsForOthers(em: EntityManager, { customer, moment }: LockedCustomer, first: DueReminder) {
  const { now } = moment;
  if (now.getTime() - first.at >= LONGEST_WAIT_MILLISECONDS) return false;
  return hasOtherWork(em, { accountId: customer.accountId, customerId: customer.id, now });
}

function postponed({ plan, step }: DueReminder, now: number) {
  const { action } = step;
  const words = plan
    ? stepText('chase_later', { number: plan.number, action })
    : stepText('chase_invoice_later', { action });
  return chaseWait(now + PAUSE_MILLISECONDS, words);
}

/**
 * Takes the steps of a reminder. The database refuses a second one of the customer for the same day and channel. Returns it in words; none if
 * unapplied money covers all that it would ask for.
 */
async function ask(
  em: EntityManager,
  locked: LockedCustomer,
  { chased, reminder }: { chased: Chased; reminder: DueReminder },
): Promise<string[]> {
  const { state } = chased;
  const day = localDay(locked.moment.now.getTime(), state.zone);
  const asked = askedIn(chased, reminder, day);
  const isAsked = ({ chase }: DueReminder['invoices'][number]) =>
    asked.some(({ currency }) => currency === chase.item.currency);
  const [open, covered] = [reminder.invoices.filter(isAsked), reminder.invoices.filter((one) => !isAsked(one))];
  for (const { chase } of covered) chase.notBefore = addDaysToDay(day, 1);
  if (asked.length === 0) return [];
  const { step, plan, cadenceId } = reminder;
  const { customer, moment } = locked;
  const asking = { customerId: customer.id, day, channel: step.action, cadenceId, stepId: step.id };
  const reminderId = await noteReminder(em, { accountId: customer.accountId, ...asking, createdAt: moment.now });
  const { credits } = state;
  const did = reminderId === null ? null : await carryOut(em, locked, { reminderId, step, asked, credits });
  if (plan) noteStep(em, locked, { chased, step: plan.step, day, isTaken: did !== null });
  if (did !== null) await noteInvoiceSteps(em, locked, { invoices: open, day });
  const { own } = chased;
  own.days = { ...own.days, askedToday: new Set([...own.days.askedToday, step.action]) };
  return [`${wordsOf(reminder, chased, open.length)}: ${did ?? 'left to the next day'}`];
}

/** "step 1 of 4 and 2 invoice steps" */
function wordsOf({ plan }: DueReminder, { cadence }: Chased, invoices: number): string {
  const ofInvoices = `${invoices} invoice step${invoices === 1 ? '' : 's'}`;
  if (!plan) return ofInvoices;
  const own = `step ${plan.number} of ${cadence?.steps.length}`;
  return invoices > 0 ? `${own} and ${ofInvoices}` : own;
}

function noteStep(
  em: EntityManager,
  locked: LockedCustomer,
  { chased, step, day, isTaken }: { chased: Chased; step: ChaseStep; day: string; isTaken: boolean },
): void {
  const { state } = chased;
  const { now } = locked.moment;
  const chase = chased.chase ?? newChase(em, locked);
  chased.chase = chase;
  const taken = isTaken ? [...state.taken, step.id] : state.taken;
  Object.assign(state, { taken, lastStepOn: day });
  Object.assign(chase, { taken, lastStepOn: day, lastStepAt: now, updatedAt: now });
}

async function noteInvoiceSteps(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  { invoices, day }: Pick<DueReminder, 'invoices'> & { day: string },
): Promise<void> {
  for (const { chase, due } of invoices) chase.taken = takenAfter(chase.taken, due, day);
  const stored = invoices.map(({ chase, due }) => ({
    id: chase.item.invoiceId,
    taken: chase.taken,
    isIssueMail: [due.step, ...due.replaced].some(isIssueMail),
  }));
  await storeTakenSteps(em, { accountId: customer.accountId, invoices: stored, now: moment.now });
}

/** Shows the next step of the cadence on the customer. */
function showNextStep(em: EntityManager, { customer, moment }: LockedCustomer, { cadence, state }: Chased): void {
  const next = cadence ? (nextStepOf(cadence.steps, state.taken)?.id ?? null) : null;
  if ((customer.nextChaseStepId ?? null) === next) return;
  const before = presentWholeCustomer(customer);
  Object.assign(customer, { nextChaseStepId: next, updatedAt: moment.now });
  recordCustomer(em, moment, { customer, type: 'customer.updated', before });
}
