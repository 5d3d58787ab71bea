import { expect, test } from '@jest/globals';
import { stripeShop } from '../../support/stripeShop.ts';
import { sweepAt } from '../../support/sweeps.ts';

/** Events of Stripe have secrets by which a browser may confirm a payment. They are not kept. */

const shop = stripeShop('Secrets2027');
const { deliver, paid } = shop;

const bodies = async (eventId: string) => {
  const rows = await shop.books.rows('select body from gateway_event where event_id = ?', [eventId]);
  return rows.map(({ body }) => String(body));
};

/** An event with secrets at several depths, and a text that looks like one. */
const eventOf = (id: string, reference: string) => ({
  id,
  type: 'payment_intent.succeeded',
  data: {
    object: {
      id: reference,
      client_secret: `${reference}_secret_"quoted\\`,
      description: '"client_secret": "in a text"',
      latest_charge: { payment_intent: { client_secret: 'nested_secret_1' }, client_secret: null },
    },
    previous_attributes: { list: [{ client_secret: 'nested_secret_2' }] },
  },
});

test('the secrets of an event are not stored, at any depth; all else is', async () => {
  const { payment } = await paid(10);
  const event = eventOf('evt_secret', payment.charge.gateway_id);
  await deliver([event]);
  const [body = ''] = await bodies('evt_secret');
  expect(body).not.toMatch(/_secret_"|nested_secret/);
  const expected = JSON.parse(JSON.stringify(event, (name, value) => (name === 'client_secret' ? null : value)));
  expect(JSON.parse(body)).toEqual(expected);
});

test('the sweep takes the secrets out of events that earlier versions stored, some at a time', async () => {
  const { payment } = await paid(10);
  const event = eventOf('evt_old', payment.charge.gateway_id);
  await deliver([eventOf('evt_sample', payment.charge.gateway_id)]);
  const old = JSON.stringify(event, null, 2);
  await shop.books.rows(
    `insert into gateway_event (account_id, configuration, event_id, type, reference, attempt_id, body, state, received_at, processed_at)
     select account_id, configuration, 'evt_old_' || n, type, reference, attempt_id, ?, 'processed', received_at, received_at
     from gateway_event, generate_series(1, 620) n where event_id = 'evt_sample'`,
    [old],
  );
  const left = async () => {
    const [row] = await shop.books.rows(
      `select count(*)::int as left from gateway_event where body like '%nested_secret%'`,
    );
    return Number(row?.left);
  };
  expect(await left()).toBe(620);
  await sweepAt(shop.books.api, Date.now());
  expect(await left()).toBe(120); // 620 - 500
  await sweepAt(shop.books.api, Date.now());
  expect(await left()).toBe(0);
  const [body = ''] = await bodies('evt_old_7');
  const expected = JSON.parse(JSON.stringify(event, (name, value) => (name === 'client_secret' ? null : value)));
  expect(JSON.parse(body)).toEqual(expected);
});
