import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCipher, keyFingerprint } from '../../../adapters/cipher.ts';
import { rotateKeys } from '../../../bin/keys.ts';
import { ensureDeployment } from '../../../commands/accounts/deployments.ts';
import { auditSigner } from '../../../commands/kernel/auditChain.ts';
import { type SealedColumn, sealedColumns } from '../../../db/schema/sealedColumns.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { projectFolder } from '../../suites.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { POSTMARK } from '../../support/bounces.ts';
import { dkimKey, SENDER } from '../../support/dkim.ts';
import { seedProvider } from '../../support/texts.ts';

/** `perennial keys rotate` beside a running API. */

const [old, next] = [randomBytes(32), randomBytes(32)];
let current = createCipher(old, next);
let api: TestApi;
let shop: Client;
let owner: Connection;
let customer: number;

beforeAll(async () => {
  const cipher = {
    encrypt: (plain: string) => current.encrypt(plain),
    decrypt: (sealed: string) => current.decrypt(sealed),
  };
  api = await startApi({ cipher, gatewayDeadline: 300 });
  shop = api.sandbox;
  owner = await connect(api.databaseUrl);
  await ensureDeployment(api.em.fork(), keyFingerprint(old), new Date());
  customer = (await shop.make('/customers', { name: 'Payer' })).id;
});
afterAll(async () => {
  await owner.close();
  await api.close();
});

const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
const tokenOf = async (): Promise<string> => (await shop.make('/service_tokens', CARD)).id;
const charge = (more: object) =>
  shop.post('/charges', { customer, method: 'credit_card', amount: 1, applied_to: [], ...more });

async function sealedIn({ table, column, where }: SealedColumn): Promise<string[]> {
  const rows = await owner.query<{ sealed: string }>(`select ${column} as sealed from ${table} where ${where}`);
  return rows.map(({ sealed }) => sealed);
}

/** All sealed texts under a key, in clear, by column. */
async function clear(key: Uint8Array): Promise<Record<string, string[]>> {
  const cipher = createCipher(key);
  const found = sealedColumns.map(async (one) => {
    const texts = (await sealedIn(one)).map((sealed) => cipher.decrypt(sealed));
    return [`${one.table}.${one.column}`, texts.toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

/** A text in every sealed column. */
async function seed(): Promise<void> {
  const { id } = await shop.make('/webhooks', { url: 'http://127.0.0.1:9/', events: ['invoice.paid'] });
  await shop.make(
    '/webhooks',
    { url: 'http://127.0.0.1:9/x', events: ['invoice.paid'] },
    { 'Idempotency-Key': 'kept' },
  );
  await shop.post(`/webhooks/${id}/rotate_secret`);
  const stripe = { gateway: 'stripe', name: 'Main', secret_key: 'sk_test_Rotated2027', event_secret: 'whsec_Rotated' };
  await shop.make('/merchant_accounts', stripe);
  await seedProvider(shop);
  await shop.make('/mail_providers', POSTMARK);
  await shop.make('/mail_senders', { ...SENDER, private_key: dkimKey().privateKey });
  await owner.query('update message_provider set sealed_auth_token = $1', [current.encrypt('token of the provider')]);
  for (let n = 0; n < 2; n += 1) await charge({ gateway_token: 'tok_4000000000000101' });
  const waiting = `update attempt set state = 'waiting', payer = '{}', sealed_challenge = $1
    where id = (select max(id) from attempt where state = 'unknown')`;
  await owner.query(waiting, [current.encrypt('https://challenge.example')]);
  const withApp = `insert into person (email, sealed_totp_secret, created_at, updated_at) values ('app@acme.example', $1, now(), now())`;
  await owner.query(withApp, [current.encrypt('secret of the app')]);
  await shop.make('/plans', { id: 'gold', name: 'Gold', amount: 5, interval: 'month' });
  const page = await shop.make('/sign_up_pages', { name: 'Gold', plans: ['gold'] });
  await owner.query(
    `insert into sign_up (account_id, page_id, state, key, customer_key, choice, seen, language, consent, accepted_at, method, gateway,
       sealed_token, sealed_challenge, started_at, created_at, updated_at)
     values ($1, $2, 'waiting', gen_random_uuid(), 1, '{}', '', 'en', '{}', now(), 'credit_card', 'test', $3, $4, now(), now(), now())`,
    [shop.account.id, page.id, current.encrypt('tok_4242424242424242'), current.encrypt('https://challenge.example')],
  );
  await auditSigner(owner, current);
  for (let n = 0; n < 20; n += 1) await tokenOf();
}

test('every sealed column is listed', () => {
  const folder = join(projectFolder, 'db/schema');
  const declared = readdirSync(folder).flatMap((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const table = file.replace('.ts', '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [...source.matchAll(/^ {4}(sealed[A-Z]\w+): p\./gm)].map(
      ([, name = '']) => `${table}.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    );
  });
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(listed.toSorted()).toEqual([...declared, 'idempotency.body'].toSorted());
});

test('all secrets get the new key while requests go on, also after it was stopped', async () => {
  await seed();
  const before = await clear(old);
  expect(Object.entries(before).filter(([, texts]) => texts.length === 0)).toEqual([]);
  const tokens = await Promise.all(Array.from({ length: 8 }, tokenOf));
  current = createCipher(next, old);
  let left = 9;
  const dying: Connection = {
    ...owner,
    query: (text, values) => {
      if (text.startsWith('update') && left-- === 0) throw new Error('killed');
      return owner.query(text, values);
    },
  };
  await expect(rotateKeys(dying, { to: next, from: old })).rejects.toThrow('killed');
  const working = tokens.map((service_token) => charge({ service_token }));
  const count = await rotateKeys(owner, { to: next, from: old });
  for (const { status } of await Promise.all(working)) expect(status).toBe(201);
  expect(count).toBeGreaterThan(20);
  current = createCipher(next);
  const after = await clear(next);
  for (const [column, texts] of Object.entries(before)) expect(after[column]).toEqual(expect.arrayContaining(texts));
  expect(await owner.query('select key_fingerprint from deployment')).toEqual([
    { key_fingerprint: keyFingerprint(next) },
  ]);
  expect(await rotateKeys(owner, { to: next, from: old })).toBe(0);
  expect((await charge({ service_token: await tokenOf() })).status).toBe(201);
  const kept = { url: 'http://127.0.0.1:9/x', events: ['invoice.paid'] };
  expect((await shop.post('/webhooks', kept, { 'Idempotency-Key': 'kept' })).body.secret).toMatch(/^whsec_/);
});

test('a text under neither key is named, and the key of the database stays', async () => {
  const third = randomBytes(32);
  await owner.query('update webhook set sealed_secret = $1', [createCipher(third).encrypt('x')]);
  const again = rotateKeys(owner, { to: old, from: next });
  await expect(again).rejects.toThrow(/^webhook \d+\/\d+ was encrypted with neither of the two keys$/);
  expect(await owner.query('select key_fingerprint from deployment')).toEqual([
    { key_fingerprint: keyFingerprint(next) },
  ]);
  await expect(rotateKeys(owner, { to: third, from: old })).rejects.toThrow('encrypted with another key');
});
