import { defineEntity, p } from '@mikro-orm/core';
import { type StatementType, statementTypes } from '../../billing/documents/statement.ts';
import { policiesThrough, tenantPolicies } from '../tenant.ts';
import { amount, oneOf, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';

const ScheduledStatementSchema = defineEntity({
  name: 'ScheduledStatement',
  policies: policiesThrough('scheduled_statement', 'customer'),
  comment: 'A statement that a customer got by its schedule; at most one a month in a currency',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    currency: p.string().length(3),
    /** Month of the run, as `2027-03`. */
    month: p.string().length(7),
    type: p.string().length(15).$type<StatementType>(),
    /** Start of its range; null: it begins with the oldest open item. */
    startsAt: p.datetime().nullable(),
    /** Exclusive end of its range. */
    endsAt: p.datetime(),
    closingBalance: amount(),
    /** The task that asks a member to send it; null: it was mailed. */
    taskId: p.integer().nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'scheduled_statement_once', properties: ['accountId', 'customer', 'currency', 'month'] }],
  checks: [oneOf('scheduled_statement', 'type', statementTypes)],
});
export class ScheduledStatement extends ScheduledStatementSchema.class {}
ScheduledStatementSchema.setClass(ScheduledStatement);

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
