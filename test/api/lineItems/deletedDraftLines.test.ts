import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';

/** A renewal on hold is a draft with the pending lines. Deleting it makes them pending again, once. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  await sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 50, interval: 'month' });
});
afterAll(() => api.close());

interface Line {
  id: number;
  amount: number;
}

const renew = (id: number) =>
  inTransaction(api.em, (em) => advanceSubscription(em, { accountId: api.sandbox.account.id, id }, new Date()));

/** Creates a customer on hold. Its subscription has billed 50.00 and two pending lines as a draft. */
async function heldBill(coupon: string) {
  const { sandbox } = api;
  await sandbox.post('/coupons', { id: coupon, name: 'Once', value: 10, max_redemptions: 1 });
  const { id: customer } = await sandbox.make('/customers', { name: 'On hold', taxes: ['vat'] });
  const path = `/customers/${customer}/line_items`;
  await sandbox.post(path, { name: 'Coupon', unit_cost: 20, discounts: [coupon], metadata: { month: 'May' } });
  await sandbox.post(path, { name: 'Plain', quantity: 3, unit_cost: 10, taxes: ['vat'] });
  const pending = async (): Promise<Line[]> => (await sandbox.get(path)).body;
  const before = await pending();
  await sandbox.patch(`/customers/${customer}`, { credit_hold: true });
  const { body: subscription } = await sandbox.post('/subscriptions', { customer, plan: 'gold' });
  await renew(subscription.id);
  expect(await pending()).toEqual([]);
  const drafts = async () => (await sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`)).body;
  const [draft] = await drafts();
  expect(draft).toMatchObject({ status: 'draft', subscription: subscription.id, subtotal: 100 });
  return { customer, before, draft, drafts, pending };
}

const redemptions = () =>
  api.em.fork().execute(
    `select redeemer_type, redeemer_id from coupon_redemption r join coupon c on c.account_id = r.account_id and c.id = r.coupon_id
     where c.code = 'once'`,
  );
const timeless = (lines: object[]) => lines.map((line) => ({ ...line, updated_at: 0 }));

test('deleting a held draft makes its lines pending again, with their coupons, and they are billed once', async () => {
  const { sandbox } = api;
  const { customer, before, draft, drafts, pending } = await heldBill('once');
  expect(await redemptions()).toEqual([{ redeemer_type: 'invoice', redeemer_id: draft.id }]);
  expect((await sandbox.delete(`/invoices/${draft.id}`)).status).toBe(204);
  expect(timeless(await pending())).toEqual(timeless(before));
  expect(await redemptions()).toEqual([{ redeemer_type: 'line_item', redeemer_id: before[0]?.id }]);
  expect((await sandbox.delete(`/invoices/${draft.id}`)).status).toBe(404);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await sandbox.patch(`/customers/${customer}`, { credit_hold: false });
  const { body: issued } = await sandbox.post(`/customers/${customer}/invoices`);
  // 20.00 less 10 %, and 30.00; the customer's 20 % on both
  expect(issued).toMatchObject({ subtotal: 50, items: before.map(({ id }) => ({ id })) });
  expect(await redemptions()).toEqual([{ redeemer_type: 'invoice', redeemer_id: issued.id }]);
  expect([await pending(), (await drafts()).length]).toEqual([[], 1]);
  // An issued invoice keeps them.
  expect((await sandbox.delete(`/invoices/${issued.id}`)).status).toBe(204);
  expect(await pending()).toEqual([]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('lines of a draft deleted during other billing are billed at most once', async () => {
  const { sandbox } = api;
  const { customer, before, draft, pending } = await heldBill('again');
  const sweep = () => sandbox.post(`/customers/${customer}/invoices`);
  const remove = () => sandbox.delete(`/invoices/${draft.id}`);
  const lift = sandbox.patch(`/customers/${customer}`, { credit_hold: false });
  const [deleted] = await Promise.all([Promise.all([remove(), remove(), remove()]), lift, sweep(), sweep(), sweep()]);
  expect(deleted.filter(({ status }) => status === 204)).toHaveLength(1);
  await sweep();
  const { body: bills } = await sandbox.get(`/invoices?filter[customer]=${customer}`);
  const billed = bills.flatMap(({ items }: { items: Line[] }) => items.map(({ id }) => id));
  expect(billed.sort()).toEqual(before.map(({ id }) => id).sort());
  expect(await pending()).toEqual([]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
