import type { MethodTerms } from '../../billing/offeredMethods.ts';
import { numberOrNull, type Presented } from '../kernel/values.ts';

export function presentPaymentMethod(terms: MethodTerms): Presented {
  const { method: id, enabled, order, min, max, currency, instructions } = terms;
  return {
    id,
    object: 'payment_method',
    enabled,
    order,
    min: numberOrNull(min),
    max: numberOrNull(max),
    currency,
    instructions,
  };
}
