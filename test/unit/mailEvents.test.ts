import { expect, test } from '@jest/globals';
import { addressKey, kindOfStatus, reasonToSuppress } from '../../billing/mailEvents.ts';

test('a hard bounce and a complaint stop mail at once, soft bounces the fifth time', () => {
  expect(reasonToSuppress('hard_bounce', 0)).toBe('hard_bounce');
  expect(reasonToSuppress('complaint', 0)).toBe('complaint');
  expect([1, 4, 5, 6].map((count) => reasonToSuppress('soft_bounce', count))).toEqual([
    null,
    null,
    'soft_bounces',
    'soft_bounces',
  ]);
});

test('status codes of class 5 are final, of class 4 not; others are no bounces', () => {
  expect(['5.1.1', '5.7.26', '4.4.7', '2.0.0', '5.1', '', '51.1.1'].map(kindOfStatus)).toEqual([
    'hard_bounce',
    'hard_bounce',
    'soft_bounce',
    null,
    null,
    null,
    null,
  ]);
  expect(addressKey(' Ann@Example.COM ')).toBe('ann@example.com');
});
