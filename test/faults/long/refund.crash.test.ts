import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signedEvent } from '../../adapters/stripe/events.ts';
import { createRefund } from '../../adapters/stripe/refunds.ts';
import { type StripeServer, startStripe } from '../../adapters/stripe/server.ts';
import type { Answer } from '../../support/api.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { until } from '../../support/wait.ts';

/** APIs are killed at each point of a refund at Stripe. A worker finds out what became of each: books and Stripe have the same. */

let product: Product;
let stripe: StripeServer;
let env: Record<string, string>;
beforeAll(async () => {
  stripe = await startStripe();
  const { host, port } = stripe.address;
  product = await startProduct({ worker: false, env: { CHARGE_LOOKUP_DELAY: '200', GATEWAY_DEADLINE: '2000' } });
  env = { STRIPE_API: `http://${host}:${port}` };
});
afterAll(async () => {
  await killRoles();
  await product.close();
  await stripe.close();
});

async function ask(api: Role, path: string, body: object): Promise<Answer['body']> {
  const headers = { Authorization: `Basic ${btoa(`${product.key}:`)}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
}

const EVENT_SECRET = 'whsec_Crash2027';
const secrets = { secret_key: 'sk_test_Crash2027', event_secret: EVENT_SECRET };

/** The points of a refund in order, and whether Stripe was asked for it before. */
const points = [
  ['refund.started', false],
  ['refund.prepared', false],
  ['refund.referenced', false],
  ['refund.confirmed', true],
  ['refund.answered', true],
  ['refund.recorded', true],
] as const;

test('a refund is made or not made, never in doubt, wherever the API dies', async () => {
  const api = await startRole(product, 'api', env);
  await ask(api, '/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...secrets });
  const { id: customer } = await ask(api, '/customers', { name: 'Payer' });
  const made: { charge: number; intent: string; isSent: boolean }[] = [];
  for (const [point, isSent] of points) {
    const source = { method: 'credit_card', gateway_token: 'pm_card_visa' };
    const { charge } = await ask(api, '/charges', { customer, amount: 40, applied_to: [], ...source });
    const killed = await startRole(product, 'api', { ...env, PERENNIAL_FAILPOINTS: `${point}=kill` });
    const lost = ask(killed, `/charges/${charge.id}/refunds`, { amount: 15 }).catch(() => null);
    await killed.untilKilledAt(point);
    await lost;
    made.push({ charge: charge.id, intent: charge.gateway_id, isSent });
  }
  const sent = `select count(*)::int as attempts from attempt where kind = 'refund' and sent_at is not null`;
  expect(await product.rows(sent)).toEqual([{ attempts: 4 }]); // all but the first two
  const worker = await startRole(product, 'worker', env);
  const open = `select 1 from attempt where state not in ('succeeded', 'abandoned')`;
  await until(async () => (await product.rows(open)).length === 0, { what: 'an outcome of each refund' });
  await worker.stop();
  for (const { charge, intent, isSent } of made) {
    const given = [...stripe.world.refunds.values()].filter((refund) => refund.payment_intent === intent);
    const [row] = await product.rows(`select amount_refunded::float8 as refunded from charge where id = ${charge}`);
    expect([given.length, row]).toEqual([isSent ? 1 : 0, { refunded: isSent ? 15 : 0 }]);
  }
  expect(await product.audit()).toEqual([]);
});

test('a refund that was made although it was given up is recorded by its event, wherever the worker dies', async () => {
  const abandoned = `select a.key, c.gateway_id as intent, c.id from attempt a join attempt_refund r on r.attempt_id = a.id
    join charge c on c.id = r.charge_id where a.state = 'abandoned' and a.reference is not null`;
  const [refund] = await product.rows<{ key: string; intent: string; id: number }>(abandoned);
  if (!refund) throw new Error('no refund was given up');
  const metadata = { perennial_key: refund.key };
  createRefund(stripe.world, { payment_intent: refund.intent, amount: '1500', metadata });
  const events = stripe.world.events.slice(-2); // refund.created and charge.refunded
  const worker = await startRole(product, 'worker', { ...env, PERENNIAL_FAILPOINTS: 'event.answered=hang' });
  const api = await startRole(product, 'api', env);
  const [merchant] = await product.rows<{ id: number }>('select id from merchant_account');
  const configuration = `stripe_${product.accountId}_${merchant?.id}`;
  for (const event of [...events, ...events]) {
    const { headers, body } = signedEvent(event, { secret: EVENT_SECRET, configuration });
    const signature = headers['stripe-signature'] ?? '';
    const sent = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
    const url = `${new URL(api.url).origin}/gateway_events/${configuration}`;
    expect((await fetch(url, { method: 'POST', headers: sent, body })).status).toBe(200);
  }
  await worker.untilHit('event.answered');
  await worker.kill();
  await startRole(product, 'worker', env);
  await until(async () => (await product.rows(`select 1 from gateway_event where state <> 'processed'`)).length === 0, {
    what: 'every event to be processed',
  });
  const [row] = await product.rows(`select amount_refunded::float8 as refunded from charge where id = ${refund.id}`);
  expect(row).toEqual({ refunded: 15 });
  expect(await product.audit()).toEqual([]);
});
