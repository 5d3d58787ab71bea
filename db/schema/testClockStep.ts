import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { longTenantKey } from './columns.ts';
import { TestClock } from './testClock.ts';

const TestClockStepSchema = defineEntity({
  name: 'TestClockStep',
  policies: tenantPolicies,
  comment: 'A step that was taken while a test clock advanced; the step itself writes the row',
  properties: {
    ...longTenantKey,
    testClock: () => p.manyToOne(TestClock).joinColumns('account_id', 'test_clock_id').deleteRule('cascade'),
    /** Number of the clock's advance. */
    advance: p.integer(),
    /** The customer's time. */
    at: p.datetime(),
    subjectType: p.string().length(32),
    subjectId: p.integer(),
    /** Description: "renewal 4: issued INV-00005 for 49.00 usd". */
    did: p.text(),
  },
  indexes: [
    { name: 'test_clock_step_by_clock', properties: ['accountId', 'testClock', 'id'] },
    { name: 'test_clock_step_by_time', properties: ['accountId', 'testClock', 'at', 'id'] },
    { name: 'test_clock_step_by_advance', properties: ['accountId', 'testClock', 'advance', 'id'] },
  ],
});
export class TestClockStep extends TestClockStepSchema.class {}
TestClockStepSchema.setClass(TestClockStep);
