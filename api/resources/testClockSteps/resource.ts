import { condition } from '../../../db/queries/kernel/condition.ts';
import { TestClockStep } from '../../../db/schema/testClockStep.ts';
import { presentTestClockStep } from '../../../present/clocks/testClock.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource } from '../../framework/resource.ts';
import { pathId } from '../../framework/route.ts';
import { testClockStep } from './shape.ts';

/** The steps of the clock in the path, in the order in which they happened. */
export const testClockSteps: Resource<TestClockStep, 'id'> = {
  name: 'Test clock step',
  shape: testClockStep,
  row: TestClockStep,
  idColumn: 'id',
  listed: (request) => condition('test_clock_id = ?', pathId(request, 'Test clock')),
  columns: { id: column('id', fields.longId), advance: filtered('advance', fields.id) },
  parameters: between('at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentTestClockStep),
};
