import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Item } from '../../db/schema/item.ts';
import type { TaxRate } from '../../db/schema/taxRate.ts';
import { number, orNull, type Presented, unix } from '../kernel/values.ts';
import { presentTaxRate } from './taxRate.ts';

/** An item. `taxRates`: the tax rates that it refers to, by id. */
export function presentItem(item: Plain<Item>, taxRates: ReadonlyMap<number, Plain<TaxRate>>): Presented {
  const taxes = item.taxRateIds.flatMap((id) => taxRates.get(id) ?? []);
  return {
    id: item.code,
    object: 'item',
    name: item.name,
    currency: orNull(item.currency),
    unit_cost: number(item.unitCost),
    description: orNull(item.description),
    type: orNull(item.type),
    taxable: item.taxable,
    taxes: taxes.map(presentTaxRate),
    taxengine_tax_code: orNull(item.taxengineTaxCode),
    taxengine_location_code: orNull(item.taxengineLocationCode),
    gl_account: orNull(item.glAccount),
    discountable: item.discountable,
    created_at: unix(item.createdAt),
    updated_at: unix(item.updatedAt),
    metadata: item.metadata,
  };
}
