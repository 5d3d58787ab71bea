import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newLogins } from '../../../adapters/databaseLogins.ts';
import { type Config, readConfig } from '../../../bin/config.ts';
import { keys } from '../../../bin/keys.ts';
import { runMigrate } from '../../../bin/migrate.ts';
import { type Client, createClient } from '../../../client/index.ts';
import { TEST_KEY } from '../../support/database.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver, verifiedPayload } from '../../support/receiver.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { until } from '../../support/wait.ts';

/** The four steps of docs/operations.md, "Rotating the encryption key". API and worker are processes of their own. */

const [old, next] = [TEST_KEY.toString('base64'), randomBytes(32).toString('base64')];

type Keys = { PERENNIAL_ENCRYPTION_KEY: string; PERENNIAL_OTHER_ENCRYPTION_KEY?: string };

let product: Product;
let receiver: Receiver;
let secret: string;
let roles: Role[] = [];
/** Service tokens that processes with earlier settings made. */
const tokens: string[] = [];

beforeAll(async () => {
  product = await startProduct({ worker: false });
  receiver = await startReceiver();
  ({ secret } = await product.call('POST', '/webhooks', { url: receiver.url, events: ['customer.created'] }));
});
afterAll(async () => {
  await killRoles();
  await product.close();
  await receiver.stop();
});

/** Starts API and worker with these keys, and ends those before. In between, both run. */
async function replaceRoles(env: Keys): Promise<Client> {
  const before = roles;
  roles = await Promise.all([startRole(product, 'api', env), startRole(product, 'worker', env)]);
  const client = clientOf(roles);
  if (before.length > 0) {
    // The new API seals a token which the old one opens, and the other way round.
    tokens.push(await newToken(client));
    await chargeToken(clientOf(before));
    tokens.push(await newToken(clientOf(before)));
    await chargeToken(client);
  }
  await Promise.all(before.map((role) => role.stop()));
  return client;
}

function clientOf([api]: readonly Role[]): Client {
  return createClient({ baseUrl: api?.url ?? '', apiKey: product.key, retries: 0 });
}

async function newToken(client: Client): Promise<string> {
  const made = await client.post('/service_tokens', { method: 'credit_card', gateway_token: 'tok_4242424242424242' });
  return made.id;
}

/** Charges a new customer by the oldest token. Waits until the receiver got the customer's event, signed with the secret of the endpoint. */
async function chargeToken(client: Client): Promise<void> {
  const service_token = tokens.shift() ?? '';
  const { id: customer } = await client.post('/customers', { name: 'Payer' });
  await client.post('/charges', {
    customer,
    method: 'credit_card',
    amount: 7,
    service_token,
    applied_to: [],
  });
  const isDelivered = () =>
    receiver.requests.some((request) => {
      verifiedPayload(request, secret); // throws if another secret signed it
      return JSON.parse(request.body).data.object.id === customer;
    });
  await until(isDelivered, { what: `the event of customer ${customer}` });
}

const configWith = (env: Keys): Config => readConfig({ DATABASE_URL: product.config.databaseUrl, ...env });

test('the key is replaced while API and worker run, and what each of them sealed is opened by the others', async () => {
  tokens.push(await newToken(await replaceRoles({ PERENNIAL_ENCRYPTION_KEY: old })));
  await replaceRoles({ PERENNIAL_ENCRYPTION_KEY: old, PERENNIAL_OTHER_ENCRYPTION_KEY: next });

  const both = { PERENNIAL_ENCRYPTION_KEY: next, PERENNIAL_OTHER_ENCRYPTION_KEY: old };
  await runMigrate(configWith(both));
  tokens.push(await newToken(await replaceRoles(both)));

  expect(await keys(configWith(both), ['rotate'])).toBe(0);
  await chargeToken(await replaceRoles({ PERENNIAL_ENCRYPTION_KEY: next }));
  const [told] = await product.rows<{ errors: number }>(
    'select count(*)::int as errors from problem where closed_at is null',
  );
  expect(told).toEqual({ errors: 0 });
  await expect(runMigrate(configWith({ PERENNIAL_ENCRYPTION_KEY: old }))).rejects.toThrow('another key');

  const canRead = `select has_table_privilege('${newLogins(TEST_KEY).app.user}', 'invoice', 'select') as can`;
  expect(await product.rows(canRead)).toEqual([{ can: true }]);
  await runMigrate(configWith({ PERENNIAL_ENCRYPTION_KEY: next }));
  expect(await product.rows(canRead)).toEqual([{ can: false }]);
});
