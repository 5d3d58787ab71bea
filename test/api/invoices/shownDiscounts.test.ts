import { expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { successBody } from '../../support/api.ts';
import { DiscountShop, DROPPED, ENDED, GRANTED, START } from '../../support/earlyDiscounts.ts';
import { cardTokens, formOn, payOn, visitPage } from '../../support/payPage.ts';

const shop = new DiscountShop();
const { keepDocuments, rows, issue, read, lastEvent, pay, ledger, stepsAt } = shop;

test('the system drops the discount and adds a late fee line, each with its event and its entry', async () => {
  const terms = { amount: 10, grace_period_days: 1 };
  const schedule = (await shop.api.sandbox.make('/late_fee_schedules', { name: 'Late', default: true, ...terms })).id;
  const id = await issue();
  await pay(id, 100);
  expect(await stepsAt(id, ENDED)).toEqual([DROPPED]);
  expect(await lastEvent(id)).toMatchObject({
    type: 'invoice.updated',
    user: { id: -1 },
    data: { object: { total: 1000, balance: 900, discounts: [] }, previous: { total: 980, balance: 880 } },
  });
  // Due on 31 March; a day of grace; 10 % of the 900 that are left.
  expect(await stepsAt(id, Date.parse('2027-04-02T04:00:00Z') / 1000)).toEqual(['past due', 'late fee of 90.00 usd']);
  expect(await lastEvent(id)).toMatchObject({
    type: 'invoice.updated',
    user: { id: -1 },
    data: { object: { total: 1090, balance: 990 }, previous: { total: 1000, balance: 900 } },
  });
  const entries = [...(await ledger(id, 'early_discount')), ...(await ledger(id, 'late_fee'))];
  expect(entries.map(({ account, amount }) => `${account} ${amount}`)).toEqual([
    'revenue -20',
    'receivable 20',
    'revenue -90',
    'receivable 90',
  ]);
  const told = (await shop.api.sandbox.get(`/invoices/${id}/timeline`)).body.map(({ what }: { what: string }) => what);
  const { number } = await read(id);
  expect(told).toContain(`early-payment discount of ${number} dropped`);
  successBody(await shop.api.sandbox.delete(`/late_fee_schedules/${schedule}`));
});

test('the page that pays an invoice offers the balance less the discount while it lasts', async () => {
  const included = await issue();
  const { payment_url: url } = await read(included);
  expect((await visitPage(shop.api, url)).html).toContain('With a 2% discount ($20.00) if paid by March 11, 2027.');
  await keepDocuments();
  const [paid, late] = [await issue(), await issue()];
  const page = await visitPage(shop.api, (await read(paid)).payment_url);
  expect(page.html).toContain('2% discount ($20.00) if paid by March 11, 2027: $980.00');
  expect(formOn(page)).toMatchObject({ choice: '980.00' });
  const sent = await payOn(shop.api, (await read(paid)).payment_url, { card: cardTokens.good });
  expect(sent.status).toBe(303);
  expect(await read(paid)).toMatchObject({ total: 1000, balance: 20 });
  expect(await stepsAt(paid, shop.now)).toEqual([GRANTED]);
  expect((await read(paid)).status).toBe('paid');
  shop.now = ENDED;
  const { payment_url: lateUrl } = await read(late);
  expect((await visitPage(shop.api, lateUrl)).html).not.toContain('$980.00');
  const refusedPage = await payOn(shop.api, lateUrl, { card: cardTokens.good, fields: { amount: '980.00' } });
  expect(refusedPage.status).toBe(400);
});

test('mails, PDF and page tell about the discount until it ends', async () => {
  const id = await issue();
  const sentence = 'With a 2% discount ($20.00) if paid by March 11, 2027. After that: $1,000.00';
  const send = async () => {
    const [mail] = successBody(
      await shop.api.sandbox.post(`/invoices/${id}/emails`, { to: [{ email: 'ann@example.com' }] }),
    );
    return (await rows('select text from email where id = ?', [mail.id]))[0]?.text;
  };
  expect(await send()).toContain(sentence);
  expect((await visitPage(shop.api, (await read(id)).url)).html).toContain(sentence);
  expect(await stepsAt(id, ENDED)).toEqual([DROPPED]);
  expect(await send()).not.toContain('discount');
  expect((await visitPage(shop.api, (await read(id)).url)).html).not.toContain(sentence);
});

test('the audit finds a discount that differs, one that was not earned, and one that nothing waits to drop', async () => {
  const drifts = async () => (await auditDatabase(shop.api.databaseUrl)).map(({ check }) => check);
  const id = await issue();
  const amount = (to: string) =>
    rows(`update invoice set discounts = jsonb_set(discounts, '{0,amount}', to_jsonb(?::text)) where id = ?`, [to, id]);
  await amount('19.00');
  expect(await drifts()).toContain('an early-payment discount is its percentage of what the discounts before it left');
  await amount('20.00');
  const wait = await rows(
    `delete from wakeup where process = 'invoice' and subject_id = ? and rule = 'discount' returning at`,
    [id],
  );
  expect(wait).toHaveLength(1);
  expect(await drifts()).toEqual(['what goes on has its wake-up']);
  successBody(await shop.api.sandbox.patch(`/invoices/${id}`, { notes: 'planned again' }));
  const payment = await pay(id, 980);
  const date = (to: number) => rows('update payment set date = to_timestamp(?) where id = ?', [to, payment]);
  await date(ENDED);
  expect(await drifts()).toContain('an early-payment discount that ended is on no invoice that was not paid in time');
  await date(START);
  await keepDocuments();
  const granted = await issue();
  const other = await pay(granted, 980);
  expect(await stepsAt(granted, shop.now)).toEqual([GRANTED]);
  await rows('update payment set date = to_timestamp(?) where id = ?', [ENDED, other]);
  expect(await drifts()).toContain(
    'a credit note that grants an early-payment discount leaves nothing of what was owed in time',
  );
  await rows('update payment set date = to_timestamp(?) where id = ?', [START, other]);
});
