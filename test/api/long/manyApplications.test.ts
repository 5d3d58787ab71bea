import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportProblem } from '../../../commands/kernel/problems.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, refused } from '../../support/api.ts';
import { byNote, type Credits, cash, spend, startCredits } from '../../support/credits.ts';

/** A request on many objects takes as many statements as one on two objects: there is no query in a loop. */

const FEW = 2;
const SOME = 20;
const MANY = 60;

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
  await on.api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => on.api.close());

/** Requests in order, by name. */
type Steps = Record<string, () => Promise<Answer>>;

/** Names of the steps that take more statements for many objects than for few. */
async function dearer(most: number, stepsWith: (count: number) => Promise<Steps>): Promise<string[]> {
  const [few, many] = [await costsOf(await beginning(stepsWith, FEW)), await costsOf(await beginning(stepsWith, most))];
  await on.expectCleanBooks();
  return Object.entries(many).flatMap(([what, count]) =>
    count > (few[what] ?? 0) + 1 ? `${what}: ${few[what]} statements with ${FEW}, ${count} with ${most}` : [],
  );
}

async function beginning(stepsWith: (count: number) => Promise<Steps>, count: number): Promise<Steps> {
  await on.begin();
  return stepsWith(count);
}

async function costsOf(steps: Steps): Promise<Record<string, number>> {
  const costs: Record<string, number> = {};
  for (const [what, work] of Object.entries(steps)) {
    let status = 0;
    const statements = await on.api.statements(async () => {
      ({ status } = await work());
    });
    expect([what, status]).toEqual([what, status < 300 ? status : 'a success']);
    costs[what] = statements.length;
  }
  return costs;
}

/** Creates objects one after another. Returns their ids. */
async function several(count: number, make: () => Promise<number>): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push(await make());
  return ids;
}

const all = (ids: number[], amount: number, pays: (id: number, amount: number) => object) =>
  ids.map((id) => pays(id, amount));
const aside = (estimate: number, amount: number) => ({ type: 'estimate', estimate, amount });
const idOf = async (asked: Promise<Answer>) => (await asked).body.id;
const patch = (payment: number, applied_to: object[]) => on.api.sandbox.patch(`/payments/${payment}`, { applied_to });
const drop = (payment: number) => on.api.sandbox.delete(`/payments/${payment}`);
/** Steps on a payment that is created in the first one. */
function paying(amount: number, parts: object[]) {
  let payment = 0;
  return {
    make: async () => {
      const answer = await on.pay(amount, parts);
      payment = answer.body.id;
      return answer;
    },
    change: (applied_to: object[]) => patch(payment, applied_to),
    void: () => drop(payment),
  };
}

const statusOf = async (subscription: number) =>
  (await on.api.sandbox.get(`/subscriptions/${subscription}`)).body.status;

/** Creates past due invoices of a subscription, over 1.00 each. Their processes wait with a problem. */
async function overdue(count: number): Promise<{ subscription: number; invoices: number[] }> {
  const subscription = await idOf(
    on.api.sandbox.post('/subscriptions', { customer: on.customer, plan: 'gold', start_date: 4_000_000_000 }),
  );
  const invoices = await several(count, () => on.invoice(1));
  const late = `past_due = true, status = 'past_due', due_at = now() - interval '1 day', subscription_id = ?, segment = 0, period = id`;
  await on.rows(`update invoice set ${late} where customer_id = ?`, [subscription, on.customer]);
  await on.rows(`update subscription set status = 'past_due', cycles_billed = ? where id = ?`, [count, subscription]);
  const accountId = on.api.sandbox.account.id;
  await inTransaction(on.api.em, async (em) => {
    for (const id of invoices)
      await reportProblem(em, { accountId, process: 'invoice', id, step: 'attempt 1', message: 'stuck' }, new Date());
  });
  return { subscription, invoices };
}

const problems = async () => Number((await on.rows('select count(*) from problem where closed_at is null'))[0]?.count);

test('a payment of many invoices can be created, changed and voided', async () => {
  const stepsWith = async (count: number) => {
    const { subscription, invoices } = await overdue(count);
    const payment = paying(count, all(invoices, 1, cash));
    return {
      make: payment.make,
      change: async () => {
        expect([await statusOf(subscription), await problems()]).toEqual(['active', 0]);
        return payment.change(all(invoices, 0.5, cash));
      },
      void: async () => {
        expect(await statusOf(subscription)).toBe('past_due');
        return payment.void();
      },
    };
  };
  expect(await dearer(MANY, stepsWith)).toEqual([]);
});

test('many invoices paid by a credit note, then the credit balance, can be created, changed and voided', async () => {
  const stepsWith = async (count: number) => {
    const { invoices } = await overdue(count);
    const note = await idOf(on.note(count));
    await on.adjust(count);
    const payment = paying(
      count,
      all(invoices, 1, (id, amount) => byNote(note, id, amount)),
    );
    return { make: payment.make, change: () => payment.change(all(invoices, 1, spend)), void: payment.void };
  };
  expect(await dearer(SOME, stepsWith)).toEqual([]);
});

test('deposits of many estimates can be created, changed and voided', async () => {
  const estimate = () => {
    const expiration_date = Math.floor(Date.now() / 1000) + 9 * 86_400;
    const items = [{ unit_cost: 5 }];
    return idOf(on.api.sandbox.post('/estimates', { customer: on.customer, items, deposit: 1, expiration_date }));
  };
  const stepsWith = async (count: number) => {
    const estimates = await several(count, estimate);
    const payment = paying(count, all(estimates, 1, aside));
    return { make: payment.make, void: payment.void };
  };
  expect(await dearer(SOME, stepsWith)).toEqual([]);
});

test('invoices of many children paid by their parent can be created, changed and voided', async () => {
  const child = async () => {
    const { id } = await on.api.sandbox.make('/customers', { name: 'C', parent_customer: on.customer });
    return idOf(on.api.sandbox.post('/invoices', { customer: id, items: [{ unit_cost: 1 }] }));
  };
  const stepsWith = async (count: number) => {
    const invoices = await several(count, child);
    const payment = paying(count, all(invoices, 1, cash));
    return { make: payment.make, void: payment.void };
  };
  expect(await dearer(SOME, stepsWith)).toEqual([]);
});

test('a charge of many invoices is declined, then succeeds', async () => {
  const charge = (invoices: number[], card: string) =>
    on.api.sandbox.post('/charges', {
      customer: on.customer,
      method: 'credit_card',
      gateway_token: `tok_${card}`,
      amount: invoices.length,
      applied_to: all(invoices, 1, cash),
    });
  const stepsWith = async (count: number) => {
    const { invoices } = await overdue(count);
    return {
      decline: async () => {
        const declined = await charge(invoices, '4000000000000002');
        expect(declined).toMatchObject(refused({ type: 'invalid_request' }));
        return { ...declined, status: 200 };
      },
      charge: () => charge(invoices, '4242424242424242'),
    };
  };
  expect(await dearer(SOME, stepsWith)).toEqual([]);
});

test('many credit notes and the balance pay an invoice that is issued', async () => {
  const stepsWith = async (count: number) => {
    await several(count, () => idOf(on.note(1)));
    await on.adjust(1);
    await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
    let invoice = 0;
    return {
      issue: async () => {
        const items = [{ unit_cost: count + 1 }];
        const issued = await on.api.sandbox.post('/invoices', { customer: on.customer, items });
        expect(issued.body).toMatchObject({ balance: 0, paid: true }); // count x 1 + 1
        invoice = issued.body.id;
        return issued;
      },
      void: async () => {
        await on.api.sandbox.patch('/account', { apply_credits_at_issue: false });
        const [{ id } = { id: 0 }] = await on.rows(
          'select distinct payment_id as id from payment_application where invoice_id = ?',
          [invoice],
        );
        return drop(Number(id));
      },
    };
  };
  expect(await dearer(SOME, stepsWith)).toEqual([]);
});
