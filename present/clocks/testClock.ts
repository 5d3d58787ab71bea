import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TestClock, TestClockStep } from '../../db/schema/testClock.ts';
import { orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** A test clock. `happened`: the steps of its last advance. */
export function presentTestClock(clock: Plain<TestClock>, happened: readonly Plain<TestClockStep>[]): Presented {
  return {
    id: clock.id,
    object: 'test_clock',
    name: orNull(clock.name),
    frozen_time: unix(clock.frozenAt),
    status: clock.status,
    target_time: unixOrNull(clock.targetAt),
    stop_reason: orNull(clock.stopReason),
    happened: happened.map(presentTestClockStep),
    created_at: unix(clock.createdAt),
    updated_at: unix(clock.updatedAt),
  };
}

export function presentTestClockStep(step: Plain<TestClockStep>): Presented {
  return {
    id: step.id,
    object: 'test_clock_step',
    advance: step.advance,
    at: unix(step.at),
    subject: { object: step.subjectType, id: step.subjectId },
    did: step.did,
  };
}
