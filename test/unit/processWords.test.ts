import { expect, test } from '@jest/globals';
import { processInWords } from '../../present/processes/process.ts';
import { summary } from '../../workflows/summary.ts';

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

test('a summary is one line, without links, and never longer than the server takes', () => {
  expect(summary('INV [free](https://evil.example)\n<b>')).toBe('INV ?free?(https://evil.example) ?b?');
  for (const character of ['a', 'é', '漢', '🧾', '"', '\\', '\u0001'])
    expect(Buffer.byteLength(JSON.stringify(summary(character.repeat(1000))))).toBeLessThanOrEqual(400);
});
