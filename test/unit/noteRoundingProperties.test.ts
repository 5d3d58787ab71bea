import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { totalsOf } from '../../billing/documents/document.ts';
import { compare } from '../../billing/money/money.ts';
import { leftToCredit, reducedBy, reductionTo, roundingOf } from '../../billing/payments/creditCeiling.ts';
import {
  against,
  type Document,
  documentOf,
  expectWhole,
  issued,
  lineOf,
  percentOff,
  rate,
  ratesIn,
  stored,
} from '../support/noteDocuments.ts';
import { Rational } from '../support/rational.ts';

fc.configureGlobal({ seed: 20271127 });

/** Random credit notes that divide an invoice, in rational arithmetic. */

/** The parts of a quantity in tenths. */
const split = (tenths: number, cuts: readonly number[]): number[] => {
  const edges = [0, ...cuts.map((cut) => cut % (tenths + 1)).toSorted((a, b) => a - b), tenths];
  return edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
};
const tenthsText = (tenths: number) => `${Math.floor(tenths / 10)}.${tenths % 10}`;

const partitions = fc.record({
  currency: fc.constantFrom('usd', 'jpy', 'kwd'),
  lines: fc.array(
    fc.record({
      tenths: fc.integer({ min: 1, max: 60 }),
      price: fc.integer({ min: 1, max: 99_999 }),
      isTaxable: fc.boolean(),
      own: fc.option(fc.constantFrom(1, 2), { nil: null }),
      cuts: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
      off: fc.option(fc.integer({ min: 1, max: 9900 }), { nil: null }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  rates: fc.array(fc.constantFrom(20, 19, 7.5, 7.7, 8.875, 0), { minLength: 2, maxLength: 2 }),
  inclusive: fc.tuple(fc.boolean(), fc.boolean()),
  off: fc.option(fc.integer({ min: 1, max: 9900 }), { nil: null }),
  voided: fc.boolean(),
});
type Partition = typeof partitions extends fc.Arbitrary<infer Value> ? Value : never;

/** An invoice, and credit notes that divide it. */
function dividedBy({ currency, lines, rates, inclusive, off }: Partition): { invoice: Document; notes: Document[] } {
  const rateOf = (key: number) => rate(key, rates[key - 1] ?? 0, inclusive[key - 1] ?? false);
  const discount = (hundredths: number | null) =>
    hundredths === null
      ? []
      : [percentOff(`${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`)];
  const more = { currency, taxes: [rateOf(1)], discounts: discount(off) };
  const priced = (line: Partition['lines'][number], index: number, tenths: number) =>
    lineOf(tenthsText(tenths), `${Math.floor(line.price / 100)}.${String(line.price % 100).padStart(2, '0')}`, {
      name: `Line ${index}`,
      taxable: line.isTaxable,
      taxes: line.own === null ? [] : [rateOf(line.own)],
      discounts: discount(line.off),
    });
  const invoice = documentOf(
    lines.map((line, index) => priced(line, index, line.tenths)),
    more,
  );
  const notes = [0, 1, 2, 3].map((place) => {
    const parts = lines.map((line, index) => priced(line, index, split(line.tenths, line.cuts)[place] ?? 0));
    return documentOf(
      parts.filter(({ quantity }) => quantity !== '0.0'),
      more,
    );
  });
  return { invoice, notes: notes.filter((note) => note.lines.length > 0) };
}

test('any division of an invoice into credit notes adds up to it, in total and for each rate', () => {
  fc.assert(
    fc.property(partitions, (partition) => {
      const { invoice, notes } = dividedBy(partition);
      const whole = stored(invoice);
      // A voided note comes first and does not count.
      if (partition.voided && notes[0]) stored(notes[0], roundingOf(notes[0], against(whole, [])));
      expectWhole(whole, issued(whole, notes));
    }),
    { numRuns: 2000 },
  );
});

test('the tax of each credit note is the rounded tax on all that is credited, less what was credited before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('20', '7.5', '8.875'),
      fc.boolean(),
      fc.nat(),
      (cents, percent, isInclusive, plain) => {
        const taxed = { taxes: [rate(1, Number(percent), isInclusive)] };
        const lines = cents.map((price, index) => lineOf('0.01', String(price), { name: String(index) }));
        const invoice = stored(documentOf(lines, taxed));
        const old = new Set([...lines.keys()].filter((index) => (plain >> index) % 2 === 1));
        const notes = issued(
          invoice,
          lines.map((line) => documentOf([line], taxed)),
          old,
        );
        const part = Rational.of(percent).times(new Rational(1n, 100n));
        const share = isInclusive ? part.dividedBy(part.plus(new Rational(1n))) : part;
        let [credited, before] = [0n, 0n];
        for (const [index, note] of notes.entries()) {
          credited += BigInt(cents[index] ?? 0);
          const tax = BigInt(note.taxTotal.replace('.', ''));
          const due = new Rational(credited).times(share).nearest() - before;
          if (!old.has(index) && tax !== (due > 0n ? due : 0n)) throw new Error(`note ${index}: ${tax}, not ${due}`);
          before += tax;
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('a forced credit note comes as close to what is left as whole minor units allow', () => {
  fc.assert(
    fc.property(partitions, fc.integer({ min: 2, max: 9 }), (partition, factor) => {
      const { invoice, notes } = dividedBy(partition);
      const whole = stored(invoice);
      const of = against(whole, issued(whole, notes.slice(0, 1)));
      const asked = {
        ...invoice,
        lines: invoice.lines.map((line) => ({ ...line, quantity: String(Number(line.quantity) * factor) })),
      };
      const most = leftToCredit(of);
      const reductions = reductionTo(asked, { most, of });
      if (!reductions) return;
      const reduced = reducedBy(asked, reductions);
      const { total } = totalsOf(reduced, { rounding: roundingOf(reduced, of) });
      if (compare(total, most) > 0) throw new Error(`${total} exceeds ${most}`);
      const gap = Rational.of(most)
        .minus(Rational.of(total))
        .times(Rational.of(partition.currency === 'jpy' ? '1' : partition.currency === 'kwd' ? '1000' : '100'));
      if (gap.compare(new Rational(BigInt(4 * asked.lines.length))) > 0)
        throw new Error(`${total} is far from ${most}`);
    }),
    { numRuns: 300 },
  );
});

test('with credit notes from before the rule, the last one takes what they leave, or nothing', () => {
  fc.assert(
    fc.property(partitions, fc.nat(), (partition, plain) => {
      const { invoice, notes } = dividedBy(partition);
      const whole = stored(invoice);
      const earlier = notes.slice(0, -1);
      const old = new Set([...earlier.keys()].filter((index) => (plain >> index) % 2 === 1));
      const written = issued(whole, notes, old);
      const last = ratesIn(written.slice(-1));
      const none = new Rational(0n);
      for (const [key, tax] of ratesIn([whole])) {
        const gap = tax.minus(ratesIn(written).get(key) ?? none).compare(none);
        const own = (last.get(key) ?? none).compare(none);
        if (gap < 0 && own > 0) throw new Error(`rate ${key} credits too much`);
        if (gap > 0 && own > 0) throw new Error(`rate ${key} has a rest`);
      }
      expect(written).toHaveLength(notes.length);
    }),
    { numRuns: 2000 },
  );
});
