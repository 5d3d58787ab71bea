import { expect, test } from '@jest/globals';
import { proportion } from '../../billing/money/money.ts';
import { checkProrationDate, shareLeft } from '../../billing/subscriptions/proration.ts';
import { periodAt, type Schedule, shareOfPeriod } from '../../billing/time/periods.ts';
import { cell, type PromiseRow, promisesOf } from '../support/promises.ts';

const promises = promisesOf('proration.md');
const rowsWith = (head: string) => promises.filter((row) => head in row);
const at = (row: PromiseRow, head: string): number => Date.parse(`${cell(row, head).replace(' ', 'T')}Z`);

test('the page has its tables, and no row of one that nothing here executes', () => {
  const known = ['`prorate`', 'add-on', 'credit', 'charge', 'allowed'];
  expect(promises.filter((row) => known.filter((head) => head in row).length !== 1)).toEqual([]);
  expect(known.map((head) => rowsWith(head).length >= 3)).toEqual(known.map(() => true));
});

test.each(rowsWith('credit'))('$credit of $billed $in from $from to $to is credited: $because', (row) => {
  const share = shareLeft({ startAt: at(row, 'from'), endAt: at(row, 'to') }, at(row, 'change at'));
  expect(share && proportion(cell(row, 'billed'), share, cell(row, 'in'))).toBe(row.credit);
});

/** A period as the first of a schedule. It is shorter than a whole one if the whole one starts earlier, on the first of its month. */
function scheduleOf(row: PromiseRow): Schedule {
  const [startAt, endAt, wholeFrom] = [at(row, 'period from'), at(row, 'to'), at(row, 'whole from')];
  const interval = endAt - startAt > 40 * 86_400_000 ? 'year' : 'month';
  return { anchorAt: startAt, zone: 'UTC', interval, intervalCount: 1, snapDay: wholeFrom < startAt ? 1 : null };
}

test.each(rowsWith('charge'))('$charge $in of $price is charged up to $to: $because', (row) => {
  const schedule = scheduleOf(row);
  const short = shareOfPeriod(schedule, 0);
  const price = short ? proportion(cell(row, 'price'), short, cell(row, 'in')) : cell(row, 'price');
  const share = shareLeft(periodAt(schedule, 0), at(row, 'change at'));
  expect(share && proportion(price, share, cell(row, 'in'))).toBe(row.charge);
});

test.each(rowsWith('allowed'))('a proration date when it is $now is allowed: $allowed, $because', (row) => {
  const changedAt = cell(row, 'last change') === 'none' ? null : at(row, 'last change');
  const limits = { periodStartAt: at(row, 'period from'), periodEndAt: at(row, 'to'), changedAt, now: at(row, 'now') };
  const check = () => checkProrationDate(at(row, 'proration date'), limits);
  if (row.allowed === 'yes') expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ param: 'proration_date' }));
});
