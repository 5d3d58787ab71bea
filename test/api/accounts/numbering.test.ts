import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Numbered' })).id;
});
afterAll(() => api.close());

const issue = (more: object = {}) =>
  api.sandbox.post('/invoices', { customer, items: [{ name: 'x', unit_cost: 1 }], ...more });
const inOrder = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => `INV-${String(n + from).padStart(5, '0')}`);

test('invoices issued at once get the next numbers without a gap, even when some are refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => {
      if (n % 3 === 1) return issue({ items: [{ unit_cost: -1 }] }); // refused after its total is computed
      return n % 3 === 2 ? issue({ items: [{ catalog_item: 'none' }] }) : issue();
    }),
  );
  const issued = answers.filter(({ status }) => status === 201).map(({ body }) => body.number);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(20);
  expect(issued.sort()).toEqual(inOrder(10));
});

test('the series skips supplied numbers and continues after them', async () => {
  for (const number of ['INV-00011', 'INV-00013', 'X-1']) expect((await issue({ number })).body.number).toBe(number);
  const next = [await issue(), await issue(), await issue()];
  expect(next.map(({ body }) => body.number)).toEqual(['INV-00012', 'INV-00014', 'INV-00015']);
});

test('only one of several simultaneous requests gets the same number', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => issue({ number: 'SAME' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  for (const { status, body } of answers) if (status === 400) expect(body.param).toBe('number');
});

test('each account and each environment has its own series', async () => {
  for (const client of [api.live, (await api.open('Other')).sandbox]) {
    const { id, number } = await client.make('/customers', { name: 'First' });
    expect(number).toBe('CUST-00001');
    expect((await client.make('/invoices', { customer: id })).number).toBe('INV-00001');
  }
});

/** The missing ranges of the invoice series with this prefix. */
async function missingOf(client: Client, prefix = 'INV-'): Promise<[string | null, string | null, string[]]> {
  const { status, body } = await client.get('/numbering/audit');
  expect([status, body.object, body.id]).toEqual([200, 'numbering_audit', client.account.id]);
  const { first, last, missing } = body.series.find(
    (one: { series: string; prefix: string }) => one.series === 'invoice' && one.prefix === prefix,
  );
  const told = missing.map((one: { first: string; last: string; count: number; reason: string; document: number }) =>
    [one.first, one.last, one.count, one.reason, one.document].join(' '),
  );
  return [first, last, told];
}

test('the audit of numbers reports the first, the last and every missing number with its reason', async () => {
  const { sandbox } = await api.open('Audited');
  const { id: owner } = await sandbox.make('/customers', { name: 'Numbered' });
  const make = (more: object = {}) => sandbox.make('/invoices', { customer: owner, ...more });
  expect(await missingOf(sandbox)).toEqual([null, null, []]);
  const draft = await make({ draft: true, number: 'INV-00003' });
  const gone = await make({ draft: true, number: 'INV-00004' });
  await make(); // 1
  const deleted = await make(); // 2
  await make(); // 5, because drafts have 3 and 4
  const renamed = await make(); // 6
  await sandbox.patch(`/invoices/${renamed.id}`, { number: 'SPECIAL' });
  await sandbox.delete(`/invoices/${deleted.id}`);
  await sandbox.delete(`/invoices/${gone.id}`);
  await make({ number: 'INV-00009' }); // a supplied number is skipped, not missing
  await sandbox.patch('/account', { numbering: { invoice: { next: 8 } } });
  expect((await make()).number).toBe('INV-00008');
  expect((await make()).number).toBe('INV-00010');
  expect(await missingOf(sandbox)).toEqual([
    'INV-00001',
    'INV-00010',
    [
      `INV-00002 INV-00002 1 deleted ${deleted.id}`,
      `INV-00003 INV-00003 1 draft ${draft.id}`,
      `INV-00004 INV-00004 1 draft_deleted ${gone.id}`,
      `INV-00006 INV-00006 1 changed ${renamed.id}`,
      'INV-00007 INV-00007 1 skipped ',
    ],
  ]);
  await sandbox.patch(`/invoices/${draft.id}`, { draft: false });
  await make({ number: 'INV-00004' });
  expect((await missingOf(sandbox))[2].map((told) => told.split(' ')[0])).toEqual([
    'INV-00002',
    'INV-00006',
    'INV-00007',
  ]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('the audit explains a number of an earlier prefix that a document gave up', async () => {
  const { sandbox } = await api.open('Renumbered');
  const { id: owner } = await sandbox.make('/customers', { name: 'Numbered' });
  const make = (more: object = {}) => sandbox.make('/invoices', { customer: owner, ...more });
  const renamed = await make(); // INV-00001
  const gone = await make({ draft: true, number: 'INV-00002' });
  const { id: leaving } = await sandbox.make('/customers', { name: 'Leaving' });
  const left = await make({ customer: leaving, draft: true, number: 'INV-00003' });
  await make(); // INV-00004
  const note = await sandbox.make('/credit_notes', { customer: owner, items: [{ unit_cost: 1 }] });
  const draft = { customer: owner, draft: true, number: 'CN-00002' };
  const { id: dropped } = await sandbox.make('/credit_notes', draft);
  await sandbox.post('/credit_notes', { customer: owner, items: [{ unit_cost: 1 }] }); // CN-00003
  const after = { invoice: { prefix: '2027/' }, credit_note: { prefix: 'C/' } };
  await sandbox.patch('/account', { numbering: after });
  expect((await make()).number).toBe('2027/00001');
  await sandbox.patch(`/invoices/${renamed.id}`, { number: 'SPECIAL' });
  await sandbox.patch(`/credit_notes/${note.id}`, { number: 'C-SPECIAL' });
  await sandbox.delete(`/invoices/${gone.id}`);
  await sandbox.delete(`/credit_notes/${dropped}`);
  expect((await sandbox.delete(`/customers/${leaving}`)).status).toBe(204);
  expect(await missingOf(sandbox)).toEqual([
    'INV-00001',
    'INV-00004',
    [
      `INV-00001 INV-00001 1 changed ${renamed.id}`,
      `INV-00002 INV-00002 1 draft_deleted ${gone.id}`,
      `INV-00003 INV-00003 1 draft_deleted ${left.id}`,
    ],
  ]);
  expect(await missingOf(sandbox, '2027/')).toEqual(['2027/00001', '2027/00001', []]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  // Without the recorded reasons the audit would report gaps, also after a change of the prefix.
  const em = api.em.fork();
  const forget = (series: string, known: string) =>
    em.execute('update numbering_gap set series = ? where account_id = ? and series = ?', [
      series,
      sandbox.account.id,
      known,
    ]);
  for (const series of ['invoice', 'credit_note']) {
    await forget('x', series);
    const drifts = (await auditDatabase(api.databaseUrl)).map(({ object }) => object);
    expect(drifts).toEqual(series === 'invoice' ? ['INV-00001 to INV-00003'] : ['CN-00001 to CN-00002']);
    await forget(series, 'x');
  }
});

test('the audit reports a number that is missing for no known reason', async () => {
  const { sandbox } = await api.open('Tampered');
  const { id: owner } = await sandbox.make('/customers', { name: 'Numbered' });
  await sandbox.post('/invoices', { customer: owner });
  // It has more zeros than numbers of the series, so giving it up explains no gap.
  const { id } = await sandbox.make('/invoices', { customer: owner, number: 'INV-0000002' });
  await sandbox.patch(`/invoices/${id}`, { number: 'X' });
  const em = api.em.fork();
  await em.execute(`update numbering set next = 4 where series = 'invoice' and account_id = ?`, [sandbox.account.id]);
  expect(await missingOf(sandbox)).toEqual(['INV-00001', 'INV-00003', ['INV-00002 INV-00003 2 unknown ']]);
  await em.execute(`update numbering set next = 2 where series = 'invoice' and account_id = ?`, [sandbox.account.id]);
});

test('prefix and next number of each series can be set; an earlier prefix continues where it stopped', async () => {
  const { sandbox } = await api.open('Prefixed');
  const { id: owner } = await sandbox.make('/customers', { name: 'Numbered' });
  const next = async () => (await sandbox.make('/invoices', { customer: owner })).number;
  const set = async (numbering: object) => (await sandbox.patch('/account', { numbering })).body.numbering;
  expect((await sandbox.get('/account')).body.numbering).toEqual({
    invoice: { prefix: 'INV-', next: 1 },
    credit_note: { prefix: 'CN-', next: 1 },
    estimate: { prefix: 'EST-', next: 1 },
    customer: { prefix: 'CUST-', next: 2 },
    receipt: { prefix: 'REC-', next: 1 },
  });
  expect(await set({ invoice: { next: 1000 }, customer: { prefix: 'C' } })).toMatchObject({
    invoice: { prefix: 'INV-', next: 1000 },
    customer: { prefix: 'C', next: 1 },
  });
  expect([await next(), await next()]).toEqual(['INV-01000', 'INV-01001']);
  await set({ invoice: { prefix: '2027/' } });
  expect([await next(), await next()]).toEqual(['2027/00001', '2027/00002']);
  await set({ invoice: { prefix: 'INV-' } });
  expect(await next()).toBe('INV-01002');
  expect(await missingOf(sandbox)).toEqual(['INV-01000', 'INV-01002', []]);
  expect(await missingOf(sandbox, '2027/')).toEqual(['2027/00001', '2027/00002', []]);
  expect((await sandbox.make('/customers', { name: 'Second' })).number).toBe('C00001');
  const whole = (await sandbox.get('/account')).body;
  expect((await sandbox.patch('/account', whole)).body).toMatchObject({ numbering: whole.numbering });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test.each([
  [{ invoice: { next: 0 } }, 'numbering[invoice][next]', 'Next must be a whole number from 1 to 999999999'],
  [{ customer: { next: 1 } }, 'numbering[customer][next]', 'Next number must be at least 2: earlier ones are taken'],
  [{ invoice: { prefix: '' } }, 'numbering[invoice][prefix]', 'Prefix missing'],
  [{ invoice: { prefix: 'x'.repeat(17) } }, 'numbering[invoice][prefix]', 'Prefix must have at most 16 characters'],
  [{ payment: {} }, 'numbering[payment]', 'Unknown field payment'],
])('%j is refused, naming %s', async (numbering, param, message) => {
  const { sandbox } = await api.open('Refused');
  await sandbox.post('/customers', { name: 'First' });
  const answer = await sandbox.patch('/account', { numbering });
  expect(answer).toMatchObject(refused({ param, message: expect.stringContaining(message) }));
});
