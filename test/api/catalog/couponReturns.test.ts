import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';

/** A draft from which a coupon is removed returns its redemption. An issued document does not. */

let api: TestApi;
let customer: number;
let coupon: string;
let made = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  made += 1;
  coupon = `single-${made}`;
  await api.sandbox.post('/coupons', { id: coupon, name: 'Single', value: 10, max_redemptions: 1 });
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});

const documents = ['/invoices', '/estimates', '/credit_notes'];
const draft = async (path: string, more: object = { discounts: [coupon] }): Promise<string> => {
  const body = { customer, draft: true, items: [{ name: 'x', unit_cost: 100 }], ...more };
  const answer = await api.sandbox.post(path, body);
  expect([answer.status, answer.body]).toEqual([201, answer.body]);
  return `${path}/${answer.body.id}`;
};
/** Whether another document can redeem the coupon now. */
const isFree = async (): Promise<boolean> => {
  const { status, body } = await api.sandbox.post('/invoices', { customer, discounts: [coupon], items: [] });
  if (status === 400) expect(body.param).toBe('discounts[0]');
  return status === 201;
};

test.each(documents)('deleting a draft of %s returns its redemption', async (path) => {
  const one = await draft(path);
  expect(await isFree()).toBe(false);
  expect((await api.sandbox.delete(one)).status).toBe(204);
  expect(await isFree()).toBe(true);
  expect(await isFree()).toBe(false);
});

test.each(documents)(
  'a draft of %s that it is taken off gives it back, of the document and of its lines',
  async (path) => {
    const { sandbox } = api;
    const one = await draft(path);
    expect(await sandbox.patch(one, { notes: 'n' })).toMatchObject({ status: 200, body: { total: 90 } });
    const { discounts } = (await sandbox.get(one)).body;
    expect((await sandbox.patch(one, { discounts })).status).toBe(200);
    // The redemption is kept while the coupon moves from the document to a line.
    const lines = { discounts: [], items: [{ name: 'x', unit_cost: 100, discounts: [coupon] }] };
    expect(await sandbox.patch(one, lines)).toMatchObject({ status: 200, body: { total: 90 } });
    expect(await isFree()).toBe(false);
    expect(await sandbox.patch(one, { items: [{ name: 'x', unit_cost: 100 }] })).toMatchObject({
      body: { total: 100 },
    });
    expect(await isFree()).toBe(true);
    expect(await sandbox.patch(one, { discounts: [coupon] })).toMatchObject({ status: 400 });
  },
);

test.each(['/invoices', '/estimates'])(
  '%s that are issued have used it, also when it is taken off or they are voided',
  async (path) => {
    const { sandbox } = api;
    const one = await draft(path);
    expect(await sandbox.patch(one, { draft: false })).toMatchObject({ status: 200, body: { draft: false } });
    expect(await sandbox.patch(one, { discounts: [] })).toMatchObject({ status: 200, body: { total: 100 } });
    expect(await isFree()).toBe(false);
    await sandbox.post(`${one}/void`);
    await sandbox.delete(one);
    expect(await isFree()).toBe(false);
  },
);

test('deleting a customer with its drafts returns the redemption', async () => {
  const { sandbox } = api;
  const { id } = await sandbox.make('/customers', { name: 'Short' });
  for (const path of documents) await draft(path, { customer: id, discounts: path === '/invoices' ? [coupon] : [] });
  expect(await isFree()).toBe(false);
  expect((await sandbox.delete(`/customers/${id}`)).status).toBe(204);
  expect(await isFree()).toBe(true);
});

test('returned redemptions can be used again, whichever of several are returned', async () => {
  const { sandbox } = api;
  await sandbox.post('/coupons', { id: `five-${made}`, name: 'Five', value: 10, max_redemptions: 5 });
  const five = { discounts: [`five-${made}`] };
  const drafts: string[] = [];
  for (let count = 0; count < 5; count += 1) drafts.push(await draft('/invoices', five));
  const isTaken = async () =>
    (await sandbox.post('/invoices', { customer, draft: true, items: [], ...five })).status === 400;
  expect(await isTaken()).toBe(true);
  // Deletes the first, the third and the last one.
  for (const index of [0, 2, 4]) await sandbox.delete(drafts[index] ?? '');
  const taken = [];
  for (let count = 0; count < 4; count += 1) taken.push(await isTaken());
  expect(taken).toEqual([false, false, false, true]);
});

test('drafts that return and take redemptions simultaneously never exceed the limit', async () => {
  const { sandbox } = api;
  await sandbox.post('/coupons', { id: `two-${made}`, name: 'Two', value: 10, max_redemptions: 2 });
  const two = { discounts: [`two-${made}`] };
  const redeeming = [await draft('/invoices', two), await draft('/invoices', two)];
  const wanting = [await draft('/invoices', {}), await draft('/invoices', {}), await draft('/invoices', {})];
  const answers = await Promise.all([
    ...redeeming.map((path) => sandbox.patch(path, { discounts: [] })),
    ...wanting.map((path) => sandbox.patch(path, two)),
  ]);
  expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
  const got = answers.slice(2).filter(({ status }) => status === 200).length;
  expect(got).toBeLessThanOrEqual(2);
  const more = await Promise.all([0, 1, 2].map(() => sandbox.post('/invoices', { customer, draft: true, ...two })));
  expect(got + more.filter(({ status }) => status === 201).length).toBe(2);
  expect(api.faults).toEqual([]);
});
