import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { until } from '../support/wait.ts';
import { newInvoice, newPayer } from './money/payers.ts';
import { allCaptures, capturesOf, expectSettled } from './money/settled.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { CHARGE_LOOKUP_DELAY: '500' } });
}, 60_000);
afterEach(killRoles);
afterAll(() => product.close());

/** Every point of a charge, in the order in which it passes them. */
const points = ['committed', 'started', 'prepared', 'referenced', 'confirmed', 'answered', 'recorded'];

test('a worker killed at any point of a charge captures each invoice once', async () => {
  const customers: number[] = [];
  for (const _ of points) customers.push(await newPayer(product, { autopay: true }));
  const invoices: number[] = [];
  for (const [index, point] of points.entries()) {
    const { id } = await newInvoice(product, customers[index] ?? 0);
    invoices.push(id);
    const name = point === 'committed' ? 'invoice.committed' : `charge.${point}`;
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${name}=kill` });
    await worker.untilKilledAt(name);
  }

  await product.startWorker();
  const unpaid = () => product.rows('select id from invoice where not paid');
  await until(async () => expect(await unpaid()).toEqual([]) ?? true, { what: 'all to be paid', within: 60_000 });
  for (const id of invoices) expect(await capturesOf(product, id)).toBe(1);
  expect(await allCaptures(product)).toBe(points.length);
  await expectSettled(product);
}, 120_000);
