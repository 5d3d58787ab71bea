import { expect, test } from '@jest/globals';
import {
  attemptInWords,
  interruptedInWords,
  lookUpInWords,
  unrecordedInWords,
} from '../../present/payments/attempt.ts';

const charge = { kind: 'charge', method: 'credit_card', amount: '49.0000', currency: 'usd' } as const;
const vault = { kind: 'vault', method: 'credit_card' } as const;
const deletion = { kind: 'delete_source', method: 'ach' } as const;

test('a message about an attempt that never happened names its kind, its reason and what is stored', () => {
  expect(interruptedInWords(charge, 'unreachable')).toBe(
    'The payment was not made: the payment gateway could not be reached; nothing was charged',
  );
  expect(interruptedInWords(vault, 'interrupted')).toBe(
    'The card was not saved: it was interrupted before the payment gateway was told to confirm it; nothing was stored',
  );
  expect(interruptedInWords(deletion, 'not_made')).toBe(
    'The bank account was not deleted at the payment gateway: the payment gateway was asked and did not do it; it can no longer be charged here',
  );
});

test.each([
  [charge, 'open', 'charging 49.00 usd'],
  [charge, 'waiting', 'charging 49.00 usd: waiting until the payer has authenticated'],
  [charge, 'pending', 'charging 49.00 usd: pending, the payment gateway has not told the outcome'],
  [charge, 'succeeded', 'charged 49.00 usd'],
  [charge, 'failed', 'The payment was not made: declined'],
  [vault, 'open', 'saving a card'],
  [vault, 'unknown', 'saving a card: unknown, the payment gateway has not told the outcome'],
  [vault, 'succeeded', 'the card is saved'],
  [vault, 'failed', 'The card was not saved: declined'],
  [vault, 'abandoned', 'The card was not saved; nothing was stored'],
  [deletion, 'open', 'deleting a bank account at the payment gateway'],
  [
    deletion,
    'unknown',
    'deleting a bank account at the payment gateway: unknown, the payment gateway has not told the outcome',
  ],
  [deletion, 'succeeded', 'the bank account is deleted at the payment gateway'],
  [deletion, 'failed', 'The bank account was not deleted at the payment gateway: declined'],
] as const)('the text of an attempt %j in state %s: %s', (what, state, words) => {
  expect(attemptInWords({ ...what, state })).toBe(words);
});

test('a message about a look-up names its question, and never mentions payments for a source', () => {
  expect([charge, vault, deletion].map((one) => lookUpInWords(one))).toEqual([
    'ask the payment gateway whether the payment was made',
    'ask the payment gateway whether the card was saved',
    'ask the payment gateway to delete the bank account',
  ]);
  expect(lookUpInWords({ ...charge, state: 'waiting' })).toBe(
    'ask the payment gateway whether the payer has authenticated',
  );
  expect(unrecordedInWords(deletion)).toBe('The bank account was not deleted at the payment gateway yet');
});
