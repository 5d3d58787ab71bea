import { expect, test } from '@jest/globals';
import type { Gateway } from '../../../commands/ports/ports.ts';
import { refused } from '../../support/api.ts';
import { cash, credit, spend } from '../../support/credits.ts';
import { onlyGateways } from '../../support/gateways.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Disputes of charges: books, collection, tasks, and the order of events. */

const disputes = refundsOfCards();
const { charge, hear, lookAt, paidInvoice, passDays, read, refund } = disputes;
const LOST = '4000000000000259';
const WON = '4000000000002685';
const WITHDRAWN = '4000000000001976';
const PARTIAL = '4000000000000275';

const tasks = async () => {
  const { books } = disputes;
  const { body } = await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}&sort=id%20asc`);
  return body;
};
const eventsOf = (type: string) =>
  disputes.books.rows(
    `select count(*)::int as events from event where type = ? and (object -> 'customer')::text like ?`,
    [type, `%${disputes.books.customer}%`],
  );

test('an open dispute: the bank holds the money, a task asks for evidence, and the charge cannot be refunded', async () => {
  const { invoice, payment } = await paidInvoice(100, LOST);
  expect(await disputes.books.entriesOf(hear)).toEqual([
    'dispute clearing:test -100',
    'dispute disputes 100',
    'gateway_fee clearing:test -15',
    'gateway_fee gateway_fees 15',
  ]);
  expect(await read(payment)).toMatchObject({ balance: 0, charge: { status: 'succeeded', disputed: true } });
  expect(await disputes.books.readInvoice(invoice)).toMatchObject({ status: 'paid' }); // until the bank decides
  expect(await eventsOf('charge.disputed')).toEqual([{ events: 1 }]);
  const evidence = Date.parse('2027-03-08T10:00:00Z') / 1000; // a week after the charge
  const { id } = payment.charge;
  const name = `of 100.00 usd (fraudulent): send evidence about charge ${id} by 2027-03-08`;
  expect(await tasks()).toMatchObject([{ name: expect.stringContaining(name), due_date: evidence }]);
  expect(await refund(payment, 1)).toMatchObject(refused({ message: expect.stringContaining('is disputed') }));
  await disputes.books.expectCleanBooks();
});

test('a lost dispute: the invoice is owed again, without AutoPay, and a person decides', async () => {
  const { invoice, payment } = await paidInvoice(100, LOST);
  await hear();
  await disputes.books.api.sandbox.patch(`/invoices/${invoice}`, { autopay: true });
  passDays(8);
  expect(await disputes.books.entriesOf(() => lookAt(payment))).toEqual([
    'dispute disputes -100',
    'dispute unapplied 100',
    'take_back receivable 100',
    'take_back unapplied -100',
  ]);
  expect(await read(payment)).toMatchObject({ balance: 0, voided: false, charge: { disputed: true } });
  expect(await disputes.books.readInvoice(invoice)).toMatchObject({
    status: 'not_sent',
    paid: false,
    balance: 100,
    autopay: false,
  });
  expect(await tasks()).toMatchObject([
    { complete: true, name: expect.stringContaining('send evidence'), outcome: 'the dispute is lost' },
    { complete: false, outcome: null, name: expect.stringContaining('is lost: 100.00 usd') },
  ]);
  await disputes.books.expectCleanBooks();
});

test.each([
  ['won', WON, 'the dispute is won'],
  ['withdrawn', WITHDRAWN, 'the customer withdrew the dispute'],
])('a dispute that is %s gives the money and the fee back', async (status, card, outcome) => {
  const { invoice, payment } = await paidInvoice(60, card);
  await hear();
  passDays(8);
  expect(await disputes.books.entriesOf(() => lookAt(payment))).toEqual([
    'dispute clearing:test 60',
    'dispute disputes -60',
    'gateway_fee clearing:test 15',
    'gateway_fee gateway_fees -15',
  ]);
  expect(await read(payment)).toMatchObject({ charge: { disputed: false } });
  expect(await disputes.books.readInvoice(invoice)).toMatchObject({ status: 'paid' });
  expect(await disputes.books.rows('select status from dispute order by id desc limit 1')).toEqual([{ status }]);
  expect(await tasks()).toMatchObject([{ complete: true, outcome }]);
  const { body: timeline } = await disputes.books.api.sandbox.get(`/customers/${disputes.books.customer}/timeline`);
  const told = timeline.map(({ what }: { what: string }) => what);
  const opened = expect.arrayContaining(['charge of $60.00 disputed', 'dispute opened']);
  expect([told, told]).toEqual([opened, expect.arrayContaining(['dispute over: the money is back'])]);
  expect(await refund(payment, 60)).toMatchObject({ status: 201 });
  await disputes.books.expectCleanBooks();
});

test('a dispute that is lost in part un-applies that part, newest application first', async () => {
  const first = await disputes.books.invoice(70);
  const second = await disputes.books.invoice(25);
  const payment = await charge(100, [cash(first, 70), cash(second, 25)], PARTIAL); // 5 stay unapplied
  await hear();
  passDays(8);
  expect(await disputes.books.entriesOf(() => lookAt(payment))).toEqual([
    'dispute clearing:test 50', // half of it comes back
    'dispute disputes -100',
    'dispute unapplied 50', // 5 unapplied, 25 of the second invoice, 20 of the first
    'take_back receivable 45',
    'take_back unapplied -45',
  ]);
  expect(await read(payment)).toMatchObject({ balance: 0, charge: { disputed: true } });
  const { books } = disputes;
  expect(await books.readInvoice(second)).toMatchObject({ balance: 25 });
  expect(await books.readInvoice(first)).toMatchObject({ balance: 20 });
  await books.expectCleanBooks();
});

test('spent credit of a lost dispute is taken back from the newest spendings, whose invoices are owed again', async () => {
  const { books } = disputes;
  const payment = await charge(50, [credit(50)], LOST);
  const older = await books.invoice(20);
  const newer = await books.invoice(25);
  passDays(1);
  await books.pay(20, [spend(older, 20)]);
  passDays(1);
  const spending = (await books.pay(25, [spend(newer, 25)])).body;
  await hear();
  passDays(8);
  await lookAt(payment); // 5 are unspent; 25 of the newest spending; 20 of the one before
  expect(await books.readInvoice(newer)).toMatchObject({ balance: 25, paid: false });
  expect(await books.readInvoice(older)).toMatchObject({ balance: 20, paid: false });
  expect(await read(spending)).toMatchObject({ amount: 0, voided: true });
  expect(await read(payment)).toMatchObject({ balance: 0 });
  expect(await books.balances()).toEqual([]);
  await books.expectCleanBooks();
});

test('a part of the newest spending is taken back: its payment shrinks, and older spendings stay', async () => {
  const { books } = disputes;
  const payment = await charge(50, [credit(50)], PARTIAL);
  const older = await books.invoice(10);
  await books.pay(10, [spend(older, 10)]);
  passDays(1);
  const newer = await books.invoice(30);
  const spending = (await books.pay(30, [spend(newer, 30)])).body;
  await hear();
  passDays(8);
  await lookAt(payment); // 25 are lost: 10 unspent and 15 of the newer spending
  expect(await read(spending)).toMatchObject({ amount: 15, voided: false }); // 30 - 15
  expect(await books.readInvoice(newer)).toMatchObject({ balance: 15 });
  expect(await books.readInvoice(older)).toMatchObject({ balance: 0, paid: true });
  expect(await books.balances()).toEqual([25, 15, 0]); // 25 of the charge's credit are left; 10 and 15 of them are spent
  await books.expectCleanBooks();
});

test('credit that an adjustment took is lost as an expense', async () => {
  const { books } = disputes;
  const payment = await charge(50, [credit(50)], LOST);
  await books.adjust(-30);
  await hear();
  passDays(8);
  const entries = await books.entriesOf(() => lookAt(payment));
  expect(entries).toEqual(expect.arrayContaining(['dispute refunds 30', 'dispute unapplied 20']));
  await books.expectCleanBooks();
});

test('a charge that was refunded before its dispute loses more than it had', async () => {
  const { books } = disputes;
  const { invoice, payment } = await paidInvoice(100, LOST);
  await books.rows("update test_gateway.dispute set opens_at = now() + interval '1 day'"); // the refund comes first
  expect((await refund(payment, 40)).status).toBe(201);
  await books.rows('update test_gateway.dispute set opens_at = now()');
  await hear();
  passDays(8);
  const entries = await books.entriesOf(() => lookAt(payment));
  expect(entries).toEqual(
    expect.arrayContaining([
      'dispute refunds 40', // the bank took 100 of a charge that had 60 left
      'dispute unapplied 60',
      'refund refunds -40', // the invoice is owed again, so the refund is no expense any more
      'refund unapplied 40',
    ]),
  );
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 100 });
  await books.expectCleanBooks();
});

test('a dispute that is reopened, won and lost is booked as it stands, however often the gateway is asked', async () => {
  const { books } = disputes;
  const { invoice, payment } = await paidInvoice(80, LOST);
  const become = (status: string) =>
    books.rows('update test_gateway.dispute set status = ?, amount_lost = amount where charge_reference = ?', [
      status,
      payment.charge.gateway_id,
    ]);
  await become('won');
  await hear(); // its opening and its end arrive together
  await lookAt(payment);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 0 });
  await become('lost');
  await lookAt(payment);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 80 });
  expect(await books.entriesOf(() => lookAt(payment))).toEqual([]); // nothing new
  await become('won');
  await lookAt(payment);
  expect(await read(payment)).toMatchObject({ balance: 80, charge: { disputed: false } }); // a person applies it
  await become('open');
  await lookAt(payment);
  expect(await read(payment)).toMatchObject({ balance: 80, charge: { disputed: true } });
  await books.expectCleanBooks();
});

test('disputes are listed and read; only the gateway changes them', async () => {
  const { payment } = await paidInvoice(45, PARTIAL);
  await hear();
  const { sandbox } = disputes.books.api;
  const of = `/disputes?filter[charge]=${payment.charge.id}`;
  const [opened] = (await sandbox.get(of)).body;
  const amounts = { charge: payment.charge.id, currency: 'usd', amount: 45, amount_lost: 0, fee: 15 };
  expect(opened).toMatchObject({ object: 'dispute', status: 'open', reason: 'fraudulent', gateway: 'test' });
  expect(opened).toMatchObject(amounts);
  passDays(8);
  expect(opened.evidence_due_at - opened.created_at).toBeCloseTo(7 * 86_400, -1); // 7 days after the charge
  await lookAt(payment);
  const ended = { ...opened, status: 'partial', amount_lost: 22.5, updated_at: opened.updated_at + 8 * 86_400 };
  expect((await sandbox.get(`/disputes/${opened.id}`)).body).toEqual(ended);
  expect((await sandbox.get(`${of}&filter[status]=partial`)).body).toEqual([ended]);
  expect((await sandbox.get(`${of}&filter[status]=lost`)).body).toEqual([]);
  expect((await sandbox.get(`/disputes/${opened.id}?expand=charge`)).body).toMatchObject({
    charge: { disputed: true },
  });
  const { customer } = payment;
  const mine = `/disputes?filter[customer]=${customer}`;
  expect((await sandbox.get(`${mine}&filter[charge]=${payment.charge.id}`)).body).toEqual([{ ...ended, customer }]);
  expect((await sandbox.get(`/disputes?filter[customer]=${customer + 1}`)).body).toEqual([]);
  const [named] = (await sandbox.get(`${of}&expand=customer`)).body;
  expect(named).toMatchObject({ charge: payment.charge.id, customer: { object: 'customer', id: customer } });
  expect(await sandbox.patch(`/disputes/${opened.id}`, { status: 'won' })).toMatchObject(refused({}, 404));
});

test('a slow answer of the gateway is not recorded after a later one', async () => {
  const { books } = disputes;
  const { payment } = await paidInvoice(30, LOST);
  await hear();
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const real = books.api.gateway;
  const slow: Gateway = {
    ...real,
    reversals: async (...of) => {
      const answer = await real.reversals?.(...of);
      asked.resolve();
      await released.promise;
      return answer ?? { returned: null, disputes: [] };
    },
  };
  const looking = lookAt(payment, onlyGateways(new Map([['test', slow]]))); // it is told that the dispute is open
  await asked.promise;
  passDays(8);
  await lookAt(payment);
  const status = () => books.rows('select status from dispute where charge_id = ?', [payment.charge.id]);
  expect(await status()).toEqual([{ status: 'lost' }]);
  released.resolve();
  await looking;
  expect(await status()).toEqual([{ status: 'lost' }]);
});

test('a gateway that no longer tells the fee of a dispute has not given it back', async () => {
  const { books } = disputes;
  const { payment } = await paidInvoice(30, LOST);
  await hear();
  const fee = async () => (await books.api.sandbox.get(`/disputes?filter[charge]=${payment.charge.id}`)).body[0].fee;
  expect(await fee()).toBe(15);
  const real = books.api.gateway;
  const silent: Gateway = {
    ...real,
    reversals: async (...of) => {
      const answer = await real.reversals?.(...of);
      return { returned: null, disputes: (answer?.disputes ?? []).map((dispute) => ({ ...dispute, fee: null })) };
    },
  };
  const entries = await books.entriesOf(() => lookAt(payment, onlyGateways(new Map([['test', silent]]))));
  expect(entries).toEqual([]);
  expect(await fee()).toBe(15);
  await books.expectCleanBooks();
});
