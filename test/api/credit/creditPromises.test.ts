import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { byNote, type Credits, cash, credit, noteToBalance, spend, startCredits } from '../../support/credits.ts';
import { cell, type PromiseRow, promisesOf } from '../../support/promises.ts';

/** Runs the tables of docs/credits.md row by row. Each table has a new customer. */

const DOES = 'a customer does';
const stories: PromiseRow[][] = [];
for (const row of promisesOf('credits.md').filter((one) => DOES in one)) {
  if (row['#'] === '1') stories.push([]);
  stories.at(-1)?.push(row);
}

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
});
afterAll(() => on.api.close());

/** Ids by name; payments in order. */
interface Told {
  invoices: Map<string, number>;
  notes: Map<string, number>;
  payments: number[];
}

type Verb = [
  RegExp,
  (told: Told, words: string[]) => Promise<{ status: number; body: { id: number; message?: string } }>,
];

const path = (name: string, id: number | undefined) => `/${name}/${id}`;

const verbs: Verb[] = [
  [/^adjustment (\S+)$/, (_told, [amount]) => on.adjust(Number(amount))],
  [
    /^(invoice|issue) (\S) (\S+)$/,
    async (told, [how, name = '', amount]) => {
      await on.api.sandbox.patch('/account', { apply_credits_at_issue: how === 'issue' });
      const items = [{ unit_cost: Number(amount) }];
      const answer = await on.api.sandbox.post('/invoices', { customer: on.customer, items });
      told.invoices.set(name, answer.body.id);
      return answer;
    },
  ],
  [
    /^credit note (\S) (\S+)(?: for (\S))?$/,
    async (told, [name = '', amount, invoice]) => {
      const answer = await on.note(Number(amount), invoice ? { invoice: told.invoices.get(invoice) } : {});
      told.notes.set(name, answer.body.id);
      return answer;
    },
  ],
  [
    /^payment (\S+): (.+)$/,
    (told, [amount, parts = '']) =>
      on.pay(
        Number(amount),
        parts.split(', ').map((part) => partOf(told, part)),
      ),
  ],
  [/^void payment (\d+)$/, (told, [n]) => on.api.sandbox.delete(path('payments', told.payments[Number(n) - 1]))],
  [
    /^void note (\S)$/,
    (told, [name = '']) => on.api.sandbox.post(`${path('credit_notes', told.notes.get(name))}/void`),
  ],
  [
    /^(close|open) note (\S)$/,
    (told, [how, name = '']) =>
      on.api.sandbox.patch(path('credit_notes', told.notes.get(name)), { closed: how === 'close' }),
  ],
];

/** Parses "money 75 to A", "balance 25 to A" or "note N 60 to balance". */
function partOf(told: Told, words: string): object {
  const [, what, name = '', amount, to = ''] = /^(money|balance|note)(?: (\D))? (\S+) to (\S+)$/.exec(words) ?? [];
  const invoice = told.invoices.get(to) ?? 0;
  const note = told.notes.get(name) ?? 0;
  if (what === 'balance') return spend(invoice, Number(amount));
  if (what === 'note')
    return to === 'balance' ? noteToBalance(note, Number(amount)) : byNote(note, invoice, Number(amount));
  return to === 'balance' ? credit(Number(amount)) : cash(invoice, Number(amount));
}

async function does(told: Told, row: PromiseRow): Promise<string> {
  const words = cell(row, DOES);
  const verb = verbs.find(([pattern]) => pattern.test(words));
  if (!verb) throw new Error(`nobody does: ${words}`);
  const [pattern, work] = verb;
  let refusal = '';
  const posted = await on.entriesOf(async () => {
    const answer = await work(told, (pattern.exec(words) ?? []).slice(1));
    if (answer.status >= 300) refusal = answer.body.message ?? 'refused';
  });
  told.payments = (await on.rows('select id from payment where customer_id = ? order by id', [on.customer])).map(
    ({ id }) => Number(id),
  );
  if (refusal === '') return summed(posted);
  const applied = /applied by payment (\d+)/.exec(refusal)?.[1];
  return `refused: it is applied by payment ${told.payments.indexOf(Number(applied)) + 1}`;
}

/** Sums entries by account, without those that cancel out: "cash 75, receivable -100". */
function summed(posted: readonly string[]): string {
  const sums = new Map<string, number>();
  for (const entry of posted) {
    const [, account = '', amount] = entry.split(' ');
    sums.set(account, (sums.get(account) ?? 0) + Number(amount));
  }
  const said = [...sums].filter(([, amount]) => amount !== 0).sort();
  return said.map(([account, amount]) => `${account} ${amount}`).join(', ');
}

async function after(told: Told): Promise<Record<string, string>> {
  const [sums] = await on.rows(
    `select (select coalesce(sum(amount), 0)::float8 from credit_balance_change where customer_id = $1) as balance,
            (select coalesce(sum(balance), 0)::float8 from credit_note where customer_id = $1 and status = 'open') as notes`.replaceAll(
      '$1',
      String(on.customer),
    ),
  );
  const invoice = told.invoices.get('A');
  const owed = invoice === undefined ? '' : String((await on.readInvoice(invoice)).balance);
  return { 'credit balance': String(sums?.balance), 'open notes': String(sums?.notes), 'A owes': owed };
}

test('the page has stories', () => {
  expect(stories.map((story) => story.length)).toEqual([6, 6, 6, 3]);
});

test.each(stories.map((story, index) => [index + 1, story] as const))('story %i', async (_number, story) => {
  await on.begin();
  const told: Told = { invoices: new Map(), notes: new Map(), payments: [] };
  for (const row of story) {
    const posted = await does(told, row);
    expect({ '#': row['#'], [DOES]: row[DOES], posted, ...(await after(told)) }).toEqual(row);
  }
  await on.expectCleanBooks();
});
