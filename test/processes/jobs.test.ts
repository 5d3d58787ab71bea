import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileOfJob, filesIn, jobAtEnd, limitedMember, reportOfJob } from '../support/jobs.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig } from '../support/steppedTime.ts';
import { until } from '../support/wait.ts';

/** Jobs on real Temporal: their files, who may have them, and how they end. */

let product: Product;
let now = Date.parse('2028-02-29T18:00:00Z');
beforeAll(async () => {
  product = await startProduct({ systemNow: () => new Date(now), config: fastSweepConfig });
});
afterAll(() => product.close());

const readFile = (id: number, key = product.key) => fileOfJob({ url: product.url, key }, id);
const ended = (id: number) => jobAtEnd(product, id);
const storedFiles = () => filesIn(product);

/** Adds entries to the books: each posting of an invoice `times` times more. */
async function multiplyEntries(invoice: number, times: number): Promise<void> {
  await product.rows(
    `insert into ledger_entry (account_id, posting, ledger_account, currency, amount, reason, posted_at, document_at, invoice_id)
     select account_id, md5(posting::text || n)::uuid, ledger_account, currency, amount, reason, posted_at, document_at, invoice_id
     from ledger_entry cross join generate_series(1, ?::int) n where account_id = ? and invoice_id = ?`,
    [times, product.accountId, invoice],
  );
}

async function invoiceOf(name: string) {
  const customer = await product.client.post('/customers', { name });
  const invoice = await product.client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 2 }] });
  return { customer: customer.id, invoice: invoice.id };
}

test('a report of more rows than an answer has: a file of all of them, as they were known when it was asked for', async () => {
  const { client } = product;
  const { invoice } = await invoiceOf('Ada');
  await multiplyEntries(invoice, 7000);
  // Each invoice posts two entries: receivables of 2, sales of -2. 2 + 7000 x 2 = 14002.
  const known_at = now / 1000;
  const job = await client.post('/jobs', { type: 'report', report: 'journal', parameters: { known_at } });
  now += 60_000;
  await invoiceOf('Known later');
  const { status, done, total, file, problem } = await ended(job.id);
  expect({ status, done, total, problem }).toEqual({ status: 'done', done: 14_002, total: 14_002, problem: null });
  const answer = await readFile(job.id);
  const lines = (await answer.text()).split('\r\n');
  expect(file).toMatchObject({ name: 'journal_2028-02-01_2028-02-29.csv', type: 'text/csv' });
  expect(answer.headers.get('content-length')).toBe(String(file?.size));
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="journal_2028-02-01_2028-02-29.csv"');
  expect(lines).toHaveLength(1 + 14_002 + 1); // heading, rows, the end of the last line
  const place = (lines[0] ?? '').split(',').indexOf('amount');
  const amounts = lines.slice(1, -1).map((line) => Number(line.split(',')[place]));
  expect(amounts.filter((amount) => amount === 2)).toHaveLength(7001);
  expect(amounts.filter((amount) => amount === -2)).toHaveLength(7001);
  const [act] = await product.rows(
    `select kind, object_type, object_id from audit_log where operation = 'readJobFile'`,
  );
  expect(act).toMatchObject({ kind: 'export', object_type: 'job', object_id: String(job.id) });
});

test('JSON and spreadsheets', async () => {
  const { client } = product;
  const asked = { type: 'report', report: 'aging', parameters: { currency: 'usd', customer: 1 } } as const;
  const json = await client.post('/jobs', { ...asked, format: 'json' });
  const xlsx = await client.post('/jobs', { ...asked, format: 'xlsx' });
  await ended(json.id);
  await ended(xlsx.id);
  const answered = await client.get('/reports/aging', {
    currency: 'usd',
    customer: 1,
    known_at: Number(json.parameters.known_at),
  });
  expect(await (await readFile(json.id)).json()).toEqual(answered);
  expect(answered.totals).toMatchObject([{ currency: 'usd', total: 14_002 }]); // 7001 x 2
  const bytes = Buffer.from(await (await readFile(xlsx.id)).arrayBuffer());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
});

/** Runs work while a job of the account runs, and then lets the next one run. */
async function whileOneRuns<Result>(work: () => Promise<Result>): Promise<Result> {
  await product.rows('create policy slow on ledger_entry as restrictive for select using (pg_sleep(600) is not null)');
  const { id } = await product.client.post('/jobs', { type: 'report', report: 'journal' });
  await product.row(
    `select 1 from pg_stat_activity where state = 'active' and wait_event = 'PgSleep' and datname = current_database()`,
  );
  const result = await work();
  await product.client.post('/jobs/{id}/cancel', null, { id });
  await until(
    async () => {
      if (
        (
          await product.rows(
            `select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
          )
        ).length > 0
      )
        throw new Error('it still reads');
      return true;
    },
    { what: 'the end of the statement of the canceled job' },
  );
  await product.rows('drop policy slow on ledger_entry');
  expect(await product.client.get('/jobs/{id}', { id })).toMatchObject({ status: 'canceled', file: null, done: 0 });
  return result;
}

test('a canceled job ends its statement, leaves no file, and lets the next one run', async () => {
  const files = storedFiles();
  const next = await whileOneRuns(async () => {
    const { id } = await product.client.post('/jobs', { type: 'report', report: 'mrr' });
    await product.row(
      `select at from wakeup where process = 'job' and subject_id = ${id} and at > '${new Date(now).toISOString()}'`,
    );
    expect((await product.client.get('/jobs/{id}', { id })).status).toBe('queued'); // an account runs one at a time
    return id;
  });
  expect((await ended(next)).status).toBe('done');
  expect(storedFiles()).toBe(files + 1);
});

test('a job has the rights that its member has when it runs', async () => {
  const { client } = product;
  const { memberId, key, client: limited } = await limitedMember(product, new Date(now));
  const own = await client.post('/customers', { name: 'Own', owner: memberId });
  await client.post('/invoices', { customer: own.id, items: [{ unit_cost: 5 }] });
  const asked = { type: 'report', report: 'aging', format: 'json' } as const;
  const others = await ended((await client.post('/jobs', asked)).id);
  const { id } = await ended((await limited.post('/jobs', asked)).id);
  expect(await (await readFile(id, key)).json()).toMatchObject({ rows: [{ customer: own.id, total: 5 }] });
  expect((await limited.get('/jobs')).map((job) => job.id)).toEqual([id]);
  expect((await readFile(others.id, key)).status).toBe(404);
  expect((await readFile(id)).status).toBe(200);
  await expect(limited.post('/jobs', { ...asked, report: 'trial_balance' })).rejects.toMatchObject({
    status: 403,
    message: 'Trial balance concerns all customers, and the member sees only its own',
  });
  const late = await whileOneRuns(async () => {
    const job = await limited.post('/jobs', asked);
    await product.rows(`update member set role = 'nothing' where id = ?`, [memberId]);
    return job.id;
  });
  expect(await ended(late)).toMatchObject({
    status: 'failed',
    problem: 'the member does not hold the permission reports.read',
    file: null,
  });
  await product.rows(`update member set role = 'account_manager' where id = ?`, [memberId]);
  const revoked = await whileOneRuns(async () => {
    const job = await limited.post('/jobs', asked);
    await product.rows(`update api_key set revoked_at = now() where name = 'Limited'`);
    return job.id;
  });
  expect(await ended(revoked)).toMatchObject({ status: 'failed', problem: 'the API key was revoked' });
});

test('rows of customers with a custom field, summed up by another one', async () => {
  const { client } = product;
  for (const id of ['segment', 'region']) await client.post('/custom_fields', { id, name: id, object: 'customer' });
  // North: retail 1 + 2, services 4. South is left out.
  for (const [segment, region, unit_cost] of [
    ['Retail', 'North', 1],
    ['Retail', 'North', 2],
    ['Services', 'North', 4],
    ['Retail', 'South', 8],
  ] as const) {
    const { id: customer } = await client.post('/customers', { name: segment, metadata: { segment, region } });
    await client.post('/invoices', { customer, items: [{ unit_cost }] });
  }
  const parameters = { metadata: { region: 'North' }, group_by: 'metadata.segment' };
  const asked = { type: 'report', report: 'open_items', format: 'json', parameters } as const;
  const job = await ended((await client.post('/jobs', asked)).id);
  const { rows, totals, parameters: told } = await reportOfJob(product, job.id);
  expect(rows).toMatchObject([
    { 'metadata.segment': 'Retail', currency: 'usd', rows: 2, amount: 3 },
    { 'metadata.segment': 'Services', currency: 'usd', rows: 1, amount: 4 },
  ]);
  expect([totals, told]).toMatchObject([[{ currency: 'usd', amount: 7 }], parameters]);
  expect(job.done).toBe(2);
});

test('30 days after its end a job is deleted with its file', async () => {
  const { client } = product;
  const job = await client.post('/jobs', { type: 'report', report: 'dso' });
  const { finished_at: at, expires_at } = await ended(job.id);
  expect(expires_at).toBe(Number(at) + 30 * 86_400);
  expect(storedFiles()).toBeGreaterThan(0);
  now += 31 * 86_400_000;
  await until(
    async () => {
      if (storedFiles() > 0) throw new Error(`${storedFiles()} files`);
      return true;
    },
    { what: 'the deletion of all files by the sweep' },
  );
  expect(await client.get('/jobs')).toEqual([]);
  expect((await readFile(job.id)).status).toBe(404);
});
