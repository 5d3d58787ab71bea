import type { Tier } from '../../billing/pricing.ts';
import { fill } from './labels.ts';
import type { Labels } from './wording.ts';

/** Text of a tier on its line: "From 11 to 20". `quantity` writes a number; without it, the decimal text is shown. */
export function tierWords(
  { minQuantity, maxQuantity }: Pick<Tier, 'minQuantity' | 'maxQuantity'>,
  labels: Labels,
  quantity: (value: string) => string = (value) => value,
): string {
  const min = minQuantity === null ? null : quantity(minQuantity);
  const max = maxQuantity === null ? null : quantity(maxQuantity);
  if (min === null) return max === null ? labels.anyQuantity : fill(labels.tierUpTo, { max });
  return max === null ? fill(labels.tierFrom, { min }) : fill(labels.tierBetween, { min, max });
}
