import { expect, test } from '@jest/globals';
import { mailBackoff, problemBackoff } from '../../billing/wait.ts';

const MINUTE = 60_000;
const tries = Array.from({ length: 40 }, (_, index) => index + 1);

test('a problem is retried after 1, 2, 4, … minutes, at the latest after six hours', () => {
  expect(tries.slice(0, 9).map((count) => problemBackoff(count) / MINUTE)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
  expect(new Set(tries.slice(9).map((count) => problemBackoff(count) / MINUTE))).toEqual(new Set([360]));
});

test('a mail is retried after 10, 30, 90, … seconds, at the latest after an hour', () => {
  expect(tries.slice(0, 6).map((count) => mailBackoff(count) / 1000)).toEqual([10, 30, 90, 270, 810, 2430]);
  expect(new Set(tries.slice(6).map((count) => mailBackoff(count) / MINUTE))).toEqual(new Set([60]));
});
