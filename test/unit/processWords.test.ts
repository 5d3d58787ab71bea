import { expect, test } from '@jest/globals';
import { clockInWords, processInWords, statusInWords } from '../../present/processes/process.ts';
import { summary } from '../../workflows/words.ts';

const none = { number: null, amount: null, currency: null, kind: null, method: null };

test.each([
  ['subscription', { ...none, amount: '147.0000', currency: 'usd' }, 'subscription 7, 147.00 usd each period'],
  ['invoice', { ...none, number: 'INV-00042', amount: '249.0000', currency: 'usd' }, 'invoice INV-00042, 249.00 usd'],
  ['invoice', { ...none, amount: '249.0000', currency: 'jpy' }, 'invoice 7, a draft, 249 jpy'],
  [
    'charge',
    { ...none, number: 'A-1', amount: '5.0000', currency: 'eur', kind: 'charge' },
    'charge of 5.00 eur for invoice A-1',
  ],
  ['charge', { ...none, kind: 'vault', method: 'ach' }, 'attempt 7 to save a bank account'],
  [
    'charge',
    { ...none, kind: 'delete_source', method: 'credit_card' },
    'attempt 7 to delete a card at the payment gateway',
  ],
  ['webhook', {}, 'deliveries to webhook 7'],
  ['mail', {}, 'mail of account 7'],
  ['clock', {}, 'test clock 7'],
] as const)('a process %s about %j is: %s', (process, subject, words) => {
  expect(processInWords(process, 7, subject)).toBe(words);
});

/** An invoice of 249.00 that owes 200.00, never charged. */
const owed = {
  ...none,
  currency: 'usd',
  amount: '249.0000',
  balance: '200.0000',
  status: 'sent',
  paused: null,
  cyclesBilled: null,
  onClock: false,
  attemptCount: 0,
  attemptKind: null,
  attemptState: null,
  attemptAmount: null,
  failureCode: null,
  failureMessage: null,
  interruption: null,
};
const charged = { ...owed, attemptKind: 'charge', attemptAmount: '50.0000' } as const;
const declined = { ...charged, attemptState: 'failed', attemptCount: 2, failureCode: 'lost_card' } as const;

test.each([
  ['invoice', owed, '200.00 usd owed'],
  ['invoice', { ...owed, status: 'draft' }, 'draft'],
  ['invoice', { ...owed, status: 'paid', balance: '0.0000' }, 'paid'],
  ['invoice', { ...owed, status: 'voided' }, 'voided'],
  ['invoice', { ...owed, status: 'closed' }, 'closed, 200.00 usd owed'],
  ['invoice', { ...owed, status: 'past_due' }, '200.00 usd owed, past due'],
  ['invoice', { ...charged, attemptState: 'open' }, '200.00 usd owed: charging 50.00 usd'],
  ['invoice', { ...charged, attemptState: 'succeeded' }, '200.00 usd owed'],
  [
    'invoice',
    { ...charged, attemptState: 'pending' },
    '200.00 usd owed: charging 50.00 usd: pending, the payment gateway has not told the outcome',
  ],
  ['invoice', declined, '200.00 usd owed, attempt 2 failed: declined, lost_card'],
  ['invoice', { ...declined, failureCode: null }, '200.00 usd owed, attempt 2 failed: declined, no reason given'],
  ['invoice', { ...declined, status: 'past_due' }, '200.00 usd owed, past due, attempt 2 failed: declined, lost_card'],
  ['charge', declined, 'The payment was not made: lost_card'],
  ['charge', { ...charged, attemptState: 'abandoned', failureMessage: 'It was not made' }, 'It was not made'],
  [
    'charge',
    { ...owed, attemptKind: 'delete_source', method: 'ach', attemptState: 'unknown' },
    'deleting a bank account at the payment gateway: unknown, the payment gateway has not told the outcome',
  ],
  [
    'charge',
    { ...owed, attemptKind: 'vault', method: 'credit_card', attemptState: 'abandoned', interruption: 'interrupted' },
    'The card was not saved: it was interrupted before the payment gateway was told to confirm it; nothing was stored',
  ],
  ['subscription', { ...owed, status: 'active', paused: false, cyclesBilled: 1 }, 'active, 1 cycle billed'],
  ['subscription', { ...owed, status: 'past_due', paused: true, cyclesBilled: 2 }, 'past_due, paused, 2 cycles billed'],
  ['estimate', { ...owed, status: 'approved' }, 'approved'],
] as const)('status text of a process, %s %j: %s', (process, facts, words) => {
  expect(statusInWords(process, facts)).toBe(words);
});

test('a test clock shows its time and its target', () => {
  const [frozenAt, targetAt] = [new Date('2027-02-01T10:00:00Z'), new Date('2027-03-01T09:30:00Z')];
  expect(clockInWords({ status: 'ready', frozenAt, targetAt: null })).toBe('ready at 2027-02-01 10:00Z');
  expect(clockInWords({ status: 'advancing', frozenAt, targetAt })).toBe(
    'advancing at 2027-02-01 10:00Z, on its way to 2027-03-01 09:30Z',
  );
});

test("a summary is one line without links, within the server's limit", () => {
  expect(summary('INV [free](https://evil.example)\n<b>')).toBe('INV ?free?(https://evil.example) ?b?');
  for (const character of ['a', 'é', '漢', '🧾', '"', '\\', '\u0001'])
    expect(Buffer.byteLength(JSON.stringify(summary(character.repeat(1000))))).toBeLessThanOrEqual(400);
});
