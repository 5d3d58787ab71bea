import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { numberKey, numberText, prefixKey } from '../../billing/documents/numbering.ts';
import { MOST_CANDIDATES, namedNumbers, namesIn } from '../../billing/documents/referenceText.ts';
import { compare, roundMoney, subtract, sum } from '../../billing/money/money.ts';
import { placesOfSum } from '../../billing/money/sumsOfBalances.ts';
import {
  type Evidence,
  MOST_SUGGESTIONS,
  type OpenInvoice,
  suggestionsFor,
  withExchangedDigits,
} from '../../billing/payments/paymentMatching.ts';

fc.configureGlobal({ seed: 20270301, numRuns: 300 });

const INVOICES = ['INV-'];

describe('numbers in a reference', () => {
  test.each([
    ['INV-00042', 'as it is written'],
    ['inv-00042', 'in another case'],
    ['payment for Inv 42, thanks', 'without leading zeros'],
    ['INV00042', 'without the separator'],
    ['RF inv_0042/2027', 'with another separator and a year behind it'],
    ['ＩＮＶ－４２', 'in full-width characters'],
    ['INV–00042', 'with a dash'],
  ])('"%s" names INV-00042 %s', (text) => {
    expect(namedNumbers([text], INVOICES)).toContain('INV-00042');
  });

  test('a number of no series is found as it is written, and with one separator throughout', () => {
    for (const text of ['order A-17/2026', 'order a-17/2026.']) expect(namedNumbers([text], [])).toContain('A-17/2026');
    expect(namedNumbers(['RE 2026 17'], [])).toEqual(expect.arrayContaining(['RE-2026-17', 'RE/2026/17']));
    expect(namedNumbers(['check 1042'], [])).toContain('1042');
  });

  test('words without digits, and short runs of digits, name no number', () => {
    expect(namedNumbers(['rent of March, flat 7 B'], INVOICES)).not.toEqual(expect.arrayContaining(['RENT']));
    expect(namedNumbers(['thank you'], INVOICES)).toEqual([]);
    expect(namedNumbers(['7 42 999'], INVOICES)).not.toEqual(expect.arrayContaining(['7']));
    expect(namedNumbers(['7 42 999'], INVOICES)).not.toEqual(expect.arrayContaining(['999']));
    expect(namedNumbers([], INVOICES)).toEqual([]);
  });

  test.each([
    ['INV-00081 2. Rate', ['INV-00081'], ['INV-00812', 'INV-000812']],
    ['INV 42 2. Rate', ['INV-00042'], ['INV-00422']],
    ['INV-000 81', ['INV-00081'], []],
    ['Rechnung 00007', ['INV-00007'], []],
    ['INV-00005/00006', ['INV-00005', 'INV-00006'], []],
    ['INV-00005, INV-00006 und 00009', ['INV-00005', 'INV-00006', 'INV-00009'], ['INV-00056']],
  ])('"%s" names %j', (text, named, others) => {
    const numbers = namedNumbers([text], INVOICES);
    expect(numbers).toEqual(expect.arrayContaining(named));
    for (const other of others) expect(numbers).not.toContain(other);
  });

  test('former prefixes count, and a prefix without letters or digits does not', () => {
    expect(namedNumbers(['re2026 7'], ['INV-', 'RE-2026-'])).toContain('RE-2026-00007');
    expect(namedNumbers(['-7'], ['-'])).toEqual([]);
  });

  test('a long text has a bounded number of candidates', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `A${index}`).join(' ');
    expect(namedNumbers([text], INVOICES)).toHaveLength(MOST_CANDIDATES);
    expect(namesIn([text]).length).toBeLessThanOrEqual(MOST_CANDIDATES);
  });

  test('every number of a series is named by itself, in any case, with any separators and words around it', () => {
    const prefixes = fc.constantFrom('INV-', 'R', 'RE 2026/', 'Rechnung-');
    const values = fc.integer({ min: 1, max: 99_999_999 });
    const around = fc.constantFrom('', 'thanks ', 'SEPA; ', 'to: ');
    const separators = fc.constantFrom('', ' ', '-', '/', ' - ');
    fc.assert(
      fc.property(prefixes, values, around, separators, (prefix, value, words, separator) => {
        const number = numberText(prefix, value);
        const parts = number.match(/\p{L}+|\p{N}+/gu) ?? [];
        const text = `${words}${parts.join(separator).toLowerCase()}`;
        expect(namedNumbers([text], [prefixKey(prefix)])).toContain(numberKey(number));
      }),
    );
  });
});

test('names of customers are runs of words in lower case, without punctuation around them', () => {
  expect(namesIn(['Transfer from ACME Ltd., Austin'])).toEqual(
    expect.arrayContaining(['acme ltd.', 'acme ltd', 'austin']),
  );
  expect(namesIn(['to Ada\nLovelace'])).toContain('ada lovelace');
  expect(namesIn(['a bc def'])).not.toEqual(expect.arrayContaining(['def']));
});

/** All selections of at least two places, by brute force. */
function allSums(balances: readonly string[], amount: string): number[][] {
  let selections: number[][] = [[]];
  for (const place of balances.keys()) selections = selections.concat(selections.map((one) => [...one, place]));
  return selections.filter(
    (some) =>
      some.length > 1 &&
      compare(
        sum(
          some.map((place) => balances[place] ?? '0'),
          'usd',
        ),
        amount,
      ) === 0,
  );
}

describe('sums of balances', () => {
  test('have the fewest balances, and among these the first ones', () => {
    expect(placesOfSum(['10.00', '20.00', '30.00', '40.00'], '50.00', 'usd')).toEqual([0, 3]);
    expect(placesOfSum(['10.00', '20.00', '30.00'], '60.00', 'usd')).toEqual([0, 1, 2]);
    expect(placesOfSum(['0.10', '0.20', '0.30'], '0.3', 'usd')).toEqual([0, 1]);
    expect(placesOfSum(['5', '7'], '12', 'jpy')).toEqual([0, 1]);
    expect(placesOfSum(['12.00', '1.00'], '12.00', 'usd')).toBeNull();
    expect(placesOfSum([], '12.00', 'usd')).toBeNull();
  });

  test('are looked for among twenty balances', () => {
    const balances = Array.from({ length: 22 }, (_, index) => `${2 ** index}.00`);
    expect(placesOfSum(balances, `${2 ** 20 - 1}.00`, 'usd')).toHaveLength(20);
    expect(placesOfSum(balances, `${2 ** 20 + 1}.00`, 'usd')).toBeNull();
  });

  test('are found exactly when there are some', () => {
    const cents = fc.integer({ min: 1, max: 40 }).map((units) => roundMoney(`${units}e-2`, 'usd'));
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 9 }), fc.integer({ min: 1, max: 200 }), (balances, units) => {
        const amount = roundMoney(`${units}e-2`, 'usd');
        const all = allSums(balances, amount);
        const found = placesOfSum(balances, amount, 'usd');
        const fewest = Math.min(...all.map((some) => some.length));
        if (found === null) expect(all).toEqual([]);
        else {
          expect(all).toContainEqual(found.toSorted((one, other) => one - other));
          expect(found).toHaveLength(fewest);
        }
      }),
    );
  });
});

describe('exchanged digits', () => {
  test('are two neighbours that differ', () => {
    expect(withExchangedDigits('12.34', 'usd')).toEqual(['21.34', '13.24', '12.43']);
    expect(withExchangedDigits('110', 'jpy')).toEqual(['101']);
    expect(withExchangedDigits('10.00', 'usd')).toEqual(['1.00']);
    expect(withExchangedDigits('1.1', 'usd')).toEqual(['1.01']);
  });

  test('exchanged back are the amount, if it does not become shorter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (units) => {
        const amount = roundMoney(`${units}e-2`, 'usd');
        for (const other of withExchangedDigits(amount, 'usd'))
          if (other.length === amount.length) expect(withExchangedDigits(other, 'usd')).toContain(amount);
      }),
    );
  });
});

const invoice = (id: number, balance: string, more: Partial<OpenInvoice> = {}): OpenInvoice => {
  return { id, customerId: 1, number: `INV-${id}`, balance, dueAt: null, ...more };
};

const facts = (invoices: OpenInvoice[], more: Partial<Evidence> = {}): Evidence => {
  return { invoices, named: new Set(), sent: new Set(), called: new Set(), ...more };
};

const paid = (amount: string, payerId: number | null = 1) => ({ amount, currency: 'usd', payerId });

const idsOf = (suggestions: ReturnType<typeof suggestionsFor>) =>
  suggestions.map(({ parts }) => parts.map(({ invoiceId }) => invoiceId));

describe('suggestions', () => {
  test('a named invoice goes before one of the same amount, and this before a sum and near misses', () => {
    const invoices = [
      invoice(1, '120.00'),
      invoice(2, '102.00'),
      invoice(3, '120.50'),
      invoice(4, '18.00'),
      invoice(5, '7'),
    ];
    const suggestions = suggestionsFor(paid('120.00'), facts(invoices, { named: new Set([5]) }));
    expect(idsOf(suggestions)).toEqual([[5], [1], [2, 4], [2], [3], [4]]);
    expect(suggestions.map(({ reasons }) => reasons)).toEqual([
      ['The reference or the notes name INV-5', 'The amount pays INV-5 and leaves 113.00'],
      ['The amount is the balance of INV-1'],
      ['The amount is the sum of the balances of INV-2, INV-4'],
      ['With two digits exchanged, the amount is the balance of INV-2: 102.00'],
      ['The amount differs from the balance of INV-3 by 0.50'],
      ['The amount pays INV-4 and leaves 102.00'],
    ]);
    expect(suggestions[0]?.parts).toEqual([{ invoiceId: 5, amount: '7.00' }]);
    expect(suggestions[4]?.parts).toEqual([{ invoiceId: 3, amount: '120.00' }]);
  });

  test('several named invoices are suggested together, if the amount is enough', () => {
    const invoices = [invoice(1, '30.00'), invoice(2, '70.00')];
    const named = new Set([1, 2]);
    const [all] = suggestionsFor(paid('100.00'), facts(invoices, { named }));
    expect(all).toEqual({
      customerId: 1,
      parts: [
        { invoiceId: 1, amount: '30.00' },
        { invoiceId: 2, amount: '70.00' },
      ],
      reasons: [
        'The reference or the notes name INV-1, INV-2',
        'The amount is the sum of the balances of INV-1, INV-2',
      ],
    });
    expect(idsOf(suggestionsFor(paid('99.00'), facts(invoices, { named })))).toEqual([[1], [2]]);
  });

  test('without a payer, an invoice is suggested for its amount or its number, others only with a sender or a name', () => {
    const invoices = [
      invoice(1, '50.00', { customerId: 7 }),
      invoice(2, '80.00', { customerId: 7 }),
      invoice(3, '50.00', { customerId: 8 }),
    ];
    const plain = suggestionsFor(paid('50.00', null), facts(invoices));
    expect(idsOf(plain)).toEqual([[1], [3]]);
    expect(plain.map(({ customerId }) => customerId)).toEqual([7, 8]);
    const sent = suggestionsFor(paid('50.00', null), facts(invoices, { sent: new Set([8]), called: new Set([7]) }));
    expect(idsOf(sent)).toEqual([[3], [1], [2]]);
    expect(sent.map(({ reasons }) => reasons.at(-1))).toEqual([
      'The sender paid for this customer before',
      'The reference or the notes name this customer',
      'The reference or the notes name this customer',
    ]);
  });

  test('invoices of two customers are never added up, those of a family are', () => {
    const invoices = [invoice(1, '30.00', { customerId: 7 }), invoice(2, '70.00', { customerId: 8 })];
    const sent = new Set([7, 8]);
    expect(idsOf(suggestionsFor(paid('100.00', null), facts(invoices, { sent })))).toEqual([[1], [2]]);
    expect(suggestionsFor(paid('100.00', 7), facts(invoices))[0]).toMatchObject({
      customerId: 7,
      parts: [{ invoiceId: 1 }, { invoiceId: 2 }],
    });
  });

  test('among equals the first due goes first, then the oldest', () => {
    const invoices = [
      invoice(1, '9.00'),
      invoice(2, '9.00', { dueAt: 20 }),
      invoice(3, '9.00', { dueAt: 10 }),
      invoice(4, '9.00'),
    ];
    expect(idsOf(suggestionsFor(paid('9.00'), facts(invoices)))).toEqual([[3], [2], [1], [4]]);
  });

  const amounts = fc.integer({ min: 1, max: 5000 }).map((units) => roundMoney(`${units}e-2`, 'usd'));
  const invoices = fc
    .array(fc.record({ balance: amounts, customerId: fc.integer({ min: 1, max: 4 }), dueAt: fc.option(fc.nat(9)) }), {
      maxLength: 40,
    })
    .map((all) => all.map((one, index) => invoice(index + 1, one.balance, one)));
  const evidence = fc.record({
    payer: fc.option(fc.integer({ min: 1, max: 4 })),
    named: fc.array(fc.nat(40)),
    sent: fc.array(fc.nat(4)),
  });

  test('pay at most the amount and each balance, name each invoice once, and are the same for invoices in any order', () => {
    fc.assert(
      fc.property(amounts, invoices, evidence, (amount, all, { payer, named, sent }) => {
        const known = { named: new Set(named), sent: new Set(sent) };
        const suggestions = suggestionsFor(paid(amount, payer), facts(all, known));
        expect(suggestions.length).toBeLessThanOrEqual(MOST_SUGGESTIONS);
        expect(suggestionsFor(paid(amount, payer), facts(all.toReversed(), known))).toEqual(suggestions);
        for (const { parts, reasons, customerId } of suggestions) {
          const total = sum(
            parts.map((part) => part.amount),
            'usd',
          );
          expect(compare(total, amount)).toBeLessThanOrEqual(0);
          expect(new Set(parts.map(({ invoiceId }) => invoiceId)).size).toBe(parts.length);
          expect(reasons.length).toBeGreaterThan(0);
          for (const part of parts) {
            const owed = all.find(({ id }) => id === part.invoiceId);
            expect(compare(subtract(owed?.balance ?? '0', part.amount), '0')).toBeGreaterThanOrEqual(0);
            expect(compare(part.amount, '0')).toBe(1);
            if (payer === null) expect(owed?.customerId).toBe(customerId);
          }
        }
      }),
    );
  });
});
