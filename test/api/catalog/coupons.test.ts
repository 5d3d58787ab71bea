import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('a coupon can be created, read, listed, renamed and archived, which frees its id', async () => {
  const { sandbox } = api;
  const limits = { exclusive: true, expiration_date: 1_900_000_000, max_redemptions: 3, duration: 12 };
  const asked = { id: 'spring', name: 'Spring', value: 12.5, ...limits, metadata: { by: 'mail' } };
  const created = await sandbox.post('/coupons', asked);
  expect(created.status).toBe(201);
  expect(missingFields('coupon', created.body)).toEqual([]);
  expect(created.body).toMatchObject({ object: 'coupon', ...asked, is_percent: true, currency: null });
  expect((await sandbox.get('/coupons/spring')).body).toEqual(created.body);
  expect((await sandbox.get('/coupons?filter[exclusive]=true&sort=expiration_date desc')).body).toEqual([created.body]);
  expect((await sandbox.get('/coupons?updated_after=4000000000')).body).toEqual([]);

  const changed = await sandbox.patch('/coupons/spring', { name: 'Summer', value: 12.5, ...limits });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Summer', value: 12.5, ...limits } });
  expect(await sandbox.post('/coupons', asked)).toMatchObject(refused({ param: 'id' }));
  expect((await sandbox.delete('/coupons/spring')).status).toBe(204);
  expect((await sandbox.get('/coupons/spring')).status).toBe(404);
  expect((await sandbox.delete('/coupons/spring')).status).toBe(404);
  expect(await sandbox.make('/coupons', { ...asked, value: 20 })).toMatchObject({ id: 'spring', value: 20 });
});

test('a coupon of an amount has a currency; without limits it has none', async () => {
  const { sandbox } = api;
  const unlimited = { exclusive: false, expiration_date: null, max_redemptions: 0, duration: 0 };
  const flat = await sandbox.post('/coupons', { name: 'Five off', value: 5, is_percent: false });
  expect(flat.body).toMatchObject({ is_percent: false, currency: 'usd', ...unlimited });
  expect(flat.body.id).toMatch(/^coupon_[0-9a-f]{16}$/);
  const yen = { name: 'Yen', value: 500, is_percent: false, currency: 'JPY' };
  expect((await sandbox.make('/coupons', yen)).currency).toBe('jpy');
});

const coupon = { name: 'C', value: 5 };

test.each([
  [{ value: 5 }, 'name'],
  [{ name: 'C' }, 'value'],
  [{ ...coupon, value: -1 }, 'value'],
  [{ ...coupon, value: 100.01 }, 'value'],
  [{ ...coupon, value: 0.5, is_percent: false, currency: 'jpy' }, 'value'],
  [{ ...coupon, max_redemptions: -1 }, 'max_redemptions'],
  [{ ...coupon, duration: 1.5 }, 'duration'],
  [{ ...coupon, expiration_date: 'soon' }, 'expiration_date'],
  [{ ...coupon, exclusive: 'very' }, 'exclusive'],
  [{ ...coupon, id: 'with space' }, 'id'],
  [{ ...coupon, redemptions: 5 }, 'redemptions'],
])('%j is refused, naming %s', async (body, param) => {
  expect(await api.sandbox.post('/coupons', body)).toMatchObject(refused({ type: 'invalid_request', param }));
});

test('discounts of a subscription are coupons in answers, and ids or coupons in requests', async () => {
  const { sandbox } = api;
  const [one, other] = await Promise.all(
    ['one', 'other'].map((id) => sandbox.make('/coupons', { id, name: id, value: 5 })),
  );
  await sandbox.post('/plans', { id: 'discounted', name: 'Discounted', amount: 10, interval: 'month' });
  const customer = (await sandbox.make('/customers', { name: 'Discounted' })).id;
  const made = await sandbox.post('/subscriptions', { customer, plan: 'discounted', discounts: ['one', other] });
  expect([made.status, made.body.discounts]).toEqual([201, [one, other]]);
  const path = `/subscriptions/${made.body.id}`;
  expect((await sandbox.get(path)).body.discounts).toEqual([one, other]);
  expect((await sandbox.patch(path, { discounts: [other] })).body.discounts).toEqual([other]);
  expect((await sandbox.patch(path, { discounts: ['one'] })).body.discounts).toEqual([one]);
});
