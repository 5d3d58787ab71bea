import { beforeAll, expect, test } from '@jest/globals';
import { type Answer, type Client, refused } from '../../support/api.ts';
import { identityOf, storedRows, withoutIdentity } from '../../support/dryRuns.ts';
import { withLongestBlockBelow } from '../../support/eventLoop.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { apiDocument, conformanceCheckOf, operationsOf } from '../../support/openapi.ts';

/** `?dry_run=N`: the next bills after a change, of which nothing is stored. dryRunSeeds.test.ts compares them with real bills. */

const gold = goldSubscriptions(async ({ make }) => {
  await make('/coupons', { id: 'two', name: 'Two bills', value: 20, is_percent: true, duration: 2 });
  await make('/coupons', { id: 'one-left', name: 'One left', value: 1, max_redemptions: 1 });
});
const { customerWith } = gold;

let sandbox: Client;
beforeAll(() => {
  ({ sandbox } = gold.api);
});

const creating = (body: object, count = 3) =>
  sandbox.post(`/subscriptions?dry_run=${count}`, { plan: 'gold', ...body });
const changing = (id: number, body: object, count = 3) => sandbox.patch(`/subscriptions/${id}?dry_run=${count}`, body);
const datesIn = ({ body }: Answer) => body.invoices.map(({ date }: { date: number }) => date);

/** A subscription of a customer of its own that has billed March. */
async function subscribed(body: object = {}, customer: object = {}): Promise<number> {
  gold.moveTo(MARCH);
  return (await sandbox.make('/subscriptions', { customer: await customerWith(customer), plan: 'gold', ...body })).id;
}

test('a dry run of a creation returns its first bills, which have neither ids nor numbers', async () => {
  gold.moveTo(MARCH);
  const customer = await customerWith();
  const answer = await creating({ customer, quantity: 2 });
  expect(answer).toMatchObject({
    status: 200,
    body: { subscription: { id: null, customer, status: 'active', period_start: MARCH, period_end: APRIL, mrr: 20 } },
  });
  expect(Object.keys(answer.body)).toEqual(['subscription', 'invoices', 'credit_notes', 'as_of']);
  const line = { plan: 'gold', quantity: 2, amount: 20 };
  expect(answer.body.invoices).toMatchObject([
    { date: MARCH, total: 20, balance: 20, draft: false, items: [{ ...line, period_start: MARCH, period_end: APRIL }] },
    { date: APRIL, total: 20, balance: 20, draft: false, items: [{ ...line, period_start: APRIL, period_end: MAY }] },
    { date: MAY, total: 20, balance: 20, draft: false, items: [{ ...line, period_start: MAY, period_end: JUNE }] },
  ]);
  expect(answer.body.invoices.flatMap(identityOf).filter((part: unknown) => part !== null)).toEqual([]);
  expect(answer.body.invoices.map(({ subscription }: Answer['body']) => subscription)).toEqual([null, null, null]);
});

test('the example of docs/subscriptions.md', async () => {
  gold.moveTo(MARCH);
  const customer = await customerWith();
  await sandbox.make('/credit_balance_adjustments', { customer, amount: 22 });
  const { id } = await sandbox.make('/subscriptions', { customer, plan: 'gold' }); // 10 of 22 are spent: 12 are left
  const { status, body } = await changing(id, { discounts: ['two'] }, 4);
  expect(status).toBe(200);
  expect(body.subscription).toMatchObject({ id, discounts: [{ id: 'two' }], recurring_total: 8 });
  const shown = body.invoices.map(({ date, total, balance }: Answer['body']) => [date, total, balance]);
  expect(shown).toEqual([
    [APRIL, 8, 0], // 10 - 20 %; credit pays 8 of 12
    [MAY, 8, 4], // and 4 of 4
    [JUNE, 10, 10], // the coupon was for two bills
    [day(7), 10, 10],
  ]);
  expect(await gold.read(id)).toMatchObject({ discounts: [], recurring_total: 10 });
});

test('the list ends with the subscription, with its contract, or where it waits for a request', async () => {
  const finishing = await subscribed({ cycles: 3 });
  expect(datesIn(await changing(finishing, { metadata: { a: 'b' } }, 12))).toEqual([APRIL, MAY]);
  const manual = await subscribed({ cycles: 2, contract_renewal_mode: 'manual' });
  expect(datesIn(await changing(manual, {}, 12))).toEqual([APRIL]);
  const auto = { contract_renewal_mode: 'auto', contract_renewal_cycles: 1 };
  expect(datesIn(await changing(manual, auto, 3))).toEqual([APRIL, MAY, JUNE]);
  const running = await subscribed();
  expect(datesIn(await changing(running, { paused: true }, 12))).toEqual([]);
  expect(datesIn(await changing(running, { paused: true, resume_at: day(4, 20) }, 2))).toEqual([MAY, JUNE]);
  const anew = { paused: true, resume_at: day(4, 20), resume_mode: 'new' };
  expect(datesIn(await changing(running, anew, 2))).toEqual([day(4, 20), day(5, 20)]);
  expect(datesIn(await changing(running, { cancel_at_period_end: true }, 12))).toEqual([]);
  const canceled = await sandbox.delete(`/subscriptions/${running}?dry_run=12`);
  expect(canceled).toMatchObject({ status: 200, body: { subscription: { status: 'canceled' }, invoices: [] } });
  expect(await gold.read(running)).toMatchObject({ status: 'active', paused: false, cancel_at_period_end: false });
});

test('a dry run of a renewal returns the bills of the new contract', async () => {
  const id = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await gold.advanceTo(id, JUNE);
  const renewing = (body: object) => sandbox.post(`/subscriptions/${id}/renew?dry_run=36`, body);
  expect(datesIn(await renewing({ cycles: 3 }))).toEqual([APRIL, MAY, JUNE]);
  const now = await renewing({ cycles: 2, start: 'now' });
  expect(now.body.subscription).toMatchObject({ id, cycles: 2, pending_renewal: false, contract_period_start: JUNE });
  expect(datesIn(now)).toEqual([JUNE, day(7)]);
  expect(await gold.read(id)).toMatchObject({ pending_renewal: true });
});

test('a creation, a change, a cancellation and a renewal take dry_run up to 36', async () => {
  const waiting = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await gold.advanceTo(waiting, APRIL);
  const id = await subscribed();
  gold.moveTo(MAY + 60); // the process is late
  const customer = await customerWith();
  const verbs: Record<string, (count: number) => Promise<Answer>> = {
    creation: (count) => creating({ customer }, count),
    change: (count) => changing(id, { quantity: 2, prorate: false }, count),
    cancellation: (count) => sandbox.delete(`/subscriptions/${id}?dry_run=${count}`),
    renewal: (count) => sandbox.post(`/subscriptions/${waiting}/renew?dry_run=${count}`, { cycles: 40 }),
  };
  const told: Record<string, number> = {};
  for (const [name, dryRun] of Object.entries(verbs)) {
    told[name] = datesIn(await dryRun(36)).length;
    expect(await dryRun(37)).toMatchObject(refused({ param: 'dry_run' }));
    expect(datesIn(await dryRun(1))).toHaveLength(1);
  }
  expect(told).toEqual({ creation: 36, change: 36, cancellation: 2, renewal: 36 }); // the bills of April and May are due
});

test('each answer conforms to the document', async () => {
  const id = await subscribed({ discounts: ['two'] }, { country: 'SE' });
  const waiting = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await gold.advanceTo(waiting, APRIL);
  const customer = await customerWith();
  await sandbox.make(`/customers/${customer}/line_items`, { name: 'Returned', unit_cost: -25 });
  const violationsOf = conformanceCheckOf(apiDocument);
  for (const [name, answer] of [
    ['createSubscription', await creating({ customer, ship_to: { country: 'SE' } })],
    ['updateSubscription', await changing(id, { discounts: ['one-left'] })],
    ['renewSubscription', await sandbox.post(`/subscriptions/${waiting}/renew?dry_run=1`)],
    ['cancelSubscription', await sandbox.delete(`/subscriptions/${id}?dry_run=1`)],
  ] as const) {
    const { operation } = operationsOf(apiDocument).find((one) => one.id === name) ?? {};
    if (!operation) throw new Error(`there is no ${name}`);
    expect([name, answer.status, violationsOf(operation, answer)]).toEqual([name, 200, []]);
    expect(Object.keys(answer.body)).toEqual(['subscription', 'invoices', 'credit_notes', 'as_of']);
  }
});

test('bills that are due come first, as the process would make them', async () => {
  const id = await subscribed();
  gold.moveTo(MAY + 60);
  const { body } = await changing(id, { paused: true }, 12);
  expect(body.invoices).toMatchObject([{ date: APRIL }, { date: MAY, created_at: MAY + 60 }]);
  expect(body.subscription).toMatchObject({ paused: true, period_start: MAY });
});

test('a bill that credit hold or limit would stop is a draft', async () => {
  const held = await creating({ customer: await customerWith({ credit_hold: true }) });
  expect(held.body.invoices).toMatchObject([{ draft: true }, { draft: true }, { draft: true }]);
  const limited = await creating({ customer: await customerWith({ credit_limit: 15 }) });
  expect(limited.body.invoices).toMatchObject([{ draft: false }, { draft: true }, { draft: true }]); // 10 + 10 > 15
});

test('pending credit that outweighs a bill becomes a credit note, which pays the next bills', async () => {
  gold.moveTo(MARCH);
  const customer = await customerWith();
  await sandbox.make(`/customers/${customer}/line_items`, { name: 'Returned', unit_cost: -25 });
  const { body } = await creating({ customer });
  const sums = body.invoices.map(({ total, balance }: Answer['body']) => [total, balance]);
  expect(sums).toEqual([
    [0, 0], // 10 - 25 + 15 carried to the credit note
    [10, 0],
    [10, 5],
  ]);
  expect(body.credit_notes).toMatchObject([{ object: 'credit_note', invoice: null, total: 15, date: MARCH }]);
  expect(body.credit_notes.flatMap(identityOf).filter((part: unknown) => part !== null)).toEqual([]);
  expect((await sandbox.get(`/customers/${customer}/line_items`)).body).toHaveLength(1);
});

test('nothing is stored: no row, event, wake-up, number or redemption, and no process is woken', async () => {
  const customer = await customerWith({ autopay: true, email: 'trying@example.com' });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await sandbox.make(`/customers/${customer}/payment_sources`, card);
  await sandbox.make(`/customers/${customer}/line_items`, { name: 'Usage', unit_cost: 3, discounts: ['two'] });
  const id = await subscribed();
  const waiting = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await gold.advanceTo(waiting, APRIL);
  const held = await customerWith({ credit_hold: true });
  const [before, pokes] = [await storedRows(gold.api.em), gold.api.pokes()];
  const answers = [
    await creating({ customer, discounts: ['one-left'], quantity: 3 }, 36),
    await creating({ customer: held, start_date: day(1) }, 12),
    await changing(id, { discounts: ['one-left'], metadata: { a: 'b' } }, 36),
    await changing(id, { paused: true, resume_at: JUNE, resume_mode: 'new' }, 12),
    await sandbox.delete(`/subscriptions/${id}?dry_run=1`),
    await sandbox.post(`/subscriptions/${waiting}/renew?dry_run=12`, { cycles: 12 }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await storedRows(gold.api.em)).toEqual(before);
  expect(gold.api.pokes()).toBe(pokes);
  const first = await sandbox.make('/invoices', { customer, items: [{ unit_cost: 1 }] });
  const next = await sandbox.make('/invoices', { customer, items: [{ unit_cost: 1 }] });
  expect(Number(next.number.slice(4)) - Number(first.number.slice(4))).toBe(1); // INV-00002
});

test('the Idempotency-Key of a dry run is free for the request itself', async () => {
  gold.moveTo(MARCH);
  const body = { customer: await customerWith(), plan: 'gold' };
  const headers = { 'Idempotency-Key': 'tried, then done' };
  const trying = () => sandbox.post('/subscriptions?dry_run=2', body, headers);
  const [first, second] = [await trying(), await trying()];
  expect([first.status, second.status, second.headers.get('Idempotent-Replayed')]).toEqual([200, 200, null]);
  const done = await sandbox.post('/subscriptions?include=latest_invoice', body, headers);
  expect([done.status, done.headers.get('Idempotent-Replayed')]).toEqual([201, null]);
  expect(withoutIdentity(first.body.invoices[0])).toEqual(withoutIdentity(done.body.latest_invoice));
  expect((await trying()).status).toBe(200); // a key that was used does not matter either
});

test('a dry run does not wait for the series of numbers, which others may have locked', async () => {
  const holder = gold.api.em.fork();
  await holder.begin();
  await holder.execute('select 1 from numbering where account_id = ? for update', [sandbox.account.id]);
  const answer = await creating({ customer: await customerWith({ number: 'FREE-1' }) });
  await holder.rollback();
  expect(answer.status).toBe(200);
});

test('dry runs and changes of one subscription at the same time follow one another', async () => {
  const id = await subscribed();
  const work = Array.from({ length: 12 }, (_, n) => {
    return n % 3 === 0 ? sandbox.patch(`/subscriptions/${id}`, { metadata: { n: `${n}` } }) : changing(id, {});
  });
  const answers = await Promise.all(work);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(gold.api.faults).toEqual([]);
  expect(await gold.billed(id)).toEqual([MARCH]);
});

test('36 bills of 100 lines do not block the event loop', async () => {
  const tiers = Array.from({ length: 100 }, (_, n) => ({ unit_cost: n + 1, ...(n < 99 ? { max_qty: n + 1 } : {}) }));
  await sandbox.make('/plans', { id: 'tiers', name: 'Tiers', interval: 'month', pricing_mode: 'tiered', tiers });
  const body = { customer: await customerWith(), plan: 'tiers', quantity: 100 };
  const { result, milliseconds } = await withLongestBlockBelow(100, () => creating(body, 36));
  expect(result.body.invoices.map(({ items }: Answer['body']) => items.length)).toEqual(Array(36).fill(100));
  expect(milliseconds).toBeLessThan(100);
});

test.each(['0', '37', '-1', '1.5', 'yes', ''])('dry_run=%s is refused', async (count) => {
  const id = await subscribed();
  const wrong = refused({ type: 'invalid_request', param: 'dry_run' });
  expect(await sandbox.post(`/subscriptions?dry_run=${count}`, { customer: 1, plan: 'gold' })).toMatchObject(wrong);
  expect(await sandbox.patch(`/subscriptions/${id}?dry_run=${count}`, {})).toMatchObject(wrong);
  expect(await sandbox.delete(`/subscriptions/${id}?dry_run=${count}`)).toMatchObject(wrong);
  expect(await sandbox.post(`/subscriptions/${id}/renew?dry_run=${count}`)).toMatchObject(wrong);
  expect(await gold.read(id)).toMatchObject({ status: 'active' });
});

test('a dry run refuses what the request itself refuses', async () => {
  const rival = (await gold.api.open('Rival')).sandbox;
  const theirs = (await rival.make('/customers', { name: 'Theirs' })).id;
  const customer = await customerWith();
  for (const [body, param] of [
    [{ customer: 999_999 }, 'customer'],
    [{ customer: theirs }, 'customer'],
    [{ customer: await customerWith({ active: false }) }, 'customer'],
    [{ customer, plan: 'none' }, 'plan'],
    [{ customer, discounts: ['none'] }, 'discounts[0]'],
    [{ customer, taxes: ['none'] }, 'taxes[0]'],
    [{ customer, start_date: 0 }, 'start_date'],
    [{ customer, snap_to_nth_day: 32 }, 'snap_to_nth_day'],
    [{ customer, quantity: -1 }, 'quantity'],
  ] as const) {
    const real = await sandbox.post('/subscriptions', { plan: 'gold', ...body });
    expect(await creating(body)).toEqual({ ...real, headers: expect.anything() });
    expect(real).toMatchObject(refused({ param }));
  }
  const id = await subscribed();
  expect(await changing(id, { customer })).toMatchObject(refused({ param: 'customer' }));
  expect(await changing(id, { resume_at: JUNE })).toMatchObject(refused({ param: 'resume_at' }));
  expect(await changing(999_999, {})).toMatchObject(refused({ message: 'Subscription was not found: 999999' }, 404));
  expect(await rival.patch(`/subscriptions/${id}?dry_run=1`, {})).toMatchObject(refused({}, 404));
  const none = 'Subscription has no contract that waits for its renewal';
  expect(await sandbox.post(`/subscriptions/${id}/renew?dry_run=1`)).toMatchObject(refused({ message: none }));
  await sandbox.delete(`/subscriptions/${id}`);
  const over = 'Subscription is already canceled';
  expect(await sandbox.delete(`/subscriptions/${id}?dry_run=1`)).toMatchObject(refused({ message: over }));
});
