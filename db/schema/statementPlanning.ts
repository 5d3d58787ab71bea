import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { timestamps } from './columns.ts';

const StatementPlanningSchema = defineEntity({
  name: 'StatementPlanning',
  policies: tenantPolicies,
  comment:
    'How far the statements of all customers are planned anew after a change of the settings; its process has the id of the account',
  properties: {
    accountId: p.integer().primary(),
    /** Id of the account. */
    id: p.integer().primary(),
    /** Id of the last customer that was planned anew; null: all are. */
    planningAfter: p.integer().nullable(),
    /** How many customers were planned anew since the last change. */
    plannedCount: p.integer().default(0),
    ...timestamps,
  },
  checks: [{ name: 'statement_planning_id', expression: 'id = account_id' }],
});
export class StatementPlanning extends StatementPlanningSchema.class {}
StatementPlanningSchema.setClass(StatementPlanning);
