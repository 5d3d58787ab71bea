import fc from 'fast-check';
import type { DiscountTerm, Priced, PricedLine, TaxTerm } from '../../billing/documents/totals.ts';

/** Some currencies with two decimals, and all currencies with 0, 3 or 4. */
const CURRENCIES =
  'usd eur gbp inr bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf bhd iqd jod kwd lyd omr tnd clf uyw';

export const currency = fc.constantFrom(...CURRENCIES.split(' '));

/** Decimal text between the bounds, with up to `decimals` decimals. Short and long numbers are equally frequent. */
export function decimals(bounds: { min: number; max: number; decimals: number }): fc.Arbitrary<string> {
  const of = (places: number, most: number) =>
    fc
      .bigInt(BigInt(bounds.min) * 10n ** BigInt(places), BigInt(most) * 10n ** BigInt(places))
      .map((digits) => (places === 0 ? `${digits}` : withPoint(digits, places)));
  const sizes = [0, 1, 2, bounds.decimals].filter((places) => places <= bounds.decimals);
  return fc.oneof(...sizes.map((places) => of(places, bounds.max)), of(sizes[1] ?? 0, Math.min(bounds.max, 10)));
}

function withPoint(digits: bigint, places: number): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, -places)}.${text.slice(-places)}`;
}

const percentage = fc.oneof(
  fc.constantFrom('0', '5', '7.5', '10', '19', '20', '33.3333', '50', '99.99', '100', '2.0000000000'),
  decimals({ min: 0, max: 100, decimals: 6 }),
);
const fixedAmount = decimals({ min: 0, max: 2000, decimals: 0 });

const discount: fc.Arbitrary<DiscountTerm> = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(percentage, fc.constant('150')).map((value) => ({ value, isPercent: true })) },
  { weight: 1, arbitrary: fixedAmount.map((value) => ({ value, isPercent: false })) },
);

/** A few tax rates. Lines and document choose from them, so that one rate is often used in several places. */
const rates: fc.Arbitrary<TaxTerm[]> = fc
  .array(fc.record({ percentage, amount: fixedAmount, kind: fc.nat({ max: 4 }), inclusive: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) =>
    all.map((one, index) => {
      const isPercent = one.kind > 0;
      return { key: `r${index}`, value: isPercent ? one.percentage : one.amount, isPercent, inclusive: one.inclusive };
    }),
  );

const costs = decimals({ min: 0, max: 100_000, decimals: 10 });

function line(known: TaxTerm[], signed: boolean): fc.Arbitrary<PricedLine> {
  return fc.record({
    quantity: fc.oneof(fc.constant('1'), decimals({ min: 0, max: 1000, decimals: 10 })),
    unitCost: signed ? fc.oneof(costs, decimals({ min: -100_000, max: 0, decimals: 10 })) : costs,
    discountable: often,
    taxable: often,
    discounts: fc.array(discount, { maxLength: 3 }),
    taxes: fc.array(fc.constantFrom(...known), { maxLength: 3 }),
  });
}

const often = fc.nat({ max: 5 }).map((one) => one > 0);

/** Random documents. With `signed`, lines may be negative. */
export function pricedDocuments({ signed, lines = 8 }: { signed: boolean; lines?: number }): fc.Arbitrary<Priced> {
  return rates.chain((known) =>
    fc.record({
      lines: fc.array(line(known, signed), { maxLength: lines }),
      discounts: fc.array(discount, { maxLength: 3 }),
      taxes: fc.array(fc.constantFrom(...known), { maxLength: 4 }),
      currency,
      mayBeNegative: fc.constant(true),
    }),
  );
}
