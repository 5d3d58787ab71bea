import { expect } from '@jest/globals';
import { reportOf } from './collectionReport.ts';
import { payByCheck, type Stage, usualCadence } from './collectionStage.ts';
import { invoiceFor, seconds } from './story.ts';

const FRIDAY = { due_date: seconds('2027-01-08T09:00:00Z') };

/** 120.00 are promised for 13 January and do not come. After the call of the 28th the customer pays. */
export async function brokenPromise(stage: Stage): Promise<void> {
  const { client, product, on, moveTo } = stage;
  await usualCadence(stage);
  const person = { name: 'Ann', email: 'ann@example.com', ...on };
  const { id: customer } = await client.post('/customers', person);
  const { id } = await invoiceFor(product, customer, 120, FRIDAY);
  await moveTo('2027-01-09T10:00:00Z');
  const expected = { date: seconds('2027-01-13T09:00:00Z'), method: 'check' as const };
  await client.patch('/invoices/{id}', { expected_payment_date: expected }, { id });
  await moveTo('2027-01-28T10:00:00Z');
  await payByCheck(stage, customer, [{ invoice: id, amount: 120 }]);
  await moveTo('2027-03-01T00:00:00Z');
  expect(await reportOf(stage, customer)).toEqual({
    timeline: [
      '01-04 08:00 customer Ann created | asked by the API',
      '01-04 08:00 issued INV-00001 for $120.00 | asked by the API',
      '01-09 00:00 INV-00001 past due | the day of its due date has ended',
      '01-09 10:00 payment of INV-00001 promised by 13 January 2027 | asked by the API; until then nobody asks for it',
      '01-11 09:00 its cadence moved on | Perennial did it by itself',
      '01-14 00:00 promised payment of 13 January 2027 did not come | $120.00 are left, and the promised day has ended',
      '01-14 00:00 task “120.00 usd of INV-00001, promised for 2027-01-13, did not come” made, due 14 January 2027 | Perennial did it by itself',
      '01-14 09:00 its cadence moved on | Perennial did it by itself',
      '01-14 09:00 reminder mailed to ann@example.com | its cadence came to this step',
      '01-18 09:00 its cadence moved on | Perennial did it by itself',
      '01-18 09:00 reminder mailed to ann@example.com | its cadence came to this step',
      '01-28 09:00 its cadence moved on | Perennial did it by itself',
      '01-28 09:00 task made: phone | its cadence came to this step',
      '01-28 09:00 task “Call: 120.00 usd” made, due 28 January 2027 | Perennial did it by itself',
      '01-28 10:00 INV-00001 paid | nothing is left of $120.00',
      '01-28 10:00 payment of $120.00 by check received | asked by the API',
      '01-28 10:00 task “120.00 usd of INV-00001, promised for 2027-01-13, did not come” completed: the payment came later than promised | asked by the API',
      '01-28 10:00 task “Call: 120.00 usd” completed | everything that it asks for is paid',
      '02-08 09:00 its cadence moved on | Perennial did it by itself',
    ],
    mails: [
      '01-14 09:00 ann@example.com: Payment past due: $120.00 is open at Acme [$120.00] (documents, reminders)',
      '01-18 09:00 ann@example.com: Payment past due: $120.00 is open at Acme [$120.00] (documents, reminders)',
    ],
    tasks: [
      '01-14 00:00 phone 120.00 usd of INV-00001, promised for 2027-01-13, did not come: done',
      '01-28 09:00 phone Call: 120.00 usd: done',
    ],
    documents: ['INV-00001 paid: total 120.00 usd, balance 0.00', '01-28 10:00 check 120.00 usd'],
    events: {
      'customer.created': 1,
      'customer.updated': 5,
      'invoice.created': 1,
      'invoice.paid': 1,
      'invoice.payment_expected': 1,
      'invoice.updated': 2,
      'payment.created': 1,
      'task.completed': 2,
      'task.created': 2,
    },
    books: ['cash 120.00 usd', 'revenue -120.00 usd'],
  });
}

/** A group: North owes 100.00 usd and 80.00 eur, South 60.00 usd. Each is asked for its own money, and the group pays for both. */
export async function groupInTwoCurrencies(stage: Stage): Promise<void> {
  const { client, product, on, moveTo } = stage;
  await usualCadence(stage);
  const group = await client.post('/customers', { name: 'Group', email: 'group@example.com', ...on });
  const childOf = async (name: string) =>
    (await client.post('/customers', { name, email: `${name}@example.com`, parent_customer: group.id, ...on })).id;
  const [north, south] = [await childOf('north'), await childOf('south')];
  const dollars = await invoiceFor(product, north, 100, { ...FRIDAY, currency: 'usd' });
  const euros = await invoiceFor(product, north, 80, { ...FRIDAY, currency: 'eur' });
  const other = await invoiceFor(product, south, 60, { ...FRIDAY, currency: 'usd' });
  await moveTo('2027-01-12T10:00:00Z');
  await payByCheck(stage, group.id, [
    { invoice: dollars.id, amount: 100 },
    { invoice: other.id, amount: 60 },
  ]);
  await moveTo('2027-01-19T10:00:00Z'); // only the euros are left
  await payByCheck(stage, north, [{ invoice: euros.id, amount: 80 }], 'eur');
  await moveTo('2027-03-01T00:00:00Z');
  const { timeline } = await reportOf(stage, south);
  expect(timeline).toEqual([
    '01-04 08:00 customer south created | asked by the API',
    '01-04 08:00 issued INV-00003 for $60.00 | asked by the API',
    '01-09 00:00 INV-00003 past due | the day of its due date has ended',
    '01-11 09:00 its cadence moved on | Perennial did it by itself',
    '01-11 09:00 reminder mailed to south@example.com | its cadence came to this step',
    '01-12 10:00 INV-00003 paid | nothing is left of $60.00',
    '01-18 09:00 its cadence moved on | Perennial did it by itself',
  ]);
  expect(await reportOf(stage, north)).toEqual({
    timeline: [
      '01-04 08:00 customer north created | asked by the API',
      '01-04 08:00 issued INV-00001 for $100.00 | asked by the API',
      '01-04 08:00 issued INV-00002 for €80.00 | asked by the API',
      '01-09 00:00 INV-00001 past due | the day of its due date has ended',
      '01-09 00:00 INV-00002 past due | the day of its due date has ended',
      '01-11 09:00 its cadence moved on | Perennial did it by itself',
      '01-11 09:00 reminder mailed to north@example.com | its cadence came to this step',
      '01-12 10:00 INV-00001 paid | nothing is left of $100.00',
      '01-18 09:00 its cadence moved on | Perennial did it by itself',
      '01-18 09:00 reminder mailed to north@example.com | its cadence came to this step',
      '01-19 10:00 INV-00002 paid | nothing is left of €80.00',
      '01-19 10:00 payment of €80.00 by check received | asked by the API',
      '01-28 09:00 its cadence moved on | Perennial did it by itself',
    ],
    mails: [
      '01-11 09:00 north@example.com: Payment past due: \u20ac80.00 + $100.00 is open at Acme [\u20ac80.00 $100.00] (documents, reminders)',
      '01-11 09:00 south@example.com: Payment past due: $60.00 is open at Acme [$60.00] (documents, reminders)',
      '01-18 09:00 north@example.com: Payment past due: \u20ac80.00 is open at Acme [\u20ac80.00] (documents, reminders)',
    ],
    tasks: [],
    documents: [
      'INV-00001 paid: total 100.00 usd, balance 0.00',
      'INV-00002 paid: total 80.00 eur, balance 0.00',
      'INV-00003 paid: total 60.00 usd, balance 0.00',
      '01-12 10:00 check 160.00 usd',
      '01-19 10:00 check 80.00 eur',
    ],
    events: {
      'customer.created': 3,
      'customer.updated': 5,
      'invoice.created': 3,
      'invoice.paid': 3,
      'invoice.updated': 3,
      'payment.created': 2,
    },
    books: ['cash 80.00 eur', 'cash 160.00 usd', 'revenue -80.00 eur', 'revenue -160.00 usd'],
  });
}
