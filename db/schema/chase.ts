import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { timestamps } from './columns.ts';
import { Customer } from './customer.ts';

const ChaseSchema = defineEntity({
  name: 'Chase',
  policies: policiesThrough('chase', 'customer'),
  comment: 'How far a customer is in its cadence; its process has the id of the customer',
  properties: {
    accountId: p.integer().primary(),
    /** Id of the customer. */
    id: p.integer().primary(),
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    /** Id of the cadence that it followed when it was last planned; null: none. */
    cadenceId: p.integer().nullable(),
    /** Ids of the steps that were taken since the customer was last paid up. */
    taken: p.array((id) => Number(id)).columnType('int[]'),
    /** Time of the last step, and its local day; null: none was taken. */
    lastStepAt: p.datetime().nullable(),
    lastStepOn: p.date().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'chase_by_customer', properties: ['accountId', 'customer'] },
    { name: 'chase_by_cadence', properties: ['accountId', 'cadenceId', 'id'] },
  ],
  checks: [{ name: 'chase_id', expression: 'id = customer_id' }],
});
export class Chase extends ChaseSchema.class {}
ChaseSchema.setClass(Chase);
