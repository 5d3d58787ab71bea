import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { letLeasesEnd } from './money/past.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterEach(killRoles);
afterAll(() => product.close());

/** Rows of the audit log that have no link, or several, and places of the chain that are missing or taken twice. */
const wrong = () =>
  product.rows(`
    select 'entry ' || l.id as what from audit_log l left join audit_link k on k.account_id = l.account_id and k.entry_id = l.id
      group by l.account_id, l.id having count(k.entry_id) <> 1
    union all
    select 'chain of ' || account_id from audit_link group by account_id
      having count(*) <> max(position) or count(distinct position) <> count(*)
    union all
    select 'head of ' || h.account_id from audit_head h
      where h.position <> (select max(position) from audit_link k where k.account_id = h.account_id)`);

test('a relay that is killed while it links entries, or after that: the chain has each once, in an unbroken order', async () => {
  const { client } = product;
  for (const point of ['relay.linking', 'relay.linked']) {
    for (const name of ['One', 'Two', 'Three']) await client.post('/customers', { name });
    const [before] = await product.rows('select count(*)::int as links from audit_link');
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill` });
    await worker.untilKilledAt(point);
    const [after] = await product.rows('select count(*)::int as links from audit_link');
    expect([point, Number(after?.links) > Number(before?.links)]).toEqual([point, point === 'relay.linked']);
    for (const name of ['Four', 'Five']) await client.post('/customers', { name });
    await letLeasesEnd(product);
    const next = await startRole(product, 'worker', {});
    await product.row(
      'select count(*)::int as waiting from audit_queue where due_at <= now()',
      ({ waiting }) => waiting === 0,
    );
    await next.stop();
    expect([point, await wrong()]).toEqual([point, []]);
  }
  expect(await product.audit()).toEqual([]);
});
