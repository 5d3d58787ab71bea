import type { TaxRateSnapshot } from '../../billing/document.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TaxRate } from '../../db/schema/taxRate.ts';
import { number, orNull, unix } from '../kernel/values.ts';

/** A tax rate. Documents store this object as a snapshot when the rate is attached. */
export function presentTaxRate(taxRate: Plain<TaxRate>): TaxRateSnapshot {
  return {
    id: taxRate.code,
    object: 'tax_rate',
    name: taxRate.name,
    value: number(taxRate.value),
    is_percent: taxRate.isPercent,
    inclusive: taxRate.inclusive,
    currency: orNull(taxRate.currency),
    created_at: unix(taxRate.createdAt),
    updated_at: unix(taxRate.updatedAt),
    metadata: taxRate.metadata,
  };
}
