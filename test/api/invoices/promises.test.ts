import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { addMember } from '../../support/oauth.ts';

const at = (text: string) => Date.parse(text) / 1000;
const DAY = 86_400;
const START = at('2027-03-01T12:00:00Z');
const EXPECTED = at('2027-03-04T20:00:00Z');
/** The end of the promised day in New York. */
const ENDED = at('2027-03-05T05:00:00Z');
let now = START;
let api: TestApi;
let customer: number;
let owner: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  successBody(await api.sandbox.patch('/account', { time_zone: 'America/New_York' }));
  await addMember(api, api.live.account, 'ours@example.com');
  const [member] = await rows('select id from member order by id desc limit 1', []);
  owner = Number(member?.id);
});
afterAll(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await api.close();
});
beforeEach(async () => {
  now = START;
  customer = (await api.sandbox.make('/customers', { name: 'Ann', owner })).id;
});

const rows = (sql: string, values: unknown[]) => api.em.fork().execute<Record<string, unknown>[]>(sql, values);
const promised = { date: EXPECTED, method: 'check', reference: 'check 1138' };
const invoice = async (body: object = {}): Promise<number> =>
  (await api.sandbox.make('/invoices', { customer, items: [{ unit_cost: 100 }], ...body })).id;
const patch = (id: number, body: object) => api.sandbox.patch(`/invoices/${id}`, body);
const promise = (id: number, expected_payment_date: object | null = promised) => patch(id, { expected_payment_date });
const read = async (id: number) => (await api.sandbox.get(`/invoices/${id}`)).body;
const status = async (id: number) => (await read(id)).expected_payment_status;
const tasks = async () => (await api.sandbox.get(`/tasks?filter[customer]=${customer}&sort=id`)).body;
const open = async () => (await tasks()).filter(({ complete }: { complete: boolean }) => !complete).length;
const lastEvent = async (id: number) =>
  (await api.sandbox.get(`/events?related_to=invoice,${id}`)).body[0] ?? { type: 'none' };
const pay = (id: number, amount: number, more: object = {}) =>
  api.sandbox.make('/payments', { customer, amount, applied_to: [{ type: 'invoice', invoice: id, amount }], ...more });

/** Takes the steps of an invoice that are due at a time. */
async function stepsAt(id: number, time: number): Promise<(string | null)[]> {
  now = time;
  const accountId = api.sandbox.account.id;
  const key = { accountId, id, lookUpDelay: 60_000 };
  const did: (string | null)[] = [];
  for (;;) {
    const one = await withAccount(accountId, () =>
      inTransaction(api.deps.em, async (em) => (await advanceInvoice(em, key, new Date(now * 1000))).did),
    );
    if (one === null) return did;
    did.push(one);
  }
}

const BROKEN = 'promised payment of 2027-03-04 did not come';

test('a payment is promised, moved and withdrawn, each with its event', async () => {
  const id = await invoice();
  expect(await read(id)).toMatchObject({ expected_payment_date: null, expected_payment_status: null });
  const answer = successBody(await promise(id));
  expect(answer).toMatchObject({ expected_payment_date: promised, expected_payment_status: 'promised' });
  expect((await lastEvent(id)).type).toBe('invoice.payment_expected');
  const moved = { ...promised, date: EXPECTED + DAY };
  expect(successBody(await promise(id, moved)).expected_payment_date).toEqual(moved);
  expect(await lastEvent(id)).toMatchObject({
    type: 'invoice.payment_expected',
    data: { previous: { expected_payment_date: promised } },
  });
  // The object is replaced as a whole.
  const bare = { date: EXPECTED, method: null, reference: null };
  expect(successBody(await promise(id, { date: EXPECTED })).expected_payment_date).toEqual(bare);
  expect(successBody(await promise(id, null))).toMatchObject({
    expected_payment_date: null,
    expected_payment_status: null,
  });
  expect(await lastEvent(id)).toMatchObject({ type: 'invoice.updated' });
  expect(await stepsAt(id, ENDED + DAY)).toEqual([]);
});

test('a request with the values of the answer changes nothing, also when the promised day has passed', async () => {
  const id = await invoice();
  successBody(await promise(id));
  const events = async () => (await api.sandbox.get(`/events?related_to=invoice,${id}`)).body.length;
  const before = await events();
  const whole = await read(id);
  expect(successBody(await patch(id, whole))).toEqual(whole);
  await stepsAt(id, ENDED);
  const broken = await read(id);
  expect(successBody(await patch(id, broken))).toEqual(broken);
  expect(await events()).toBe(before + 1); // it was broken
});

test('the promise breaks when its local day has ended; the owner of the customer gets a task', async () => {
  const id = await invoice();
  const { number } = successBody(await promise(id));
  expect(await stepsAt(id, ENDED - 1)).toEqual([]);
  expect(await stepsAt(id, ENDED)).toEqual([BROKEN]);
  expect(await status(id)).toBe('broken');
  expect(await stepsAt(id, ENDED + DAY)).toEqual([]);
  const name = `100.00 usd of ${number}, promised for 2027-03-04, did not come`;
  expect(await tasks()).toMatchObject([{ name, action: 'phone', user_id: owner, due_date: ENDED, complete: false }]);
  const timeline = successBody(await api.sandbox.get(`/invoices/${id}/timeline`));
  expect(JSON.stringify(timeline)).toContain('promised payment of 4 March 2027 did not come');
});

test.each([
  ['on the promised day', ENDED - 1],
  ['before it', START],
])('a payment dated %s keeps the promise', async (_, date) => {
  const id = await invoice();
  successBody(await promise(id));
  await pay(id, 60, { date: START });
  expect(await status(id)).toBe('promised');
  now = date;
  await pay(id, 40, { date });
  expect(await status(id)).toBe('kept');
  expect(await stepsAt(id, ENDED + DAY)).toEqual([]);
  expect(await tasks()).toEqual([]);
});

test('a payment that is recorded late, but dated in time, keeps a broken promise; one dated late does not', async () => {
  const [early, late] = [await invoice(), await invoice()];
  for (const id of [early, late]) {
    now = START;
    successBody(await promise(id));
    expect(await stepsAt(id, ENDED)).toEqual([BROKEN]);
  }
  now = ENDED + DAY;
  await pay(early, 100, { date: ENDED - 1 });
  expect(await open()).toBe(1);
  await pay(late, 100, { date: ENDED });
  expect([await status(early), await status(late)]).toEqual(['kept', 'broken']);
  const outcomes = ['the promise was kept', 'the payment came later than promised'];
  expect(await tasks()).toMatchObject(outcomes.map((outcome) => ({ complete: true, outcome })));
});

test('a part of the amount does not keep the promise', async () => {
  const id = await invoice();
  successBody(await promise(id));
  await pay(id, 99);
  expect(await stepsAt(id, ENDED)).toEqual([BROKEN]);
  expect((await tasks())[0].name).toMatch(/^1\.00 usd of /);
});

test('a payment that is taken back leaves the promise as it was, and it breaks at its time', async () => {
  const id = await invoice();
  successBody(await promise(id));
  const payment = await pay(id, 100);
  expect(await status(id)).toBe('kept');
  successBody(await api.sandbox.delete(`/payments/${payment.id}`));
  expect(await status(id)).toBe('promised');
  expect(await stepsAt(id, ENDED)).toEqual([BROKEN]);
});

test('a promise waits while a payment is pending', async () => {
  const id = await invoice();
  successBody(await promise(id));
  const debit = { method: 'ach', gateway_token: 'tok_123123123_123123893' };
  const applied_to = [{ type: 'invoice', invoice: id, amount: 100 }];
  await api.sandbox.make('/charges', { customer, amount: 100, applied_to, ...debit });
  expect(await stepsAt(id, ENDED + DAY)).not.toContain(BROKEN);
  expect(await status(id)).toBe('promised');
});

test.each([
  ['a new promise', (id: number) => promise(id, { date: ENDED + 2 * DAY }), 'the payment is promised again'],
  ['its withdrawal', (id: number) => promise(id, null), 'the promise was withdrawn'],
  ['a write-off', (id: number) => patch(id, { closed: true }), 'the invoice was closed'],
  ['voiding', (id: number) => api.sandbox.post(`/invoices/${id}/void`, {}), 'the invoice was voided'],
])('the task of a broken promise is completed by %s', async (_, change, outcome) => {
  const id = await invoice();
  successBody(await promise(id));
  expect(await stepsAt(id, ENDED)).toEqual([BROKEN]);
  expect(await open()).toBe(1);
  successBody(await change(id));
  expect(await tasks()).toMatchObject([{ complete: true, outcome }]);
});

test('no late fee accrues until the promise is broken', async () => {
  const { id: schedule } = await api.sandbox.make('/late_fee_schedules', { name: 'Late', amount: 10, default: true });
  const id = await invoice({ due_date: START });
  successBody(await promise(id));
  const postponed = 'late fee postponed: a payment of it is promised';
  expect(await stepsAt(id, ENDED - 1)).toEqual(['past due', postponed, postponed, postponed]);
  expect(await stepsAt(id, ENDED)).toEqual([BROKEN, 'late fee of 10.00 usd']);
  successBody(await api.sandbox.delete(`/late_fee_schedules/${schedule}`));
});

test('an invoice that is promised is not consolidated', async () => {
  successBody(await api.sandbox.patch(`/customers/${customer}`, { consolidated: true }));
  const ids = [await invoice(), await invoice(), await invoice()];
  successBody(await promise(ids[0] ?? 0));
  successBody(await api.sandbox.post(`/customers/${customer}/consolidate_invoices`, { cutoff_date: START + DAY }));
  const all = await Promise.all(ids.map(async (id) => (await read(id)).status));
  expect(all).toEqual(['not_sent', 'voided', 'voided']);
});

test('a draft that is issued by the same request can be promised', async () => {
  const id = await invoice({ draft: true });
  const issued = successBody(await patch(id, { draft: false, expected_payment_date: promised }));
  expect(issued).toMatchObject({ draft: false, expected_payment_status: 'promised' });
});

const PARAM = 'expected_payment_date';
test.each([
  [
    { date: EXPECTED - 4 * DAY },
    `${PARAM}[date]`,
    'The payment cannot be expected on a day that has passed: 2027-02-28',
  ],
  [
    { date: START + 368 * DAY },
    `${PARAM}[date]`,
    'The payment must be expected by 2028-03-01, within 366 days: 2028-03-03',
  ],
  [{}, `${PARAM}[date]`, 'Date missing'],
  [{ date: null }, `${PARAM}[date]`, 'Date missing'],
  [{ date: 'soon' }, `${PARAM}[date]`, 'Date must be'],
  [{ date: 1e300 }, `${PARAM}[date]`, 'Date must be'],
  [{ date: EXPECTED, method: 'gold' }, `${PARAM}[method]`, 'Method must be one of'],
  [{ date: EXPECTED, reference: 'x'.repeat(256) }, `${PARAM}[reference]`, 'Reference'],
  [{ date: EXPECTED, reference: 'a\u202eb' }, `${PARAM}[reference]`, 'Reference'],
  [{ date: EXPECTED, referense: '1' }, `${PARAM}[referense]`, 'Unknown field referense; did you mean reference?'],
  [[], PARAM, 'Expected payment date must be an object'],
  ['tomorrow', PARAM, 'Expected payment date must be an object'],
])('refuses %j', async (asked, param, message) => {
  const id = await invoice();
  const before = await read(id);
  expect(await patch(id, { expected_payment_date: asked })).toMatchObject(
    refused({ param, message: expect.stringContaining(message) }),
  );
  expect(await read(id)).toEqual(before);
});

test('refuses a promise of an invoice that is a draft, paid, closed or voided, and one at creation', async () => {
  const [draft, paid, closed, voided] = [
    await invoice({ draft: true }),
    await invoice(),
    await invoice(),
    await invoice(),
  ];
  await pay(paid, 100);
  successBody(await patch(closed, { closed: true }));
  successBody(await api.sandbox.post(`/invoices/${voided}/void`, {}));
  for (const [id, why] of [
    [draft, 'A draft is not owed yet: issue it before a payment is promised'],
    [paid, 'is paid: no payment of it is expected'],
    [closed, 'is closed: no payment of it is expected'],
    [voided, 'is voided: no payment of it is expected'],
  ] as const)
    expect(await promise(id)).toMatchObject(refused({ param: PARAM, message: expect.stringContaining(why) }));
  const created = await api.sandbox.post('/invoices', { customer, expected_payment_date: promised });
  expect(created).toMatchObject(refused({ param: PARAM }));
});
