import { testClockStatuses } from '../../../db/schema/testClock.ts';
import * as fields from '../../framework/shape.ts';
import { testClockStep } from '../testClockSteps/shape.ts';

export const testClock = fields.shape('TestClock', 'Test clock: the time of some customers of the sandbox', {
  id: fields.id('Id of the test clock', 3),
  name: fields.nullable(fields.text('Name of the clock, for your own use', 'A year of Gold')),
  frozen_time: fields.timestamp('Time of its customers'),
  status: fields.choice(
    '`ready`: it stands still; `advancing`: it moves to its target; `stopped`: it could not reach its target, see `stop_reason`',
    ...testClockStatuses,
  ),
  target_time: fields.unset(fields.timestamp('Target of the current advance; null: it does not advance')),
  stop_reason: fields.unset(
    fields.text('Reason why the last advance ended before its target', 'invoice 7: no gateway'),
  ),
  happened: fields.listOf(
    testClockStep,
    'Latest 100 steps of the last advance, oldest first; `/test_clocks/:id/steps` lists all',
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
