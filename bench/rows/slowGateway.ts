import { type StripeServer, startStripe } from '../../test/adapters/stripe/server.ts';
import { headersOf } from '../insideApi.ts';
import type { Stage } from '../stage.ts';

/** Milliseconds that the requests of one charge take at the slow gateway. */
export const SLOW_CHARGE = 300;
const REQUESTS_OF_A_CHARGE = 6;

/** Runs work while a server that stands for Stripe, and takes long, charges cards of the sandbox. */
export async function withSlowGateway<T>(stage: Stage, work: (stripe: StripeServer) => Promise<T>): Promise<T> {
  const stripe = await startStripe(SLOW_CHARGE / REQUESTS_OF_A_CHARGE);
  const { host, port } = stripe.address;
  const url = `${stage.origin}/sandbox/api/merchant_accounts`;
  const headers = headersOf(stage);
  try {
    await stage.restart('api', { STRIPE_API: `http://${host}:${port}` });
    const secrets = { secret_key: 'sk_test_Slow2030', publishable_key: 'pk_test_Slow2030' };
    const merchant = JSON.stringify({ gateway: 'stripe', name: 'Slow', ...secrets });
    const made = await fetch(url, { method: 'POST', headers, body: merchant });
    const text = await made.text();
    if (!made.ok) throw new Error(`merchant account: ${made.status} ${text}`);
    const result = await work(stripe);
    // Pages of the sandbox use the test gateway again.
    const deleted = await fetch(`${url}/${JSON.parse(text).id}`, { method: 'DELETE', headers });
    if (!deleted.ok) throw new Error(`merchant account: ${deleted.status} ${await deleted.text()}`);
    return result;
  } finally {
    await stage.restart('api');
    await stripe.close();
  }
}
