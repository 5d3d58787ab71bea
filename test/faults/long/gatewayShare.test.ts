import { expect, test } from '@jest/globals';
import { createClient } from '../../../client/index.ts';
import { startProduct } from '../../support/product.ts';
import { payingCustomer } from '../../support/story.ts';
import { openUnlimited } from '../../support/unlimited.ts';

/** Longer than the test takes, in milliseconds. The test itself ends the calls that hang. */
const HANG = '3600000';
/** Maximum number of simultaneous gateway calls of one account. */
const SHARE = 40;
interface Counted {
  count: number;
}

test('hanging gateways of one account occupy at most its share of the places; other work waits and is served', async () => {
  const product = await startProduct({
    env: { GATEWAY_DEADLINE: HANG, CHARGE_LOOKUP_DELAY: HANG },
  });
  let ending: NodeJS.Timeout | undefined;
  try {
    const invoices = 60;
    const { sandboxKey } = await openUnlimited(product.deps.em.fork(), 'Hanging', new Date());
    const hanging = createClient({ baseUrl: product.url, apiKey: sandboxKey, retries: 0 });
    const ours = await payingCustomer(product, 'tok_4242424242424242');
    const { id: theirs } = await payingCustomer({ client: hanging }, 'tok_script_timeout_taken');
    const invoice = () => hanging.post('/invoices', { customer: theirs, items: [{ unit_cost: 5 }] });
    await Promise.all(Array.from({ length: invoices }, invoice));
    const { id: accountId } = await hanging.get('/account');
    const charges = `select count(*)::int as count from attempt where account_id = ${accountId} and kind = 'charge'`;
    const asked = `${charges} and reference is not null`;
    await product.row<Counted>(charges, ({ count }) => count === invoices);
    await product.row<Counted>(asked, ({ count }) => count >= SHARE);
    const { id } = await product.client.post('/invoices', { customer: ours.id, items: [{ unit_cost: 5 }] });
    await product.row(`select paid from invoice where id = ${id}`, ({ paid }) => paid === true);
    expect(await product.rows(asked)).toEqual([{ count: SHARE }]);
    ending = setInterval(product.deps.testGateway.hangUp, 100); // waiting calls take the free places, and hang
    await product.row<Counted>(asked, ({ count }) => count === invoices);
  } finally {
    ending ??= setInterval(product.deps.testGateway.hangUp, 100);
    await product.close().finally(() => clearInterval(ending));
  }
});
