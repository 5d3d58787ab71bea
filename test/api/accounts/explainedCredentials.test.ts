import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { printExplanation } from '../../../bin/explain.ts';
import { basic, type Client, type RequestHeaders, startApi, type TestApi } from '../../support/api.ts';
import { addMember, authorize, oauthClient, register } from '../../support/oauth.ts';
import { printedLines } from '../../support/printedLines.ts';

/** `perennial explain` names the key or the application that did something. */

let api: TestApi;
let sandbox: Client;
beforeAll(async () => {
  api = await startApi();
  sandbox = api.sandbox;
});
afterAll(() => api.close());

async function newKey(client: Client, name: string): Promise<{ id: number; headers: RequestHeaders }> {
  const { id, key } = await client.make('/api_keys', { name });
  return { id, headers: basic(key) };
}

/** The output of `perennial explain` for a customer, without times. */
async function explained(number: string): Promise<string[]> {
  const args = ['customer', number, '--account', String(sandbox.account.id)];
  const lines = await printedLines(() => printExplanation(() => api.databaseUrl, args));
  const from = lines.findIndex((line) => line.startsWith('What happened'));
  const past = lines.slice(from + 1, lines.indexOf('', from));
  return past.map((line) => line.replace(/^ +\S+ \S+ +\S+ \d+ +/, '').replace(/ {2,}/g, '  '));
}

const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };

test('explain names the key or application of a request and of its charge, even when they are gone', async () => {
  const shop = await newKey(sandbox, 'Shop');
  const customer = (await sandbox.make('/customers', { name: 'Ada', number: 'ADA' }, shop.headers)).id;
  await sandbox.post(`/customers/${customer}/payment_sources`, CARD, shop.headers);
  await sandbox.post('/charges', { customer, ...CARD, amount: 2, applied_to: [] }, shop.headers);

  const { sandbox: rival } = await api.open('Rival');
  const application = oauthClient(api, await register(api, rival, { name: 'Bookkeeper' }));
  const credentials = await addMember(api, api.live.account, 'ann@acme.example');
  const { access_token: token } = await authorize(api, application, { credentials });
  const bearer = { Authorization: `Bearer ${token}` };
  const { body: invoice } = await sandbox.post(
    '/invoices',
    { customer, autopay: true, items: [{ unit_cost: 3 }] },
    bearer,
  );
  expect((await sandbox.post(`/invoices/${invoice.id}/pay`, {}, bearer)).status).toBe(200);

  // A key of another business, whose customer has the same number and the same id.
  const theirs = await newKey(rival, 'Secret key of the rival');
  const twin = (await rival.make('/customers', { name: 'Ada', number: 'ADA' }, theirs.headers)).id;
  await api.em.execute('update event set subject_id = ? where account_id = ?', [`${customer}`, rival.account.id]);
  await api.em.execute('update customer set id = ? where id = ?', [customer, twin]);

  expect((await sandbox.delete(`/api_keys/${shop.id}`)).status).toBe(204);
  const [grant] = (await sandbox.get('/oauth_grants')).body;
  expect((await sandbox.delete(`/oauth_grants/${grant.id}`)).status).toBe(204);
  expect(await explained('ADA')).toEqual([
    'API key "Shop"  customer Ada created',
    'API key "Shop"  Visa 4242 added',
    'API key "Shop"  customer updated: payment source',
    'API key "Shop"  payment of $2.00 by card received',
    'application "Bookkeeper"  issued INV-00001 for $3.00',
    'application "Bookkeeper"  INV-00001 paid: nothing is left of $3.00',
    'application "Bookkeeper"  payment of $3.00 by card received',
  ]);
});

test("explain prints a key's name as visible text on one line, and the name cannot end its quotes", async () => {
  const hidden = '\u200b'.repeat(60);
  const { headers } = await newKey(sandbox, `${hidden}E\u202evil\u001b[2J"\r\n  Perennial  ${'x'.repeat(60)}`);
  await sandbox.post('/customers', { name: 'Eve', number: 'EVE' }, headers);
  expect(await explained('EVE')).toEqual([`API key "Evil[2J'  Perennial  ${'x'.repeat(18)}"  customer Eve created`]);
});

test('an event without a key is attributed to the API', async () => {
  await sandbox.post('/customers', { name: 'Old', number: 'OLD' });
  await api.em.execute('update event set credential = null');
  expect(await explained('OLD')).toEqual(['API  customer Old created']);
});

test('a timeline in the API, which applications can read, does not show the names of keys', async () => {
  const { headers } = await newKey(sandbox, 'Only for members');
  const { id } = await sandbox.make('/customers', { name: 'Bo' }, headers);
  const { body } = await sandbox.get(`/customers/${id}/timeline`);
  expect(body).toMatchObject([{ what: 'customer Bo created', why: 'asked by the API' }]);
  expect(JSON.stringify(body)).not.toContain('Only for members');
});
