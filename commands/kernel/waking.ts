import { isKnownRule, type TimedProcess } from '../../billing/processes.ts';
import { reasonOf, type Wait } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { enqueue } from '../../db/queries/processes/outbox.ts';
import { firstWait, type Waiting } from '../../db/queries/processes/queues.ts';
import { Problem } from '../../db/schema/problem.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';
import { waitInWords } from '../../present/processes/process.ts';
import type { Moment } from './caller.ts';
import { NOTHING, type StepOutcome } from './stepOutcome.ts';

/** Rule of the wake-up that retries a problem. */
export const PROBLEM_RULE = 'problem';

/**
 * Takes the step of a process if one may be due. Every wait is a row, so one query tells. On a test clock the step itself decides. If nothing is
 * due, returns the call that a worker owed when it died, if `owedCall` finds one: SQL of an attempt's id, with the account and the object as
 * parameters.
 */
export async function ifDue(
  em: EntityManager,
  who: Waiting & { systemNow: Date; owedCall?: string },
  step: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const { systemNow } = who;
  const { call, wait } = await firstWait(em, who, systemNow);
  const idle = { ...NOTHING, call };
  if (!wait) return idle;
  const wakeAt = new Date(wait.at).getTime();
  if (wait.clockId === null && wakeAt > systemNow.getTime())
    return { ...idle, wakeAt, next: waitInWords({ step: wait.step, reason: reasonOf(wait) }) };
  const outcome = await step();
  const taken = outcome.did === null && outcome.call === null ? { ...outcome, call } : outcome;
  if (wait.clockId !== null) return taken;
  return { ...taken, waited: { environment: wait.environment, since: new Date(wait.since).getTime() } };
}

/** A waiting process: its object and its test clock. */
export interface Waiter {
  process: TimedProcess;
  subjectId: number;
  clockId: number | null;
}

export interface Waking {
  waiter: Waiter;
  waits: readonly Wait[];
  /** Its current wake-ups: empty for a new object, else from `wakeupsOf`. */
  existing: readonly Wakeup[];
  /** True when the process itself calls: it reads the result and needs no signal. */
  inside?: boolean;
  /**
   * True when the process runs and shows operators its next wait: it is then signalled on every change of that time or step, not only on an
   * earlier time.
   */
  isShown?: boolean;
  /** Whether a step is due now. */
  isDue?: boolean;
}

/**
 * Time of a process's next wake-up, epoch milliseconds, and its step in words. Null: none, or its test clock drives it. `more`: a step is due
 * now.
 */
export interface Planned {
  wakeAt: number | null;
  next: string | null;
  more: boolean;
}

export const NOTHING_PLANNED: Planned = { wakeAt: null, next: null, more: false };

/** Wake-ups of processes of one kind, except those that only a later version knows. */
export async function wakeupsOf(
  em: EntityManager,
  { accountId, process, ids }: { accountId: number; process: TimedProcess; ids: number[] },
): Promise<Wakeup[]> {
  const rows = await em.find(Wakeup, { accountId, process, subjectId: { $in: ids } });
  return rows.filter(({ rule }) => isKnownRule(process, rule));
}

/**
 * Replaces the wake-ups of a process by `waits`, and closes its problem. Signals the process if its next wake-up is earlier than before, or
 * if it had none or had a problem. In real time, `isShown` also signals it if the time or the step of its next wake-up changes. Does not
 * signal if `inside` is true. Returns the next wake-up; null on a test clock.
 */
export async function setWakeups(em: EntityManager, moment: Moment, waking: Waking): Promise<Planned> {
  if (isStuck(waking)) await closeProblems(em, moment, { ...waking.waiter, ids: [waking.waiter.subjectId] });
  return writeWakeups(em, moment, waking);
}

/** Like `setWakeups` for several processes of the same kind, in a fixed number of queries. */
export async function setAllWakeups<Locked extends { moment: Moment }>(
  em: EntityManager,
  targets: readonly Locked[],
  of: { process: TimedProcess; idOf: (locked: Locked) => number; plan: (locked: Locked, existing: Wakeup[]) => Waking },
): Promise<Planned[]> {
  const [first] = targets;
  if (!first) return [];
  const { process, idOf, plan } = of;
  const rows = await wakeupsOf(em, { accountId: first.moment.caller.account.id, process, ids: targets.map(idOf) });
  const existing = Map.groupBy(rows, (row) => row.subjectId);
  const planned = targets.map((locked) => ({ locked, waking: plan(locked, existing.get(idOf(locked)) ?? []) }));
  const stuck = planned.filter(({ waking }) => isStuck(waking)).map(({ waking }) => waking.waiter.subjectId);
  if (stuck.length > 0) await closeProblems(em, first.moment, { process, ids: stuck });
  return planned.map(({ locked, waking }) => writeWakeups(em, locked.moment, waking));
}

function isStuck({ existing }: Waking): boolean {
  return existing.some((row) => row.rule === PROBLEM_RULE);
}

function writeWakeups(em: EntityManager, moment: Moment, waking: Waking): Planned {
  const { waiter, waits, existing } = waking;
  const before = earliest(existing.map((row) => row.at.getTime()));
  const stepBefore = existing.find((row) => row.at.getTime() === before)?.step;
  for (const row of existing) if (!waits.some((wait) => wait.rule === row.rule)) em.remove(row);
  for (const wait of waits) {
    putWakeup(em, moment, { waiter, wait, row: existing.find((row) => row.rule === wait.rule) });
  }
  const next = earliest(waits.map((wait) => wait.at));
  const isEarlier = next !== null && (isStuck(waking) || before === null || next < before);
  const first = waits.find((wait) => wait.at === next);
  const differs = next !== before || first?.step !== stepBefore;
  const isOther = waking.isShown && waiter.clockId === null && before !== null && differs;
  if (!waking.inside && next !== null && isEarlier) wakeProcess(em, moment, { ...waiter, at: new Date(next) });
  else if (!waking.inside && isOther) wakeProcess(em, moment, { ...waiter, at: moment.now });
  const more = waking.isDue ?? false;
  if (next === null || !first || waiter.clockId !== null) return { wakeAt: null, next: null, more };
  return { wakeAt: next, next: waitInWords(first), more };
}

function putWakeup(
  em: EntityManager,
  moment: Moment,
  put: { waiter: Waiter; wait: Wait; row: Wakeup | undefined },
): void {
  const { rule, at, step, reason } = put.wait;
  const { process, subjectId, clockId } = put.waiter;
  const timeBase: Wakeup['timeBase'] = clockId === null ? 'real' : 'clock';
  const isMoved = put.row?.at.getTime() !== at;
  const because = { reason: reason?.code ?? null, reasonDetail: reason?.detail ?? null };
  const values = { at: new Date(at), step, ...because, sweeps: 0, handedAt: null, clockId, timeBase };
  const written = isMoved ? { ...values, putAt: moment.systemNow } : values;
  if (put.row) em.assign(put.row, written);
  else em.create(Wakeup, { accountId: moment.caller.account.id, process, subjectId, rule, ...written });
}

/**
 * Writes an outbox row: the relay signals the process at `at`, the customer's time. On a test clock only a due wake-up is signalled.
 * `takenAt`: real time before which the relay leaves it; absent: now.
 */
export function wakeProcess(em: EntityManager, moment: Moment, waiter: Waiter & { at: Date; takenAt?: Date }): void {
  const { at, takenAt = moment.systemNow } = waiter;
  if (waiter.clockId !== null && at > moment.now) return;
  enqueue(em, {
    accountId: moment.caller.account.id,
    topic: waiter.process,
    subjectId: waiter.subjectId,
    dueAt: takenAt,
    startAt: waiter.clockId === null && at > moment.systemNow ? at : null,
    clockId: waiter.clockId,
  });
}

async function closeProblems(
  em: EntityManager,
  moment: Moment,
  { process, ids }: { process: TimedProcess; ids: number[] },
): Promise<void> {
  const open = { subjectType: process, subjectId: { $in: ids }, closedAt: null };
  await em.nativeUpdate(
    Problem,
    { accountId: moment.caller.account.id, ...open },
    { closedAt: moment.systemNow, nextTryAt: null },
  );
}

function earliest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.min(...times);
}

/** Wakes the mail pump of an account once the transaction is committed. */
export function wakeMailPump(em: EntityManager, accountId: number, systemNow: Date): void {
  enqueue(em, { accountId, topic: 'mail', subjectId: accountId, shard: 0, dueAt: systemNow });
}
