import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/resources/routes.ts';
import { createLog } from '../../../bin/log.ts';
import { openDatabaseAsOwner } from '../../../db/migrate.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { upload } from '../../support/upload.ts';

/** All log lines. */
const lines: string[] = [];
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ log: createLog('trace', { write: (line) => void lines.push(line) }) });
});
afterAll(() => api.close());

const parsed = (from: number) => lines.slice(from).map((line) => JSON.parse(line));

/** Values that must never be logged: card numbers, tokens, passwords and keys. */
const card = '4012888888881881';
const secrets = [
  'tok_4242424242424242',
  card,
  '4000056655665556',
  'hunter2-password',
  'whsec_c2VjcmV0',
  '000123456789',
  'cvc-987',
];
const everything = {
  gateway_token: secrets[0],
  number: card,
  card: { number: card, cvc: 'cvc-987' },
  account_number: '000123456789',
  password: 'hunter2-password',
  secret: 'whsec_c2VjcmV0',
  client_secret: 'whsec_c2VjcmV0',
  name: `Card ${card}`,
  notes: `my card is ${card}, my password hunter2-password`,
  metadata: { card, password: 'hunter2-password' },
};

test('each request is logged with route, account and key, and without its query', async () => {
  const from = lines.length;
  const { headers } = await api.sandbox.get(`/customers/4711?expand=${card}&include=name`);
  const [line] = parsed(from);
  expect(line).toMatchObject({
    msg: 'request',
    level: 30,
    request: headers.get('Request-Id'),
    method: 'GET',
    path: '/sandbox/api/customers/4711',
    route: '/customers/:id',
    status: 404,
    account: api.sandbox.account.id,
    credential: expect.any(Number),
    milliseconds: expect.any(Number),
  });
  expect(parsed(from)).toHaveLength(1);
});

test('the address of a file, which gives access to it, is not logged', async () => {
  const part = { name: 'file', filename: 'a.txt', content: 'hello' };
  const { url } = (await upload(api.sandbox, [part])).body;
  const from = lines.length;
  await (await fetch(url.replace('https://billing.example', api.origin))).text();
  expect(parsed(from)).toMatchObject([{ msg: 'request', path: '/files/:account/:token', status: 200 }]);
});

test.each([
  '/documents/1/invoice/77/',
  '/files/1/',
  '/sources/1/7/',
  '/subscriptions/1/7/',
  '/opened/1/',
  '/elsewhere/',
  '//files/1/',
])('a token at %s is neither logged nor repeated, whatever the method', async (path) => {
  const token = `${'0123456789abcdef'.repeat(2)}`;
  const from = lines.length;
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) {
    for (const end of ['', '.gif', '/pdf', '/answer', '/nothing']) {
      const answer = await fetch(`${api.origin}${path}${token}${end}`, { method });
      const isOpen = path !== '/elsewhere/' && !path.startsWith('//');
      if (isOpen) expect(await answer.text()).not.toContain(token);
    }
  }
  expect(parsed(from)).toHaveLength(25);
  expect(lines.slice(from).join('\n')).not.toContain(token);
});

test('HEAD is answered for the picture of an email', async () => {
  const answer = await fetch(`${api.origin}/opened/1/${'a'.repeat(32)}.gif`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
    200,
    'image/gif',
    '42',
  ]);
});

test('no card, token, key, password or secret is ever logged', async () => {
  const { sandbox } = api;
  const customer = await sandbox.make('/customers', { name: 'Quiet', metadata: { card } });
  const key = { 'Idempotency-Key': `secret ${card}` };
  const sources = `/customers/${customer.id}/payment_sources`;
  const made = await sandbox.post(
    sources,
    { method: 'credit_card', gateway_token: secrets[0], make_default: true },
    key,
  );
  expect(made.status).toBe(201);
  const shown: string[] = [];
  const hook = await sandbox.post('/webhooks', { url: `http://user:hunter2-password@127.0.0.1:9/${card}` });
  const endpoint = await sandbox.post('/webhooks', { url: 'http://127.0.0.1:9/' });
  const apiKey = await sandbox.post('/api_keys', { name: 'k' });
  shown.push(endpoint.body.secret, apiKey.body.key, sandbox.key);
  expect([hook.status, endpoint.status, apiKey.status]).toEqual([400, 201, 201]);
  const invoice = await sandbox.make('/invoices', { customer: customer.id, items: [{ unit_cost: 5 }] });
  const charge = {
    customer: customer.id,
    amount: 5,
    method: 'credit_card',
    gateway_token: secrets[0],
    applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 5 }],
  };
  const declined = await sandbox.post('/charges', { ...charge, gateway_token: 'tok_4000000000000069' });
  const paid = await sandbox.post('/charges', charge);
  expect([declined.status, declined.body.type]).toEqual([400, 'invalid_request']);
  expect(paid.status).toBe(201);
  for (const { method, path } of routes) {
    for (const verb of [method].flat()) {
      if (verb === 'GET') continue;
      const where = path.replace(/:\w+/g, String(customer.id));
      for (const body of [
        everything,
        JSON.stringify(everything).slice(0, -1),
        { ...everything, customer: customer.id, amount: 1 },
      ]) {
        await sandbox.request(verb, where, body, { ...key, 'Content-Type': 'application/json' });
      }
      await sandbox.request(
        verb,
        where,
        new URLSearchParams({ gateway_token: 'tok_4242424242424242', password: 'hunter2-password' }).toString(),
        {
          'Content-Type': 'application/x-www-form-urlencoded',
        },
      );
    }
  }
  const all = lines.join('\n');
  expect(all).toContain('/customers/:id/payment_sources');
  for (const secret of [...secrets, ...shown, Buffer.from(`${sandbox.key}:`).toString('base64')]) {
    expect([secret, all.includes(secret)]).toEqual([secret, false]);
  }
});

test('a server error is logged once, with the id that the client gets, and without the row', async () => {
  const { sandbox } = api;
  const owner = await openDatabaseAsOwner(api.databaseUrl);
  await owner.em.execute("alter table customer add constraint planted check (name <> 'Planted')");
  const from = lines.length;
  const answer = await sandbox.post('/customers', { name: 'Planted', notes: card, phone: 'hunter2-password' });
  await owner.em.execute('alter table customer drop constraint planted');
  await owner.close(true);
  expect(answer).toMatchObject({ status: 500, body: { type: 'api' } });
  const errors = parsed(from).filter(({ level }) => level >= 40);
  expect(errors).toEqual([
    expect.objectContaining({
      level: 50,
      request: answer.headers.get('Request-Id'),
      err: { message: 'database error 23514 (planted)', stack: expect.stringMatching(/at .*api\/writing\/write\.ts/) },
    }),
  ]);
  expect(lines.slice(from).join('\n')).not.toMatch(/Planted|4242|hunter2/);
});
