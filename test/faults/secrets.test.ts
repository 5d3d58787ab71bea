import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testEventSecret } from '../../adapters/databaseLogins.ts';
import { type StripeServer, startStripe } from '../adapters/stripe/server.ts';
import { formOn, sendForm, visitPage } from '../support/payPage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { killRoles, type Role, startRole } from '../support/roles.ts';
import { scratchFolder } from '../support/scratch.ts';
import { filesOf, historiesOf, leaksIn, mailsOf, rowsOf, type Traces } from '../support/traces.ts';
import { until } from '../support/wait.ts';

/** A business whose API and worker log everything. After its work, a search finds no card number and no secret. */

const cards = {
  good: '4242424242424242',
  declined: '4000000000000069',
  challenged: '4000000000003220',
  silent: '4000000000000119',
  unknown: '4111111111111111',
};
const account = { routing_number: '110000000', account_number: '000123456789' };
const stripeSecrets = { secret_key: 'sk_test_Rome2027Hidden', event_secret: 'whsec_Rome2027HiddenToo' };
const refusedKey = 'sk_test_unknownButSecret';

let product: Product;
let stripe: StripeServer;
let receiver: Receiver;
let folder: string;
let api: Role;
let worker: Role;
const secrets: Record<string, string> = { ...cards, ...stripeSecrets, refusedKey, account: account.account_number };

beforeAll(async () => {
  folder = await scratchFolder('secrets');
  stripe = await startStripe();
  receiver = await startReceiver();
  const env = { CHARGE_LOOKUP_DELAY: '200', GATEWAY_DEADLINE: '2000', LOG_LEVEL: 'trace' };
  product = await startProduct({ worker: false, env });
  const { host, port } = stripe.address;
  const alike = { FILES_FOLDER: folder, STRIPE_API: `http://${host}:${port}` };
  api = await startRole(product, 'api', alike);
  worker = await startRole(product, 'worker', alike);
  const { encryptionKey } = product.config;
  secrets.encryptionKey = encryptionKey.toString('base64');
  secrets.eventsOfTestGateway = testEventSecret(encryptionKey, product.accountId);
  Object.assign(secrets, { key: product.key, liveKey: product.liveKey });
});
afterAll(async () => {
  await killRoles();
  await product.close();
  await receiver.stop();
  await stripe.close();
  await rm(folder, { recursive: true, force: true });
});

/** A request to the API in its own process. */
async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      Authorization: `Basic ${btoa(`${product.key}:`)}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const made = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const answer = await ask('POST', path, body, headers);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
};

const site = () => ({ origin: new URL(api.url).origin, deps: { publicUrl: product.config.publicUrl } });

const items = [{ name: 'Consulting', quantity: 1, unit_cost: 25 }];
let customer = 0;

/** The path of the page of a new invoice, which AutoPay leaves to the page. */
async function newPage(): Promise<string> {
  const { id } = await made('/invoices', { customer, items, autopay: false });
  return new URL((await ask('GET', `/invoices/${id}`)).body.payment_url).pathname;
}

/** The fields of the page make a token of the numbers, as in a browser. Null: the gateway refuses them. */
async function entered(pay: string, numbers: object): Promise<string | null> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await visitPage(site(), `${pay}/tokens`, { method: 'POST', headers, body: JSON.stringify(numbers) });
  return answer.status === 201 ? JSON.parse(answer.html).id : null;
}

/** Pays a new invoice on its page, and opens the page of the outcome. */
async function payBy(name: string, numbers: { method: string }, consent = false): Promise<string> {
  const pay = await newPage();
  const token = await entered(pay, numbers);
  if (token === null) return 'refused';
  secrets[`service token of ${name}`] = token;
  const form = formOn(await visitPage(site(), `${pay}?method=${numbers.method}`));
  const sent = await sendForm(site(), pay, {
    ...form,
    service_token: token,
    email: 'payer@example.com',
    ...(consent ? { consent: 'yes' } : {}),
  });
  expect([name, sent.status]).toEqual([name, 303]);
  return (await visitPage(site(), sent.location ?? '')).html;
}

async function payOnPages(): Promise<void> {
  const card = (number: string) => ({ method: 'credit_card', number });
  for (const [name, number] of Object.entries(cards)) {
    const html = await payBy(name, card(number), name === 'good');
    const [, challenge] = /href="[^"]*(\/challenges\/tgo_\w+)"/.exec(html) ?? [];
    if (challenge) secrets.challenge = challenge;
  }
  await payBy('bank account', { method: 'ach', ...account });
  expect(secrets.challenge).toBeDefined();
}

/** Numbers and secrets in places where they do not belong. */
async function misplace(): Promise<void> {
  const { good } = cards;
  const charge = { customer, method: 'credit_card', amount: 5, applied_to: [] };
  const wrong = [
    await ask('POST', '/charges', { ...charge, number: good }),
    await ask('POST', '/charges', { ...charge, gateway_token: good }, { 'Idempotency-Key': 'number' }),
    await ask('POST', '/charges', `{"gateway_token": "${good}", "customer": `),
    await ask('POST', '/charges', `{"gateway_token": ${good}${good} x`),
    await ask('POST', '/merchant_accounts', { gateway: 'stripe', name: 'Wrong', secret_key: refusedKey }),
    await ask('GET', `/customers/${customer}?number=${good}`),
    await ask('GET', `/payments/${good}`),
    await ask('GET', '/customers', undefined, { Authorization: `Bearer ${product.liveKey}` }),
    await visitPage(site(), `${await newPage()}?number=${good}&service_token=${good}`),
  ];
  expect(wrong.length).toBe(9);
}

async function useStripe(): Promise<void> {
  await made('/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...stripeSecrets }, { 'Idempotency-Key': 'm' });
  const charge = { customer, method: 'credit_card', amount: 7, applied_to: [], gateway_token: 'pm_card_visa' };
  for (const how of ['rate_limited', 'cut_after', 'broken'] as const) {
    stripe.fail({ request: /confirm/, how });
    await ask('POST', '/charges', charge);
  }
  expect(stripe.asked.length).toBeGreaterThan(3);
}

async function hear(): Promise<void> {
  const endpoint = { url: receiver.url, events: '*' };
  const { id, secret } = await made('/webhooks', endpoint, { 'Idempotency-Key': 'endpoint' });
  secrets.oldWebhook = secret;
  secrets.webhook = (await ask('POST', `/webhooks/${id}/rotate_secret`)).body.secret;
  const page = await made('/api_keys', { name: 'Shop' }, { 'Idempotency-Key': 'key' });
  secrets.apiKey = page.secret ?? page.key;
}

const texts = (from: readonly { headers: unknown; body?: string; text?: string }[]): string =>
  from.map((one) => JSON.stringify(one)).join('\n');

async function tracesOf(): Promise<Traces> {
  const { requests } = receiver;
  return {
    ...(await rowsOf(product)),
    ...(await historiesOf(product)),
    ...mailsOf(product),
    ...(await filesOf(folder)),
    'log of the API': api.output(),
    'log of the worker': worker.output(),
    'webhook deliveries': texts(requests),
  };
}

test('database, logs, histories, events, mails and files have no card number and no secret', async () => {
  await hear();
  customer = (await made('/customers', { name: 'Payer', email: 'payer@example.com' })).id;
  await payOnPages();
  await misplace();
  await useStripe();
  await until(() => product.mailbox.messages().some(({ subject }) => /receipt|payment/i.test(subject)), {
    what: 'a receipt',
  });
  await until(() => receiver.requests.some(({ body }) => body.includes('"payment.created"')), { what: 'an event' });
  const { id } = await made('/invoices', { customer, items });
  await ask('POST', `/invoices/${id}/emails`, {});
  await until(() => product.mailbox.messages().some(({ files }) => files.length > 0), { what: 'a PDF' });
  await api.stop();
  await worker.stop();
  const traces = await tracesOf();
  expect(leaksIn(traces, secrets)).toEqual([]);
  // The search would find them: the test gateway, which stands for the world outside, has the cards.
  const outside = leaksIn(await rowsOf(product, ['test_gateway']), secrets);
  expect(outside).toEqual(expect.arrayContaining(['table operation: good', 'table operation: challenged']));
});
