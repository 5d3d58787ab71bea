import type { Environment } from '../../billing/environments.ts';
import type { TimedProcess } from '../../billing/processes.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { ProcessFacts } from '../../db/queries/processes/facts.ts';
import { TestClockStep } from '../../db/schema/testClock.ts';
import type { LockedCustomer } from './lockedCustomer.ts';

/**
 * The result of one step of a process. `waited` and `facts` stay in the worker. The rest is JSON, because activities return it and workflow
 * histories show it.
 */
export interface StepOutcome {
  /** Description of the step that was taken; null: nothing was due. */
  did: string | null;
  /** Time of the next wake-up, epoch milliseconds; null: nothing is planned. */
  wakeAt: number | null;
  /** Description of the step that is planned then. */
  next: string | null;
  /** Whether the next step is already due. */
  more: boolean;
  /** Id of the committed attempt whose gateway call must be made now; null: none. */
  call: number | null;
  /** The environment whose queue the step waited in, and since when (epoch milliseconds of real time). Absent on a test clock. */
  waited?: { environment: Environment; since: number };
  /** The state of the object after the step, from rows that the step has in hand. Absent: it is read. */
  facts?: ProcessFacts;
}

/** The object that a process is about. */
export interface ProcessKey {
  accountId: number;
  id: number;
}

/** The result when nothing is due or planned. */
export const NOTHING: StepOutcome = { did: null, wakeAt: null, next: null, more: false, call: null };

/** Adds a step to the list of steps of the test clock's current advance. Does nothing for a customer without an advancing clock. */
export function tellClock(
  em: EntityManager,
  locked: Pick<LockedCustomer, 'moment' | 'clockId' | 'advance'>,
  step: { type: TimedProcess; id: number; did: string },
): void {
  const { clockId, advance, moment } = locked;
  if (clockId === null || advance === null) return;
  const accountId = moment.caller.account.id;
  em.append(TestClockStep, {
    accountId,
    testClock: [accountId, clockId],
    advance,
    at: moment.now,
    subjectType: step.type,
    subjectId: step.id,
    did: step.did,
  });
}
