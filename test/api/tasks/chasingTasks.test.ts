import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, successBody, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';
import { takeDueWork } from '../../support/dueWork.ts';

/** Tasks that cadences make, and their end once nothing is owed any more. */

const DAY = 86_400;
const MONDAY = Date.parse('2027-01-04T10:00:00Z') / 1000;
let api: TestApi;
let now = MONDAY;
let cadence: number;
let invoiceCadence: number;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  const steps = [
    { name: 'Call', action: 'phone', schedule: 'age:0' },
    { name: 'Write', action: 'letter', schedule: 'age:1' },
  ];
  cadence = (await api.sandbox.make('/chasing_cadences', { name: 'All', time_of_day: 9, steps })).id;
  const own = [{ name: 'Call about it', action: 'phone', schedule: 'issue' }];
  invoiceCadence = (await api.sandbox.make('/invoice_chasing_cadences', { name: 'One', time_of_day: 9, steps: own }))
    .id;
});
afterAll(() => api.close());

async function work(at: number): Promise<void> {
  now = at;
  await takeDueWork(api, {
    accountId: api.sandbox.account.id,
    now: () => now,
  });
}

const customerOn = async (more: object = {}): Promise<number> => {
  now = MONDAY;
  return (await api.sandbox.make('/customers', { name: 'Ann', chasing_cadence: cadence, ...more })).id;
};
const owe = async (customer: number, amount: number, more: object = {}): Promise<number> =>
  (await api.sandbox.make('/invoices', { customer, items: [{ unit_cost: amount }], ...more })).id;
const pay = async (customer: number, invoice: number, amount: number): Promise<number> => {
  const applied_to = [{ type: 'invoice', invoice, amount }];
  return (await api.sandbox.make('/payments', { customer, amount, applied_to })).id;
};

/** The tasks of a customer, as "phone: open". */
const tasksOf = async (customer: number): Promise<string[]> => {
  const tasks = successBody(await api.sandbox.get(`/tasks?filter[customer]=${customer}&sort=id`));
  return tasks.map(({ action, complete }: { action: string; complete: boolean }) => {
    return `${action}: ${complete ? 'done' : 'open'}`;
  });
};

/** The completed tasks of a customer in its timeline, without their ids. */
const told = async (customer: number): Promise<string[]> => {
  const entries = successBody(await api.sandbox.get(`/customers/${customer}/timeline?filter[upcoming]=false`));
  return entries
    .filter(({ what }: { what: string }) => /^task “.+” completed/.test(what))
    .map(({ what, why }: { what: string; why: string }) => `${what.replace(/ “.+”/, '')}: ${why}`);
};

const PAID = 'task completed: everything that it asks for is paid';

test('open tasks of a cadence are completed once everything that they ask for is paid, and the timeline tells why', async () => {
  const customer = await customerOn();
  const [first, second] = [await owe(customer, 100), await owe(customer, 50)];
  await work(MONDAY);
  await work(MONDAY + DAY);
  expect(await tasksOf(customer)).toEqual(['phone: open', 'letter: open']);
  now += 60;
  const later = await owe(customer, 30); // nobody has asked for it
  await api.sandbox.make('/tasks', { customer, name: 'Send a calendar', action: 'letter' });
  await pay(customer, first, 100);
  await pay(customer, second, 20);
  expect(await tasksOf(customer)).toEqual(['phone: open', 'letter: open', 'letter: open']);
  const payment = await pay(customer, second, 30); // 50 - 20
  expect(await tasksOf(customer)).toEqual(['phone: done', 'letter: done', 'letter: open']);
  expect(await told(customer)).toEqual([PAID, PAID]);
  const [task] = successBody(await api.sandbox.get(`/tasks?filter[customer]=${customer}&sort=id`));
  const outcome = 'everything that it asks for is paid';
  expect(task).toMatchObject({ complete: true, completed_date: now, completed_by_user_id: null, outcome });
  // Money that is taken back opens no task: the cadence asks again.
  successBody(await api.sandbox.delete(`/payments/${payment}`));
  expect(await tasksOf(customer)).toEqual(['phone: done', 'letter: done', 'letter: open']);
  expect(successBody(await api.sandbox.get(`/invoices/${later}`))).toMatchObject({ balance: 30 });
});

test('the words of a member stay when Perennial completes the task', async () => {
  const customer = await customerOn();
  const invoice = await owe(customer, 100);
  await work(MONDAY);
  const tasks = async () => successBody(await api.sandbox.get(`/tasks?filter[customer]=${customer}`));
  const [{ id }] = await tasks();
  successBody(await api.sandbox.patch(`/tasks/${id}`, { outcome: 'She pays today' }));
  await pay(customer, invoice, 100);
  expect(await tasks()).toMatchObject([{ complete: true, outcome: 'She pays today' }]);
});

test('a task waits only for the invoices that it asks for: a promised one and a later one do not keep it open', async () => {
  const customer = await customerOn();
  const [asked, promised] = [await owe(customer, 100), await owe(customer, 50)];
  successBody(await api.sandbox.patch(`/invoices/${promised}`, { expected_payment_date: { date: MONDAY + 9 * DAY } }));
  await work(MONDAY);
  const [{ id, name }] = successBody(await api.sandbox.get(`/tasks?filter[customer]=${customer}`));
  expect(name).toBe('Call: 100.00 usd'); // the promised 50 are not asked for
  const later = await owe(customer, 30);
  const rows = await api.em.execute('select invoice_id as id from task_invoice where task_id = ?', [id]);
  expect(rows).toEqual([{ id: asked }]);
  await pay(customer, asked, 60);
  expect(await tasksOf(customer)).toEqual(['phone: open']); // 100 - 60 = 40
  await pay(customer, asked, 40);
  expect(await tasksOf(customer)).toEqual(['phone: done']);
  expect(await told(customer)).toEqual([PAID]);
  for (const [invoice, balance] of [
    [promised, 50],
    [later, 30],
  ])
    expect(successBody(await api.sandbox.get(`/invoices/${invoice}`))).toMatchObject({ balance });
});

test('the tasks of a merged customer wait for their own invoices, not for those of the other one', async () => {
  const [from, into] = [await customerOn(), await customerOn()];
  const [mine, other] = [await owe(from, 100), await owe(into, 50)];
  await work(MONDAY);
  // Both were called on the same day.
  successBody(await api.sandbox.post(`/customers/${into}/merge`, { customer: from }));
  expect(await tasksOf(into)).toEqual(['phone: open', 'phone: open']);
  await pay(into, mine, 100);
  expect(await tasksOf(into)).toEqual(['phone: done', 'phone: open']);
  await pay(into, other, 50);
  expect(await tasksOf(into)).toEqual(['phone: done', 'phone: done']);
});

test('a task that an earlier version made waits for all that was open when it was made', async () => {
  const customer = await customerOn();
  const [asked, promised] = [await owe(customer, 100), await owe(customer, 50)];
  successBody(await api.sandbox.patch(`/invoices/${promised}`, { expected_payment_date: { date: MONDAY + 9 * DAY } }));
  await work(MONDAY);
  await api.em.execute('delete from task_invoice where invoice_id = ?', [asked]);
  await pay(customer, asked, 100);
  expect(await tasksOf(customer)).toEqual(['phone: open']);
  await pay(customer, promised, 50);
  expect(await tasksOf(customer)).toEqual(['phone: done']);
});

test('a promise or a dispute completes no task', async () => {
  const customer = await customerOn();
  const invoice = await owe(customer, 100);
  await work(MONDAY);
  successBody(await api.sandbox.patch(`/invoices/${invoice}`, { expected_payment_date: { date: now + DAY } }));
  await seedDispute(api, api.sandbox, customer, [{ type: 'invoice', invoice, amount: 3 }]);
  expect((await tasksOf(customer))[0]).toBe('phone: open');
  expect(await told(customer)).toEqual([]);
});

test('a task about an invoice of an invoice cadence is completed with that invoice', async () => {
  const customer = await customerOn({ chasing_cadence: null });
  const asked = await owe(customer, 100, { chasing_cadence: invoiceCadence });
  await owe(customer, 70);
  await work(MONDAY);
  expect(await tasksOf(customer)).toEqual(['phone: open']);
  await pay(customer, asked, 100);
  expect(await tasksOf(customer)).toEqual(['phone: done']);
  expect(await told(customer)).toEqual([PAID]);
});

test('a task about an invoice that is closed or voided is completed, and the timeline does not say that it is paid', async () => {
  const customer = await customerOn();
  const [closed, voided] = [await owe(customer, 100), await owe(customer, 50)];
  await work(MONDAY);
  successBody(await api.sandbox.patch(`/invoices/${closed}`, { closed: true }));
  expect(await tasksOf(customer)).toEqual(['phone: open']);
  successBody(await api.sandbox.post(`/invoices/${voided}/void`));
  expect(await tasksOf(customer)).toEqual(['phone: done']);
  const outcome = 'nothing that it asks for is open any more';
  expect(await told(customer)).toEqual([`task completed: ${outcome}`]);
  expect(successBody(await api.sandbox.get(`/tasks?filter[customer]=${customer}`))).toMatchObject([{ outcome }]);
});
