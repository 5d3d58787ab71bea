import { condition } from '../../../db/queries/kernel/condition.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import type { Reading } from '../../../db/queries/kernel/reading.ts';
import { TestClock, testClockStatuses } from '../../../db/schema/testClock.ts';
import { TestClockStep } from '../../../db/schema/testClockStep.ts';
import { presentTestClock } from '../../../present/clocks/testClock.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { testClock } from './shape.ts';

export const testClocks: Resource<TestClock, 'id'> = {
  name: 'Test clock',
  shape: testClock,
  row: TestClock,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    status: filtered('status', fields.choice(...testClockStatuses)),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (reading, rows) => {
    const steps = await lastSteps(reading, rows);
    return rows.map((row) => presentTestClock(row, steps.get(row.id) ?? []));
  },
};

/** Maximum number of steps of the last advance that a clock shows. */
const MOST_STEPS = 100;

/** The last steps of each clock's last advance, oldest first. */
async function lastSteps(
  reading: Reading,
  clocks: readonly Plain<TestClock>[],
): Promise<Map<number, Plain<TestClockStep>[]>> {
  const from = `(select s.*, c.id as clock from test_clock c cross join lateral (
      select * from test_clock_step s where s.account_id = c.account_id and s.test_clock_id = c.id and s.advance = c.advances
      order by s.id desc limit ${MOST_STEPS}) s)`;
  const where = condition('clock = any(?::int[])', `{${clocks.map(({ id }) => id).join()}}`);
  const order = [{ column: 'id', direction: 'asc', nullable: false }] as const;
  const most = { limit: clocks.length * MOST_STEPS, offset: 0 };
  const found = await reading.slice({ row: TestClockStep, from, where, order, ...most });
  return Map.groupBy(
    found.map(({ row }) => row),
    (row) => row.testClock.id,
  );
}
