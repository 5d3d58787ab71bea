import type { TimedProcess } from '../../billing/processes.ts';
import type { EntityManager } from '../../db/orm.ts';
import { TestClockStep } from '../../db/schema/testClock.ts';
import type { LockedCustomer } from './lockedCustomer.ts';

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
