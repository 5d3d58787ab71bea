import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityFaults } from '../support/accessibility.ts';
import { SIZES } from '../support/browser.ts';
import { visitAs, visitDashboard } from '../support/dashboard.ts';
import {
  begin,
  CHANGE,
  choose,
  type Desk,
  dialog,
  follows,
  press,
  quantity,
  settled,
  startDesk,
} from '../support/dashboardSubscriptions.ts';
import { looksIn } from '../support/pageLooks.ts';

/** Acts on subscriptions by several people, on a bad line, and on other screens: nothing happens twice, or unseen. */

const look = looksIn('dashboard');

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk('biller@acme.example');
});
afterAll(() => desk?.site.close());

test('what somebody else changed meanwhile is seen before anything is changed', async () => {
  const { page, open } = desk.visitor;
  const id = await desk.subscribed({ quantity: 2 });
  await open(`subscriptions/${id}`);
  await begin(page, CHANGE);
  await quantity(page).fill('6');
  await follows(page).getByText('6 × Gold').first().waitFor();
  await settled(page);
  await desk.site.api.sandbox.patch(`/subscriptions/${id}`, { discounts: ['ten'] });
  await press(page, CHANGE);
  const said = 'Somebody else changed this subscription meanwhile.';
  await follows(page).getByText(said).waitFor();
  await follows(page).getByText('Ten off').first().waitFor();
  expect(await desk.subscription(id)).toMatchObject({ quantity: 2 });
  await look(page, 'subscription-stale');
  await settled(page);
  await press(page, CHANGE);
  await page.getByText('The subscription is changed.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ quantity: 6, discounts: [{ id: 'ten' }] });
});

test('a double click and a lost answer change a subscription once, and of two people the second one sees it', async () => {
  const { page, open } = desk.visitor;
  const id = await desk.subscribed();
  await open(`subscriptions/${id}`);
  await begin(page, CHANGE);
  await quantity(page).fill('3');
  await page.getByLabel('When it changes').selectOption({ label: 'Now, and the difference is billed at once' });
  await follows(page).getByText('Billed now').waitFor();
  await settled(page);
  let lost = 0;
  await page.route(`**/subscriptions/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH' || lost > 0) return route.continue();
    lost += 1;
    await route.fetch(); // the API takes it, and the answer is lost
    await route.abort();
  });
  await dialog(page).getByRole('button', { name: CHANGE, exact: true }).dblclick();
  await page.getByText('The subscription is changed.').waitFor();
  await page.unroute(`**/subscriptions/${id}`);
  expect([lost, (await desk.invoicesOf(id)).length]).toEqual([1, 2]);

  const other = await visitDashboard(desk.site, 'second@acme.example');
  await other.open(`subscriptions/${id}`);
  for (const one of [page, other.page]) {
    await begin(one, 'Cancel subscription');
    await one.getByLabel('When it ends').selectOption({ label: 'Now, and the rest of the period is credited' });
    await follows(one).getByText('Credited now').waitFor();
    await settled(one);
  }
  await press(page, 'Cancel subscription');
  await page.getByText('The cancellation is noted.').waitFor();
  await press(other.page, 'Cancel subscription');
  await follows(other.page).getByText('Somebody else changed this subscription meanwhile.').waitFor();
  await follows(other.page).getByText('Subscription is already canceled').waitFor();
  await other.page.context().close();
});

test('a dialog that is open for hours counts from a time that the API still takes', async () => {
  const { page, open } = await visitDashboard(desk.site, 'patient@acme.example');
  const id = await desk.subscribed();
  await page.clock.install();
  await open(`subscriptions/${id}`);
  await begin(page, CHANGE);
  await quantity(page).fill('4');
  await follows(page).getByText('4 × Gold').first().waitFor();
  await settled(page);
  const path = `/subscriptions/${id}`;
  const anew = page.waitForResponse((answer) => answer.url().endsWith(`${path}/upcoming_invoices`));
  const foreseen = page.waitForResponse((answer) => answer.url().includes(`${path}?dry_run`));
  await page.clock.fastForward('31:00');
  const { as_of: asOf } = await (await anew).json();
  await foreseen;
  await settled(page);
  const sent = page.waitForRequest((request) => request.method() === 'PATCH' && !request.url().includes('dry_run'));
  await press(page, CHANGE);
  expect((await sent).postDataJSON()).toMatchObject({ quantity: 4, proration_date: asOf });
  await page.getByText('The subscription is changed.').waitFor();
  await page.context().close();
});

test('typing never waits for what follows, and nothing is sent that nobody has seen', async () => {
  const { page, open } = desk.visitor;
  const id = await desk.subscribed();
  await open(`subscriptions/${id}`);
  await begin(page, CHANGE);
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/subscriptions/*dry_run*', async (route) => {
    await held;
    await route.continue();
  });
  await quantity(page).fill('');
  for (const digit of '123') await quantity(page).press(digit);
  expect(await quantity(page).inputValue()).toBe('123');
  await press(page, CHANGE);
  await dialog(page).getByRole('alert').getByText('What follows is still being computed.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ quantity: 1 });
  release();
  await follows(page).getByText('123 × Gold').first().waitFor();
  await page.unroute('**/subscriptions/*dry_run*');
  await settled(page);
  await press(page, CHANGE);
  await page.getByText('The subscription is changed.').waitFor();
  expect(await desk.subscription(id)).toMatchObject({ quantity: 123 });
});

test('what is no quantity is refused at its field, and an archived plan is told', async () => {
  const { page, open } = desk.visitor;
  const id = await desk.subscribed();
  await desk.site.api.sandbox.make('/plans', { id: 'gone', name: 'Gone', amount: 5, interval: 'month' });
  await open(`subscriptions/${id}`);
  await begin(page, CHANGE);
  for (const wrong of ['two', '1,5', '-1', '9999999999']) {
    await quantity(page).fill(wrong);
    await settled(page);
    await follows(page).getByRole('alert').waitFor();
    await press(page, CHANGE);
    await page.locator('[aria-invalid="true"]').waitFor();
    expect(await quantity(page).inputValue()).toBe(wrong);
  }
  await quantity(page).fill('1');
  await choose(page, 'Plan', 'Gone');
  await follows(page).getByText('Per period').waitFor();
  await desk.site.api.sandbox.delete('/plans/gone');
  await quantity(page).fill('2');
  await follows(page).getByRole('alert').waitFor();
  await settled(page);
  await press(page, CHANGE);
  await page.locator('.error').first().waitFor();
  expect(await desk.subscription(id)).toMatchObject({ plan: 'gold', quantity: 1 });
  await press(page, 'Cancel');
});

test('who may only read sees the next invoices and no act', async () => {
  const id = await desk.subscribed();
  const { page, open } = await visitAs(desk.site, 'reader@acme.example', 'read_only');
  await open(`subscriptions/${id}`);
  await page.locator('.upcoming details').first().waitFor();
  expect(await page.locator('.care button').count()).toBe(0);
  await page.context().close();
});

test('on a phone, in the dark, and from the right', async () => {
  const id = await desk.subscribed({ quantity: 3, discounts: ['ten'] });
  const options = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
  const phone = await visitDashboard(desk.site, 'phone@acme.example', options);
  await phone.open(`subscriptions/${id}`);
  await begin(phone.page, CHANGE);
  await quantity(phone.page).fill('5');
  await follows(phone.page).getByText('5 × Gold').first().waitFor();
  await settled(phone.page);
  await look(phone.page, 'subscription-change-phone');
  expect(await phone.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  const arabic = await visitDashboard(desk.site, 'arabic@acme.example', { locale: 'ar', viewport: SIZES.desktop });
  await arabic.open(`subscriptions/${id}`);
  await arabic.page.locator('.upcoming details').first().waitFor();
  await look(arabic.page, 'subscription-arabic');
  await arabic.page.getByRole('button', { name: 'تغيير الخطة أو الكمية' }).click();
  await arabic.page.getByRole('textbox', { name: /^الكمية/ }).fill('5');
  await arabic.page.locator('.follows h4').first().waitFor();
  await look(arabic.page, 'subscription-change-arabic');
  expect(await accessibilityFaults(arabic.page)).toEqual([]);
  await Promise.all([phone, arabic].map(({ page }) => page.context().close()));
});
