import { condition } from '../../../db/queries/kernel/condition.ts';
import { Item } from '../../../db/schema/item.ts';
import { Plan } from '../../../db/schema/plan.ts';
import { presentPlan } from '../../../present/catalog/plan.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted, where } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { items } from '../items/resource.ts';
import { plan } from './shape.ts';

const ofItem = '(account_id, item_id) in (select account_id, id from item where code = ?)';

export const plans: Resource<Plan, 'code'> = {
  name: 'Plan',
  shape: plan,
  row: Plan,
  idColumn: 'code',
  metadata: true,
  exists: condition('archived_at is null'),
  columns: {
    id: column('code', fields.code),
    name: column('name', fields.text()),
    currency: filtered('currency', fields.currency),
    interval: filtered('"interval"', fields.choice('day', 'week', 'month', 'year')),
    pricing_mode: filtered('pricing_mode', fields.choice('per_unit', 'volume', 'tiered', 'custom')),
    catalog_item: { sort: null, filter: where(fields.code, (code) => condition(ofItem, code)) },
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (reading, rows) => {
    const ids = rows.flatMap(({ item }) => (item ? [item.id] : []));
    const found = await reading.byId(Item, ids);
    return rows.map((row) => presentPlan(row, found.get(row.item?.id ?? 0) ?? null));
  },
  relations: {
    catalog_item: relation(
      () => items,
      (row) => row.item?.id ?? null,
    ),
  },
};
