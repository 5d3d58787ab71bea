import { type ChaseStep, nextStepOf } from '../../billing/cadence.ts';
import { localDay } from '../../billing/calendar.ts';
import { type AskedBalance, askedOn, type ChasedItem, type ChasePlan, planChase } from '../../billing/chasing.ts';
import { add, roundMoney } from '../../billing/money.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { hasOtherWork } from '../../db/queries/chasing/otherWork.ts';
import type { Task } from '../../db/schema/task.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { CHASE_RULE, type Chased, newChase, readChased, replanChasing } from '../aggregates/chasing.ts';
import { recordCustomer } from '../customers/customers.ts';
import { tellClock } from '../kernel/clockSteps.ts';
import { type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { ProcessKey, StepOutcome } from '../kernel/stepOutcome.ts';
import { ifDue, setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { writeTask } from '../tasks/tasks.ts';
import { type ItemToRemind, queueReminder } from './reminderMail.ts';

type DueStep = Extract<ChasePlan, { kind: 'step' }>;

/**
 * Takes the due step of a customer's cadence, if any: mails a reminder or makes a task. At most one step per transaction, and per customer and
 * day.
 */
export function advanceChasing(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'chasing', systemNow }, () => takeStep(em, key, systemNow));
}

async function takeStep(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const at = await retryOnOwnerChange(() => lockOwnerAsSystem(em, { table: 'chase', accountId, id }, systemNow));
  const chased = await readChased(em, at);
  const plan = planChase(chased.state, at.moment.now.getTime());
  const isDue = plan.kind === 'step' && plan.isDue;
  if (isDue && (await waitsForOthers(em, at, plan))) return postpone(em, at, plan);
  const did = isDue ? await ask(em, at, { chased, plan }) : null;
  showNextStep(em, at, chased);
  if (did) tellClock(em, at, { type: 'chasing', id, did });
  if (did) await failpoint('chase.before_commit');
  const { wakeAt, next } = await replanChasing(em, at, { chased, inside: true });
  return { did, wakeAt, next, more: false, call: null };
}

const PAUSE_MILLISECONDS = 10 * 60_000;
const LONGEST_WAIT_MILLISECONDS = 60 * 60_000;

/** Reminders come last: whatever else is due for the customer at the same time is done first, for which a step waits an hour at most. */
async function waitsForOthers(em: EntityManager, { customer, moment }: LockedCustomer, plan: DueStep) {
  const { now } = moment;
  if (now.getTime() - plan.at >= LONGEST_WAIT_MILLISECONDS) return false;
  return hasOtherWork(em, { accountId: customer.accountId, customerId: customer.id, now });
}

async function postpone(em: EntityManager, at: LockedCustomer, plan: DueStep): Promise<StepOutcome> {
  const { customer, moment, clockId } = at;
  const { accountId, id } = customer;
  const existing = await wakeupsOf(em, { accountId, process: 'chasing', ids: [id] });
  const step = `step ${plan.number}: ${plan.step.action}, after other work that is due`;
  const waits = [{ rule: CHASE_RULE, at: moment.now.getTime() + PAUSE_MILLISECONDS, step }];
  const waiter = { process: 'chasing' as const, subjectId: id, clockId };
  const planned = await setWakeups(em, moment, { waiter, waits, existing, inside: true });
  return { did: null, ...planned, more: false, call: null };
}

/** Takes a step. The database refuses a second one of the customer for the same day and channel. Returns the step in words. */
async function ask(
  em: EntityManager,
  at: LockedCustomer,
  { chased, plan }: { chased: Chased; plan: DueStep },
): Promise<string> {
  const { state } = chased;
  const { step } = plan;
  const { now } = at.moment;
  const day = localDay(now.getTime(), state.zone);
  const chase = chased.chase ?? newChase(em, at);
  chased.chase = chase;
  const reminderId = await insertReminder(em, at, { day, step, cadenceId: chased.cadence?.id ?? 0 });
  const asked = askedOn(state, day);
  const how = reminderId === null ? 'left to the next day' : await carryOut(em, at, { reminderId, step, asked, state });
  const taken = reminderId === null ? state.taken : [...state.taken, step.id];
  Object.assign(state, { taken, lastStepOn: day });
  Object.assign(chase, { taken, lastStepOn: day, lastStepAt: now, updatedAt: now });
  return `step ${plan.number} of ${chased.cadence?.steps.length}: ${how}`;
}

/** Null: the customer was asked by this channel on this day. */
async function insertReminder(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  { day, step, cadenceId }: { day: string; step: ChaseStep; cadenceId: number },
): Promise<number | null> {
  const [row] = await em.execute<{ id: number }[]>(
    `insert into reminder (account_id, customer_id, day, channel, cadence_id, step_id, created_at) values (?, ?, ?, ?, ?, ?, ?)
     on conflict do nothing returning id`,
    [customer.accountId, customer.id, day, step.action, cadenceId, step.id, moment.now],
  );
  return row?.id ?? null;
}

interface Asking {
  reminderId: number;
  step: ChaseStep;
  asked: AskedBalance[];
  state: Chased['state'];
}

const TASKS: Readonly<Record<ChaseStep['action'], Task['action']>> = {
  email: 'phone',
  sms: 'phone',
  letter: 'letter',
  phone: 'phone',
  escalate: 'review',
};

/** Mails the reminder, or makes the task of the step. A customer without an address is called. */
async function carryOut(em: EntityManager, at: LockedCustomer, asking: Asking): Promise<string> {
  const { step, asked, reminderId } = asking;
  const amounts = asked.map(({ currency, balance }) => `${roundMoney(balance, currency)} ${currency}`).join(', ');
  if (step.action === 'email') {
    const result = await mail(em, at, asking);
    if (result === 'queued') return `asked for ${amounts} by email`;
  }
  const action = TASKS[step.action];
  const userId = step.assignedUserId ?? at.customer.ownerId ?? null;
  const name = `${step.name}: ${amounts}`.slice(0, 255);
  const task = await writeTask(em, at, { name, action, userId, dueAt: at.moment.now, chaseStepId: step.id });
  await em.execute('update reminder set task_id = ? where account_id = ? and id = ?', [
    task.id,
    at.customer.accountId,
    reminderId,
  ]);
  const why = step.action === 'email' ? ', because there is no address' : '';
  return `task ${task.id} (${action}) about ${amounts}${why}`;
}

function mail(em: EntityManager, at: LockedCustomer, { reminderId, asked, state }: Asking) {
  const byInvoice = Map.groupBy(
    asked.flatMap(({ items }) => items),
    ({ invoiceId }) => invoiceId,
  );
  const items = [...byInvoice].map(([invoiceId, ofInvoice]) => itemToRemind(invoiceId, ofInvoice));
  const credits = asked.flatMap(({ currency }) => {
    const amount = state.credits.get(currency);
    return amount === undefined ? [] : [{ currency, amount }];
  });
  return queueReminder(em, at, { cause: `reminder:${reminderId}`, items, credits });
}

/** The balance of an invoice, or the missed installments of its payment plan. */
function itemToRemind(invoiceId: number, items: readonly ChasedItem[]): ItemToRemind {
  const dates = items.flatMap(({ missedAt }) => missedAt ?? []);
  if (dates.length === 0) return { invoiceId };
  const amount = add('0', ...items.map(({ balance }) => balance));
  return { invoiceId, missed: { amount, dueAt: new Date(Math.min(...dates)) } };
}

/** Shows the next step of the cadence on the customer. */
function showNextStep(em: EntityManager, { customer, moment }: LockedCustomer, { cadence, state }: Chased): void {
  const next = cadence ? (nextStepOf(cadence.steps, state.taken)?.id ?? null) : null;
  if ((customer.nextChaseStepId ?? null) === next) return;
  const before = presentWholeCustomer(customer);
  Object.assign(customer, { nextChaseStepId: next, updatedAt: moment.now });
  recordCustomer(em, moment, { customer, type: 'customer.updated', before });
}
