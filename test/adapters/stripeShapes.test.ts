import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDispute } from './stripe/disputes.ts';
import { parseForm } from './stripe/form.ts';
import { type StripeMock, startStripeMock } from './stripe/mock.ts';
import { broken, rules } from './stripe/rules.ts';
import type { Asked } from './stripe/server.ts';
import { deleting, never, startedStripe, vaulting, verifying } from './stripe/started.ts';

/**
 * The form of requests and answers, by Stripe's own description of its API. Each request that the adapter makes is sent to stripe-mock,
 * too. stripe-mock describes version 2026-08-26.dahlia, the last one before the adapter's.
 */

let mock: StripeMock;
let asked: readonly Asked[];
beforeAll(async () => {
  mock = await startStripeMock();
  asked = await everyRequest();
});
afterAll(() => mock.close());

const payer = { returnUrl: 'https://shop.example/back', ip: '192.0.2.7', userAgent: 'Mozilla/5.0' };

const shown = {
  description: 'Invoice INV-00012',
  documentNumber: 'INV-00012',
  customerNumber: 'CUST-00007',
  statementDescriptor: 'ACME BILLING',
};

/** Makes the adapter send every kind of request that it can send. */
async function everyRequest(): Promise<readonly Asked[]> {
  const stripe = await startedStripe();
  const card = await stripe.vault('pm_card_visa');
  await stripe.made({ ...stripe.charge({ instrument: { reference: card.reference } }), ...shown });
  await stripe.made({ ...stripe.charge({ instrument: { token: 'pm_card_authenticationRequired' } }), payer });
  await stripe.abandon(await stripe.prepared(stripe.charge()));
  await stripe.abandon(await stripe.prepared(vaulting('pm_card_visa')));
  const debit = stripe.charge({ instrument: { token: 'ctoken_saved_sepaDebit' }, currency: 'eur', vault: true });
  await stripe.made(debit);
  await stripe.vault('pm_usBankAccount_success', 'ach', payer);
  await stripe.made({ ...stripe.charge({ instrument: { token: 'pm_usBankAccount_success' } }), ...shown });
  const bank = await stripe.vault('pm_usBankAccount_unverified', 'ach');
  await stripe.abandon(await stripe.prepared(verifying(bank.reference, ['0.32', '0.45'])));
  await stripe.made(verifying(bank.reference, ['0.32', '0.45']));
  await stripe.gateway.describe?.('ctoken_card_visa', never);
  await stripe.gateway.readSource?.(card.reference, never);
  await stripe.gateway.hasCustomer?.(card.customerReference, never);
  const { reference } = await stripe.made(stripe.charge());
  await stripe.abandon(await stripe.prepared(stripe.refund(reference, '1.00')));
  const refund = await stripe.made(stripe.refund(reference, '5.00'));
  await stripe.look(refund.reference);
  const [made] = stripe.server.world.refunds.keys();
  await stripe.look(made ?? '');
  openDispute(stripe.server.world, reference);
  await stripe.gateway.reversals?.(reference, 0, never);
  await stripe.gateway.list?.({ since: new Date(Date.now() - 60_000), until: new Date(), after: null }, never);
  await stripe.abandon(await stripe.prepared(deleting(card.reference)));
  await stripe.made(deleting(card.reference));
  await stripe.server.close();
  return stripe.server.asked;
}

/** The kind of a request: its path without ids. */
const kindOf = ({ method, path }: Asked): string =>
  `${method} ${path.replace(/\/(cus|pm|pi|seti|ctoken|re)_\w+/, '/:id')}`;

test('every kind of request is made', () => {
  const kinds = [...new Set(asked.map(kindOf))].toSorted();
  expect(kinds).toEqual(
    `GET /v1/confirmation_tokens/:id,GET /v1/customers/:id,GET /v1/customers/search,GET /v1/disputes,GET /v1/payment_intents,GET /v1/payment_intents/:id
    GET /v1/payment_methods/:id,GET /v1/refunds,GET /v1/refunds/:id,GET /v1/setup_intents,GET /v1/setup_intents/:id,POST /v1/customers
    POST /v1/payment_intents,POST /v1/payment_intents/:id,POST /v1/payment_intents/:id/cancel,POST /v1/payment_intents/:id/confirm
    POST /v1/payment_methods/:id,POST /v1/payment_methods/:id/detach,POST /v1/refunds,POST /v1/setup_intents
    POST /v1/setup_intents/:id,POST /v1/setup_intents/:id/cancel,POST /v1/setup_intents/:id/confirm
    POST /v1/setup_intents/:id/verify_microdeposits`
      .split(/[,\n]\s*/)
      .toSorted(),
  );
});

test('Stripe accepts the form of each request', async () => {
  for (const request of asked) {
    const { status, body } = await mock.ask(request);
    expect({ request: kindOf(request), text: request.text, status, body: status === 200 ? '' : body }).toMatchObject({
      status: 200,
    });
  }
});

test('no request has parameters that Stripe calls exclusive, required or gone', () => {
  expect(asked.flatMap((request) => broken(request).map(({ says }) => `${kindOf(request)}: ${says}`))).toEqual([]);
  const bad: [path: string, text: string][] = [
    ['payment_intents', 'allowed_payment_method_types[]=card&automatic_payment_methods[enabled]=true'],
    ['setup_intents', 'payment_method_types[]=card'],
    ['payment_intents/pi_1/confirm', 'off_session=true&error_on_requires_action=true'],
    ['payment_intents/pi_1/confirm', 'payment_method=pm_1'],
    ['setup_intents/seti_1/confirm', 'payment_method=pm_1'],
    ['payment_intents', 'allowed_payment_method_types[]=card&statement_descriptor=ACME%20BILLING'],
    ['payment_intents', 'statement_descriptor_suffix=123'],
    ['customers', `metadata[note]=${'x'.repeat(501)}`],
  ];
  const found = bad.flatMap(([path, text]) => broken({ method: 'POST', path: `/v1/${path}`, params: parseForm(text) }));
  expect(found).toEqual(rules);
});

test('Stripe refuses a parameter that it does not know', async () => {
  const confirmation = asked.find((request) => kindOf(request) === 'POST /v1/payment_intents/:id/confirm');
  if (!confirmation) throw new Error('no confirmation');
  expect(await mock.ask({ ...confirmation, text: `${confirmation.text}&off_sesion=true` })).toMatchObject({
    status: 400,
  });
});

/** The fields of an answer; of a list, those of its objects. */
function fieldsOf(answer: unknown): string[] {
  const { data } = Object(answer);
  return Object.keys(Object(Array.isArray(data) ? data[0] : answer));
}

/** Fields of the server of these tests that are not in an answer of stripe-mock: each has one of many kinds of payment methods. */
const OWN = new Set(['tries', 'us_bank_account', 'sepa_debit', 'card']);

test('the server of these tests answers with fields that Stripe has', async () => {
  const unlike = new Set<string>();
  for (const request of asked.filter(({ answer }) => answer?.status === 200)) {
    const known = fieldsOf((await mock.ask(request)).body);
    const unknown = fieldsOf(request.answer?.body).filter((field) => !known.includes(field) && !OWN.has(field));
    for (const field of unknown) unlike.add(`${kindOf(request)}: ${field}`);
  }
  expect([...unlike]).toEqual([]);
});
