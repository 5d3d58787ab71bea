import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';

const TestClockSchema = defineEntity({
  name: 'TestClock',
  policies: tenantPolicies,
  comment: 'Time of the sandbox customers that live on it',
  properties: {
    ...tenantKey,
    name: p.string().length(255).nullable(),
    frozenAt: p.datetime(),
    ...timestamps,
  },
});
export class TestClock extends TestClockSchema.class {}
TestClockSchema.setClass(TestClock);
