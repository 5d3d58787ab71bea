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

test('a worker that is killed around the digest: the team gets each day once', async () => {
  const { client, accountId } = product;
  await client.patch('/account', { alert_recipients: ['team@example.com'] });
  const customer = await client.post('/customers', { name: 'Ada' });
  await client.post('/tasks', { customer: customer.id, name: 'Call', action: 'phone', due_date: 1 });
  const points = ['relay.woken', 'digest.before_commit', 'digest.committed'];
  for (const point of points) {
    await product.rows(`update digest set last_day = last_day - 1`);
    await product.rows(`delete from email where template = 'digest_email'`);
    await product.rows(`update wakeup set at = now() - interval '1 hour' where process = 'digest'`);
    await product.rows(`insert into outbox (account_id, topic, subject_id, due_at) values (?, 'digest', ?, now())`, [
      accountId,
      accountId,
    ]);
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill` });
    await worker.untilKilledAt(point);
    await letLeasesEnd(product);
    const next = await startRole(product, 'worker', {});
    await product.row(`select 1 from email where template = 'digest_email' and state = 'sent'`);
    await product.row(`select at from wakeup where rule = 'digest'`, ({ at }) => new Date(String(at)) > new Date());
    await next.stop();
    const mails = await product.rows(`select cause from email where template = 'digest_email'`);
    expect([point, mails]).toEqual([point, [{ cause: expect.stringMatching(/^digest:[-0-9]{10}$/) }]]);
  }
  expect((await product.audit()).filter(({ check }) => check.includes('digest'))).toEqual([]);
});
