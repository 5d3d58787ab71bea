import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  checkPromisedDay,
  isInTime,
  type PromiseInput,
  type PromiseState,
  promiseAfter,
  promiseEndsAt,
  promiseStates,
} from '../../billing/collection/promise.ts';

const states = [null, ...promiseStates];
const inputs: PromiseInput[] = ['promised', 'withdrawn', 'paid_in_time', 'paid_late', 'owed_again', 'day_ended'];

describe('the state of a promise', () => {
  test.each<[PromiseState | null, PromiseInput, PromiseState | null]>([
    [null, 'promised', 'promised'],
    [null, 'withdrawn', null],
    [null, 'paid_in_time', null],
    [null, 'paid_late', null],
    [null, 'owed_again', null],
    [null, 'day_ended', null],
    ['promised', 'promised', 'promised'],
    ['promised', 'withdrawn', null],
    ['promised', 'paid_in_time', 'kept'],
    ['promised', 'paid_late', 'broken'],
    ['promised', 'owed_again', 'promised'],
    ['promised', 'day_ended', 'broken'],
    ['kept', 'promised', 'kept'],
    ['kept', 'withdrawn', 'kept'],
    ['kept', 'paid_in_time', 'kept'],
    ['kept', 'paid_late', 'kept'],
    ['kept', 'owed_again', 'promised'],
    ['kept', 'day_ended', 'kept'],
    ['broken', 'promised', 'promised'],
    ['broken', 'withdrawn', null],
    ['broken', 'paid_in_time', 'kept'],
    ['broken', 'paid_late', 'broken'],
    ['broken', 'owed_again', 'broken'],
    ['broken', 'day_ended', 'broken'],
  ])('%s, %s: %s', (before, input, after) => {
    expect(promiseAfter(before, input)).toBe(after);
  });

  test('no input is forgotten', () => {
    expect(states.length * inputs.length).toBe(24);
  });

  test('from every state it ends kept, broken or withdrawn, or it waits for the end of its day', () => {
    const at = Date.parse('2027-03-04T12:00:00Z');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...inputs)), (history) => {
        const promise = history.reduce<PromiseState | null>(promiseAfter, null);
        const endsAt = promiseEndsAt({ promise, expectedAt: at, zone: 'UTC' });
        expect(endsAt !== null).toBe(promise === 'promised');
        expect(promiseAfter(promise, 'day_ended')).not.toBe('promised');
      }),
    );
  });
});

describe('the promised day', () => {
  const expectedAt = Date.parse('2027-03-04T05:30:00Z'); // March 3 in New York
  const promise = { promise: 'promised', expectedAt, zone: 'America/New_York' } as const;

  test('ends at midnight of the invoice’s time zone', () => {
    expect(promiseEndsAt({ ...promise, zone: 'UTC' })).toBe(Date.parse('2027-03-05T00:00:00Z'));
    expect(promiseEndsAt(promise)).toBe(Date.parse('2027-03-05T05:00:00Z'));
  });

  test('money of that day is in time, money of the next one is late', () => {
    expect(isInTime(promise, Date.parse('2027-03-05T04:59:59Z'))).toBe(true);
    expect(isInTime(promise, Date.parse('2027-03-05T05:00:00Z'))).toBe(false);
    expect(isInTime({ ...promise, expectedAt: null }, expectedAt)).toBe(false);
  });

  const now = Date.parse('2027-03-04T04:30:00Z'); // still March 3 in New York
  test.each([
    ['today, earlier', '2027-03-03T06:00:00Z', null],
    ['yesterday', '2027-03-03T04:59:59Z', 'The payment cannot be expected on a day that has passed: 2027-03-02'],
    ['a year ahead', '2028-03-03T12:00:00Z', null],
    [
      'more than a year ahead',
      '2028-03-04T12:00:00Z',
      'The payment must be expected by 2028-03-03, within 366 days: 2028-03-04',
    ],
  ])('%s', (_, day, message) => {
    const check = () => checkPromisedDay(Date.parse(day), now, 'America/New_York');
    if (message === null) expect(check).not.toThrow();
    else expect(check).toThrow(message);
  });
});
