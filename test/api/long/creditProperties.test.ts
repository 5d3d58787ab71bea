import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { balancesOf, invoiceBalance, type Model, noteBalance } from '../../support/creditModel.ts';
import { REFUSALS } from '../../support/creditStep.ts';
import { type Credits, startCredits } from '../../support/credits.ts';
import { creditWalk } from '../../support/creditWalk.ts';

/**
 * Random steps on one customer's credit, compared with a model in whole cents. The product accepts each step, or refuses it for the model's reason.
 * Afterwards its data match the model, no amount is negative, and the books are clean.
 */

const NOW = Date.UTC(2027, 2, 10, 12) / 1000;
const STEPS = 120;
let on: Credits;
beforeAll(async () => {
  on = await startCredits(() => new Date(NOW * 1000));
});
afterAll(() => on.api.close());

const messages: string[] = [];

/** The model in the form in which the test reads the product's rows. */
function inWords(model: Model) {
  const cents = (amount: number) => amount / 100;
  return {
    balances: balancesOf(model).map(({ at, balance }) => ({ at, balance: cents(balance) })),
    invoices: [...model.invoices.keys()].map((id) => ({ id, balance: cents(invoiceBalance(model, id)) })),
    notes: [...model.notes].map(([id, { state }]) => ({
      id,
      balance: cents(noteBalance(model, id)),
      status: state === 'voided' ? 'voided' : noteBalance(model, id) === 0 ? 'paid' : state,
    })),
  };
}

async function stored() {
  const balances = await on.rows(
    `select extract(epoch from at)::float8 as at, (array_agg(balance order by amount < 0 desc, id desc))[1]::float8 as balance
     from credit_balance_change where customer_id = ? group by at order by at`,
    [on.customer],
  );
  const invoices = await on.rows(
    'select id, balance::float8 as balance from invoice where customer_id = ? order by id',
    [on.customer],
  );
  const notes = await on.rows(
    'select id, balance::float8 as balance, status from credit_note where customer_id = ? order by id',
    [on.customer],
  );
  return { balances, invoices, notes };
}

test.each([1, 2, 3, 4, 5, 6])(
  'random steps on payments, credits and credit notes match the model, seed %i',
  async (seed) => {
    await on.begin();
    const applies = seed % 2 === 1;
    await on.api.sandbox.patch('/account', { apply_credits_at_issue: applies });
    const walk = creditWalk(on, { seed, now: NOW, applies });
    let refused = 0;
    for (let count = 0; count < STEPS; count += 1) {
      const step = await walk.step();
      expect(step).toEqual({ ...step, isExpected: true });
      if (step.status === 400) {
        refused += 1;
        messages.push(step.message);
      }
      expect({ after: step.what, ...(await stored()) }).toEqual({ after: step.what, ...inWords(walk.model()) });
    }
    expect(refused).toBeGreaterThan(STEPS / 10);
    expect(STEPS - refused).toBeGreaterThan(STEPS / 3);
    await on.expectCleanBooks();
  },
);

test.each(Object.entries(REFUSALS))('the walks came to what is refused because of %s', (_reason, words) => {
  expect(messages.filter((message) => words.test(message)).length).toBeGreaterThan(0);
});
