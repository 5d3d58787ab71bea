import { advanceTestClock, createTestClock, deleteTestClock } from '../../commands/clocks/testClocks.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { TestClock, TestClockStep, testClockStatuses } from '../../db/schema/testClock.ts';
import { presentTestClock, presentTestClockStep } from '../../present/clocks/testClock.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { between, column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { found, pathId, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { list } from '../reading/list.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { changeRoute, createRoute, deleteRoute } from '../writing/writeRoutes.ts';

const subject = shown.value('TestClockSubject', 'Object of a step', {
  object: shown.text('Type of the object', 'subscription'),
  id: shown.integer('Id of the object', 1),
});

const testClockStep = shown.shape('TestClockStep', 'Step that was taken while a test clock advanced', {
  id: shown.id('Id of the step', 12),
  advance: shown.integer('Number of the advance of the clock, from 1', 1),
  at: shown.timestamp('Time of the customer at the step'),
  subject: shown.one(subject, 'Object of the step'),
  did: shown.text('Description of the step', 'renewal 4: issued INV-00005 for 49.00 usd'),
});

/** The steps of the clock in the path, in the order in which they happened. */
const testClockSteps: Resource<TestClockStep, 'id'> = {
  name: 'Test clock step',
  area: 'developers',
  shape: testClockStep,
  row: TestClockStep,
  idColumn: 'id',
  listed: (request) => condition('test_clock_id = ?', pathId(request, 'Test clock')),
  columns: { id: column('id', fields.longId), advance: filtered('advance', fields.id) },
  parameters: between('at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentTestClockStep),
};

const testClock = shown.shape('TestClock', 'Test clock: the time of some customers of the sandbox', {
  id: shown.id('Id of the test clock', 3),
  name: shown.nullable(shown.text('Name of the clock, for your own use', 'A year of Gold')),
  frozen_time: shown.timestamp('Time of its customers'),
  status: shown.choice(
    '`ready`: it stands still; `advancing`: it moves to its target; `stopped`: it could not reach its target, see `stop_reason`',
    ...testClockStatuses,
  ),
  target_time: shown.unset(shown.timestamp('Target of the current advance; null: it does not advance')),
  stop_reason: shown.unset(shown.text('Reason why the last advance ended before its target', 'invoice 7: no gateway')),
  happened: shown.listOf(
    testClockStep,
    'Latest 100 steps of the last advance, oldest first; `/test_clocks/:id/steps` lists all',
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const readOnly = ['id', 'object', 'status', 'target_time', 'stop_reason', 'happened', 'created_at', 'updated_at'];

const newTestClock = object(
  {
    name: fields.name,
    frozen_time: fields.required(fields.described(fields.timestamp, 'Initial time of the clock; UNIX time in seconds')),
  },
  { readOnly },
);

const advance = object(
  {
    frozen_time: fields.required(
      fields.described(
        fields.timestamp,
        'Time to advance to, not before the current time of the clock; UNIX time in seconds',
      ),
    ),
  },
  { readOnly, fixed: ['name'] },
);

export const testClocks: Resource<TestClock, 'id'> = {
  name: 'Test clock',
  area: 'developers',
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
  parameters: updatedBetween,
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

const path = '/test_clocks';
/** A clock that was just created, or has just begun to advance, has no steps yet. */
const present = (clock: TestClock) => presentTestClock(clock, []);

export const testClockRoutes: Route[] = [
  createRoute({
    path,
    resource: testClocks,
    summary: 'Create a test clock for customers of the sandbox',
    body: newTestClock,
    present,
    example: { name: 'A year of Gold', frozen_time: 1_798_761_600 },
    command: (em, { caller, body }, now) => {
      const { name, frozen_time: frozenAt } = body;
      return createTestClock(em, { caller, name: name ?? null, frozenAt }, now);
    },
  }),
  listRoute({ path, resource: testClocks, summary: 'List test clocks' }),
  readRoute({ path, resource: testClocks, summary: 'Read a test clock with the steps of its last advance' }),
  changeRoute({
    method: 'POST',
    path: `${path}/:id/advance`,
    operationId: 'advanceTestClock',
    resource: testClocks,
    present,
    summary: 'Advance a test clock: run everything that is due until then, in chronological order',
    body: advance,
    example: { frozen_time: 1_830_297_600 },
    command: (em, { caller, id, body }, now) => advanceTestClock(em, { caller, id, targetAt: body.frozen_time }, now),
  }),
  {
    ...listRoute({
      path: `${path}/:id/steps`,
      resource: testClockSteps,
      summary: 'List the steps of all advances of a test clock',
    }),
    operationId: 'listTestClockSteps',
    handle: async (request) => {
      const id = pathId(request, 'Test clock');
      found(await request.em.findOne(TestClock, { accountId: request.caller.account.id, id }), 'Test clock', id);
      return list(request, testClockSteps);
    },
  },
  deleteRoute({
    path,
    resource: testClocks,
    summary: 'Delete a test clock with its customers and all their objects',
    command: deleteTestClock,
  }),
];
