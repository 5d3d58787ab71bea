import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type CreditPiece,
  type CreditUse,
  NOTHING_WITHHELD,
  type OpenDebt,
  spendCredit,
  unspentParts,
} from '../../billing/payments/creditSpending.ts';

/** Which open invoices credit pays, by which credit, and as of when. */

const how = { now: 1000, currency: 'usd' };
const piece = (id: number, amount: string, more: Partial<CreditPiece> = {}): CreditPiece => {
  return { noteId: null, id, arrivedAt: id, countsFromArrival: true, amount, ...more };
};
const debt = (invoiceId: number, balance: string, more: Partial<OpenDebt> = {}): OpenDebt => {
  const at = { date: 0, dueAt: invoiceId };
  return { invoiceId, balance, ...at, installments: null, withheld: NOTHING_WITHHELD, ...more };
};
const shown = (uses: readonly CreditUse[]) =>
  uses.map(({ invoiceId, noteId, amount, at }) => `${invoiceId} ${noteId ?? 'balance'} ${Number(amount)} at ${at}`);
const spend = (pieces: CreditPiece[], debts: OpenDebt[]) => shown(spendCredit(pieces, debts, how));

test('the oldest due date is paid first, by the credit that arrived first; at the same time notes come first', () => {
  const pieces = [piece(5, '10'), piece(3, '4', { noteId: 3 }), piece(6, '2', { noteId: 6, arrivedAt: 5 })];
  expect(spend(pieces, [debt(2, '5'), debt(1, '5')])).toEqual([
    '1 3 4 at 3',
    '1 6 1 at 5',
    '2 6 1 at 5',
    '2 balance 4 at 5',
  ]);
});

test('a use is dated at the later of invoice and arrival; credit from before the rule, when it is applied', () => {
  expect(spend([piece(7, '1')], [debt(1, '1', { date: 9 })])).toEqual(['1 balance 1 at 9']);
  expect(spend([piece(7, '1', { countsFromArrival: false })], [debt(1, '1')])).toEqual(['1 balance 1 at 1000']);
});

test('each unpaid installment is owed at its date', () => {
  const installments = [
    { id: 1, date: 1, amount: '3', balance: '0' },
    { id: 2, date: 2, amount: '3', balance: '3' },
    { id: 3, date: 8, amount: '3', balance: '3' },
  ];
  const planned = debt(1, '6', { installments, dueAt: 1 });
  expect(spend([piece(0, '7')], [planned, debt(5, '2')])).toEqual(['1 balance 5 at 0', '5 balance 2 at 0']);
});

test('withheld credit pays other invoices; of the balance the oldest parts are withheld, and nothing that came later', () => {
  const withheld = { notes: [{ id: 4, amount: '2' }], balance: { throughChangeId: 6, amount: '3' } };
  const pieces = [piece(4, '5', { noteId: 4 }), piece(5, '2'), piece(6, '2'), piece(7, '1')];
  // 5 - 2 of the note, 2 + 2 - 3 of the balance, and 1
  expect(spend(pieces, [debt(1, '9', { withheld })])).toEqual(['1 4 3 at 4', '1 balance 1 at 6', '1 balance 1 at 7']);
  expect(spend(pieces, [debt(1, '9', { withheld }), debt(2, '9')]).slice(3)).toEqual([
    '2 4 2 at 4',
    '2 balance 2 at 5',
    '2 balance 1 at 6',
  ]);
});

test('what is left of a balance are its latest additions', () => {
  const additions = [8, 5, 2].map((id) => ({ id, at: id, countsFromDate: true, amount: '10' }));
  const left = (balance: string, spendable: string) =>
    unspentParts(additions, { balance, spendable, currency: 'usd' }).map(({ id, amount }) => [id, Number(amount)]);
  expect(left('14', '14')).toEqual([
    [5, 4],
    [8, 10],
  ]);
  expect(left('14', '6')).toEqual([
    [5, 4],
    [8, 2],
  ]);
  expect(left('35', '35')[0]).toEqual([2, 15]); // older additions are not read
  expect(left('0', '0')).toEqual([]);
});

const cents = fc.integer({ min: 1, max: 3000 }).map((n) => (n / 100).toFixed(2));
const pieces = fc
  .array(fc.record({ amount: cents, arrivedAt: fc.nat(20), isNote: fc.boolean(), countsFromArrival: fc.boolean() }), {
    maxLength: 6,
  })
  .map((all) =>
    all.map(({ isNote, ...one }, index): CreditPiece => ({ ...one, id: index + 1, noteId: isNote ? index + 1 : null })),
  );
const amounts = fc.option(cents, { nil: null });
const debts = fc
  .array(
    fc.record({
      balance: cents,
      date: fc.nat(20),
      dueAt: fc.nat(20),
      note: amounts,
      rest: amounts,
      through: fc.nat(6),
    }),
    { maxLength: 6 },
  )
  .map((all) =>
    all.map(({ note, rest, through, ...one }, index): OpenDebt => {
      const notes = note === null ? [] : [{ id: (through % 6) + 1, amount: note }];
      const balance = rest === null ? null : { throughChangeId: through, amount: rest };
      return { ...one, invoiceId: index + 1, installments: null, withheld: { notes, balance } };
    }),
  );
const sum = (all: readonly { amount: string }[]) =>
  all.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0);

test('no credit is spent twice, no invoice is paid twice, and what is left cannot pay what is open', () => {
  fc.assert(
    fc.property(pieces, debts, (credit, open) => {
      const uses = spendCredit(credit, open, how);
      const spent = (one: CreditPiece) => uses.filter(({ noteId }) => noteId === one.noteId);
      for (const one of credit.filter(({ noteId }) => noteId !== null))
        expect(sum(spent(one))).toBeLessThanOrEqual(sum([one]));
      const ofBalance = credit.filter(({ noteId }) => noteId === null);
      const usedOfBalance = uses.filter(({ noteId }) => noteId === null);
      const left = sum(ofBalance) - sum(usedOfBalance);
      expect(left).toBeGreaterThanOrEqual(0);
      for (const { invoiceId, balance, withheld, date } of open) {
        const own = uses.filter((use) => use.invoiceId === invoiceId);
        const owed = sum([{ amount: balance }]) - sum(own);
        expect(owed).toBeGreaterThanOrEqual(0);
        for (const { at } of own) expect(at).toBeGreaterThanOrEqual(date);
        if (owed === 0) continue;
        const most = withheld.balance ? sum([withheld.balance]) : 0;
        expect(left).toBeLessThanOrEqual(most);
        for (const one of credit.filter(({ noteId }) => noteId !== null)) {
          const note = withheld.notes.find(({ id }) => id === one.id);
          expect(sum([one]) - sum(spent(one))).toBeLessThanOrEqual(note ? sum([note]) : 0);
        }
      }
    }),
  );
});

test('invoices are paid in the order of their due dates', () => {
  fc.assert(
    fc.property(pieces, debts, (credit, open) => {
      const plain = open.map((one) => ({ ...one, withheld: NOTHING_WITHHELD }));
      const uses = spendCredit(credit, plain, how);
      const paid = (one: OpenDebt) => sum(uses.filter(({ invoiceId }) => invoiceId === one.invoiceId));
      for (const one of plain)
        for (const other of plain)
          if (one.dueAt < other.dueAt && paid(other) > 0) expect(paid(one)).toBe(sum([{ amount: one.balance }]));
    }),
  );
});
