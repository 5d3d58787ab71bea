import { expect, test } from '@jest/globals';
import type { Person, Screen } from '../../support/person.ts';
import { seen } from '../../support/portal.ts';
import { APRIL, DAY, forge, HALF, portalShop } from '../../support/portalShop.ts';

/** What customers do with their subscriptions on the pages of the portal. */

const shop = portalShop();
const preview = (person: Person, path: string, query: string): Promise<Screen> =>
  person.open(`${path}/change?show=yes&${query}`);

test('an upgrade bills what its preview shows, once', async () => {
  const { id, path } = await shop.subscribe();
  const person = await shop.signIn();
  shop.moveTo(HALF);
  const page = await preview(person, path, 'quantity=4&addon_0=1');
  expect(seen(page)).toContain('takes effect at once');
  expect(seen(page)).toMatch(/\$11\.00/); // half of 2 x 10 and of 2
  expect(seen(page)).toContain('$42.00');
  shop.moveTo(HALF + 600_000);
  const tabs = [await preview(person, path, 'quantity=5'), page];
  const done = await person.send(page, '/change');
  expect([done.url.pathname, done.url.search]).toEqual([path, '?done=changed']);
  expect(await shop.totals()).toEqual([20, 11]);
  expect((await person.send(page, '/change')).url.pathname).toBe(path); // a second click
  const other = await person.send(tabs[0] ?? page, '/change');
  expect([other.status, seen(other).includes('Something has changed')]).toEqual([400, true]);
  expect(await shop.totals()).toEqual([20, 11]);
  await shop.stepsAt(id, APRIL);
  expect(await shop.totals()).toEqual([20, 11, 42]);
});

test('a downgrade waits, and is taken back', async () => {
  const { id, path } = await shop.subscribe();
  const person = await shop.signIn();
  const page = await preview(person, path, 'plan=basic&quantity=3');
  expect(seen(page)).toContain('takes effect with the next invoice, on April 1, 2027');
  expect(seen(page)).toContain('Nothing is billed now');
  const planned = await person.send(page, '/change');
  expect(planned.url.search).toBe('?done=planned');
  expect(await shop.read(`/subscriptions/${id}`)).toMatchObject({
    plan: 'gold',
    pending_change: { plan: 'basic', quantity: 3 },
  });
  expect((await person.send(page, '/change')).url.pathname).toBe(path); // a second click
  expect((await person.open(`${path}/change`)).status).toBe(404);
  await person.send(await person.open(path), '/undo');
  expect((await shop.read(`/subscriptions/${id}`)).pending_change).toBeNull();
  await person.send(await preview(person, path, 'plan=basic&quantity=3'), '/change');
  await shop.stepsAt(id, APRIL);
  expect(await shop.totals()).toEqual([20, 12]);
});

test('choices outside the bounds and tampered forms change nothing', async () => {
  const { id, path } = await shop.subscribe();
  const person = await shop.signIn();
  for (const query of [
    'quantity=1',
    'quantity=11',
    'quantity=-3',
    'quantity=2.5',
    'quantity=x',
    'addon_0=6',
    'quantity=',
  ]) {
    const page = await preview(person, path, query);
    expect([query, page.status, page.text.includes('name="seen"')]).toEqual([query, 400, false]);
  }
  expect(seen(await preview(person, path, 'quantity=1'))).toContain('From 2 to 10');
  const page = await preview(person, path, 'quantity=3');
  const forged = [
    { quantity: '10' },
    { plan: 'basic' },
    { addon_0: '5' },
    { seen: 'x' },
    { previewed_at: '1' },
    { previewed_at: 'x' },
  ];
  for (const fields of forged) {
    const answer = await person.send(page, '/change', Object.fromEntries(Object.entries(fields)));
    expect([fields, answer.status]).toEqual([fields, 400]);
  }
  expect(await shop.read(`/subscriptions/${id}`)).toMatchObject({ plan: 'gold', quantity: 2, pending_change: null });
  expect(await shop.totals()).toEqual([20]);
  const foreign = `${shop.root}/subscriptions/${(await subscribeOther()).id}`;
  for (const one of [foreign, `${foreign}/change`, `${shop.root}/subscriptions/0`, `${shop.root}/subscriptions/x`])
    expect((await person.open(one)).status).toBe(404);
  expect((await forge(person, `${foreign}/cancel`, { when: 'now' })).status).toBe(404);
});

async function subscribeOther() {
  const other = (await shop.api.sandbox.make('/customers', { name: 'Other' })).id;
  return shop.api.sandbox.make('/subscriptions', { customer: other, plan: 'gold' });
}

test('a customer cancels with a reason, keeps it after all, and ends it at once', async () => {
  const { id, path } = await shop.subscribe();
  const person = await shop.signIn();
  const page = await person.open(`${path}/cancel`);
  expect(seen(page)).toContain('On March 31, 2027, when what you paid for is over');
  const fields = { when: 'period_end', reason: 'unused', comment: '<b>Nobody</b> needs it' };
  expect((await person.send(page, '/cancel', fields)).url.search).toBe('?done=cancel');
  expect((await person.send(page, '/cancel', fields)).url.pathname).toBe(path);
  // The page offers no other end now, and a form of another tab ends nothing.
  expect((await person.open(`${path}/cancel`)).status).toBe(404);
  await person.send(page, '/cancel', { ...fields, when: 'now' });
  expect(await shop.read(`/subscriptions/${id}`)).toMatchObject({
    cancel_at_period_end: true,
    cancellation_reason: 'unused',
    cancellation_comment: '<b>Nobody</b> needs it',
  });
  expect((await person.send(await person.open(path), '/undo')).url.search).toBe('?done=undone');
  await person.send(await person.open(`${path}/cancel`), '/cancel', { when: 'now' });
  expect((await shop.read(`/subscriptions/${id}`)).status).toBe('canceled');
  const log = await shop.read('/audit_log?sort=id desc&per_page=20');
  expect(log.map(({ operation }: { operation: string }) => operation)).toContain('cancelSubscriptionInPortal');
});

test('a customer pauses from the end of the period, and resumes', async () => {
  const { id, path } = await shop.subscribe();
  const person = await shop.signIn();
  const page = await person.open(`${path}/pause`);
  expect((await person.send(page, '/pause', { resume_on: '2027-03-20' })).status).toBe(400);
  expect((await person.send(page, '/pause', { resume_on: '' })).url.search).toBe('?done=pause');
  await shop.stepsAt(id, APRIL);
  expect(await shop.read(`/subscriptions/${id}`)).toMatchObject({ paused: true });
  const resumed = APRIL + 9 * DAY;
  shop.moveTo(resumed);
  const again = await shop.signIn();
  await again.send(await again.open(path), '/resume');
  await shop.stepsAt(id, resumed);
  expect(await shop.read(`/subscriptions/${id}`)).toMatchObject({ paused: false, period_start: resumed / 1000 });
  expect(await shop.totals()).toEqual([20, 20]);
});

test('the list of subscriptions works the same whether it has one or many, and shows what is stored', async () => {
  await shop.subscribe();
  const { path } = await shop.subscribe({ quantity: 4, addons: [{ plan: 'seats', quantity: 2 }] });
  const person = await shop.signIn();
  await person.send(await person.open(`${path}/cancel`), '/cancel', { when: 'period_end' });
  const list = async () => {
    let page: Screen | null = null;
    const statements = await shop.api.statements(async () => {
      page = await person.open(`${shop.root}/subscriptions`);
    });
    return { text: page ? seen(page) : '', count: statements.length };
  };
  await list();
  const few = await list();
  expect(few.text).toMatch(/Gold \$44\.00 · .*Ends .*Gold \$20\.00 · .*Active/);
  for (let count = 0; count < 10; count += 1) await shop.subscribe();
  const many = await list();
  expect(many.text.match(/\$20\.00/g)).toHaveLength(11);
  expect(many.count).toBe(few.count);
});
