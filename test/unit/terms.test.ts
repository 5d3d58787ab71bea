import { describe, expect, test } from '@jest/globals';
import { offeredDiscount } from '../../billing/documents/earlyDiscount.ts';
import { dueAt, parseTerms, refusePlanTerms, termsText } from '../../billing/time/terms.ts';

describe('payment terms have one spelling', () => {
  test.each([
    ['net 030', 'NET 30'],
    [' NET 0 ', 'NET 0'],
    ['2% 10 NET 30', '2% 10 NET 30'],
    ['02.50 % 010 net 030', '2.5% 10 NET 30'],
    ['0.0001% 0 NET 0', '0.0001% 0 NET 0'],
    ['99.9999% 30 NET 30', '99.9999% 30 NET 30'],
    ['DUE ON RECEIPT', 'Due on receipt'],
    ['autopay', 'AutoPay'],
    ['payment plan', 'Payment Plan'],
  ])('%j: %s', (text, stored) => {
    expect(termsText(parseTerms(text))).toBe(stored);
    expect(parseTerms(stored)).toEqual(parseTerms(text));
  });
});

const FORMS = 'Payment terms must be NET <days>, <percent>% <days> NET <days>, Due on receipt or AutoPay';

describe('terms that cannot be read are refused', () => {
  test.each([
    ['', FORMS],
    ['NET', FORMS],
    ['NET 1000', FORMS],
    ['NET -1', FORMS],
    ['2/10 NET 30', FORMS],
    ['2% NET 30', FORMS],
    ['2% 10', FORMS],
    ['2 10 NET 30', FORMS],
    ['-2% 10 NET 30', FORMS],
    ['100% 10 NET 30', FORMS],
    ['2.00001% 10 NET 30', FORMS],
    ['1e1% 10 NET 30', FORMS],
    ['2٪ 10 NET 30', FORMS],
    ['٢% 10 NET 30', FORMS],
    ['2%  10 NET 30', FORMS],
    ['2% 10 NET 30\n', '2% 10 NET 30'],
    ['0% 10 NET 30', 'The discount of payment terms must be more than 0%: 0% 10 NET 30'],
    ['0.00% 10 NET 30', 'The discount of payment terms must be more than 0%'],
    ['2% 31 NET 30', 'The discount of payment terms must end by the due date: 2% 31 NET 30'],
  ])('%j: %s', (text, why) => {
    const read = () => termsText(parseTerms(text));
    if (text.endsWith('\n')) expect(read()).toBe(why);
    else expect(read).toThrow(why);
  });
});

test('only an invoice with an active plan has the terms of a payment plan', () => {
  expect(() => refusePlanTerms(parseTerms('Payment Plan'))).toThrow('Give an invoice a payment plan by PUT');
  expect(refusePlanTerms(parseTerms('NET 30'))).toEqual({ kind: 'net', days: 30, discount: null });
});

const zone = 'America/New_York';
const day = (text: string) => Date.parse(text);

test.each<[string, Partial<Parameters<typeof offeredDiscount>[0]>, object | null]>([
  ['the whole last day', {}, { percent: '2', endsAt: day('2027-03-12T05:00:00Z') }],
  [
    'across the change to summer time',
    { date: day('2027-03-10T17:00:00Z'), issuedAt: day('2027-03-10T17:00:00Z') },
    { percent: '2', endsAt: day('2027-03-21T04:00:00Z') },
  ],
  [
    'from the issue, if that is later',
    { issuedAt: day('2027-03-03T17:00:00Z') },
    { endsAt: day('2027-03-14T05:00:00Z') },
  ],
  ['from the date, if that is later', { date: day('2027-03-03T17:00:00Z') }, { endsAt: day('2027-03-14T05:00:00Z') }],
  ['on the day itself', { paymentTerms: '2% 0 NET 30' }, { endsAt: day('2027-03-02T05:00:00Z') }],
  ['the latest time', { date: day('2199-12-31T17:00:00Z') }, { endsAt: day('2199-12-31T23:59:59Z') }],
  ['not with AutoPay', { autopay: true }, null],
  ['not without a discount', { paymentTerms: 'NET 30' }, null],
  ['not during a payment plan', { paymentTerms: 'Payment Plan' }, null],
  ['not without terms', { paymentTerms: null }, null],
])('a discount lasts: %s', (_, more, offer) => {
  const at = day('2027-03-01T17:00:00Z');
  const facts = { paymentTerms: '2% 10 NET 30', autopay: false, date: at, issuedAt: at, zone };
  const offered = offeredDiscount({ ...facts, ...more });
  if (offer === null) expect(offered).toBeNull();
  else expect(offered).toMatchObject(offer);
});

test('the discount does not change the due date', () => {
  const at = day('2027-03-01T17:00:00Z');
  expect(dueAt(at, parseTerms('2% 10 NET 30'), zone)).toBe(dueAt(at, parseTerms('NET 30'), zone));
  expect(dueAt(at, parseTerms('Payment Plan'), zone)).toBeNull();
});
