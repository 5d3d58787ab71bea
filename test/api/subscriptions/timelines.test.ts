import { expect, test } from '@jest/globals';
import { dayOf2027 as day, goldSubscriptions } from '../../support/goldSubscriptions.ts';

/** Timelines of subscriptions: each fact of their stories with its time, its rule and its reason. A plan of 10.00 a month. */

const gold = goldSubscriptions(async (client) => {
  await client.make('/plans', { id: 'annual', name: 'Annual', amount: 100, interval: 'year' });
  await client.patch('/account', { renewal_notices: 'all', contract_notice_days: 10 });
});

let customers = 0;
async function begin(body: object): Promise<number> {
  customers += 1;
  const customer = await gold.customerWith({ email: `told${customers}@example.com` });
  return gold.begin({ customer, ...body });
}

const change = async (id: number, body: object) => expect((await gold.change(id, body)).status).toBe(200);

/** The past entries, oldest first: "2027-03-01 subscription.created: subscribed to gold x 1: asked by the API". */
async function told(id: number): Promise<string[]> {
  const { body } = await gold.api.sandbox.get(
    `/subscriptions/${id}/timeline?filter[upcoming]=false&sort=timestamp asc&per_page=100`,
  );
  const rows: { timestamp: number; rule: string; what: string; why: string }[] = body;
  return rows.map(({ timestamp, rule, what, why }) => {
    const date = new Date(timestamp * 1000).toISOString().slice(0, 10);
    return `${date} ${rule}: ${what}: ${why}`.replace(/INV-\d+/g, 'INV').replace(/subscription \d+ bills/, 'it bills');
  });
}

/** The planned steps: "2027-03-15 bill: first bill: …". */
async function planned(id: number): Promise<string[]> {
  const { body } = await gold.api.sandbox.get(
    `/subscriptions/${id}/timeline?filter[upcoming]=true&sort=timestamp asc&per_page=100`,
  );
  const rows: { timestamp: number; rule: string; what: string; subject: { object: string } }[] = body;
  return rows
    .filter(({ subject }) => subject.object === 'subscription')
    .map(({ timestamp, rule, what }) => `${new Date(timestamp * 1000).toISOString().slice(0, 10)} ${rule}: ${what}`);
}

test('the story of a subscription without a contract: trial, changes, pause, interval, cancellation', async () => {
  const id = await begin({ trial_days: 14 });
  expect(await planned(id)).toEqual(['2027-03-12 renews_soon: renewal notice', '2027-03-15 bill: first bill']);
  await gold.advanceTo(id, day(3, 12));
  await gold.advanceTo(id, day(3, 15));
  gold.moveTo(day(3, 20));
  await change(id, { quantity: 2, prorate: false });
  await change(id, { when: 'renewal', quantity: 3 });
  await change(id, { when: 'renewal', discounts: [] });
  await change(id, { when: 'renewal', quantity: 4 });
  await change(id, { pending_change: null });
  await change(id, { when: 'renewal', quantity: 5 });
  await gold.advanceTo(id, day(4, 12));
  await gold.advanceTo(id, day(4, 15));
  gold.moveTo(day(4, 20));
  await change(id, { paused: true });
  await change(id, { resume_at: day(4, 25) });
  await gold.advanceTo(id, day(4, 25));
  await change(id, { paused: true });
  await change(id, { paused: false });
  await change(id, { plan: 'annual', quantity: 1 });
  await change(id, { cancel_at_period_end: true });
  await change(id, { cancel_at_period_end: false });
  await gold.cancel(id, '?prorate=true');
  expect(await told(id)).toEqual([
    '2027-03-01 subscription.created: subscribed to gold x 1: asked by the API',
    '2027-03-01 subscription.updated: trial 1 March 2027 to 15 March 2027 began: it starts with a trial',
    '2027-03-12 renews_soon: renewal notice mailed: it renews three days later',
    '2027-03-15 subscription.updated: billed 15 March 2027 to 15 April 2027: its trial ended',
    '2027-03-15 invoice.created: issued INV for $10.00: it bills 15 March 2027 to 15 April 2027',
    '2027-03-20 subscription.updated: subscription updated: quantity, recurring_total, mrr: asked by the API',
    '2027-03-20 subscription.updated: kept a change of quantity for the next period: asked by the API',
    '2027-03-20 subscription.updated: changed the kept change, now of quantity: asked by the API',
    '2027-03-20 subscription.updated: dropped the kept change of quantity: asked by the API',
    '2027-03-20 subscription.updated: kept a change of quantity for the next period: asked by the API',
    '2027-04-12 renews_soon: renewal notice mailed: it renews three days later',
    '2027-04-15 subscription.updated: changed quantity, recurring_total, mrr: the change was kept for this period',
    '2027-04-15 subscription.updated: billed 15 April 2027 to 15 May 2027: the period started',
    '2027-04-15 invoice.created: issued INV for $50.00: it bills 15 April 2027 to 15 May 2027',
    '2027-04-20 subscription.updated: paused: asked by the API',
    '2027-04-20 subscription.updated: subscription updated: resume_at: asked by the API',
    '2027-04-25 subscription.updated: resumed: the end of its pause has come',
    '2027-04-25 subscription.updated: paused: asked by the API',
    '2027-04-25 subscription.updated: resumed: asked by the API',
    '2027-04-25 subscription.updated: changed to annual: its periods are counted from then: asked by the API',
    '2027-04-25 subscription.updated: billed 25 April 2027 to 25 April 2028: the period started',
    '2027-04-25 invoice.created: issued INV for $66.67: it bills 25 April 2027 to 25 April 2028',
    '2027-04-25 subscription.updated: set to end with its period: asked by the API',
    '2027-04-25 subscription.updated: no longer set to end with its period: asked by the API',
    '2027-04-25 subscription.deleted: canceled: asked by the API',
    // 100.00: 66.67 of the bill of the year, then 10.00 of March and 23.33 of April's 50.00
    '2027-04-25 invoice.paid: INV paid: credit of the customer paid what was left',
    '2027-04-25 payment.created: $100.00 paid from credit: asked by the API',
    '2027-04-25 invoice.paid: INV paid: credit of the customer paid what was left',
    '2027-04-25 invoice.updated: INV owes $26.67, before $50.00: credit of the customer paid a part of it',
    '2027-04-25 payment.created: $33.33 paid from credit: asked by the API',
    '2027-04-25 invoice.created: issued INV for $0.00: it bills 25 April 2027 to 25 April 2028',
    '2027-04-25 invoice.paid: INV paid: nothing is left of $0.00',
  ]);
});

test('the story of a contract in arrears: renewal with a kept change, waiting, renewal by request, its end', async () => {
  const id = await begin({ bill_in: 'arrears', cycles: 1, contract_renewal_mode: 'auto' });
  await change(id, { when: 'renewal', quantity: 2 });
  await gold.advanceTo(id, day(3, 22));
  await gold.advanceTo(id, day(4));
  await change(id, { contract_renewal_mode: 'manual' });
  await gold.advanceTo(id, day(5));
  gold.moveTo(day(5, 2));
  await gold.api.sandbox.post(`/subscriptions/${id}/renew`, {});
  await gold.advanceTo(id, day(5, 2));
  await change(id, { cancel_at_period_end: true });
  await gold.advanceTo(id, day(6));
  expect(await told(id)).toEqual([
    '2027-03-01 subscription.created: subscribed to gold x 1: asked by the API',
    '2027-03-01 subscription.updated: period 1 March 2027 to 1 April 2027 began: it is billed when it ends',
    '2027-03-01 subscription.updated: kept a change of quantity for the next contract: asked by the API',
    '2027-03-22 contract_ending: contract notice mailed: its contract ends contract_notice_days later',
    '2027-04-01 subscription.updated: billed 1 March 2027 to 1 April 2027: the period ended, and it bills in arrears',
    '2027-04-01 invoice.created: issued INV for $10.00: it bills 1 March 2027 to 1 April 2027',
    '2027-04-01 subscription.updated: contract renewed for 1 cycle, then changed quantity: the cycles before are billed; the change was kept until then',
    '2027-04-01 subscription.updated: period 1 April 2027 to 1 May 2027 began: it is billed when it ends',
    '2027-04-01 subscription.updated: subscription updated: contract_renewal_mode: asked by the API',
    '2027-05-01 subscription.updated: billed 1 April 2027 to 1 May 2027: the period ended, and it bills in arrears',
    '2027-05-01 invoice.created: issued INV for $20.00: it bills 1 April 2027 to 1 May 2027',
    '2027-05-01 subscription.updated: waits for its renewal: the cycles of its contract are billed',
    '2027-05-02 subscription.updated: contract renewed for 1 cycle: asked by the API',
    '2027-05-02 subscription.updated: period 1 May 2027 to 1 June 2027 began: it is billed when it ends',
    '2027-05-02 subscription.updated: set to end with its contract: asked by the API',
    '2027-06-01 subscription.updated: billed 1 May 2027 to 1 June 2027: the period ended, and it bills in arrears',
    '2027-06-01 invoice.created: issued INV for $20.00: it bills 1 May 2027 to 1 June 2027',
    '2027-06-01 subscription.deleted: canceled: it was set to end with its contract',
  ]);
});

test('the story of bills ahead: bill, begin, the bill taken back; a contract that finishes', async () => {
  const id = await begin({ bill_in_advance_days: 5, cycles: 2, contract_renewal_mode: 'auto' });
  await gold.advanceTo(id, day(3, 27));
  await gold.advanceTo(id, day(4));
  await gold.advanceTo(id, day(4, 26));
  await change(id, { contract_renewal_mode: 'none' });
  await gold.advanceTo(id, day(5));
  expect(await told(id)).toEqual([
    '2027-03-01 subscription.created: subscribed to gold x 1: asked by the API',
    '2027-03-01 subscription.updated: billed 1 March 2027 to 1 April 2027: the period started',
    '2027-03-01 invoice.created: issued INV for $10.00: it bills 1 March 2027 to 1 April 2027',
    '2027-03-27 invoice.created: issued INV for $10.00: it bills 1 April 2027 to 1 May 2027',
    '2027-04-01 subscription.updated: period 1 April 2027 to 1 May 2027 began: it is billed already',
    '2027-04-26 contract_ending: contract notice mailed: its contract ends contract_notice_days later',
    '2027-04-26 invoice.created: issued INV for $10.00: it bills 1 May 2027 to 1 June 2027',
    '2027-04-26 subscription.updated: subscription updated: contract_renewal_mode: asked by the API',
    '2027-04-26 invoice.updated: INV voided: asked by the API',
    '2027-05-01 subscription.updated: finished: its 2 cycles are billed',
  ]);
});

test('a kept change in arrears without a contract is told with the period that begins with it', async () => {
  const id = await begin({ bill_in: 'arrears' });
  await change(id, { when: 'renewal', quantity: 2 });
  await gold.advanceTo(id, day(4));
  expect((await told(id)).filter((one) => one.startsWith('2027-04-01 subscription'))).toEqual([
    '2027-04-01 subscription.updated: billed 1 March 2027 to 1 April 2027, then changed quantity: the period ended, and it bills in arrears; the change was kept until then',
  ]);
});

test('a pause at the end of the period is told when it is asked for, undone, planned, and begins', async () => {
  const id = await begin({});
  await gold.advanceTo(id, day(3, 10));
  await change(id, { pause_at_period_end: true });
  await change(id, { pause_at_period_end: false });
  await change(id, { pause_at_period_end: true });
  expect(await planned(id)).toEqual(['2027-04-01 pause: pause at the end of the period']);
  await gold.advanceTo(id, day(4));
  expect(await planned(id)).toEqual([]);
  expect((await told(id)).filter((one) => /paus/.test(one)).toSorted()).toEqual([
    '2027-03-10 subscription.updated: no longer set to pause: asked by the API',
    '2027-03-10 subscription.updated: set to pause at the end of its period: asked by the API',
    '2027-03-10 subscription.updated: set to pause at the end of its period: asked by the API',
    '2027-04-01 subscription.updated: paused: the period ended, and pause_at_period_end was set',
  ]);
});

test('the story of a moved start and trial, a contract renewed once, another count of periods, a bill of the rest', async () => {
  const once = { cycles: 1, contract_renewal_mode: 'renew_once', contract_renewal_cycles: 3 };
  const id = await begin({ start_date: day(3, 10), trial_days: 14, ...once });
  await change(id, { start_date: day(3, 5) });
  await change(id, { trial_end: day(3, 20) });
  for (const date of [day(3, 5), day(3, 17), day(3, 20), day(4, 10), day(4, 17), day(4, 20)])
    await gold.advanceTo(id, date);
  gold.moveTo(day(4, 25));
  await change(id, { paused: true });
  gold.moveTo(day(5));
  await change(id, { paused: false, resume_mode: 'new' });
  await gold.advanceTo(id, day(5));
  await gold.cancel(id, '?bill_remaining=true');
  expect(await told(id)).toEqual([
    '2027-03-01 subscription.created: subscribed to gold x 1: asked by the API',
    '2027-03-01 subscription.updated: start moved to 5 March 2027: asked by the API',
    '2027-03-01 subscription.updated: end of its trial moved to 20 March 2027: asked by the API',
    '2027-03-05 subscription.updated: trial 5 March 2027 to 20 March 2027 began: it starts with a trial',
    '2027-03-17 renews_soon: renewal notice mailed: it renews three days later',
    '2027-03-20 subscription.updated: billed 20 March 2027 to 20 April 2027: its trial ended',
    '2027-03-20 invoice.created: issued INV for $10.00: it bills 20 March 2027 to 20 April 2027',
    '2027-04-10 contract_ending: contract notice mailed: its contract ends contract_notice_days later',
    '2027-04-17 renews_soon: renewal notice mailed: it renews three days later',
    '2027-04-20 subscription.updated: contract renewed once, for 3 cycles: the cycles before are billed',
    '2027-04-20 subscription.updated: billed 20 April 2027 to 20 May 2027: the period started',
    '2027-04-20 invoice.created: issued INV for $10.00: it bills 20 April 2027 to 20 May 2027',
    '2027-04-25 subscription.updated: paused: asked by the API',
    '2027-05-01 subscription.updated: resumed: its periods are counted from then: asked by the API',
    '2027-05-01 subscription.updated: billed 1 May 2027 to 1 June 2027: the period started',
    '2027-05-01 invoice.created: issued INV for $10.00: it bills 1 May 2027 to 1 June 2027',
    '2027-05-01 subscription.deleted: canceled: asked by the API',
    '2027-05-01 invoice.created: issued INV for $10.00: it bills 1 June 2027 to 1 July 2027',
  ]);
});

test('the story of a contract renewed from now on, and of a pause after which periods are counted from its end', async () => {
  const id = await begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await gold.advanceTo(id, day(4));
  gold.moveTo(day(4, 10));
  await gold.api.sandbox.post(`/subscriptions/${id}/renew`, { cycles: 2, start: 'now' });
  await gold.advanceTo(id, day(4, 10));
  await change(id, { paused: true, resume_at: day(4, 20), resume_mode: 'new' });
  await gold.advanceTo(id, day(4, 20));
  expect(await told(id)).toEqual([
    '2027-03-01 subscription.created: subscribed to gold x 1: asked by the API',
    '2027-03-01 subscription.updated: billed 1 March 2027 to 1 April 2027: the period started',
    '2027-03-01 invoice.created: issued INV for $10.00: it bills 1 March 2027 to 1 April 2027',
    '2027-04-01 subscription.updated: waits for its renewal: the cycles of its contract are billed',
    '2027-04-10 subscription.updated: contract renewed for 2 cycles: its periods are counted from then: asked by the API',
    '2027-04-10 subscription.updated: billed 10 April 2027 to 10 May 2027: the period started',
    '2027-04-10 invoice.created: issued INV for $10.00: it bills 10 April 2027 to 10 May 2027',
    '2027-04-10 subscription.updated: paused: asked by the API',
    '2027-04-20 subscription.updated: resumed: its periods are counted from then: the end of its pause has come',
    '2027-04-20 subscription.updated: billed 20 April 2027 to 20 May 2027: the period started',
    '2027-04-20 invoice.created: issued INV for $10.00: it bills 20 April 2027 to 20 May 2027',
  ]);
});
