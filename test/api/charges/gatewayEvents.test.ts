import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { signed } from '../../../adapters/gateways/test/events.ts';
import { refused, send } from '../../support/api.ts';
import { eventSecretOf } from '../../support/database.ts';
import { onlyGateways } from '../../support/gateways.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** `POST /gateway_events/:configuration`: signatures, storing once, order, and what is refused. */

const events = refundsOfCards();
const { hear, paidInvoice, read } = events;
const LOST = '4000000000000259';

interface Sent {
  account?: number;
  secret?: string;
  sentAt?: Date;
  type?: string;
  body?: string;
}

const bodyOf = (reference: string, type = 'dispute.opened', id = `evt_${randomUUID().replaceAll('-', '')}`) =>
  JSON.stringify({ id, type, data: { reference } });

/** Sends a message as the gateway does. */
function post(body: string, { account = ownId(), secret = eventSecretOf(ownId()), sentAt, type }: Sent = {}) {
  const headers = { 'Content-Type': type ?? 'application/json', ...signed(body, secret, sentAt) };
  return send(`${events.books.api.origin}/gateway_events/test_${account}`, { method: 'POST', headers, body });
}

const ownId = () => events.books.api.sandbox.account.id;
const stored = () =>
  events.books.rows('select event_id, state, body from gateway_event where account_id = ? order by id', [ownId()]);

test('an event is stored once and as it was sent, and its charge is looked at', async () => {
  const { payment } = await paidInvoice(10, LOST);
  const body = `${bodyOf(payment.charge.gateway_id)} `; // the space at the end stays
  const { id } = JSON.parse(body);
  expect(await post(body)).toMatchObject({ status: 200, body: { received: true } });
  expect(await post(body)).toMatchObject({ status: 200 });
  expect((await stored()).filter(({ event_id }) => event_id === id)).toEqual([
    { event_id: id, state: 'received', body },
  ]);
  const waiting = `select count(*)::int as wakes from outbox where topic = 'charge' and due_at <= now() + interval '1 year'
    and subject_id = (select attempt_id from charge where id = ?)`;
  expect(await events.books.rows(waiting, [payment.charge.id])).toEqual([{ wakes: 1 }]);
  await hear();
  expect(await read(payment)).toMatchObject({ charge: { disputed: true } });
  expect((await stored()).find(({ event_id }) => event_id === id)).toMatchObject({ state: 'processed' });
});

test('fifty copies of an event at once are stored once, each answered with 200', async () => {
  const { payment } = await paidInvoice(10, LOST);
  const body = bodyOf(payment.charge.gateway_id);
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await stored()).filter((row) => row.body === body)).toHaveLength(1);
});

test('unknown types and unknown charges are kept and change nothing', async () => {
  const { payment } = await paidInvoice(10);
  const before = (await stored()).length;
  await post(bodyOf(payment.charge.gateway_id, 'terminal.updated'));
  await post(bodyOf('tgo_somebody_else'));
  const kept = (await stored()).slice(before);
  expect(kept).toMatchObject([{ state: 'ignored' }, { state: 'unmatched' }]);
  await hear();
  expect(await read(payment)).toMatchObject({ charge: { disputed: false } });
});

test('forged, old and foreign events are refused, and nothing is stored', async () => {
  const before = await stored();
  const { payment } = await paidInvoice(10);
  const body = bodyOf(payment.charge.gateway_id);
  const refusal = (message: string) => refused({ type: 'invalid_request', message: expect.stringContaining(message) });
  const other = await events.books.api.open('Other');
  const foreign = eventSecretOf(other.sandbox.account.id);
  expect(await post(body, { secret: foreign })).toMatchObject(refusal('No matching signature'));
  expect(await post(body, { sentAt: new Date(Date.now() - 301_000) })).toMatchObject(refusal('timestamp too old'));
  expect(await post(body, { sentAt: new Date(Date.now() + 301_000) })).toMatchObject(refusal('timestamp too new'));
  expect(await post(body, { account: other.sandbox.account.id })).toMatchObject(refusal('No matching signature'));
  expect(await post('{"id": "evt_1", "ty')).toMatchObject(refusal('not valid JSON'));
  expect(await post('{"id": 7}')).toMatchObject(refusal('no id or no type'));
  expect(await stored()).toEqual(before);
});

test('large events, other content types and unknown configurations are refused', async () => {
  const large = bodyOf('x'.repeat(2 * 1024 * 1024));
  expect(await post(large)).toMatchObject(refused({ message: 'An event must be smaller than 512 KiB' }));
  expect(await post(bodyOf('x'), { type: 'text/plain' })).toMatchObject(
    refused({ message: 'Content-Type of an event must be application/json' }),
  );
  const at = (configuration: string) =>
    send(`${events.books.api.origin}/gateway_events/${configuration}`, { method: 'POST', headers: {}, body: {} });
  for (const configuration of [
    'nowhere_1',
    'test_',
    'test_1/2',
    'Test_1',
    'test_999999999',
    `test_${'9'.repeat(12)}`,
    '',
  ])
    expect(await at(configuration)).toMatchObject({ status: 404 });
});

test('an event is answered without waiting for a lock of its customer', async () => {
  const { payment } = await paidInvoice(10, LOST);
  const { books } = events;
  const answer = await books.api.em.fork().transactional(async (em) => {
    await em.execute('select 1 from customer where id = ? for update', [books.customer]);
    return post(bodyOf(payment.charge.gateway_id)); // a lock would be waited for until this transaction ends
  });
  expect(answer.status).toBe(200);
});

test('an event of a gateway that this worker does not know waits for one that does', async () => {
  const { payment } = await paidInvoice(10, LOST);
  const body = bodyOf(payment.charge.gateway_id);
  await post(body);
  await expect(events.lookAt(payment, onlyGateways(new Map()))).rejects.toThrow('no gateway test');
  expect((await stored()).find((row) => row.body === body)).toMatchObject({ state: 'received' });
  await hear();
  expect(await read(payment)).toMatchObject({ charge: { disputed: true } });
});

test('an event that overtakes another one does not undo it', async () => {
  const { books } = events;
  const { payment } = await paidInvoice(10, LOST);
  const become = (status: string) =>
    books.rows('update test_gateway.dispute set status = ? where charge_reference = ?', [
      status,
      payment.charge.gateway_id,
    ]);
  await become('won');
  await events.lookAt(payment);
  await post(bodyOf(payment.charge.gateway_id, 'dispute.opened')); // sent again after the end
  await hear();
  expect(await read(payment)).toMatchObject({ charge: { disputed: false } });
  await books.expectCleanBooks();
});

test('an event of an attempt without an outcome looks it up', async () => {
  const { books } = events;
  const asked = { customer: books.customer, method: 'credit_card', gateway_token: 'tok_4000000000000119', amount: 9 };
  await books.api.sandbox.make('/charges', { ...asked, applied_to: [] });
  const [{ reference = '' } = {}] = await books.rows(`update attempt set state = 'open'
    where id = (select max(id) from attempt) returning reference`); // as if the API had died before it recorded anything
  await books.rows('delete from payment where charge_id in (select id from charge where gateway_id = ?)', [reference]);
  await books.rows('delete from charge where gateway_id = ?', [reference]);
  await post(bodyOf(`${reference}`, 'operation.ended'));
  await hear();
  const [charge] = (await books.api.sandbox.get(`/charges?filter[customer]=${books.customer}`)).body;
  expect(charge).toMatchObject({ gateway_id: reference, status: 'succeeded' });
});

test('an address that sends too many refused events is refused', async () => {
  const visits = await Promise.all(Array.from({ length: 301 }, () => post('{}', { secret: eventSecretOf(0) })));
  const refusals = visits.map(({ status }) => status);
  expect(new Set(refusals)).toEqual(new Set([400, 429]));
  expect(await post(bodyOf('x'))).toMatchObject({ status: 429 }); // also a genuine one, until the minute is over
});
