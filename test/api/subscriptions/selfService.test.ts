import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { customerOfEachTest } from '../../support/goldCustomers.ts';
import { APRIL, goldSubscriptions, HALF, MAY } from '../../support/goldSubscriptions.ts';

/** What customers change themselves, within the bounds of the account and of the plan. The test takes the steps of the process. */

const gold = goldSubscriptions(async (client) => {
  await client.make('/plans', { id: 'basic', name: 'Basic', amount: 4, interval: 'month' });
  await client.make('/plans', { id: 'year', name: 'Year', amount: 100, interval: 'year' });
  await client.make('/plans', { id: 'euro', name: 'Euro', amount: 9, currency: 'eur', interval: 'month' });
  await client.make('/plans', { id: 'own', name: 'Own', pricing_mode: 'custom', interval: 'month' });
  await client.make('/plans', { id: 'team', name: 'Team', amount: 20, interval: 'month' });
  await client.make('/plans', { id: 'seats', name: 'Seats', amount: 2, interval: 'month' });
  await client.make('/items', { id: 'hotline', name: 'Hotline', unit_cost: 3 });
  await client.patch('/plans/team', { portal_changes: { min_quantity: 3 } });
  const plans = ['basic', 'team', 'year', 'euro', 'own'];
  const addons = [{ plan: 'seats', max_quantity: 5 }, { catalog_item: 'hotline' }];
  await client.patch('/account', {
    portal_changes: { plans, addons, max_quantity: 10 },
    portal_cancel: 'now',
    portal_pause: true,
  });
});
const { begin, totals } = customerOfEachTest(gold);
const { read, change, expectCleanBooks } = gold;
const post = (id: number, body: object) => gold.api.sandbox.post(`/subscriptions/${id}/self_service`, body);
const preview = (id: number, body: object) => gold.api.sandbox.post(`/subscriptions/${id}/self_service/preview`, body);
const offer = async (id: number) => (await gold.api.sandbox.get(`/subscriptions/${id}/self_service`)).body;
const totalsOf = (documents: { total: number }[]) => documents.map(({ total }) => total);

test('an upgrade counts from its preview, and bills what the preview showed', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  const { body: shown } = await preview(id, { plan: 'team', quantity: 3, addons: [{ plan: 'seats', quantity: 2 }] });
  expect(shown).toMatchObject({ takes_effect: 'now', proration_date: HALF, recurring_total: 64 });
  expect(totalsOf(shown.invoices)).toEqual([27]); // half of 3 x 20 and 2 x 2, less half of 10
  expect(shown.next_invoice).toMatchObject({ total: 64, date: APRIL });
  expect(await totals()).toEqual([10]); // nothing was stored
  gold.moveTo(HALF + 1800); // the customer thinks for half an hour
  const confirmed = { proration_date: shown.proration_date, seen: shown.seen };
  const asked = { action: 'change', plan: 'team', quantity: 3, addons: [{ plan: 'seats', quantity: 2 }], ...confirmed };
  expect((await post(id, asked)).body).toMatchObject({ plan: 'team', quantity: 3, addons: [{ quantity: 2 }] });
  expect(await totals()).toEqual([10, 27]);
  expect(await post(id, asked)).toMatchObject(refused({ param: 'seen' })); // a double click changes nothing
  expect((await preview(id, {})).body).toMatchObject({ invoices: [], recurring_total: 64 });
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([10, 27, 64]);
  await expectCleanBooks();
});

test('another interval begins at once, with the credit that the preview showed', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  const { body: shown } = await preview(id, { plan: 'year' });
  gold.moveTo(HALF + 3000);
  expect(totalsOf(shown.invoices)).toEqual([95]);
  const { proration_date, seen } = shown;
  expect((await post(id, { action: 'change', plan: 'year', proration_date, seen })).status).toBe(200);
  expect(await totals()).toEqual([10, 95]);
  await expectCleanBooks();
});

test('a downgrade waits for the renewal, and the customer can take it back', async () => {
  const id = await begin({ quantity: 2 });
  gold.moveTo(HALF);
  const { body: shown } = await preview(id, { plan: 'basic' });
  expect(shown).toMatchObject({ takes_effect: 'renewal', invoices: [], recurring_total: 8 });
  expect(shown.next_invoice).toMatchObject({ total: 8 });
  await post(id, { action: 'change', plan: 'basic', seen: shown.seen });
  expect(await offer(id)).toMatchObject({ obstacle: 'planned_change', can_change: false, undo: ['change'] });
  expect(await post(id, { action: 'change', quantity: 3 })).toMatchObject(refused({ code: 'state_conflict' }));
  expect((await post(id, { action: 'undo', undo: 'change' })).body.pending_change).toBeNull();
  expect(await post(id, { action: 'undo', undo: 'change' })).toMatchObject(refused({ param: 'undo' }));
  const { proration_date } = (await preview(id, { plan: 'basic' })).body;
  gold.moveTo(HALF + 3600);
  const late = { action: 'change', plan: 'basic', proration_date };
  expect(await post(id, late)).toMatchObject(refused({ param: 'proration_date' })); // the preview is an hour old
  gold.moveTo(HALF + 3599);
  expect((await post(id, late)).status).toBe(200);
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([20, 8]);
});

test('what lies outside the bounds is refused', async () => {
  const id = await begin({ quantity: 2 });
  const refusals: [object, string][] = [
    [{ plan: 'team' }, 'quantity'], // the plan needs three
    [{ quantity: 11 }, 'quantity'],
    [{ quantity: 0 }, 'quantity'],
    [{ plan: 'seats' }, 'plan'], // only an add-on
    [{ plan: 'euro' }, 'plan'],
    [{ plan: 'own' }, 'plan'],
    [{ plan: 'none' }, 'plan'],
    [{ addons: [{ plan: 'seats', quantity: 6 }] }, 'addons[0][quantity]'],
    [{ addons: [{ plan: 'basic', quantity: 1 }] }, 'addons[0]'],
    [{ addons: [{ plan: 'seats', catalog_item: 'hotline', quantity: 1 }] }, 'addons[0]'],
    [{ addons: [1, 2].map((quantity) => ({ plan: 'seats', quantity })) }, 'addons[1]'], // named twice
  ];
  for (const [asked, param] of refusals) {
    expect(await preview(id, asked)).toMatchObject(refused({ param }));
    expect(await post(id, { action: 'change', ...asked })).toMatchObject(refused({ param }));
  }
  expect(await post(id, { action: 'pause', plan: 'basic' })).toMatchObject(refused({ param: 'plan' }));
  expect(await read(id)).toMatchObject({ plan: 'gold', quantity: 2, addons: [], pending_change: null });
});

test('a change is refused if its result is not what the preview showed', async () => {
  const id = await begin();
  const { body: shown } = await preview(id, { quantity: 3 });
  await post(id, { action: 'change', quantity: 2 }); // in another tab
  const stale = { action: 'change', quantity: 3, seen: shown.seen };
  expect(await post(id, stale)).toMatchObject(refused({ param: 'seen' }));
  expect(await post(id, { ...stale, quantity: 10 })).toMatchObject(refused({ param: 'seen' }));
  const late = { action: 'change', quantity: 4, proration_date: shown.proration_date };
  gold.moveTo(shown.proration_date + 3600);
  expect(await post(id, late)).toMatchObject(refused({ param: 'proration_date' }));
  const tomorrow = shown.proration_date + 90_000;
  expect(await post(id, { ...late, proration_date: tomorrow })).toMatchObject(refused({ param: 'proration_date' }));
  expect(await read(id)).toMatchObject({ quantity: 2 });
});

test('the word of a plan goes before that of the account', async () => {
  const { sandbox } = gold.api;
  await sandbox.make('/plans', { id: 'fixed', name: 'Fixed', amount: 5, interval: 'month' });
  const id = await begin({ plan: 'fixed' });
  await sandbox.patch('/plans/fixed', {
    portal_changes: { max_quantity: 0, downgrade: 'none', plans: ['basic', 'team'] },
  });
  expect(await preview(id, { quantity: 2 })).toMatchObject(refused({ param: 'quantity' }));
  expect(await preview(id, { plan: 'basic' })).toMatchObject(refused({ code: 'state_conflict', param: 'plan' }));
  expect((await offer(id)).plans).toMatchObject([
    { plan: 'fixed', quantity: null },
    { plan: 'basic', quantity: { min: 1, max: 10 } },
    { plan: 'team', quantity: { min: 3, max: 10 } },
  ]);
  const wrong: [object, string][] = [
    [{ min_quantity: 11 }, 'portal_changes[min_quantity]'],
    [{ plans: ['gold', 'none'] }, 'portal_changes[plans]'],
    [{ addons: [{ plan: 'none' }] }, 'portal_changes[addons]'],
    [{ addons: [{}] }, 'portal_changes[addons][0]'],
    [{ upgrade: 'later' }, 'portal_changes[upgrade]'],
  ];
  for (const [portal_changes, param] of wrong)
    expect(await sandbox.patch('/plans/fixed', { portal_changes })).toMatchObject(refused({ param }));
});

test('a cancellation keeps its reason until it is taken back', async () => {
  const id = await begin();
  const asked = { action: 'cancel', reason: 'too_expensive', comment: 'A word' };
  const given = { cancel_at_period_end: true, cancellation_reason: 'too_expensive', cancellation_comment: 'A word' };
  expect((await post(id, asked)).body).toMatchObject(given);
  expect((await post(id, asked)).status).toBe(200); // a double click
  expect(await offer(id)).toMatchObject({ obstacle: 'ends', cancel: 'none', can_pause: false, undo: ['cancellation'] });
  expect((await post(id, { action: 'cancel', reason: 'quality' })).body).toMatchObject(given); // the first one counts
  for (const other of [{ action: 'cancel', when: 'now' }, { action: 'pause' }])
    expect(await post(id, other)).toMatchObject(refused({ code: 'state_conflict' }));
  const undone = { cancel_at_period_end: false, cancellation_reason: null, cancellation_comment: null };
  expect((await post(id, { action: 'undo', undo: 'cancellation' })).body).toMatchObject(undone);
  const now = await post(id, { action: 'cancel', when: 'now', reason: 'unused' });
  expect(now.body).toMatchObject({ status: 'canceled', cancellation_reason: 'unused' });
  expect(await totals()).toEqual([10]);
});

test('customers take back only what they have planned themselves', async () => {
  const id = await begin();
  await change(id, { cancel_at_period_end: true });
  expect(await post(id, { action: 'undo', undo: 'cancellation' })).toMatchObject(refused({ param: 'undo' }));
  expect((await post(id, { action: 'cancel', reason: 'unused' })).body).toMatchObject({ cancellation_reason: null });
  expect(await offer(id)).toMatchObject({ cancel: 'none', undo: [] }); // it did not become the customer's
  await change(id, { cancel_at_period_end: false, quantity: 5, when: 'renewal' }).then(() =>
    change(id, { cancel_at_period_end: false }),
  );
  await change(id, { quantity: 5, when: 'renewal' });
  expect(await offer(id)).toMatchObject({ obstacle: 'planned_change', undo: [] });
  expect(await post(id, { action: 'undo', undo: 'change' })).toMatchObject(refused({ param: 'undo' }));
  await change(id, { pending_change: null, paused: true });
  expect(await post(id, { action: 'resume' })).toMatchObject(refused({ code: 'state_conflict' }));
});

test('a pause begins with the next period, and its end begins a period', async () => {
  const id = await begin();
  expect((await post(id, { action: 'pause', resume_at: MAY + 86_400 })).body).toMatchObject({
    pause_at_period_end: true,
    resume_mode: 'new',
  });
  expect((await post(id, { action: 'undo', undo: 'pause' })).body.pause_at_period_end).toBe(false);
  await post(id, { action: 'pause' });
  await gold.advanceTo(id, APRIL);
  expect(await offer(id)).toMatchObject({ obstacle: 'paused', can_resume: true, undo: [] });
  await gold.advanceTo(id, MAY + 86_400);
  await post(id, { action: 'resume' });
  await gold.advanceTo(id, MAY + 86_400);
  expect(await read(id)).toMatchObject({ paused: false, period_start: MAY + 86_400 });
  expect(await totals()).toEqual([10, 10]);
  expect(await post(id, { action: 'resume' })).toMatchObject(refused({ code: 'state_conflict' }));
});

test('a contract is kept to its end', async () => {
  const id = await begin({ cycles: 3 });
  expect(await offer(id)).toMatchObject({ can_pause: false, cancel: 'period_end' });
  expect(await post(id, { action: 'cancel', when: 'now' })).toMatchObject(refused({ param: 'when' }));
  expect(await post(id, { action: 'pause' })).toMatchObject(refused({ code: 'state_conflict' }));
  expect(await preview(id, { plan: 'year' })).toMatchObject(refused({ param: 'plan' }));
});

test('each switch that is off refuses its action', async () => {
  const { live } = gold.api;
  await live.make('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  const { id: of } = await live.make('/customers', { name: 'Bound' });
  const { id } = await live.make('/subscriptions', { customer: of, plan: 'gold' });
  expect((await live.get(`/subscriptions/${id}/self_service`)).body).toMatchObject({
    can_change: false,
    can_pause: false,
    cancel: 'none',
  });
  const asked = [{ action: 'change', quantity: 2 }, { action: 'cancel' }, { action: 'pause' }, { action: 'resume' }];
  for (const one of asked)
    expect(await live.post(`/subscriptions/${id}/self_service`, one)).toMatchObject(
      refused({ code: 'state_conflict' }),
    );
});
