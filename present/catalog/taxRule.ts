import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TaxRate, TaxRule } from '../../db/schema/taxRate.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

/** A tax rule. `taxRate`: its rate. */
export function presentTaxRule(rule: Plain<TaxRule>, taxRate: Pick<TaxRate, 'code'>): Presented {
  return {
    id: rule.id,
    object: 'tax_rule',
    tax_rate: taxRate.code,
    country: orNull(rule.country),
    state: orNull(rule.state),
    reverse_charge: rule.reverseCharge,
    created_at: unix(rule.createdAt),
    updated_at: unix(rule.updatedAt),
  };
}
