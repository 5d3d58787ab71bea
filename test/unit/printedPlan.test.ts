import { expect, test } from '@jest/globals';
import type { Installment } from '../../billing/collection/paymentPlan.ts';
import { planAsk } from '../../billing/collection/planProgress.ts';
import { earlierInvoice, printInvoice } from '../../present/printed/invoice.ts';
import { spokenLanguages } from '../../words/languages.ts';
import { acme, northwind, sampleInvoice } from '../support/printed.ts';

/** An invoice on a payment plan asks for what is due of the plan. */

const zone = 'America/Chicago';
const at = (day: string) => Date.parse(`${day}T18:00:00Z`);
const euros = {
  currency: 'eur',
  accountHolder: null,
  bankName: null,
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  accountNumber: null,
  routingNumber: null,
};

/** Twelve installments of 100.00, on the 27th of each month from December 2026. `paid`: how much of them is paid. */
function twelve(paid = 0): Installment[] {
  return Array.from({ length: 12 }, (_, index) => {
    const left = Math.min(100, Math.max(0, 100 * (index + 1) - paid));
    return { id: index, date: Date.UTC(2026, 11 + index, 27, 18), amount: '100.00', balance: left.toFixed(2) };
  });
}

function printed(
  now: number,
  { paid = 0, language = 'en', ...invoice }: { paid?: number; language?: string; [field: string]: unknown } = {},
) {
  const balance = (1200 - paid).toFixed(2);
  const terms = { total: '1200.00', balance, currency: 'eur', paymentTerms: 'Payment Plan', ...invoice };
  const seller = { ...acme, bankDetails: [euros] };
  const ask = planAsk(twelve(paid), { now, zone });
  const facts = sampleInvoice([{ name: 'Machine', unitCost: '1200' }], terms, {
    seller,
    buyer: { ...northwind, language },
    language,
    ask,
  });
  return { facts, document: printInvoice(facts) };
}

test('the paper asks for the first installment by its date, of the whole, and lists all', () => {
  const { document } = printed(at('2026-12-01'));
  const { figure, facts, sums, transfer, installments } = document;
  expect(figure).toEqual({
    label: 'Amount due',
    value: '€100.00',
    note: 'Due December 27, 2026, of €1,200.00 open',
    isLate: false,
  });
  expect(facts).toContainEqual({ label: 'Due date', value: 'December 27, 2026' });
  expect(sums.map(({ label, value }) => `${label} ${value}`)).toEqual([
    'Total €1,200.00',
    'Balance €1,200.00',
    'Amount due €100.00',
  ]);
  expect(transfer?.code?.content).toMatch(/\nEUR100(\.00)?\n/);
  expect(installments?.rows).toHaveLength(12);
  expect(installments?.rows[0]).toEqual({ day: 'December 27, 2026', amount: '€100.00', notes: ['Due next'] });
});

test('what is missed is asked for with the next installment, and a part that is paid is taken off', () => {
  // 40.00 of the second installment are paid: 60.00 missed and 100.00 next.
  const { document } = printed(at('2027-02-01'), { paid: 140, pastDue: true, status: 'past_due' });
  expect(document.figure).toEqual({
    label: 'Amount due',
    value: '€160.00',
    note: '€60.00 past due since January 27, 2027 and €100.00 due February 27, 2027, of €1,060.00 open',
    isLate: true,
  });
  expect(document.installments?.rows.slice(0, 4).map(({ notes }) => notes)).toEqual([
    ['Paid'],
    ['Missed', '€60.00 left'],
    ['Due next'],
    [],
  ]);
  expect(document.transfer?.code?.content).toMatch(/\nEUR160(\.00)?\n/);
});

test('the content changes when a day has ended, with each payment, and back when it is taken back', () => {
  const facts = (now: string, paid = 0) => JSON.stringify(printed(at(now), { paid }).facts);
  expect(facts('2026-12-01')).toBe(facts('2026-12-26'));
  expect(facts('2026-12-28')).not.toBe(facts('2026-12-26'));
  expect(facts('2026-12-01', 100)).not.toBe(facts('2026-12-01'));
  // A paper that an earlier version stored had no plan.
  const before = sampleInvoice([{ name: 'Machine', unitCost: '1200' }], { total: '1200.00', balance: '1200.00' });
  const { plan, ...known } = { ...before, plan: printed(at('2026-12-01')).facts.plan };
  expect(plan).toBeDefined();
  expect(earlierInvoice({ ...known, plan })[0]).toEqual(known);
});

test('an invoice that is paid, closed or voided asks for nothing of its plan', () => {
  for (const change of [{ status: 'paid', balance: '0.00' }, { closed: true }, { status: 'voided', balance: '0.00' }])
    expect(printed(at('2026-12-01'), change).document.installments).toBeUndefined();
});

test.each(spokenLanguages)('%s: the headline names what is due, when, and of how much', (language) => {
  const { figure, installments } = printed(at('2026-12-01'), { language }).document;
  const digits = (text: string | null) => (text ?? '').normalize('NFKD').replace(/[^\d\u0660-\u0669]/g, '');
  expect(digits(figure.note).length).toBeGreaterThan(8);
  expect(figure.note).not.toMatch(/[{}]/);
  expect(installments?.title).not.toBe('');
  if (language !== 'en') expect(figure.note).not.toMatch(/Due|open/);
});

test('a paid invoice says when it was paid, with its total', () => {
  const part = { type: 'invoice' as const, method: 'cash', creditNote: null, refunds: [], amount: '30.00' };
  const days = [new Date(at('2027-01-10')), new Date(at('2027-01-12'))];
  const paid = { status: 'paid', balance: '0.00' } as const;
  const lines = [{ name: 'Hour', unitCost: '60' }];
  const figure = (parts: { date: Date }[], more: object = {}) =>
    printInvoice(sampleInvoice(lines, { ...paid, ...more }, { parts: parts.map((date) => ({ ...part, ...date })) }))
      .figure;
  expect(figure(days.map((date) => ({ date })))).toEqual({
    label: 'Paid on January 12, 2027',
    value: '$60.00',
    note: null,
    isLate: false,
  });
  // Without a total it was paid when it was issued.
  expect(figure([], { total: '0.00' })).toMatchObject({ label: 'Paid on January 5, 2027', value: '$0.00' });
});
