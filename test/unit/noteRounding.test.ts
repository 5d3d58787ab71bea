import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CreditedInvoice, leftToCredit, reducedBy, reductionTo, roundingOf } from '../../billing/creditCeiling.ts';
import { type AppliedDiscount, type AppliedTax, type OpenDocument, totalsOf } from '../../billing/document.ts';
import { compare } from '../../billing/money.ts';
import { creditedUnits, type EarlierNote, type NoteLine } from '../../billing/noteRounding.ts';
import { Rational } from '../support/rational.ts';

fc.configureGlobal({ seed: 20271127 });

/** Credit notes that divide an invoice. */

const rate = (key: number, value: number, inclusive = false): AppliedTax => {
  const taxRate = { id: `rate-${key}`, value, is_percent: true, inclusive, currency: null };
  return { id: key, amount: '0', fixed: null, taxRate, rateKey: key, updatedAt: 0 };
};
const percentOff = (percent: string): AppliedDiscount => {
  return { id: 9, amount: '0', fixed: null, coupon: null, percent, expiresAt: null };
};
type Line = Omit<NoteLine, 'discounts' | 'taxes'> & { discounts: AppliedDiscount[]; taxes: AppliedTax[] };
type Document = Omit<OpenDocument, 'lines' | 'discounts' | 'taxes'> & {
  lines: Line[];
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
};

const lineOf = (quantity: string, unitCost: string, more: Partial<Line> = {}): Line => {
  return { quantity, unitCost, discountable: true, taxable: true, discounts: [], taxes: [], ...more };
};
const documentOf = (lines: Line[], more: Partial<Document> = {}): Document => {
  return { lines, discounts: [], taxes: [], currency: 'usd', ...more };
};

type Stored = EarlierNote & { total: string; taxTotal: string };

function stored(document: Document, rounding?: ReturnType<typeof roundingOf>): Stored {
  const totals = totalsOf(document, rounding ? { rounding } : {});
  const { total, taxTotal } = totals;
  const lines = document.lines.map((line, index) => {
    const { amount = '', net = '', taxes = [] } = totals.lines[index] ?? {};
    const own: readonly AppliedTax[] = line.taxes;
    const taxed = own.map((tax, place) => ({ ...tax, amount: taxes[place] ?? '' }));
    return { ...line, amount, net, taxes: taxed };
  });
  const taxes = document.taxes.map((tax, place) => ({ ...tax, amount: totals.taxes[place] ?? '' }));
  return { ...document, lines, taxes, total, taxTotal, isEarlyDiscount: false };
}

const against = (invoice: Stored, earlier: Stored[]): CreditedInvoice => {
  return { invoice, earlier, otherwise: '0', units: creditedUnits(invoice, earlier) };
};

/** Issues credit notes one after another. `plain`: indexes of those that are rounded by themselves, as before the rule. */
function issued(invoice: Stored, notes: readonly Document[], plain: ReadonlySet<number> = new Set()): Stored[] {
  const earlier: Stored[] = [];
  for (const [index, note] of notes.entries()) {
    earlier.push(stored(note, plain.has(index) ? undefined : roundingOf(note, against(invoice, earlier))));
  }
  return earlier;
}

const sumOf = (amounts: readonly string[]) => Rational.sum(amounts.map((amount) => Rational.of(amount)));

/** The tax of each rate, by its key. */
function ratesIn(documents: readonly Stored[]): Map<number, Rational> {
  const taxes = documents.flatMap((one) => [...one.taxes, ...one.lines.flatMap((line) => line.taxes)]);
  const byRate = Map.groupBy(taxes, ({ rateKey }) => rateKey ?? 0);
  return new Map([...byRate].map(([key, all]) => [key, sumOf(all.map(({ amount }) => amount))]));
}

function expectWhole(invoice: Stored, notes: readonly Stored[]): void {
  const credited = sumOf(notes.map(({ total }) => total));
  if (credited.compare(Rational.of(invoice.total)) !== 0) {
    throw new Error(`${notes.map(({ total }) => total).join(' + ')} is not ${invoice.total}`);
  }
  const [rates, whole] = [ratesIn(notes), ratesIn([invoice])];
  for (const [key, tax] of whole) {
    const got = rates.get(key) ?? new Rational(0n);
    if (got.compare(tax) !== 0)
      throw new Error(`tax of rate ${key}: ${got.over}/${got.under}, not ${tax.over}/${tax.under}`);
  }
}

const totals = (notes: readonly Stored[]) => notes.map(({ total }) => total);
const taxes = (notes: readonly Stored[]) => notes.map(({ taxTotal }) => taxTotal);
const times = (count: number, note: Document) => Array.from({ length: count }, () => note);

describe.each([false, true])('examples, with inclusive rates: %s', (inclusive) => {
  const vat = { taxes: [rate(1, 20, inclusive)] };
  const named = [68.33, 68.33, 57.5, 85].map((price, index) => lineOf('1', String(price), { name: `Line ${index}` }));

  test('a credit note for each of four lines at 20 %', () => {
    const invoice = stored(documentOf(named, vat));
    const notes = issued(
      invoice,
      named.map((line) => documentOf([line], vat)),
    );
    // exclusive: 13.666, 27.332, 38.832, 55.832; inclusive (a sixth): 11.388, 22.777, 32.36, 46.527
    expect(taxes(notes)).toEqual(
      inclusive ? ['11.39', '11.39', '9.58', '14.17'] : ['13.67', '13.66', '11.50', '17.00'],
    );
    expectWhole(invoice, notes);
  });

  test('two halves of each line', () => {
    const invoice = stored(documentOf(named, vat));
    const halves = named.map((line) => ({ ...line, quantity: '0.5' }));
    const notes = issued(invoice, times(2, documentOf(halves, vat)));
    // 34.17 + 34.17 + 28.75 + 42.50, then 34.16 + 34.16 + 28.75 + 42.50
    expect(notes.map(({ lines }) => lines.map(({ amount }) => amount))).toEqual([
      ['34.17', '34.17', '28.75', '42.50'],
      ['34.16', '34.16', '28.75', '42.50'],
    ]);
    expectWhole(invoice, notes);
  });

  test.each([
    ['ten of 0.13', '10', '0.13', '1', 10, 20],
    ['ten tenths of 0.13', '1', '0.13', '0.1', 10, 20],
    ['two halves of 0.13', '1', '0.13', '0.5', 2, 20],
    ['three of 0.33 at 7.5 %', '3', '0.33', '1', 3, 7.5],
  ])('%s', (_, quantity, unitCost, part, count, value) => {
    const tax = { taxes: [rate(1, value, inclusive)] };
    const invoice = stored(documentOf([lineOf(quantity, unitCost)], tax));
    expectWhole(invoice, issued(invoice, times(count, documentOf([lineOf(part, unitCost)], tax))));
  });

  test('nine of ten lines of 0.13 were credited before the rule, with too much tax', () => {
    const invoice = stored(documentOf([lineOf('10', '0.13')], vat));
    const notes = issued(
      invoice,
      times(10, documentOf([lineOf('1', '0.13')], vat)),
      new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]),
    );
    // exclusive: nine of 0.16 leave 0.12 of 1.56, all of it without tax: 9 x 0.03 exceeds 0.26
    expect(totals(notes).at(-1)).toBe(inclusive ? '0.13' : '0.12');
    expect(sumOf(totals(notes)).compare(Rational.of(invoice.total))).toBe(0);
  });
});

test('the discount for early payment counts as its part of every rate', () => {
  const taxed = { taxes: [rate(1, 19)] };
  const invoice = stored(documentOf([lineOf('1', '33.33', { name: 'x' })], taxed));
  const early = { ...stored(documentOf([lineOf('1', '0.67', { name: 'Early' })], taxed)), isEarlyDiscount: true };
  const rest = documentOf([lineOf('1', '32.66', { name: 'x' })], taxed);
  // 19 % of 33.33 is 6.33; 0.13 of it was credited with the discount
  const note = stored(rest, roundingOf(rest, against(invoice, [early])));
  expect([invoice.taxTotal, early.taxTotal, note.taxTotal]).toEqual(['6.33', '0.13', '6.20']);
});

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
