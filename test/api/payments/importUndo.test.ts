import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Answer, type Client, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let client: Client;
let businesses = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});
beforeEach(async () => {
  businesses += 1;
  client = (await api.open(`Business ${businesses}`)).sandbox;
});

const csvOf = (...rows: string[]) => ['Date,Amount,Text', ...rows].join('\n');
const mapping = { date: 'Date', amount: 'Amount', reference: 'Text' };
const three = csvOf('2027-03-01,1.00,a', '2027-03-01,2.00,b', '2027-03-01,3.00,c');

async function imported(csv: string): Promise<Answer['body'][]> {
  const { status, body } = await client.post('/payments/import', { csv, mapping });
  expect(status).toBe(200);
  return body.rows;
}

const idsOf = (rows: Answer['body'][]): number[] => rows.map(({ payment }) => payment);

const undo = (payments: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  client.post('/payments/import/undo', { payments }, headers);

const undone = (ids: readonly number[]) => ({
  status: 200,
  body: { payments: ids.map((payment) => ({ payment, status: 'undone' })) },
});

const kept = (payment: number, message: string, place: number, code = 'state_conflict') => {
  return { payment, status: 'refused', error: { code, message, param: `payments[${place}]` } };
};

const statuses = (rows: Answer['body'][]) => rows.map(({ status }) => status);

test('an import is undone like voided payments, and the same statement can be imported again', async () => {
  const rows = await imported(three);
  const ids = idsOf(rows);
  const [first = 0] = ids;
  const voided = await client.delete(`/payments/${idsOf(await imported(csvOf('2027-03-02,9.00,z')))[0]}`);
  expect(await undo(ids)).toMatchObject(undone(ids));
  const { body } = await client.get(`/payments/${first}`);
  expect(body).toMatchObject({ voided: true, balance: 0, matched: false, amount: 1 });
  expect(Object.keys(body)).toEqual(Object.keys(voided.body));
  const events = (await client.get('/events?filter[type]=payment.deleted')).body;
  const [last, ...others] = events.toReversed().map(({ data }: Answer['body']) => data);
  expect(others.map(({ object }: Answer['body']) => object.id)).toEqual(ids);
  expect(Object.keys(others[0].previous)).toEqual(Object.keys(last.previous));
  const { body: timeline } = await client.get(`/payments/${first}/timeline`);
  expect(JSON.stringify(timeline)).toContain('payment.deleted');
  expect(statuses(await imported(csvOf('2027-03-02,9.00,z')))).toEqual(['duplicate']);
  const again = await imported(three);
  expect(statuses(again)).toEqual(['created', 'created', 'created']);
  expect(idsOf(again).some((id) => ids.includes(id))).toBe(false);
  expect(statuses(await imported(three))).toEqual(['duplicate', 'duplicate', 'duplicate']);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('payments that somebody used are refused and stay, the others are undone', async () => {
  const customer = (await client.make('/customers', { name: 'Payer' })).id;
  const invoice = (await client.make('/invoices', { customer, items: [{ unit_cost: 1 }] })).id;
  const ids = idsOf(await imported(csvOf(...['a', 'b', 'c', 'd', 'e'].map((text) => `2026-03-01,1.00,${text}`))));
  const [applied = 0, owned = 0, voided = 0, refunded = 0, free = 0] = ids;
  const keyed = (await client.make('/payments', { customer, amount: 1 })).id;
  await client.patch(`/payments/${applied}`, { customer, applied_to: [{ type: 'invoice', invoice, amount: 1 }] });
  await client.patch(`/payments/${owned}`, { customer });
  await client.delete(`/payments/${voided}`);
  const refund = await client.post('/refunds', { payment: refunded, amount: 0.5, method: 'check' });
  expect(refund.status).toBe(201);
  const before = (await client.get('/payments?sort=id')).body;
  const answer = await undo([applied, owned, free, voided, refunded, keyed, 999_999, free]);
  const used = 'Payment has a customer already: void it instead';
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body.payments).toEqual([
    kept(applied, used, 0),
    kept(owned, used, 1),
    { payment: free, status: 'undone' },
    kept(voided, 'Payment is already voided', 3),
    kept(refunded, 'Payment was refunded: void it instead', 4),
    kept(keyed, 'Payment was not imported from a bank statement', 5),
    kept(999_999, 'Payment was not found: 999999', 6, 'resource_missing'),
    kept(free, 'Payment is already voided', 7),
  ]);
  const after = (await client.get('/payments?sort=id')).body;
  const others = (payments: Answer['body'][]) => payments.filter(({ id }) => id !== free);
  expect(others(after)).toEqual(others(before));
  expect((await client.get(`/invoices/${invoice}`)).body).toMatchObject({ paid: true });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('payments of another account are not found, and stay', async () => {
  const ids = idsOf(await imported(three));
  const own = client;
  client = (await api.open('Rival')).sandbox;
  const answer = await undo(ids);
  expect(answer.body.payments).toEqual(
    ids.map((id, place) => kept(id, `Payment was not found: ${id}`, place, 'resource_missing')),
  );
  const theirs = (await own.get('/payments')).body;
  expect(theirs.map(({ voided }: Answer['body']) => voided)).toEqual([false, false, false]);
});

test('requests at the same time undo each payment once', async () => {
  const ids = idsOf(await imported(three));
  const answers = await Promise.all([undo(ids), undo(ids.toReversed()), undo(ids)]);
  const all = answers.flatMap(({ body }) => statuses(body.payments));
  expect(all.filter((status) => status === 'undone')).toHaveLength(3);
  expect(all.filter((status) => status === 'refused')).toHaveLength(6);
  const events = (await client.get('/events?filter[type]=payment.deleted')).body;
  expect(events).toHaveLength(3);
});

test('an import and its undoing at the same time leave each row once', async () => {
  const ids = idsOf(await imported(three));
  const [, again] = await Promise.all([undo(ids), imported(three)]);
  const isOneOf = [
    JSON.stringify(['created', 'created', 'created']),
    JSON.stringify(['duplicate', 'duplicate', 'duplicate']),
  ];
  expect(isOneOf).toContain(JSON.stringify(statuses(again)));
  await imported(three);
  const { body } = await client.get('/payments?filter[voided]=false');
  expect(body).toHaveLength(3);
});

test('a payment that gets a customer at the same time is undone or kept, not both', async () => {
  const customer = (await client.make('/customers', { name: 'Payer' })).id;
  const ids = idsOf(await imported(three));
  const [{ body }, ...patched] = await Promise.all([
    undo(ids),
    ...ids.map((id) => client.patch(`/payments/${id}`, { customer })),
  ]);
  for (const [place, { status }] of body.payments.entries())
    expect([status, patched[place]?.status]).toEqual(status === 'undone' ? ['undone', 400] : ['refused', 200]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a repeated request with a key has the first answer, one without a key is refused by payment', async () => {
  const ids = idsOf(await imported(three));
  const headers = { 'Idempotency-Key': 'undo March' };
  const first = await undo(ids, headers);
  const again = await undo(ids, headers);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect(statuses((await undo(ids)).body.payments)).toEqual(['refused', 'refused', 'refused']);
});

test.each<[what: string, payments: unknown, param: string]>([
  ['no payments', undefined, 'payments'],
  ['an empty list', [], 'payments'],
  ['no list', 7, 'payments'],
  ['more than a thousand', Array.from({ length: 1001 }, (_, place) => place + 1), 'payments'],
  ['a text', ['x'], 'payments[0]'],
  ['an empty id', [null], 'payments[0]'],
])('%s is refused', async (_what, payments, param) => {
  expect(await undo(payments)).toMatchObject(refused({ param }));
});

test('a thousand payments are undone with few statements more than two', async () => {
  const rows = (count: number, text: string) =>
    csvOf(...Array.from({ length: count }, (_, n) => `2027-03-01,${n + 1}.00,${text}`));
  const few = idsOf(await imported(rows(2, 'few')));
  const many = idsOf(await imported(rows(1000, 'many')));
  const little = await api.statements(() => undo(few));
  const all = await api.statements(() => undo(many));
  expect(all.length).toBeLessThanOrEqual(little.length + 20); // payments are written 250 at a time
  expect((await client.get('/payments?filter[voided]=false')).body).toEqual([]);
});
