import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
  await ask(api, '/merchant_accounts', { gateway: 'stripe', name: 'Stripe', secret_key: 'sk_test_Crash2027' });
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
  await startRole(product, 'worker', env);
  const open = `select 1 from attempt where state not in ('succeeded', 'abandoned')`;
  await until(async () => (await product.rows(open)).length === 0, { what: 'an outcome of each refund' });
  for (const { charge, intent, isSent } of made) {
    const given = [...stripe.world.refunds.values()].filter((refund) => refund.payment_intent === intent);
    const [row] = await product.rows(`select amount_refunded::float8 as refunded from charge where id = ${charge}`);
    expect([given.length, row]).toEqual([isSent ? 1 : 0, { refunded: isSent ? 15 : 0 }]);
  }
  expect(await product.audit()).toEqual([]);
});
