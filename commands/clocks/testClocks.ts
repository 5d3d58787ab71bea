import { Refusal } from '../../billing/refusal.ts';
import { lockTestClock } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { deleteClockRows } from '../../db/queries/clocks/deletion.ts';
import { enqueue } from '../../db/queries/processes/outbox.ts';
import { TestClock } from '../../db/schema/testClock.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';

/** Creates a test clock frozen at a time. Refuses live accounts. */
export async function createTestClock(
  em: EntityManager,
  input: { caller: Caller; name: string | null; frozenAt: Date },
  systemNow: Date,
): Promise<TestClock> {
  const { caller, name, frozenAt } = input;
  checkSandbox(caller);
  const clock = em.create(TestClock, {
    accountId: caller.account.id,
    name,
    frozenAt,
    status: 'ready',
    advances: 0,
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  await em.write();
  return clock;
}

/**
 * Starts an advance of a test clock. Its process then runs everything that is due up to the target. An advance to the current time runs the
 * work that is left there, for example after a stop. Refuses an earlier time, a clock that is advancing, and live accounts. Throws Missing.
 */
export async function advanceTestClock(
  em: EntityManager,
  input: { caller: Caller; id: number; targetAt: Date },
  systemNow: Date,
): Promise<TestClock> {
  checkSandbox(input.caller);
  const clock = await lockIdleClock(em, input);
  const { targetAt } = input;
  if (targetAt < clock.frozenAt)
    throw new Refusal('parameter_invalid', "Frozen time must not be before the clock's current time", 'frozen_time');
  const { accountId, id } = clock;
  const advances = clock.advances + 1;
  em.assign(clock, { status: 'advancing', targetAt, stopReason: null, advances, progressedAt: systemNow });
  clock.updatedAt = systemNow;
  enqueue(em, { accountId, topic: 'clock', subjectId: id, dueAt: systemNow });
  return clock;
}

/**
 * Deletes a test clock with its customers and all their objects, and reverses their ledger entries. Refuses while the clock advances or a
 * charge of its customers is undecided. Throws Missing.
 */
export async function deleteTestClock(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<void> {
  checkSandbox(input.caller);
  const { accountId, id } = await lockIdleClock(em, input);
  const deleted = await deleteClockRows(em, { accountId, id }, systemNow);
  if (!deleted) throw new Refusal('busy', 'A charge of one of its customers is in progress');
}

/** Locks a test clock. Refuses one that is advancing. Throws Missing. */
async function lockIdleClock(em: EntityManager, { caller, id }: { caller: Caller; id: number }): Promise<TestClock> {
  const clock = await lockTestClock(em, { accountId: caller.account.id, id }, 'no key update');
  if (!clock) throw new Missing('Test clock', id);
  if (clock.status === 'advancing') throw new Refusal('busy', `Test clock ${id} is advancing`);
  return clock;
}

function checkSandbox({ account }: Caller): void {
  if (account.environment !== 'sandbox') throw new Refusal('state_conflict', 'Test clocks exist only in the sandbox');
}
