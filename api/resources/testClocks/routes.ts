import { advanceTestClock, createTestClock, deleteTestClock } from '../../../commands/clocks/testClocks.ts';
import { TestClock } from '../../../db/schema/testClock.ts';
import { presentTestClock } from '../../../present/clocks/testClock.ts';
import { found, pathId, type Route } from '../../framework/route.ts';
import { list } from '../../reading/list.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { changeRoute, createRoute, deleteRoute } from '../../writing/writeRoutes.ts';
import { testClockSteps } from '../testClockSteps/resource.ts';
import { testClocks } from './resource.ts';
import { advance, newTestClock } from './schema.ts';

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
