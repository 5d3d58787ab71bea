import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createNameservers } from '../../../adapters/nameservers.ts';
import { checkSenderKey, recordCheck } from '../../../commands/mail/senderChecks.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { dkimKey, SENDER as NAMES } from '../../support/dkim.ts';
import { type KeyServer, startKeyServer } from '../../support/nameservers.ts';

let api: TestApi;
let live: Client;
let dns: KeyServer;
let now = new Date('2027-03-01T12:00:00Z');
beforeAll(async () => {
  dns = await startKeyServer();
  const nameservers = createNameservers({ servers: [dns.address], timeoutMilliseconds: 500 });
  api = await startApi({ nameservers, systemNow: () => now });
  live = api.live;
});
beforeEach(() => {
  dns.publish(RECORD, null);
  now = new Date('2027-03-01T12:00:00Z');
});
afterAll(async () => {
  await api.close();
  await dns.stop();
});

const path = '/mail_senders';
const { privateKey, publicKey } = dkimKey();
const RECORD = 'mail2027._domainkey.acme.example';
const SENDER = { ...NAMES, domain: 'Acme.example', private_key: privateKey };

test('a sender shows its DNS record; its key is stored encrypted and never returned, and is gone with the sender', async () => {
  const created = await live.post(path, SENDER);
  expect(missingFields('mail_sender', created.body)).toEqual([]);
  const { id } = created.body;
  const shown = {
    address: 'billing@acme.example',
    domain: 'acme.example',
    selector: 'mail2027',
    dns_name: 'mail2027._domainkey.acme.example',
    dns_value: `v=DKIM1; k=rsa; p=${publicKey}`,
  };
  expect(created).toMatchObject({ status: 201, body: shown });
  const one = `${path}/${id}`;
  const answers = [created, await live.get(path), await live.get(one)];
  for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/PRIVATE|private_key|sealed/);
  const [row] = await api.em.execute<{ sealed: string }[]>('select sealed_private_key as sealed from mail_sender');
  expect(row?.sealed).not.toContain('PRIVATE');
  expect(await live.post(path, SENDER)).toMatchObject(refused({ message: expect.stringContaining('already') }));
  const other = dkimKey();
  const changed = await live.patch(one, { selector: 'next', private_key: other.privateKey });
  expect(changed.body).toMatchObject({ selector: 'next', dns_value: `v=DKIM1; k=rsa; p=${other.publicKey}` });
  expect(await live.patch(one, { domain: 'other.example' })).toMatchObject(refused({ param: 'address' }));
  expect(await live.patch(one, { domain: 'other.example', address: 'a@other.example' })).toMatchObject({ status: 200 });
  expect((await live.delete(one)).status).toBe(204);
  expect((await live.get(one)).status).toBe(404);
  expect(await api.em.execute('select 1 from mail_sender where sealed_private_key is not null')).toEqual([]);
});

const pem = (type: 'rsa' | 'ec') => {
  const key =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
      : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
};

test.each([
  ['no key', 'private_key', { private_key: 'no key' }],
  ['a key of another kind', 'private_key', { private_key: pem('ec') }],
  ['a short key', 'private_key', { private_key: pem('rsa') }],
  ['an empty key', 'private_key', { private_key: null }],
  ['an address of another domain', 'address', { address: 'billing@other.example' }],
  ['an address of a part of the domain', 'address', { address: 'billing@sub.acme.example' }],
  ['no address', 'address', { address: 'none' }],
  ['a domain without a dot', 'domain', { domain: 'acme' }],
  ['an IP address for a domain', 'domain', { domain: '127.0.0.1', address: 'billing@[127.0.0.1]' }],
  ['a domain that ends with a number', 'domain', { domain: 'acme.123' }],
  ['a domain that ends its field', 'domain', { domain: 'acme.example; d=evil.example' }],
  ['a selector with a space', 'selector', { selector: 'a b' }],
  ['a selector without a letter', 'selector', { selector: '-' }],
])('a sender with %s is refused, naming %s', async (_what, param, over) => {
  const { live: client } = await api.open('Refused');
  expect(await client.post(path, { ...SENDER, ...over })).toMatchObject(refused({ param }));
});

/** A business with a sender, and the answers to a check of it. */
async function newSender(settings: object = {}) {
  const { live: client } = await api.open('Proving');
  await client.patch('/account', { alert_recipients: ['team@acme.example'], ...settings });
  const { id } = await client.make(path, SENDER);
  return { client, one: `${path}/${id}`, check: async () => (await client.post(`${path}/${id}/verify`)).body };
}

const HAS_KEY = `v=DKIM1; k=rsa; p=${publicKey}`;
const told = ({ account }: Client) =>
  api.em.execute<{ subject: string; text: string }[]>(
    `select subject, text from email where account_id = ? and template = 'problem_email'`,
    [account.id],
  );

test('a check says what the DNS has and what is missing; the key proves the sender, another key needs a new proof', async () => {
  const { client, one, check } = await newSender();
  expect((await client.get(one)).body).toMatchObject({ state: 'pending', finding: null, checked_at: null });
  expect(await check()).toMatchObject({ state: 'pending', finding: `There is no TXT record ${RECORD}` });
  dns.publish(RECORD, { texts: ['v=DKIM1; k=rsa; p=MIIother'] });
  const other = `The TXT record ${RECORD} does not have the key of the sender. It has: v=DKIM1; k=rsa; p=MIIother`;
  expect(await check()).toMatchObject({ state: 'pending', finding: other });
  dns.publish(RECORD, { silent: true });
  const silent = `No answer about ${RECORD}: the DNS servers took too long`;
  expect(await check()).toMatchObject({ state: 'pending', finding: silent });
  dns.publish(RECORD, { texts: ['google-site-verification=1', `v=DKIM1; t=s; k=rsa; p=${publicKey}`] });
  const at = now.getTime() / 1000;
  expect(await check()).toMatchObject({ state: 'proved', checked_at: at, next_check_at: at + 86_400 });
  expect((await client.patch(one, { address: 'other@acme.example' })).body).toMatchObject({ state: 'proved' });
  const rotated = await client.patch(one, { private_key: dkimKey().privateKey });
  expect(rotated.body).toMatchObject({ state: 'pending', finding: null, checked_at: null, next_check_at: at });
});

test('a check of a key that was replaced meanwhile, or one that is older than the last check, proves nothing', async () => {
  const { client, one, check } = await newSender();
  dns.publish(RECORD, { texts: [HAS_KEY] });
  const accountId = client.account.id;
  const nameservers = createNameservers({ servers: [dns.address] });
  const checked = await checkSenderKey(
    { em: api.em, nameservers },
    { accountId, id: Number(one.split('/').at(-1)), isAsked: false },
    now,
  );
  const record = () => inTransaction(api.em, (em) => recordCheck(em, { accountId, check: checked }, now));
  await client.patch(one, { private_key: dkimKey().privateKey });
  await record();
  expect((await client.get(one)).body).toMatchObject({ state: 'pending' });
  await client.patch(one, { private_key: privateKey });
  dns.publish(RECORD, null);
  now = new Date(now.getTime() + 1000);
  await check();
  await record();
  expect((await client.get(one)).body).toMatchObject({ state: 'pending' });
});

test('a check that does not find the key does not put off the next check of Perennial itself', async () => {
  const { check } = await newSender();
  const { next_check_at: first } = await check();
  for (let n = 0; n < 9; n += 1) expect(await check()).toMatchObject({ state: 'pending', next_check_at: first });
});

test('a sender whose record is gone is lost at once, one whose DNS is silent after three days; the team is told once', async () => {
  const { client, check } = await newSender();
  const days = (count: number) => {
    now = new Date(now.getTime() + count * 86_400_000);
  };
  dns.publish(RECORD, { texts: [HAS_KEY] });
  await check();
  dns.publish(RECORD, { silent: true });
  days(2);
  expect(await check()).toMatchObject({ state: 'proved' });
  expect(await told(client)).toEqual([]);
  days(1); // three days after the key was last found
  expect(await check()).toMatchObject({ state: 'lost' });
  dns.publish(RECORD, null);
  expect(await check()).toMatchObject({ state: 'lost' });
  const [mail, ...more] = await told(client);
  expect(more).toEqual([]);
  expect(mail?.text).toContain(`Mails do not come from billing@acme.example any more. No answer about ${RECORD}`);
  expect((await client.get('/problems')).body).toMatchObject([{ subject: { object: 'mail_sender' } }]);
  dns.publish(RECORD, { texts: [HAS_KEY] });
  expect(await check()).toMatchObject({ state: 'proved' });
  expect((await client.get('/problems')).body).toEqual([]);
  dns.publish(RECORD, null);
  expect(await check()).toMatchObject({ state: 'lost' });
  expect(await told(client)).toHaveLength(2); // it was proved in between
});

test('an account checks only senders of its own', async () => {
  const { one } = await newSender();
  expect(await live.post(`${one}/verify`)).toMatchObject({ status: 404 });
});
