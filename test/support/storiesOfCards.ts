import { expect } from '@jest/globals';
import { reportOf } from './collectionReport.ts';
import { type Stage, usualCadence } from './collectionStage.ts';
import { payingCustomer } from './story.ts';

async function subscribed(stage: Stage, token: string): Promise<number> {
  const { client, product, on } = stage;
  await client.post('/plans', { id: 'gold', name: 'Gold', amount: 50, interval: 'month' });
  await usualCadence(stage);
  const { id } = await payingCustomer(product, token, { name: 'Ann', email: 'ann@example.com', ...on });
  await client.post('/subscriptions', { customer: id, plan: 'gold' });
  return id;
}

/** A card declines on 4, 7 and 12 January, and pays by its third retry, on the 19th. */
export async function cardThatRecovers(stage: Stage): Promise<void> {
  const customer = await subscribed(stage, 'tok_script_soft.soft.soft.succeed');
  await stage.moveTo('2027-01-25T00:00:00Z');
  expect(await reportOf(stage, customer)).toEqual({
    timeline: [
      '01-04 08:00 Visa 4242 added | asked by the API',
      '01-04 08:00 attempt 1 failed, next on 7 January 2027 | the charge failed: insufficient funds',
      '01-04 08:00 billed 4 January 2027 to 4 February 2027 | the period started',
      '01-04 08:00 charge of $50.00 failed | The card has insufficient funds.',
      '01-04 08:00 confirmation of the subscription mailed to ann@example.com | Perennial did it by itself',
      '01-04 08:00 customer Ann created | asked by the API',
      '01-04 08:00 customer updated: payment source | asked by the API',
      '01-04 08:00 issued INV-00001 for $50.00 | subscription bills 4 January 2027 to 4 February 2027',
      '01-04 08:00 notice of the failed payment mailed to ann@example.com | the charge failed',
      '01-04 08:00 subscribed to gold x 1 | asked by the API',
      '01-07 08:00 attempt 2 failed, next on 12 January 2027 | the charge failed: insufficient funds',
      '01-07 08:00 charge of $50.00 failed | The card has insufficient funds.',
      '01-07 08:00 notice of the failed payment mailed to ann@example.com | the charge failed',
      '01-12 08:00 attempt 3 failed, next on 19 January 2027 | the charge failed: insufficient funds',
      '01-12 08:00 charge of $50.00 failed | The card has insufficient funds.',
      '01-12 08:00 notice of the failed payment mailed to ann@example.com | the charge failed',
      '01-19 08:00 INV-00001 paid | nothing is left of $50.00',
      '01-19 08:00 payment of $50.00 by card received | Perennial did it by itself',
      '01-19 08:00 receipt mailed to ann@example.com | the money is here',
    ],
    mails: [
      '01-04 08:00 ann@example.com: Your payment for INV-00001 did not go through [$50.00] (documents, sources)',
      '01-04 08:00 ann@example.com: Your subscription to Gold from Acme [$50.00] (subscriptions)',
      '01-07 08:00 ann@example.com: Your payment for INV-00001 did not go through [$50.00] (documents, sources)',
      '01-12 08:00 ann@example.com: Your payment for INV-00001 did not go through [$50.00] (documents, sources)',
      '01-19 08:00 ann@example.com: Receipt for INV-00001 from Acme [$50.00] (documents)',
    ],
    tasks: [],
    documents: ['INV-00001 paid: total 50.00 usd, balance 0.00', '01-19 08:00 credit_card 50.00 usd'],
    events: {
      'charge.failed': 3,
      'customer.created': 1,
      'customer.updated': 1,
      'invoice.created': 1,
      'invoice.paid': 1,
      'invoice.updated': 3,
      'payment.created': 1,
      'payment_source.created': 1,
      'subscription.created': 1,
      'subscription.updated': 1,
    },
    books: ['clearing:test 50.00 usd', 'revenue -50.00 usd'],
  });
}

/** A card never pays. The subscription is canceled after the last retry. The invoice becomes due, is chased, and gets a late fee. */
export async function cardThatNeverPays(stage: Stage): Promise<void> {
  const { client } = stage;
  await client.patch('/account', { autopay_final_action: 'cancel', late_fee_document: 'line' });
  await client.post('/late_fee_schedules', { name: 'Late', amount: 10, grace_period_days: 5, default: true });
  const customer = await subscribed(stage, 'tok_script_soft');
  await stage.moveTo('2027-04-01T00:00:00Z');
  expect(await reportOf(stage, customer)).toEqual({
    timeline: [
      '01-04 08:00 Visa 4242 added | asked by the API',
      '01-04 08:00 attempt 1 failed, next on 7 January 2027 | the charge failed: insufficient funds',
      '01-04 08:00 billed 4 January 2027 to 4 February 2027 | the period started',
      '01-04 08:00 charge of $50.00 failed | The card has insufficient funds.',
      '01-04 08:00 confirmation of the subscription mailed to ann@example.com | Perennial did it by itself',
      '01-04 08:00 customer Ann created | asked by the API',
      '01-04 08:00 customer updated: payment source | asked by the API',
      '01-04 08:00 issued INV-00001 for $50.00 | subscription bills 4 January 2027 to 4 February 2027',
      '01-04 08:00 notice of the failed payment mailed to ann@example.com | the charge failed',
      '01-04 08:00 subscribed to gold x 1 | asked by the API',
      '01-07 08:00 attempt 2 failed, next on 12 January 2027 | the charge failed: insufficient funds',
      '01-07 08:00 charge of $50.00 failed | The card has insufficient funds.',
      '01-07 08:00 notice of the failed payment mailed to ann@example.com | the charge failed',
      '01-12 08:00 attempt 3 failed, next on 19 January 2027 | the charge failed: insufficient funds',
      '01-12 08:00 charge of $50.00 failed | The card has insufficient funds.',
      '01-12 08:00 notice of the failed payment mailed to ann@example.com | the charge failed',
      '01-19 08:00 attempt 4 failed, no more by itself | the charge failed: insufficient funds',
      '01-19 08:00 canceled | a charge failed, and AutoPay stopped',
      '01-19 08:00 charge of $50.00 failed | The card has insufficient funds.',
      '01-19 08:00 notice of the cancellation mailed to ann@example.com | Perennial did it by itself',
      '01-19 08:00 notice of the failed payment mailed to ann@example.com | the charge failed',
      '02-19 00:00 INV-00001 past due | the day of its due date has ended',
      '02-22 09:00 its cadence moved on | Perennial did it by itself',
      '02-22 09:00 reminder mailed to ann@example.com | its cadence came to this step',
      '02-24 00:00 late fee of INV-00001 | it is overdue, and the late fee schedule charges a fee',
      '03-01 09:00 its cadence moved on | Perennial did it by itself',
      '03-01 09:00 reminder mailed to ann@example.com | its cadence came to this step',
      '03-10 09:00 its cadence moved on | Perennial did it by itself',
      '03-10 09:00 task made: phone | its cadence came to this step',
      '03-10 09:00 task “Call: 55.00 usd” made, due 10 March 2027 | Perennial did it by itself',
      '03-22 09:00 its cadence moved on | Perennial did it by itself',
      '03-22 09:00 task made: escalate | its cadence came to this step',
      '03-22 09:00 task “Decide: 55.00 usd” made, due 22 March 2027 | Perennial did it by itself',
    ],
    mails: [
      '01-04 08:00 ann@example.com: Your payment for INV-00001 did not go through [$50.00] (documents, sources)',
      '01-04 08:00 ann@example.com: Your subscription to Gold from Acme [$50.00] (subscriptions)',
      '01-07 08:00 ann@example.com: Your payment for INV-00001 did not go through [$50.00] (documents, sources)',
      '01-12 08:00 ann@example.com: Your payment for INV-00001 did not go through [$50.00] (documents, sources)',
      '01-19 08:00 ann@example.com: Your payment for INV-00001 did not go through [$50.00] (documents, sources)',
      '01-19 08:00 ann@example.com: Your subscription to Gold is canceled [] (subscriptions)',
      '02-22 09:00 ann@example.com: Payment past due: $50.00 is open at Acme [$50.00] (documents, reminders)',
      '03-01 09:00 ann@example.com: Payment past due: $55.00 is open at Acme [$55.00] (documents, reminders)',
    ],
    tasks: ['03-10 09:00 phone Call: 55.00 usd: open', '03-22 09:00 review Decide: 55.00 usd: open'],
    documents: ['INV-00001 past_due: total 55.00 usd, balance 55.00'],
    events: {
      'charge.failed': 4,
      'customer.created': 1,
      'customer.updated': 5,
      'invoice.created': 1,
      'invoice.updated': 6,
      'payment_source.created': 1,
      'subscription.created': 1,
      'subscription.deleted': 1,
      'subscription.updated': 1,
      'task.created': 2,
    },
    books: ['receivable 55.00 usd', 'revenue -55.00 usd'],
  });
}
