import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changeStop, stoppedNumbers } from '../../../commands/texts/recipients.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { TWILIO_SERVICE, TWILIO_TOKEN, twilioEvent } from '../../adapters/twilio/server.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { seedText, TEST_PROVIDER, TWILIO_PROVIDER } from '../../support/texts.ts';

const MADE_AT = Date.parse('2027-03-01T12:00:00Z') / 1000;
let now = MADE_AT;
let api: TestApi;
let live: Client;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  live = api.live;
});
afterAll(() => api.close());

const path = '/message_providers';

test('a provider is checked when it is saved; its token is never returned and stored encrypted', async () => {
  const created = await live.post(path, TWILIO_PROVIDER);
  const { auth_token, ...sent } = TWILIO_PROVIDER;
  const events_url = `${api.deps.publicUrl}/sms_events/twilio_${live.account.id}_1`;
  const times = { created_at: MADE_AT, updated_at: MADE_AT };
  const shown = { id: 1, object: 'message_provider', ...sent, events_url, ...times };
  const one = `${path}/1`;
  expect([created.status, created.body]).toEqual([201, shown]);
  expect((await live.get(path)).body).toEqual([shown]);
  expect((await live.get(one)).body).toEqual(shown);
  const [row] = await api.em.execute<{ sealed: string }[]>('select sealed_auth_token as sealed from message_provider');
  expect(row?.sealed).not.toContain(TWILIO_TOKEN);
  expect(await live.post(path, TWILIO_PROVIDER)).toMatchObject(
    refused({ message: 'Account has a message provider already: change it, or delete it first' }),
  );
  expect(await live.patch(one, { auth_token: 'wrong' })).toMatchObject(refused({ param: 'auth_token' }));
  expect(await live.patch(one, { sender: '+15550000000' })).toMatchObject(refused({ param: 'sender' }));
  now += 60;
  const change = { name: 'Own', sender: TWILIO_SERVICE };
  const changed = await live.patch(one, change);
  expect([changed.status, changed.body]).toEqual([200, { ...shown, ...change, updated_at: now }]);
  expect((await live.delete(one)).status).toBe(204);
  expect((await live.get(one)).status).toBe(404);
  expect(await api.em.execute('select 1 from message_provider where sealed_auth_token is not null')).toEqual([]);
});

test.each([
  [{ auth_token: 'wrong' }, 'auth_token'],
  [{ sender: '+15550000000' }, 'sender'],
  [{ account_sid: 'AC1' }, 'account_sid'],
  [{ provider: 'test' }, 'provider'],
  [{ provider: 'other' }, 'provider'],
])('a live provider with %j is refused', async (over, param) => {
  expect(await live.post(path, { ...TWILIO_PROVIDER, ...over })).toMatchObject(refused({ param }));
});

test('the sandbox has only the provider that sends nothing', async () => {
  const { sandbox } = await api.open('Sandboxed');
  expect(await sandbox.post(path, TWILIO_PROVIDER)).toMatchObject(refused({ param: 'provider' }));
  expect((await sandbox.post(path, TEST_PROVIDER)).status).toBe(201);
});

/** A business with a provider, and a function that sends its events. */
async function hearing() {
  const { live: client } = await api.open('Hearing');
  const { id } = await client.make(path, TWILIO_PROVIDER);
  const place = `/sms_events/twilio_${client.account.id}_${id}`;
  const hear = async (fields: Readonly<Record<string, string>>, query = '', token = TWILIO_TOKEN) => {
    const { body, headers } = twilioEvent(`${api.deps.publicUrl}${place}${query}`, fields, token);
    return (await fetch(`${api.origin}${place}${query}`, { method: 'POST', headers, body })).status;
  };
  const accountId = client.account.id;
  const isStopped = async (number: string) => (await stoppedNumbers(api.em.fork(), accountId, [number])).has(number);
  return { client, accountId, hear, isStopped };
}

test('STOP stops texts to a number, START allows them again; each message counts once', async () => {
  const { hear, isStopped, accountId } = await hearing();
  const number = '+12125550999';
  expect(await hear({ MessageSid: 'SM1', From: number, Body: 'Stop' })).toBe(200);
  expect(await isStopped(number)).toBe(true);
  expect(await hear({ MessageSid: 'SM2', From: number, Body: 'START' })).toBe(200);
  expect(await isStopped(number)).toBe(false);
  expect(await hear({ MessageSid: 'SM1', From: number, Body: 'Stop' })).toBe(200); // repeated
  expect(await isStopped(number)).toBe(false);
  expect(await hear({ MessageSid: 'SM3', From: number, Body: 'ARRET', OptOutType: 'STOP' })).toBe(200);
  expect(await hear({ MessageSid: 'SM4', From: number, Body: 'Help' })).toBe(200);
  expect(await hear({ MessageSid: 'SM5', From: number, Body: 'I have paid' })).toBe(200);
  expect(await isStopped(number)).toBe(true);
  const events = 'select reference, type from sms_event where account_id = ? order by id';
  expect(await api.em.execute(events, [accountId])).toEqual(
    ['stop', 'start', 'stop', 'help', 'other'].map((type, index) => ({ reference: `SM${index + 1}`, type })),
  );
  expect(await api.em.execute('select 1 from text_stop t where t::text like ?', [`%${number}%`])).toEqual([]);
});

test('an event without the right signature, or to an unknown address, changes nothing', async () => {
  const { hear, isStopped, accountId } = await hearing();
  expect(await hear({ MessageSid: 'SM9', From: '+12125550998', Body: 'STOP' }, '', 'other token')).toBe(400);
  expect(await isStopped('+12125550998')).toBe(false);
  for (const name of ['twilio_1_999999', `twilio_${accountId}`, 'test_1_1', `twilio_${accountId}_99999999999`])
    expect((await fetch(`${api.origin}/sms_events/${name}`, { method: 'POST' })).status).toBe(404);
});

test('reports that are repeated and out of order never take a text back', async () => {
  const { client, hear } = await hearing();
  const customer = (await client.make('/customers', { name: 'Ann' })).id;
  const id = await seedText(api, client, customer);
  await api.em.execute('update text_message set reference = ? where id = ?', ['SMa', id]);
  const report = (MessageStatus: string, sid = 'SMa') => hear({ MessageSid: sid, MessageStatus }, `?text=${id}`);
  const state = async () => (await client.get(`/text_messages/${id}`)).body.state;
  expect(await report('delivered', 'SMb')).toBe(200); // of another text
  expect(await state()).toBe('sent');
  for (const status of ['delivered', 'sent', 'delivered', 'undelivered']) expect(await report(status)).toBe(200);
  expect(await state()).toBe('delivered');
  expect(await hear({ MessageSid: 'SMc', MessageStatus: 'delivered' }, '?text=4000000000')).toBe(200);
});

test('an anonymized customer leaves no number and no words; its number stays stopped', async () => {
  const { client, accountId, isStopped } = await hearing();
  const customer = (await client.make('/customers', { name: 'Ann' })).id;
  const id = await seedText(api, client, customer);
  const number = '+12125550123';
  await inTransaction(api.em, (em) => changeStop(em, { accountId, number, isStopped: true }, new Date()));
  expect((await client.post(`/customers/${customer}/anonymize`)).status).toBe(200);
  expect((await client.get(`/text_messages/${id}`)).body).toMatchObject({ phone: '', message: '', state: 'sent' });
  expect(await isStopped(number)).toBe(true);
});
