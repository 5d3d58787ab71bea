import { defineEntity, p } from '@mikro-orm/core';
import { closedPolicies, tenantPolicies } from '../tenant.ts';
import { longTenantKey, oneOf, tenantKey, timestamps } from './columns.ts';

/** advancing: it runs all due steps up to its target; stopped: it could not reach its target. */
export const testClockStatuses = ['ready', 'advancing', 'stopped'] as const;
export type TestClockStatus = (typeof testClockStatuses)[number];

const TestClockSchema = defineEntity({
  name: 'TestClock',
  policies: tenantPolicies,
  comment: 'Time of the sandbox customers that live on it',
  properties: {
    ...tenantKey,
    name: p.string().length(255).nullable(),
    /** Time of its customers. It moves only while no command on one of them runs: commands hold the row locked, shared. */
    frozenAt: p.datetime(),
    status: p.string().length(9).$type<TestClockStatus>().default('ready'),
    /** Target of the current advance. */
    targetAt: p.datetime().nullable(),
    /** Reason why the last advance ended before its target. */
    stopReason: p.text().nullable(),
    /** Number of requested advances; each step has the number of its advance. */
    advances: p.integer().default(0),
    /** Real time at which it last moved during an advance. */
    progressedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'test_clock_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'test_clock_by_status', properties: ['accountId', 'status', 'id'] },
    { name: 'test_clock_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'test_clock_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    {
      name: 'test_clock_advancing',
      expression: 'create index "test_clock_advancing" on "test_clock" ("progressed_at") where status = \'advancing\'',
    },
  ],
  checks: [
    oneOf('test_clock', 'status', testClockStatuses),
    { name: 'test_clock_target', expression: "(status = 'advancing') = (target_at is not null)" },
  ],
});
export class TestClock extends TestClockSchema.class {}
TestClockSchema.setClass(TestClock);

const TestClockStepSchema = defineEntity({
  name: 'TestClockStep',
  policies: closedPolicies,
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
