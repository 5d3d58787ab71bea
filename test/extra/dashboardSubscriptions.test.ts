import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  begin,
  CHANGE,
  choose,
  type Desk,
  follows,
  money,
  press,
  quantity,
  settled,
  startDesk,
  totals,
} from '../support/dashboardSubscriptions.ts';
import { looksIn } from '../support/pageLooks.ts';
import { takeSubscriptionSteps } from '../support/subscriptionSteps.ts';

/** What a biller does with subscriptions: each act shows what follows before it is done. */

const look = looksIn('dashboard');

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk('biller@acme.example');
});
afterAll(() => desk?.site.close());

test('a biller sees how a subscription stands and its next invoices, and the bill of a change is the one shown', async () => {
  const { page, open, complaints } = desk.visitor;
  const id = await desk.subscribed({ quantity: 2, taxes: ['vat'], addons: [{ plan: 'seats', quantity: 12 }] });
  await open(`subscriptions/${id}`);
  await page.getByText(/^The current period runs from/).waitFor();
  const next = page.locator('.upcoming details');
  await next.nth(2).waitFor();
  const invoices = await desk.upcoming(id, 12);
  await page.getByLabel('Number of invoices').selectOption('12');
  await next.nth(11).waitFor();
  const shown = await next.locator('summary strong').allTextContents();
  expect(shown).toEqual(invoices.map(({ total }) => money(total)));
  await page.getByLabel('Number of invoices').selectOption('3');
  await next.nth(3).waitFor({ state: 'hidden' });
  await look(page, 'subscription');

  await begin(page, CHANGE);
  await follows(page).getByText('Nothing is changed yet.').waitFor();
  await choose(page, 'Plan', 'Silver');
  await quantity(page).fill('5');
  await page.getByLabel('When it changes').selectOption({ label: 'Now, and the difference is billed at once' });
  await follows(page).getByText('Billed now').waitFor();
  await settled(page);
  await look(page, 'subscription-change');
  const [now, later] = await totals(page);
  await press(page, CHANGE);
  await page.getByText('The subscription is changed.').waitFor();
  const billed = await desk.invoicesOf(id);
  expect(billed).toHaveLength(2);
  expect(now).toEqual(['Billed now', money(billed[1]?.total ?? 0)]);
  const [after] = await desk.upcoming(id, 1);
  expect(later?.[1]).toBe(money(after?.total ?? 0));
  expect(await desk.subscription(id)).toMatchObject({ plan: 'silver', quantity: 5 });
  expect(complaints).toEqual([]);
});

test('plans of other currencies are not offered, and a change to another interval costs what was shown', async () => {
  const { page, open } = desk.visitor;
  const id = await desk.subscribed();
  await open(`subscriptions/${id}`);
  await begin(page, CHANGE);
  await page.getByRole('button', { name: /^Plan / }).click();
  await page.getByRole('searchbox', { name: 'Search' }).last().fill('Silver');
  await page.waitForFunction(`document.querySelectorAll('[role=listbox] [role=option]').length === 1`);
  await page.getByRole('searchbox', { name: 'Search' }).last().fill('Annual');
  await page.getByRole('option', { name: 'Annual' }).first().click();
  await follows(page).getByText('Billed now').waitFor();
  await settled(page);
  const [now] = await totals(page);
  await press(page, CHANGE);
  await page.getByText('The subscription is changed.').waitFor();
  expect(now?.[1]).toBe(money((await desk.invoicesOf(id)).at(-1)?.total ?? 0));
});

test('a change for the next period waits, is shown, and is dropped', async () => {
  const { page, open } = desk.visitor;
  const id = await desk.subscribed();
  await open(`subscriptions/${id}`);
  await begin(page, CHANGE);
  await quantity(page).fill('4');
  await page.getByLabel('When it changes').selectOption({ label: 'With the next period, or the next contract' });
  await follows(page).getByText('4 × Gold').waitFor();
  await follows(page).getByText('Nothing is billed now.').waitFor();
  await settled(page);
  await press(page, CHANGE);
  await page.getByRole('heading', { name: /^Changes on / }).waitFor();
  expect(await desk.subscription(id)).toMatchObject({ quantity: 1, pending_change: { quantity: 4 } });
  await look(page, 'subscription-pending');
  await begin(page, 'Drop the planned change');
  await settled(page);
  await press(page, 'Drop the planned change');
  await page.getByText('The planned change is dropped.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ pending_change: null });
});

test('a subscription is paused until a day, not paused after all, paused at once and resumed', async () => {
  const { page, open } = desk.visitor;
  const id = await desk.subscribed();
  await open(`subscriptions/${id}`);
  await begin(page, 'Pause');
  await page.getByLabel('Goes on by itself on').fill('2020-01-01');
  await follows(page).getByRole('alert').waitFor(); // the API says why
  await page.getByLabel('Goes on by itself on').fill('2099-01-31');
  await follows(page)
    .getByText(/and goes on by itself on Jan 31, 2099/)
    .waitFor();
  await settled(page);
  await look(page, 'subscription-pause');
  await press(page, 'Pause');
  await page.getByText('The pause is noted.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ pause_at_period_end: true, paused: false });
  await begin(page, 'Do not pause');
  await settled(page);
  await press(page, 'Do not pause');
  await page.getByText('The pause is taken back.').waitFor();
  await begin(page, 'Pause');
  await page.getByLabel('When it pauses').selectOption({ label: 'Now, without a credit' });
  await follows(page).getByText('No further invoice follows.').waitFor();
  await settled(page);
  await press(page, 'Pause');
  await page.getByText('It is paused and bills nothing until somebody resumes it.').first().waitFor();
  await page.getByText('As it stands, no further invoice follows.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ paused: true });
  await begin(page, 'Resume');
  await page.getByLabel('What it bills then').selectOption({ label: 'A new period that begins at once' });
  await follows(page).getByText('Billed now').waitFor();
  await settled(page);
  await press(page, 'Resume');
  await page.getByText('The subscription goes on.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ paused: false });
});

test('a subscription is canceled for the end of its period with the reason, kept after all, and canceled now with a credit', async () => {
  const { page, open } = desk.visitor;
  const id = await desk.subscribed();
  await open(`subscriptions/${id}`);
  await begin(page, 'Cancel subscription');
  await page.getByLabel('Reason').selectOption({ label: 'Too expensive' });
  await page.getByLabel('In words of the customer').fill('Half of it would do');
  await follows(page)
    .getByText(/^It is canceled and ends on/)
    .waitFor();
  await follows(page).getByText('No further invoice follows.').waitFor();
  await settled(page);
  await look(page, 'subscription-cancel');
  await press(page, 'Cancel subscription');
  await page.getByText('The cancellation is noted.').waitFor();
  await page.getByText('Reason: Too expensive').waitFor();
  expect(await desk.subscription(id)).toMatchObject({
    cancel_at_period_end: true,
    cancellation_reason: 'too_expensive',
    cancellation_comment: 'Half of it would do',
  });
  await begin(page, 'Undo the cancellation');
  await follows(page)
    .getByText(/^Next invoice, on/)
    .waitFor();
  await settled(page);
  await press(page, 'Undo the cancellation');
  await page.getByText('The cancellation is taken back.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ cancel_at_period_end: false, cancellation_reason: null });

  await begin(page, 'Cancel subscription');
  await page.getByLabel('When it ends').selectOption({ label: 'Now, and the rest of the period is credited' });
  await follows(page).getByText('Credited now').waitFor();
  await settled(page);
  const [credited, emptied] = await totals(page);
  await press(page, 'Cancel subscription');
  await page.getByText('The cancellation is noted.').waitFor();
  const [note] = (await desk.site.api.sandbox.get('/credit_notes?sort=id desc&per_page=1')).body;
  expect([credited, emptied]).toEqual([
    ['Credited now', money(note.total)],
    ['Billed now', money(0)],
  ]);
  expect(await desk.subscription(id)).toMatchObject({ status: 'canceled' });
  expect(await page.locator('.care button').count()).toBe(0);
});

test('a contract that has ended waits, and is renewed', async () => {
  const { page, open } = desk.visitor;
  const start_date = Math.floor(Date.now() / 1000) - 70 * 86_400;
  const id = await desk.subscribed({ cycles: 2, contract_renewal_mode: 'manual', start_date });
  const { em, sandbox } = desk.site.api;
  await takeSubscriptionSteps(em, { accountId: sandbox.account.id, id }, new Date());
  await open(`subscriptions/${id}`);
  await page.getByText('Its contract has ended. It bills nothing until somebody renews it.').waitFor();
  await look(page, 'subscription-contract');
  await begin(page, 'Renew the contract');
  await page.getByLabel('Periods of the new contract').fill('3');
  await page.getByLabel('Its periods count from').selectOption({ label: 'Now' });
  await follows(page)
    .getByText(/^Its contract of 3 periods runs from/)
    .waitFor();
  await settled(page);
  const [now] = await totals(page);
  expect(now).toEqual(['Billed now', money(120_000)]);
  await press(page, 'Renew the contract');
  await page.getByText('The contract is renewed.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ pending_renewal: false, cycles: 3 });
});

test('the list has what a biller asks daily, ready-made', async () => {
  const { page, open } = desk.visitor;
  await desk.subscribed({ trial_days: 40 });
  await desk.subscribed({ paused: true });
  await desk.subscribed({ cancel_at_period_end: true });
  await open('subscriptions');
  for (const name of ['In trial', 'Paused', 'Canceled at period end', 'Contract ends in 30 days', 'Past due'])
    expect(
      await page
        .getByRole('link', { name, exact: true })
        .or(page.getByRole('tab', { name, exact: true }))
        .count(),
    ).toBe(1);
  await page.getByText('Ends', { exact: true }).first().waitFor();
  await look(page, 'subscriptions');
  await page.getByRole('link', { name: 'In trial', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Trial ends' }).or(page.getByText('Trial ends')).first().waitFor();
  await page.locator('tbody tr').first().waitFor();
});
