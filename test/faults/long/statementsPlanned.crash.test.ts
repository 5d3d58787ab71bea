import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { letLeasesEnd } from '../money/past.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterEach(killRoles);
afterAll(() => product.close());

test('a worker that is killed while it plans the customers of a changed setting: each has a planned statement', async () => {
  await product.client.post('/customers', { name: 'First' });
  for (const [index, point] of ['statements.committed', 'relay.woken'].entries()) {
    await product.client.patch('/account', { statement_day: `${index + 10}` });
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill` });
    await worker.untilKilledAt(point);
    await letLeasesEnd(product);
  }
  await product.client.patch('/account', { statement_day: 'last' });
  const ids = await product.rows<{ id: number }>(
    `insert into customer select r.* from generate_series(1, 20) n join customer c on c.id = 1, lateral jsonb_populate_record(c,
       jsonb_build_object('id', 1000 + n, 'number', 'N-' || n, 'number_key', 'N-' || n, 'token', md5(n::text), 'statement_day', null)) r
     returning id`,
  );
  const worker = await startRole(product, 'worker', {});
  const planned = `select count(*)::int as count from wakeup where rule = 'statement' and subject_id > 1000`;
  await product.row(planned, ({ count }) => count === ids.length);
  await worker.stop();
  expect((await product.audit()).filter(({ check }) => check.includes('statement'))).toEqual([]);
});
