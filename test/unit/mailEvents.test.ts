import { expect, test } from '@jest/globals';
import {
  addressKey,
  areOfAddress,
  countsAgainstAddress,
  kindOfStatus,
  reasonToSuppress,
  statusIn,
  staysSuppressed,
} from '../../billing/mail/mailEvents.ts';

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

test('only refusals of the address count against it; policy, size, sender and a full mailbox do not', () => {
  const against = (kind: 'hard_bounce' | 'soft_bounce', statuses: string[]) =>
    statuses.filter((status) => countsAgainstAddress(kind, status));
  const ofAddress = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
  const ofMail = [
    '5.7.1',
    '5.7.26',
    '5.3.4',
    '5.2.3',
    '5.2.2',
    '5.1.8',
    '5.1.11',
    '5.1.100',
    '5.2.10',
    '5.0.0',
    '5.4.4',
  ];
  expect(against('hard_bounce', [...ofAddress, ...ofMail])).toEqual(ofAddress);
  expect(against('soft_bounce', ['4.2.2', '4.7.1', '4.2.1', '4.4.7'])).toEqual(['4.2.1', '4.4.7']);
  expect(countsAgainstAddress('hard_bounce', null)).toBe(true);
  expect(countsAgainstAddress('complaint', '5.7.1')).toBe(true);
});

test.each([
  ['5.1.1: 550 5.1.1 no such user', '5.1.1'],
  ['550-5.7.26 This mail is unauthenticated', '5.7.26'],
  ['smtp; 452 4.2.2 (mailbox full)', '4.2.2'],
  ['5.0.0: 550 5.1.1 user unknown', '5.1.1'],
  ['General: 5.0.0: smtp; 550 5.1.0 refused: 550 5.1.1 unknown', '5.1.1'],
  ['5.1.0: 550 5.1.1 user unknown', '5.1.1'],
  ['5.0.0: 452 4.2.2 mailbox full', '5.0.0'],
  ['5.7.1: 550 5.1.1 no such user', '5.7.1'],
  ['5.7.0: 550 5.1.1 no such user', '5.7.0'],
  ['550 #5.1.1 address rejected', '5.1.1'],
  ['smtp;550 5.2.1 inactive', '5.2.1'],
  ['550 user unknown (5.1.1)', '5.1.1'],
  ['RESOLVER.ADR.RecipNotFound; not found; status code 5.1.10', '5.1.10'],
  ['Refused for good: HardBounce: smtp;550 5.7.1 policy', '5.7.1'],
  ['5.0.0: refused by Exim 5.1.1', '5.0.0'],
  ['550 unknown (Exim 4.97.1)', null],
  ['550 said Exim 4.7.1', null],
  ['550 said exim/5.1.1 and Postfix 3.5.2', null],
  ['550 version: 5.1.1', null],
  ['550 said SpamAssassin v4.0.1', null],
  ['550 blocked by 5.1.1.2', null],
  ['host 10.5.1.1 said no', null],
  ['MailboxFull', null],
])('the status code in %p is %p', (words, status) => {
  expect(statusIn(words)).toBe(status);
});

test('an answer at once stops mail by the same list, and by its code alone', () => {
  const said = [
    '550 5.1.1 no',
    '550 #5.1.10 no',
    '550 5.0.0 no',
    '550 5.7.1 no',
    '550 5.1.8 no',
    '550 no',
    '550 5.4.4 no',
  ];
  expect(said.filter(areOfAddress)).toEqual(['550 5.1.1 no', '550 #5.1.10 no']);
});

test('an address stays suppressed unless the code in the stored words is about something else', () => {
  expect(staysSuppressed('hard_bounce', 'Refused for good: 5.1.1: 550 unknown')).toBe(true);
  expect(staysSuppressed('hard_bounce', 'Refused for good: 5.0.0: 550 5.1.1 unknown')).toBe(true);
  expect(staysSuppressed('hard_bounce', 'Refused for good')).toBe(true);
  expect(staysSuppressed('hard_bounce', 'Refused for good: 5.4.4: no route')).toBe(false);
  expect(staysSuppressed('hard_bounce', 'Refused for good: HardBounce: smtp;550 5.7.1 policy')).toBe(false);
  expect(staysSuppressed('soft_bounces', 'Refused for now: 4.2.2: full')).toBe(false);
  expect(staysSuppressed('soft_bounces', 'Refused for now: 4.4.7: expired')).toBe(true);
  expect(staysSuppressed('complaint', 'Reported as spam: 550 5.7.1')).toBe(true);
});

test('a long answer is read in bounded time', () => {
  for (const part of [' ', '4.1.', '5.1.1 ', 'status ', '550 ', ': ']) statusIn(part.repeat(1_000_000));
  expect(statusIn(`${'x '.repeat(3000)}550 5.1.1`)).toBe(null);
});
