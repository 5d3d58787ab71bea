import { expect, test } from '@jest/globals';
import { instantsOf, type RelativeDays } from '../../billing/time/relativeDays.ts';

const at = (text: string) => Date.parse(text);
const text = (instant: number | undefined) =>
  instant === undefined ? '' : new Date(instant).toISOString().slice(0, 16);
const span = (name: RelativeDays, { now, zone = 'UTC' }: { now: string; zone?: string }) => {
  const { from, until } = instantsOf(name, { now: at(now), zone });
  return [text(from), text(until)];
};
const days = (name: RelativeDays, now: string) => span(name, { now }).map((one) => one.slice(0, 10));

// 1 December 2026 is a Tuesday.
const expected: Readonly<Record<RelativeDays, [from: string, until: string]>> = {
  today: ['2026-12-01', '2026-12-02'],
  yesterday: ['2026-11-30', '2026-12-01'],
  this_week: ['2026-11-30', '2026-12-07'],
  last_7_days: ['2026-11-25', '2026-12-02'],
  last_30_days: ['2026-11-02', '2026-12-02'],
  next_7_days: ['2026-12-01', '2026-12-08'],
  next_30_days: ['2026-12-01', '2026-12-31'],
  this_month: ['2026-12-01', '2027-01-01'],
  last_month: ['2026-11-01', '2026-12-01'],
  this_quarter: ['2026-10-01', '2027-01-01'],
  last_quarter: ['2026-07-01', '2026-10-01'],
  this_year: ['2026-01-01', '2027-01-01'],
  last_year: ['2025-01-01', '2026-01-01'],
  before_today: ['', '2026-12-01'],
  through_today: ['', '2026-12-02'],
  from_today: ['2026-12-01', ''],
};

test.each(Object.entries(expected) as [RelativeDays, [string, string]][])('%s', (name, ends) => {
  expect(days(name, '2026-12-01T00:00:00Z')).toEqual(ends);
  expect(days(name, '2026-12-01T23:59:59Z')).toEqual(ends);
});

test('ends of months, quarters and years', () => {
  expect(days('last_month', '2028-03-31T12:00Z')).toEqual(['2028-02-01', '2028-03-01']);
  expect(days('this_month', '2028-02-29T12:00Z')).toEqual(['2028-02-01', '2028-03-01']);
  expect(days('last_month', '2027-01-31T12:00Z')).toEqual(['2026-12-01', '2027-01-01']);
  expect(days('last_quarter', '2027-01-01T12:00Z')).toEqual(['2026-10-01', '2027-01-01']);
  expect(days('this_quarter', '2027-03-31T12:00Z')).toEqual(['2027-01-01', '2027-04-01']);
  expect(days('next_7_days', '2026-12-28T12:00Z')).toEqual(['2026-12-28', '2027-01-04']);
  expect(days('yesterday', '2027-01-01T12:00Z')).toEqual(['2026-12-31', '2027-01-01']);
});

test('weeks begin on Monday', () => {
  expect(days('this_week', '2027-01-03T12:00Z')).toEqual(['2026-12-28', '2027-01-04']); // a Sunday
  expect(days('this_week', '2027-01-04T12:00Z')).toEqual(['2027-01-04', '2027-01-11']);
});

test('days are those of the zone, far from UTC and over a change of its clocks', () => {
  const now = '2026-12-01T10:30:00Z'; // 00:30 on the 2nd in Kiritimati, 23:30 on the 30th in Pago Pago
  expect(span('today', { now, zone: 'Pacific/Kiritimati' })).toEqual(['2026-12-01T10:00', '2026-12-02T10:00']);
  expect(span('this_month', { now, zone: 'Pacific/Pago_Pago' })).toEqual(['2026-11-01T11:00', '2026-12-01T11:00']);
  expect(span('today', { now: '2026-03-29T12:00Z', zone: 'Europe/Berlin' })).toEqual([
    '2026-03-28T23:00',
    '2026-03-29T22:00',
  ]);
});
