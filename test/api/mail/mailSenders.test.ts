import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { dkimKey, SENDER as NAMES } from '../../support/dkim.ts';

let api: TestApi;
let live: Client;
beforeAll(async () => {
  api = await startApi();
  live = api.live;
});
afterAll(() => api.close());

const path = '/mail_senders';
const { privateKey, publicKey } = dkimKey();
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
  ['a domain that ends its field', 'domain', { domain: 'acme.example; d=evil.example' }],
  ['a selector with a space', 'selector', { selector: 'a b' }],
  ['a selector without a letter', 'selector', { selector: '-' }],
])('a sender with %s is refused, naming %s', async (_what, param, over) => {
  const { live: client } = await api.open('Refused');
  expect(await client.post(path, { ...SENDER, ...over })).toMatchObject(refused({ param }));
});
