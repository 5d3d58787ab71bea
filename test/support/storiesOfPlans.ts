import { expect } from '@jest/globals';
import { reportOf } from './collectionReport.ts';
import { hear, installmentsOn, payByCheck, type Stage, usualCadence } from './collectionStage.ts';
import { invoiceFor, payingCustomer, seconds } from './story.ts';

/** 300.00 in six installments: the third is missed and chased, the fifth is moved, and the last one is paid early. */
export async function planOfSix(stage: Stage): Promise<void> {
  const { client, product, on, moveTo } = stage;
  await usualCadence(stage);
  const person = { name: 'Ann', email: 'ann@example.com', ...on };
  const { id: customer } = await client.post('/customers', person);
  const { id } = await invoiceFor(product, customer, 300, { due_date: seconds('2027-01-08T09:00:00Z') });
  const days = ['2027-01-11', '2027-01-18', '2027-01-25', '2027-02-01', '2027-02-08', '2027-02-15'];
  await client.put('/invoices/{id}/payment_plan', { installments: installmentsOn(days, 50) }, { id });
  const pay = (amount: number) => payByCheck(stage, customer, [{ invoice: id, amount }]);
  await moveTo('2027-01-11T10:00:00Z');
  await pay(50);
  await moveTo('2027-01-18T10:00:00Z');
  await pay(50);
  await moveTo('2027-01-29T10:00:00Z'); // missed on the 25th; asked on the 28th
  const { installments } = await client.get('/invoices/{id}/payment_plan', { id });
  const fifth = { id: installments[4]?.id ?? 0, date: seconds('2027-02-12T09:00:00Z') };
  await client.patch('/invoices/{id}/payment_plan', { installments: [fifth] }, { id });
  await pay(50); // the third
  await moveTo('2027-02-01T10:00:00Z');
  await pay(100); // the fourth and the fifth
  await moveTo('2027-02-10T10:00:00Z');
  await pay(50);
  await moveTo('2027-03-15T00:00:00Z');
  expect(await reportOf(stage, customer)).toEqual({
    timeline: [
      '01-04 08:00 customer Ann created | asked by the API',
      '01-04 08:00 invoice updated: due_date, payment_terms, payment_plan | asked by the API',
      '01-04 08:00 issued INV-00001 for $300.00 | asked by the API',
      '01-04 08:00 payment plan created | asked by the API',
      '01-04 08:00 payment plan mailed to ann@example.com | the payment plan began or changed',
      '01-11 09:00 its cadence moved on | Perennial did it by itself',
      '01-11 10:00 INV-00001 owes $250.00, before $300.00 | asked by the API',
      '01-11 10:00 payment of $50.00 by check received | asked by the API',
      '01-11 10:00 payment plan updated: installments | asked by the API',
      '01-18 10:00 INV-00001 owes $200.00, before $250.00 | asked by the API',
      '01-18 10:00 payment of $50.00 by check received | asked by the API',
      '01-18 10:00 payment plan updated: installments | asked by the API',
      '01-26 00:00 INV-00001 past due | the day of its due date has ended',
      '01-28 09:00 its cadence moved on | Perennial did it by itself',
      '01-28 09:00 reminder mailed to ann@example.com | its cadence came to this step',
      '01-29 10:00 INV-00001 owes $150.00, before $200.00 | asked by the API',
      '01-29 10:00 invoice updated | asked by the API',
      '01-29 10:00 payment of $50.00 by check received | asked by the API',
      '01-29 10:00 payment plan mailed to ann@example.com | the payment plan began or changed',
      '01-29 10:00 payment plan updated: installments | asked by the API',
      '01-29 10:00 payment plan updated: installments | asked by the API',
      '02-01 10:00 INV-00001 owes $50.00, before $150.00 | asked by the API',
      '02-01 10:00 payment of $100.00 by check received | asked by the API',
      '02-01 10:00 payment plan updated: installments | asked by the API',
      '02-10 10:00 INV-00001 paid | nothing is left of $300.00',
      '02-10 10:00 payment of $50.00 by check received | asked by the API',
      '02-10 10:00 payment plan updated: status, installments | asked by the API',
    ],
    mails: [
      '01-04 08:00 ann@example.com: Payment plan for invoice INV-00001 from Acme [$300.00 $50.00] (documents)',
      '01-28 09:00 ann@example.com: Payment past due: $50.00 is open at Acme [$50.00] (documents, reminders)',
      '01-29 10:00 ann@example.com: Changed payment plan for invoice INV-00001 from Acme [$50.00 $200.00] (documents)',
    ],
    tasks: [],
    documents: [
      'INV-00001 paid: total 300.00 usd, balance 0.00',
      '01-11 10:00 check 50.00 usd',
      '01-18 10:00 check 50.00 usd',
      '01-29 10:00 check 50.00 usd',
      '02-01 10:00 check 100.00 usd',
      '02-10 10:00 check 50.00 usd',
    ],
    events: {
      'customer.created': 1,
      'customer.updated': 2,
      'invoice.created': 1,
      'invoice.paid': 1,
      'invoice.updated': 7,
      'payment.created': 5,
      'payment_plan.created': 1,
      'payment_plan.updated': 6,
    },
    books: ['cash 300.00 usd', 'revenue -300.00 usd'],
  });
}

/** AutoPay charges the first installment. Its payer disputes it and wins the money back: the plan goes on without AutoPay. */
export async function disputeAmidPlan(stage: Stage): Promise<void> {
  const { client, product, on, moveTo } = stage;
  await usualCadence(stage);
  // Without the delay, AutoPay could charge the whole invoice before its plan is there.
  const over = { name: 'Ann', email: 'ann@example.com', autopay_delay_days: 1, ...on };
  const { id: customer } = await payingCustomer(product, 'tok_4000000000000259', over);
  const { id } = await invoiceFor(product, customer, 90, { payment_terms: 'AutoPay' });
  const days = ['2027-01-11', '2027-02-11', '2027-03-11'];
  await client.put('/invoices/{id}/payment_plan', { installments: installmentsOn(days, 30) }, { id });
  await moveTo('2027-01-11T10:00:00Z');
  await hear(stage, 'charge.disputed');
  await moveTo('2027-02-01T00:00:00Z'); // lost on the 18th
  expect(await reportOf(stage, customer)).toEqual({
    timeline: [
      '01-04 08:00 Visa 0259 added | asked by the API',
      '01-04 08:00 customer Ann created | asked by the API',
      '01-04 08:00 customer updated: payment source | asked by the API',
      '01-04 08:00 invoice updated: next_payment_attempt, payment_terms, payment_plan | asked by the API',
      '01-04 08:00 issued INV-00001 for $90.00 | asked by the API',
      '01-04 08:00 payment plan created | asked by the API',
      '01-04 08:00 payment plan mailed to ann@example.com | the payment plan began or changed',
      '01-11 09:00 INV-00001 owes $60.00, before $90.00 | Perennial did it by itself',
      '01-11 09:00 payment of $30.00 by card received | Perennial did it by itself',
      '01-11 09:00 payment plan updated: installments | Perennial did it by itself',
      '01-11 09:00 receipt mailed to ann@example.com | the money is here',
      '01-11 10:00 charge of $30.00 disputed | its bank holds the money until it decides',
      '01-11 10:00 dispute opened | Perennial did it by itself',
      '01-11 10:00 invoice updated: autopay, next_payment_attempt, due_date | Perennial did it by itself',
      '01-11 10:00 task “Dispute of 30.00 usd (fraudulent): send evidence about charge by 202…” made, due 18 January 2027 | Perennial did it by itself',
      '01-18 10:00 INV-00001 past due | Perennial did it by itself',
      '01-18 10:00 its cadence moved on | Perennial did it by itself',
      '01-18 10:00 payment plan updated: installments | Perennial did it by itself',
      '01-18 10:00 payment updated: charge | Perennial did it by itself',
      '01-18 10:00 reminder mailed to ann@example.com | its cadence came to this step',
      '01-18 10:00 task “Dispute is lost: 30.00 usd of charge are gone: 1 of its invoices are…” made, due 18 January 2027 | Perennial did it by itself',
      '01-18 10:00 task “Dispute of 30.00 usd (fraudulent): send evidence about charge by 202…” completed: the dispute is lost | Perennial did it by itself',
      '01-21 09:00 its cadence moved on | Perennial did it by itself',
      '01-21 09:00 reminder mailed to ann@example.com | its cadence came to this step',
    ],
    mails: [
      '01-04 08:00 ann@example.com: Payment plan for invoice INV-00001 from Acme [$90.00 $30.00] (documents)',
      '01-11 09:00 ann@example.com: Receipt for INV-00001 from Acme [$30.00] (documents)',
      '01-18 10:00 ann@example.com: Payment past due: $30.00 is open at Acme [$30.00] (documents, reminders)',
      '01-21 09:00 ann@example.com: Payment past due: $30.00 is open at Acme [$30.00] (documents, reminders)',
    ],
    tasks: [
      '01-18 09:00 review Dispute of 30.00 usd (fraudulent): send evidence about charge by 2027-01-18: done',
      '01-18 10:00 review Dispute is lost: 30.00 usd of charge are gone: 1 of its invoices are owed again, without AutoPay: open',
    ],
    documents: ['INV-00001 past_due: total 90.00 usd, balance 90.00', '01-11 09:00 credit_card 30.00 usd'],
    events: {
      'charge.disputed': 1,
      'customer.created': 1,
      'customer.updated': 3,
      'invoice.created': 1,
      'invoice.updated': 4,
      'payment.created': 1,
      'payment.updated': 2,
      'payment_plan.created': 1,
      'payment_plan.updated': 2,
      'payment_source.created': 1,
      'task.completed': 1,
      'task.created': 2,
    },
    books: ['clearing:test -15.00 usd', 'gateway_fees 15.00 usd', 'receivable 90.00 usd', 'revenue -90.00 usd'],
  });
}
