import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { declineCodes, declineOf } from '../../adapters/gateways/stripe/declines.ts';
import { cell, promisesOf } from '../support/promises.ts';
import { type StartedStripe, startedStripe } from './stripe/started.ts';

/** Declines of Stripe: the table of docs/payments.md. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const rows = promisesOf('payments.md').filter((row) => row.codes);
const promised = rows.flatMap((row) =>
  [...cell(row, 'codes').matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, cell(row, 'kind')] as const),
);

test('the table of the docs names each code once, and no other', () => {
  expect(promised.map(([code]) => code).toSorted()).toEqual(declineCodes.toSorted());
  expect(new Set(declineCodes).size).toBe(declineCodes.length);
});

test.each(promised)('a card that is declined with %s: %s', async (code, kind) => {
  const { outcome } = await stripe.made(stripe.charge({ instrument: { token: `pm_declines_${code}` } }));
  expect(outcome).toMatchObject({ status: 'failed', kind, code, message: `Declined: ${code}.` });
});

test('a code that is not known is soft, unless the bank advises not to try again', async () => {
  const { outcome } = await stripe.made(stripe.charge({ instrument: { token: 'pm_declines_new_code' } }));
  expect(outcome).toMatchObject({ kind: 'soft', code: 'new_code' });
  const advised = await stripe.made(stripe.charge({ instrument: { token: 'pm_advised_new_code' } }));
  expect(advised.outcome).toMatchObject({ kind: 'hard', code: 'new_code' });
  const asked = await stripe.made(stripe.charge({ instrument: { token: 'pm_advised_authentication_required' } }));
  expect(asked.outcome).toMatchObject({ kind: 'needs_customer' });
});

test('the code of a decline decides before the code of the error', () => {
  expect(declineOf({ code: 'expired_card', decline_code: 'insufficient_funds' })).toMatchObject({ kind: 'soft' });
  expect(declineOf({ code: 'expired_card', decline_code: 'new_code' })).toMatchObject({
    kind: 'hard',
    code: 'new_code',
  });
  expect(declineOf({ code: 'expired_card', decline_code: '' })).toMatchObject({ kind: 'hard', code: 'expired_card' });
});

test('a decline fits into the columns of an attempt', () => {
  const { code, message } = declineOf({ code: 'x'.repeat(300), message: 'y'.repeat(300) });
  expect([code.length, message.length]).toEqual([64, 255]);
  expect(declineOf({})).toEqual({ kind: 'soft', code: 'card_declined', message: 'Stripe gave no reason.' });
});
