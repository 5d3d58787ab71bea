import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { add, compare, subtract, sum } from '../../billing/money/money.ts';
import { type FeeCase, feeOf, feePart, feeRate } from '../../billing/payments/convenienceFee.ts';

const visa = { type: 'card', brand: 'Visa', funding: 'credit' };
const texas = { country: 'US', state: 'TX' };
const usual: FeeCase = { percent: '2.5', places: ['US-TX', 'DE'], payer: texas, card: visa };

describe('whether there is a fee', () => {
  test.each<[string, Partial<FeeCase>, string, string]>([
    ['its percentage', {}, '2.5', '3'],
    ['at most the cap of Visa', { percent: '4' }, '3', '3'],
    ['at most the cap of Mastercard', { percent: '4', card: { ...visa, brand: 'mastercard' } }, '4', '4'],
    ['American Express by its short name', { card: { ...visa, brand: 'amex' } }, '2.5', '4'],
    ['American Express by its long name', { card: { ...visa, brand: 'American Express' } }, '2.5', '4'],
    ['a country as a whole', { payer: { country: 'DE', state: 'Bavaria' } }, '2.5', '3'],
    ['a country without states', { payer: { country: 'DE', state: null } }, '2.5', '3'],
    ['a state in any case', { payer: { country: 'US', state: 'tx' } }, '2.5', '3'],
  ])('%s', (_, more, percent, cap) => {
    expect(feeRate({ ...usual, ...more })).toEqual({ percent, cap });
  });

  test.each<[string, Partial<FeeCase>, string]>([
    ['the account takes none', { percent: '0' }, 'this account takes none: its convenience_fee_percent is 0'],
    ['another state', { payer: { country: 'US', state: 'CT' } }, 'convenience_fee_places does not list US or US-CT'],
    ['no state', { payer: { country: 'US', state: null } }, 'convenience_fee_places does not list US'],
    [
      'a state of that name elsewhere',
      { payer: { country: 'CA', state: 'TX' } },
      'convenience_fee_places does not list CA or CA-TX',
    ],
    ['no country', { payer: { state: 'TX' } }, 'convenience_fee_places does not list a customer without a country'],
    ['no places', { places: [] }, 'convenience_fee_places does not list US or US-TX'],
    ['a bank account', { card: { type: 'bank_account' } }, 'only cards pay one, not bank accounts'],
    ['a debit card', { card: { ...visa, funding: 'debit' } }, 'only credit cards pay one, not debit cards'],
    ['a prepaid card', { card: { ...visa, funding: 'prepaid' } }, 'only credit cards pay one, not prepaid cards'],
    [
      'a card of unknown funding',
      { card: { ...visa, funding: 'unknown' } },
      'only credit cards pay one, not cards of unknown funding',
    ],
    [
      'a token that the gateway does not describe',
      { card: null },
      'only credit cards pay one, not a card of which the gateway does not tell the funding',
    ],
    ['a brand without a cap', { card: { ...visa, brand: 'Diners Club' } }, 'no cap is known for cards of Diners Club'],
    ['no brand', { card: { ...visa, brand: null } }, 'no cap is known for cards of an unknown brand'],
  ])('none: %s', (_, more, refused) => {
    expect(feeRate({ ...usual, ...more })).toEqual({ refused });
  });
});

describe('the fee of an amount', () => {
  test.each([
    ['100.00', '3', '3', 'usd', '3.00'],
    ['33.40', '2.5', '3', 'usd', '0.84'], // 0.835
    ['33.50', '3', '3', 'usd', '1.00'], // 1.005 rounds to 1.01, above the cap
    ['0.16', '3', '3', 'usd', '0.00'], // 0.0048
    ['1234', '3', '4', 'jpy', '37'], // 37.02
    ['10.000', '2.25', '3', 'kwd', '0.225'],
  ])('%s at %s %% with a cap of %s %% in %s: %s', (amount, percent, cap, currency, fee) => {
    expect(feeOf(amount, { percent, cap }, currency)).toBe(fee);
  });

  test('it is never above the cap, and within a minor unit of the percentage', () => {
    const hundredths = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), hundredths, hundredths, (cents, one, other) => {
        const [percent, cap] = [Math.min(one, other), Math.max(one, other)];
        const rate = { percent: String(percent / 100), cap: String(cap / 100) };
        const fee = feeOf((cents / 100).toFixed(2), rate, 'usd');
        const feeCents = BigInt(fee.replace('.', ''));
        expect(feeCents * 10_000n).toBeLessThanOrEqual(BigInt(cents) * BigInt(cap));
        const off = feeCents * 10_000n - BigInt(cents) * BigInt(percent);
        expect(off < 10_000n && off > -10_000n).toBe(true);
      }),
    );
  });
});

/** Refunds in turn, each of so many minor units. Returns the parts of the fee. */
function partsOf(of: string, fee: string, refunds: readonly string[]): string[] {
  let kept = fee;
  let gone = '0.00';
  return refunds.map((amount) => {
    const part = feePart({ fee, of, gone, kept }, amount, 'usd');
    kept = subtract(kept, part);
    gone = add(gone, amount);
    return part;
  });
}

describe('the part of the fee in a refund', () => {
  test.each([
    ['the whole', ['103.00'], ['3.00']],
    ['a half', ['51.50'], ['1.50']],
    ['thirds', ['34.33', '34.33', '34.34'], ['1.00', '1.00', '1.00']],
    ['small parts, of which some take none', ['0.17', '0.17', '0.17', '102.49'], ['0.00', '0.01', '0.00', '2.99']],
    ['more than there is: a dispute after a refund', ['60.00', '103.00'], ['1.75', '1.25']],
  ])('%s', (_, refunds, parts) => {
    expect(partsOf('103.00', '3.00', refunds)).toEqual(parts);
  });

  test('after a refund that failed later, the next one takes what is missing', () => {
    // 0.17 and 0.17 were refunded, with 0.00 and 0.01 of the fee; the second one failed
    expect(feePart({ fee: '3.00', of: '103.00', gone: '0.17', kept: '3.00' }, '102.83', 'usd')).toBe('3.00');
    expect(feePart({ fee: '3.00', of: '103.00', gone: '50.00', kept: '3.00' }, '0.01', 'usd')).toBe('0.01');
    expect(feePart({ fee: '3.00', of: '103.00', gone: '0.00', kept: '2.99' }, '0.01', 'usd')).toBe('0.00');
  });

  test('refunds of the whole give the whole fee back, each within a minor unit of its proportion', () => {
    const money = (cents: number) => (cents / 100).toFixed(2);
    const cases = fc
      .record({ base: fc.integer({ min: 34, max: 1_000_000 }), permille: fc.integer({ min: 1, max: 40 }) })
      .chain(({ base, permille }) => {
        const fee = Math.max(1, Math.floor((base * permille) / 1000));
        const cuts = fc.array(fc.integer({ min: 1, max: base + fee - 1 }), { maxLength: 12 });
        return cuts.map((at) => ({ fee, of: base + fee, cuts: [...new Set(at)].sort((one, other) => one - other) }));
      });
    fc.assert(
      fc.property(cases, ({ fee, of, cuts }) => {
        const ends = [...cuts, of];
        const refunds = ends.map((end, index) => end - (ends[index - 1] ?? 0));
        const parts = partsOf(money(of), money(fee), refunds.map(money));
        expect(sum(parts, 'usd')).toBe(money(fee));
        let refunded = 0;
        let back = '0.00';
        parts.forEach((part, index) => {
          const amount = refunds[index] ?? 0;
          expect(compare(part, '0')).toBeGreaterThanOrEqual(0);
          expect(compare(part, money(amount))).toBeLessThanOrEqual(0);
          refunded += amount;
          back = add(back, part);
          const off = BigInt(back.replace('.', '')) * BigInt(of) - BigInt(fee) * BigInt(refunded);
          expect(2n * (off < 0n ? -off : off)).toBeLessThanOrEqual(BigInt(of)); // half a minor unit
        });
      }),
      { numRuns: 300 },
    );
  });
});
