import { defineEntity, p } from '@mikro-orm/core';
import {
  type AssignmentCondition,
  type AssignmentMode,
  assignmentModes,
  type CadenceKind,
  type ChaseFrequency,
  type ChaseStep,
  cadenceKinds,
  chaseFrequencies,
} from '../../billing/collection/cadence.ts';
import { sharedPolicies } from '../tenant.ts';
import { amount, oneOf, tenantKey, timestamps } from './columns.ts';

const ChasingCadenceSchema = defineEntity({
  name: 'ChasingCadence',
  policies: sharedPolicies,
  comment: 'The steps in which customers are asked for what they owe, and the days and hour of these steps',
  properties: {
    ...tenantKey,
    /** Invoice cadences run daily, without minimum, and are not assigned to customers. */
    kind: p.string().length(8).$type<CadenceKind>().default('customer'),
    /** Invoices that name no cadence get it when they are issued. */
    isDefault: p.boolean().default(false),
    name: p.string().length(255),
    /** Hour in the zone of the account. */
    timeOfDay: p.integer(),
    frequency: p.string().length(12).$type<ChaseFrequency>(),
    runDays: p.json().$type<number[]>(),
    paused: p.boolean(),
    /** Each currency counts by itself. */
    minBalance: amount(),
    assignmentMode: p.string().length(10).$type<AssignmentMode>(),
    assignmentConditions: p.json().$type<AssignmentCondition[]>(),
    /** In their order. Their ids come from the sequence of the cadences. */
    steps: p.json().$type<ChaseStep[]>(),
    /** Id of the last customer that was planned anew after a change; null: all were. */
    planningAfter: p.integer().nullable(),
    /** How many customers were planned anew since the change. */
    plannedCount: p.integer().default(0),
    ...timestamps,
  },
  indexes: [
    {
      name: 'chasing_cadence_default',
      expression:
        'create unique index "chasing_cadence_default" on "chasing_cadence" ("account_id") where assignment_mode = \'default\'',
    },
    {
      name: 'chasing_cadence_invoice_default',
      expression:
        'create unique index "chasing_cadence_invoice_default" on "chasing_cadence" ("account_id") where is_default',
    },
    { name: 'chasing_cadence_by_kind', properties: ['accountId', 'kind', 'id'] },
    { name: 'chasing_cadence_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'chasing_cadence_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'chasing_cadence_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    { name: 'chasing_cadence_hour', expression: 'time_of_day >= 0 and time_of_day <= 23' },
    { name: 'chasing_cadence_minimum', expression: 'min_balance >= 0' },
    oneOf('chasing_cadence', 'frequency', chaseFrequencies),
    oneOf('chasing_cadence', 'assignment_mode', assignmentModes),
    oneOf('chasing_cadence', 'kind', cadenceKinds),
    { name: 'chasing_cadence_of_invoices', expression: "kind = 'customer' or assignment_mode = 'none'" },
    { name: 'chasing_cadence_of_customers', expression: "kind = 'invoice' or not is_default" },
  ],
});
export class ChasingCadence extends ChasingCadenceSchema.class {}
ChasingCadenceSchema.setClass(ChasingCadence);
