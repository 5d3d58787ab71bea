import { expect, test } from '@jest/globals';
import { certainMatch, type NamedInvoice } from '../../billing/payments/certainMatch.ts';

const money = { amount: '240', currency: 'eur', payerId: null };

function invoice(id: number, balance: string, other: Partial<NamedInvoice> = {}): NamedInvoice {
  const number = `INV-0000${id}`;
  return Object.assign({ id, customerId: 7, number, balance, dueAt: null, currency: 'eur', isOpen: true }, other);
}

type Money = Parameters<typeof certainMatch>[0];
const match = (
  paid: Money,
  named: NamedInvoice[],
  texts: string[],
  hints: { sent?: number[]; called?: number[] } = {},
) => certainMatch(paid, { named, texts, sent: [], called: [], ...hints });
const idsOf = (...given: Parameters<typeof match>) => match(...given)?.parts.map(({ invoiceId }) => invoiceId) ?? null;

test('the balance of the one named invoice is certain', () => {
  const certain = match(money, [invoice(1, '240.00')], ['Rechnung INV-00001']);
  expect(certain?.parts).toEqual([{ invoiceId: 1, amount: '240.00' }]);
  expect(certain?.customerId).toBe(7);
  expect(idsOf(money, [invoice(1, '239.99')], ['INV-00001'])).toEqual(null);
  expect(idsOf(money, [invoice(1, '240.01')], ['INV-00001'])).toEqual(null);
  expect(idsOf(money, [], ['INV-00001'])).toEqual(null);
});

test('several invoices are certain if all of them together are the amount', () => {
  const both = [invoice(1, '100.10'), invoice(2, '139.90')];
  expect(idsOf(money, both, ['inv-00001 and INV-00002'])).toEqual([1, 2]);
  expect(idsOf(money, [...both, invoice(3, '5')], ['INV-00001, INV-00002, INV-00003'])).toEqual(null);
  expect(idsOf(money, [invoice(1, '240'), invoice(2, '50')], ['INV-00001 INV-00002'])).toEqual(null);
});

test('two customers, another currency, a paid invoice or another payer leave it to a person', () => {
  const texts = ['INV-00001 INV-00002'];
  const one = invoice(1, '100');
  expect(idsOf(money, [one, invoice(2, '140', { customerId: 8 })], texts)).toEqual(null);
  expect(idsOf(money, [one, invoice(2, '140', { currency: 'usd' })], texts)).toEqual(null);
  expect(idsOf(money, [invoice(1, '240'), invoice(2, '0', { isOpen: false })], texts)).toEqual(null);
  expect(idsOf({ ...money, payerId: 8 }, [invoice(1, '240')], texts)).toEqual(null);
  expect(idsOf({ ...money, payerId: 7 }, [invoice(1, '240')], texts)).toEqual([1]);
});

test('two readings of one number are rivals, also if their sum is the amount', () => {
  const both = [invoice(1, '100'), invoice(2, '140', { number: 'RE-00001' })];
  expect(idsOf(money, both, ['Rechnung 00001'])).toEqual(null);
  expect(idsOf(money, both, ['INV-00001, RE-00001'])).toEqual([1, 2]);
  const inside = [invoice(1, '100'), invoice(2, '140', { number: '00001' })];
  expect(idsOf(money, inside, ['INV-00001'])).toEqual(null);
  const longer = [invoice(1, '100'), invoice(2, '140', { number: 'INV-000012' })];
  expect(idsOf(money, longer, ['INV-000012'])).toEqual(null);
});

test('digits alone are not certain: they may be a post code', () => {
  expect(idsOf(money, [invoice(1, '240')], ['Bianca Meier, 00001 Dresden'])).toEqual(null);
  expect(idsOf(money, [invoice(1, '240')], ['Bianca Meier, INV-00001 Dresden'])).toEqual([1]);
});

test('a name or a sender that points to another customer is a rival', () => {
  expect(idsOf(money, [invoice(1, '240')], ['INV-00001'], { called: [8] })).toEqual(null);
  expect(idsOf(money, [invoice(1, '240')], ['INV-00001'], { called: [8, 7] })).toEqual([1]);
  expect(idsOf(money, [invoice(1, '240')], ['INV-00001'], { sent: [8], called: [7] })).toEqual(null);
  expect(idsOf(money, [invoice(1, '240')], ['INV-00001'], { sent: [7], called: [7] })).toEqual([1]);
});

test('a number is in full also where a bank dropped or changed its separators', () => {
  for (const text of ['INV00001', 'inv 00001', 'Inv. 00001', 'INV_00001,'])
    expect([text, idsOf(money, [invoice(1, '240')], [text])]).toEqual([text, [1]]);
  for (const text of ['INV000012', 'XINV-00001', 'INV-1', 'INV and 00001'])
    expect([text, idsOf(money, [invoice(1, '240')], [text])]).toEqual([text, null]);
  const yearly = invoice(1, '240', { number: '2027-001' });
  for (const text of ['2027/001', '2027 001']) expect(idsOf(money, [yearly], [text])).toEqual([1]);
  expect(idsOf(money, [yearly], ['2027001'])).toEqual(null);
});
