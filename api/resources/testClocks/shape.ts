import { testClockStatuses } from '../../../db/schema/testClock.ts';
import * as fields from '../../framework/shape.ts';
import { testClockStep } from '../testClockSteps/shape.ts';

export const testClock = fields.shape('TestClock', 'Time of the sandbox customers that live on it', {
  id: fields.id('Its id', 3),
  name: fields.nullable(fields.text('What you call it', 'A year of Gold')),
  frozen_time: fields.timestamp('The time of its customers'),
  status: fields.choice('`stopped`: something kept it from its target, see `stop_reason`', ...testClockStatuses),
  target_time: fields.unset(fields.timestamp('Where it is going, while it advances')),
  stop_reason: fields.unset(fields.text('Why the last advance ended before its target', 'invoice 7: no gateway')),
  happened: fields.listOf(
    testClockStep,
    'What happened in the last advance, in the order of time; of more than 100 steps the last: all are in its steps',
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
