import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterEach(killRoles);
afterAll(() => product.close());

test.each(['job.slice', 'job.stored'])(
  'a worker that is killed at %s: another one writes the report, and there is one file',
  async (point) => {
    const { client, config } = product;
    const folder = 'folder' in config.files ? config.files.folder : '';
    const customer = await client.post('/customers', { name: 'Ada' });
    await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 2 }] });
    const worker = await startRole(product, 'worker', {
      FILES_FOLDER: folder,
      PERENNIAL_FAILPOINTS: `${point}=kill`,
    });
    const { id } = await client.post('/jobs', { type: 'report', report: 'journal' });
    await worker.untilKilledAt(point);
    expect(await client.get('/jobs/{id}', { id })).toMatchObject({ status: 'running', file: null });
    const next = await startRole(product, 'worker', { FILES_FOLDER: folder });
    await product.row(`select status from job where id = ${id}`, ({ status }) => status === 'done');
    await next.stop();
    expect(await client.get('/jobs/{id}', { id })).toMatchObject({ status: 'done', problem: null });
    const [job] = await product.rows<{ runs: number; store_key: string }>(
      'select runs, store_key from job where id = ?',
      [id],
    );
    expect(job?.runs).toBe(2);
    const stray = await product.rows<{ store_key: string }>('select store_key from stray_bytes');
    const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const kept = await product.rows<{ store_key: string }>('select store_key from job');
    // What the killed worker stored is stray: the sweep removes it.
    expect(stored).toHaveLength(kept.length + stray.length);
    expect(stray).toHaveLength(point === 'job.stored' ? 1 : 0);
    expect(stray.map(({ store_key }) => store_key)).not.toContain(job?.store_key);
  },
);

// Before and after the commit of the act on the second of three invoices.
test.each(['job.act', 'job.acted'])(
  'a worker that is killed at %s amid acts on objects: another one goes on, and each invoice is sent once',
  async (point) => {
    const { client, config } = product;
    const folder = 'folder' in config.files ? config.files.folder : '';
    const customer = await client.post('/customers', { name: 'Ada', email: 'ada@example.com' });
    const ids: number[] = [];
    for (let made = 0; made < 3; made += 1)
      ids.push((await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 2 }] })).id);
    const worker = await startRole(product, 'worker', {
      FILES_FOLDER: folder,
      PERENNIAL_FAILPOINTS: `${point}=kill:2`,
    });
    const parameters = { subject: point };
    const { id } = await client.post('/jobs', { type: 'bulk', action: 'send', list: 'invoices', ids, parameters });
    await worker.untilKilledAt(point);
    const next = await startRole(product, 'worker', { FILES_FOLDER: folder });
    await product.row(`select status from job where id = ${id}`, ({ status }) => status === 'done');
    await next.stop();
    expect(await client.get('/jobs/{id}', { id })).toMatchObject({
      done: 3,
      total: 3,
      refused_count: 0,
      problem: null,
    });
    const sent = await product.rows<{ object_id: string }>(
      `select object_id from audit_log where operation = 'sendInvoice' order by id`,
    );
    expect(sent.map(({ object_id }) => Number(object_id)).filter((one) => ids.includes(one))).toEqual(ids);
    expect(await product.rows('select id from email where subject = ?', [point])).toHaveLength(3);
  },
);
