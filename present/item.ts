import type { Plain } from '../db/queries/plain.ts';
import type { Item } from '../db/schema/item.ts';
import { number, orNull, type Presented, unix } from './values.ts';

export function presentItem(item: Plain<Item>): Presented {
  return {
    id: item.code,
    object: 'item',
    name: item.name,
    currency: orNull(item.currency),
    unit_cost: number(item.unitCost),
    description: orNull(item.description),
    type: orNull(item.type),
    taxable: true,
    taxes: [],
    taxengine_tax_code: null,
    taxengine_location_code: null,
    gl_account: orNull(item.glAccount),
    discountable: true,
    created_at: unix(item.createdAt),
    updated_at: unix(item.updatedAt),
    metadata: item.metadata,
  };
}
