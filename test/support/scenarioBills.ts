import { expect } from '@jest/globals';
import { dayOf } from './clock.ts';
import type { outcomeOf } from './scenario.ts';
import { seconds } from './story.ts';

export type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

/** The bills of the customer of this name, oldest first. */
export function billsOf({ invoices, customers }: Outcome['documents'], name: string) {
  const customer = customers.find((one) => one.name === name)?.id;
  return invoices.filter((invoice) => invoice.customer === customer).toSorted((one, other) => one.date - other.date);
}

/** Expects the bills of `scenarioStarts.ts`. Changes are on 10 February at 9:30; a unit costs 12.50 a month, or 3.00 a week. */
export function expectStarts({ documents }: Outcome): void {
  const of = (name: string) => billsOf(documents, name).map(({ date, total }) => [dayOf(date), total]);
  const endOf = (name: string) => {
    const customer = documents.customers.find((one) => one.name === name)?.id;
    return documents.subscriptions.find((one) => one.customer === customer)?.status;
  };
  // Tiers: 2 x 5.00 + 1 x 4.00; volume: 12 x 0.80 = 9.60; agreed: 7.77. Together 31.37, and 22 % of Italy: 6.90
  expect(of('Una')).toEqual([
    ['2027-02-01 03:00', 38.27],
    ['2027-03-01 03:00', 38.27], // the contract that is renewed once
  ]);
  for (const { items, ship_to } of billsOf(documents, 'Una')) {
    expect(items.map(({ amount }) => amount)).toEqual([10, 4, 9.6, 7.77]);
    expect(ship_to).toMatchObject({ name: 'Dock', city: 'Rome', country: 'IT' });
  }
  expect(endOf('Una')).toBe('finished');
  expect(of('Val')).toEqual([['2027-02-02 04:00', 12.5]]);
  expect(endOf('Val')).toBe('canceled');
  // Its end was taken back.
  expect(of('Wes')).toEqual([
    ['2027-02-03 05:00', 12.5],
    ['2027-03-03 05:00', 12.5],
    ['2027-04-03 05:00', 12.5],
    ['2027-05-03 05:00', 12.5],
  ]);
  // No bill of the days between both contracts.
  expect(of('Xia')).toEqual([
    ['2027-02-01 05:00', 3],
    ['2027-02-10 09:30', 3],
    ['2027-02-17 09:30', 3],
  ]);
  // A trial from 15 to 18 February instead of 20 February to 6 March.
  expect(of('Yan')).toEqual([
    ['2027-02-18 01:00', 12.5],
    ['2027-03-18 01:00', 12.5],
    ['2027-04-18 01:00', 12.5],
  ]);
  // From 9 instead of 25 February.
  expect(of('Zoe')).toEqual([
    ['2027-02-09 02:00', 12.5],
    ['2027-03-09 02:00', 12.5],
    ['2027-04-09 02:00', 12.5],
    ['2027-05-09 02:00', 12.5],
  ]);
  // Fourteen weeks from 29 October 2026, all before the scenario begins.
  expect(of('Sam').map(([, total]) => total)).toEqual(Array(14).fill(3));
  expect(endOf('Sam')).toBe('finished');
  // They were charged a day apart: the last one on 30 January and 13 days.
  const sam = documents.customers.find(({ name }) => name === 'Sam')?.id;
  const paid = documents.payments.filter(({ customer }) => customer === sam).map(({ date }) => dayOf(date));
  const days = Array.from({ length: 14 }, (_, index) => dayOf(seconds('2027-01-30T08:00:00Z') + index * 86_400));
  expect(paid.toSorted()).toEqual(days);
}
