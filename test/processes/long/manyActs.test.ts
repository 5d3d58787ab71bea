import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileOfJob, jobAtEnd, limitedMember } from '../../support/jobs.ts';
import { type Product, startProduct } from '../../support/product.ts';

/** A job of as many objects as a request may name. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const MANY = 10_000;
const AT_ONCE = 8;

test('10,000 selected rows of which three are refused', async () => {
  const { client } = product;
  const { memberId } = await limitedMember(product, new Date());
  const made: number[] = [];
  const make = async () => {
    while (made.length < MANY - 3) {
      const place = made.push(0) - 1;
      made[place] = (await client.post('/customers', { name: `Customer ${place}` })).id;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  const gone = [1_000_001, 1_000_002, 1_000_003];
  const ids = [gone[0] ?? 0, ...made.slice(0, 5000), gone[1] ?? 0, ...made.slice(5000), gone[2] ?? 0];
  const parameters = { owner: memberId };
  const { id } = await client.post('/jobs', { type: 'bulk', action: 'assign', list: 'customers', ids, parameters });
  const job = await jobAtEnd(product, id);
  expect(job).toMatchObject({ status: 'done', done: MANY, total: MANY, refused_count: 3 });
  expect(job.refused).toMatchObject(
    [1, 5002, MANY].map((row, index) => ({ row, id: gone[index], code: 'resource_missing' })),
  );
  expect(await product.rows('select count(*)::int as owned from customer where owner_id = ?', [memberId])).toEqual([
    { owned: MANY - 3 },
  ]);
  const lines = (await (await fileOfJob(product, id)).text()).split('\r\n').slice(1, -1);
  expect(lines).toHaveLength(MANY);
  expect(lines.filter((line) => line.includes(',refused,'))).toHaveLength(3);
  expect(await product.audit()).toEqual([]);
});
