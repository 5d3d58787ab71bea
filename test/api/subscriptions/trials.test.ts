import { beforeAll, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Trials of subscriptions. The test takes the steps as their processes would. */

const END = day(3, 15);
const gold = goldSubscriptions();
const { cancel, change, expectCleanBooks, invoices, totals } = gold;

let customer: number;
beforeAll(async () => {
  customer = await gold.customerWith();
});

const trial = { trial_days: 14 };
const post = (body: object) => gold.api.sandbox.post('/subscriptions', { customer, plan: 'gold', ...body });

test('a trial is the first period: nothing is billed and nothing earned until it ends', async () => {
  gold.moveTo(MARCH);
  const created = await post({ ...trial, cycles: 2 });
  const trying = { status: 'active', start_date: MARCH, period_start: MARCH, period_end: END, trial_end: END };
  const costs = { recurring_total: 10, mrr: 0 };
  const contract = { contract_period_start: END, contract_period_end: day(5, 15) };
  expect(created).toMatchObject({ status: 201, body: { ...trying, ...costs, ...contract } });
  expect(created.body).not.toHaveProperty('trial_days');
  const { id } = created.body;
  await gold.advanceTo(id, END - 1);
  expect(await gold.billed(id)).toEqual([]);
  await gold.advanceTo(id, END);
  expect(await gold.billed(id)).toEqual([END]);
  const running = { period_start: END, period_end: day(4, 15), start_date: MARCH, trial_end: END, mrr: 10 };
  expect(await gold.read(id)).toMatchObject({ ...running, ...contract }); // a trial is no cycle
  await gold.advanceTo(id, day(5, 15));
  expect(await gold.billed(id)).toEqual([END, day(4, 15)]);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  await expectCleanBooks();
});

test('a trial can be given by its end, and periods snap to days after it', async () => {
  const id = await gold.begin({ trial_end: day(3, 20), snap_to_nth_day: 1 });
  await gold.advanceTo(id, MAY);
  expect(await gold.billed(id)).toEqual([day(3, 20), APRIL, MAY]);
  expect(await totals(id)).toEqual([3.87, 10, 10]); // 10 x 12 / 31
  await expectCleanBooks();
});

test('a trial in the future begins with its start', async () => {
  const id = await gold.begin({ ...trial, start_date: APRIL });
  const end = day(4, 15);
  expect(await gold.read(id)).toMatchObject({ status: 'not_started', period_start: null, trial_end: end, mrr: 0 });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ status: 'active', period_start: APRIL, period_end: end });
  await gold.advanceTo(id, end);
  expect(await gold.billed(id)).toEqual([end]);
});

test('a trial in the past is over, and the periods since its end are billed', async () => {
  const id = await gold.begin({ ...trial, start_date: day(1) });
  expect(await gold.billed(id)).toEqual([day(1, 15), day(2, 15)]);
  expect(await gold.read(id)).toMatchObject({ period_start: day(2, 15), trial_end: day(1, 15), mrr: 10 });
  await expectCleanBooks();
});

test.each([
  ['advance', {}, [END]],
  ['ahead', { bill_in_advance_days: 5 }, [day(3, 10)]],
  ['arrears', { bill_in: 'arrears' }, [day(4, 15)]],
])('with bills in %s the first period after the trial is billed as any other', async (_, terms, dates) => {
  const id = await gold.begin({ ...trial, ...terms });
  await gold.advanceTo(id, day(3, 12));
  expect(await gold.read(id)).toMatchObject({ period_start: MARCH, period_end: END, mrr: 0 });
  await gold.advanceTo(id, END);
  expect(await gold.read(id)).toMatchObject({ period_start: END, period_end: day(4, 15), mrr: 10 });
  await gold.advanceTo(id, day(4, 15));
  expect((await gold.billed(id)).slice(0, 1)).toEqual(dates);
  await expectCleanBooks();
});

test.each([
  ['', {}],
  [' with a contract', { cycles: 3, contract_renewal_mode: 'auto' }],
  [' that bills ahead', { bill_in_advance_days: 5 }],
  [' in arrears', { bill_in: 'arrears' }],
])('a subscription%s that is to be canceled ends with its trial, unbilled', async (_, terms) => {
  const id = await gold.begin({ ...trial, ...terms });
  await change(id, { cancel_at_period_end: true });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: END, trial_end: END });
  expect(await gold.billed(id)).toEqual([]);
  await expectCleanBooks();
});

test('canceling at once during a trial bills nothing, and voids a bill ahead', async () => {
  const id = await gold.begin({ ...trial, bill_in_advance_days: 5 });
  await gold.advanceTo(id, day(3, 12));
  expect((await cancel(id)).body).toMatchObject({ status: 'canceled', mrr: 0 });
  const [invoice] = await invoices(id);
  expect(invoice).toMatchObject({ date: day(3, 10), status: 'voided' });
  await expectCleanBooks();
});

test('a paused trial runs on, and nothing is billed before the subscription resumes', async () => {
  const id = await gold.begin(trial);
  await change(id, { paused: true });
  await gold.advanceTo(id, day(3, 20));
  expect(await gold.billed(id)).toEqual([]);
  await change(id, { paused: false });
  await gold.advanceTo(id, MAY);
  expect(await gold.billed(id)).toEqual([day(4, 15)]); // the next period that begins
  const short = await gold.begin(trial);
  await change(short, { paused: true, resume_at: day(3, 10), resume_mode: 'new' });
  await gold.advanceTo(short, END);
  expect(await gold.billed(short)).toEqual([END]);
  await expectCleanBooks();
});

test.each([
  ['later', day(3, 25)],
  ['earlier', day(3, 10)],
])('the end of a trial can be moved %s', async (_, trial_end) => {
  const id = await gold.begin({ ...trial, bill_in_advance_days: 5 });
  await gold.advanceTo(id, day(3, 9));
  const { body } = await change(id, { trial_end });
  expect(body).toMatchObject({ trial_end, period_start: MARCH, period_end: trial_end, mrr: 0 });
  await gold.advanceTo(id, day(4, 10));
  const bills = await invoices(id);
  const dated = Math.max(day(3, 9), trial_end - 5 * 86_400); // not before the trial's end is known
  expect(bills[0]).toMatchObject({ date: dated, items: [{ period_start: trial_end }] });
  await expectCleanBooks();
});

test('a bill ahead of a trial that is prolonged is voided, and made again for the new period', async () => {
  const id = await gold.begin({ ...trial, bill_in_advance_days: 5 });
  await gold.advanceTo(id, day(3, 12));
  await change(id, { trial_end: day(3, 16) });
  const bills = await invoices(id);
  expect(bills).toMatchObject([
    { date: day(3, 10), status: 'voided', items: [{ period_start: END }] },
    { date: day(3, 12), status: 'not_sent', items: [{ period_start: day(3, 16) }] },
  ]);
  await gold.advanceTo(id, day(3, 16));
  expect(await gold.read(id)).toMatchObject({ period_start: day(3, 16), mrr: 10 });
  await expectCleanBooks();
});

test.each([
  [{ trial_days: 731 }, 'trial_days', 'Trial days must be a whole number from 0 to 730'],
  [{ trial_days: -1 }, 'trial_days', 'Trial days must be a whole number from 0 to 730'],
  [{ trial_days: 14, trial_end: END }, 'trial_end', 'Send either trial_days or trial_end'],
  [{ trial_end: MARCH }, 'trial_end', 'Trial end must be after the start'],
  [{ trial_end: END, start_date: APRIL }, 'trial_end', 'Trial end must be after the start'],
  [{ trial_end: 'soon' }, 'trial_end', 'Trial end must be a number'],
  [{ trial_end: 7_258_000_000 }, 'trial_end', 'The first period must end before 2200'],
  [{ trial_days: 700, start_date: 7_250_000_000 }, 'trial_days', 'The first period must end before 2200'],
  [{ ...trial, start_date: Date.UTC(2025, 0) / 1000 }, 'start_date', expect.stringContaining('missed periods')],
])('%j is refused, naming %s', async (body, param, message) => {
  gold.moveTo(MARCH);
  expect(await post(body)).toMatchObject(refused({ param, message }));
});

test.each([
  [{ trial_end: MARCH + 60 }, 'Trial end must be in the future'],
  [{ trial_end: null }, 'Trial end cannot be removed: send an earlier one'],
  [{ trial_end: 7_258_000_000 }, 'The first period must end before 2200'],
])('a trial is not changed by %j', async (body, message) => {
  const id = await gold.begin(trial);
  gold.moveTo(MARCH + 120);
  expect(await change(id, body)).toMatchObject(refused({ param: 'trial_end', message }));
  expect(await gold.read(id)).toMatchObject({ trial_end: END });
});

test('the end of a trial stays when it has passed, and none is added to a running subscription', async () => {
  const message = 'Subscription has no trial, or it is over';
  const over = await gold.begin(trial);
  await gold.advanceTo(over, END);
  expect(await change(over, { trial_end: APRIL })).toMatchObject(refused({ param: 'trial_end', message }));
  expect((await change(over, { trial_end: END, metadata: { a: 'b' } })).status).toBe(200);
  const none = await gold.begin();
  expect(await change(none, { trial_end: APRIL })).toMatchObject(refused({ param: 'trial_end', message }));
  expect((await change(none, { trial_end: null, metadata: { a: 'b' } })).status).toBe(200);
});

test('the timeline tells of the trial and of the first bill after it', async () => {
  const id = await gold.begin({ ...trial, start_date: MARCH });
  const told = (await gold.api.sandbox.get(`/subscriptions/${id}/timeline`)).body.map(
    ({ timestamp, what, why }: { timestamp: number; what: string; why: string }) => [timestamp, what, why],
  );
  expect(told).toEqual([
    [END, 'first bill', 'the period starts, and its plan bills in advance'],
    [END - 3 * 86_400, 'renewal notice', 'it renews three days later'],
    [MARCH, 'trial 1 March 2027 to 15 March 2027 began', 'it starts with a trial'],
    [MARCH, 'subscribed to gold x 1', 'asked by the API'],
  ]);
});

test.each([
  ['a change that was kept', async (id: number) => void (await change(id, { plan: 'yearly', when: 'renewal' }))],
  ['a change at its very end', async () => undefined],
])('periods of %s count from the end of the trial, and are no trial', async (_, prepare) => {
  await gold.api.sandbox.post('/plans', { id: 'yearly', name: 'Yearly', amount: 120, interval: 'year' });
  const id = await gold.begin(trial);
  await prepare(id);
  await gold.advanceTo(id, END);
  const { status, body } = await change(id, { plan: 'yearly', prorate: false });
  expect([status, body]).toMatchObject([200, { period_start: END, period_end: day(3, 15) + 366 * 86_400, mrr: 10 }]);
  expect((await totals(id)).at(-1)).toBe(120); // a year has 12 months of 10.00
  const { body: told } = await gold.api.sandbox.get(`/subscriptions/${id}/timeline`);
  expect(told.filter(({ what }: { what: string }) => /^trial .* began$/.test(what))).toHaveLength(1);
});
