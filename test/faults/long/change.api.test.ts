import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../../workers/connection.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { type Heard, send } from '../money/client.ts';
import { expectRecovered } from '../money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true });
  await product.call('POST', '/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  await product.call('POST', '/plans', { id: 'daily', name: 'Daily', amount: 2, interval: 'day' });
});
afterEach(killRoles);
afterAll(() => product.close());

/** Ways to kill an API in a change. `kill` sends the change and returns after the death. */
const deaths = [
  { death: 'before the commit', isApplied: false, kill: killBeforeCommit },
  { death: 'after the commit', isApplied: true, kill: killAfterCommit },
];

/** Changes of a week that costs 10.00, from its first second on, with the totals of all invoices and credit notes after it. */
const changes = [
  { change: 'more units', body: { quantity: 3 }, totals: [10, 20], credited: [] }, // 3 x 10 - 10
  { change: 'no units', body: { quantity: 0 }, totals: [10, 0], credited: [10] },
  // 6 x 2 - 10. Begins its day now, so it takes no proration_date. The seconds since the start are less than half a cent.
  { change: 'another interval', body: { plan: 'daily', quantity: 6 }, totals: [10, 2], credited: [] },
];

const cases = deaths.flatMap((death) => changes.map((change) => ({ ...death, ...change })));

test.each(cases)(
  'when an API is killed $death of a change to $change, the repeated request makes it once',
  async (one) => {
    const start_date = Math.floor(Date.now() / 1000);
    const customer = (await product.call('POST', '/customers', { name: one.change })).id;
    const { id } = await product.call('POST', '/subscriptions', { customer, plan: 'weekly', start_date });
    const dated = 'plan' in one.body ? {} : { proration_date: start_date };
    const body = { ...one.body, prorate: 'now', ...dated };
    const asked = {
      method: 'PATCH',
      path: `/subscriptions/${id}`,
      body,
      key: product.key,
      idempotencyKey: `change ${id}`,
    };
    await one.kill((url) => send({ ...asked, url }));

    const answer = await send({ ...asked, url: product.url });
    expect(answer).toMatchObject({ status: 200, replayed: one.isApplied, body: { id, ...one.body } });
    expect(await send({ ...asked, url: product.url })).toEqual({ ...answer, replayed: true });
    const totalsOf = async (table: string) => {
      const sql = `select total::float8 as total from ${table} where customer_id = ${customer} order by id`;
      return (await product.rows<{ total: number }>(sql)).map(({ total }) => total);
    };
    expect([await totalsOf('invoice'), await totalsOf('credit_note')]).toEqual([one.totals, one.credited]);
    expect(await product.call('GET', `/customers/${customer}/line_items`)).toEqual([]);
    await expectRecovered(product);
  },
);

type Sending = (url: string) => Promise<Heard>;

/** Kills an API that waits for the series of numbers, the last rows that a change locks. */
async function killBeforeCommit(sending: Sending): Promise<void> {
  const api = await startRole(product, 'api');
  const other = await connect(product.config.databaseUrl);
  await other.transaction(async () => {
    await other.query('select 1 from numbering where account_id = $1 for update', [product.accountId]);
    const [own] = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    await expectUnanswered(api, sending, async () => {
      await product.row(`select 1 from pg_stat_activity where ${own?.pid} = any(pg_blocking_pids(pid))`);
      await api.kill();
    });
  });
  await other.close();
}

/** Kills an API that has made a change and not answered. */
async function killAfterCommit(sending: Sending): Promise<void> {
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: 'write.committed=kill' });
  await expectUnanswered(api, sending, () => api.untilKilledAt('write.committed'));
}

async function expectUnanswered({ url }: Role, sending: Sending, kill: () => Promise<void>): Promise<void> {
  const [answer] = await Promise.all([Promise.allSettled([sending(url)]), kill()]);
  expect(answer).toMatchObject([{ status: 'rejected' }]);
}
