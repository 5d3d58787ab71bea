import { expect, test } from '@jest/globals';
import type { Answer } from '../../support/api.ts';
import { goldSubscriptions, MARCH } from '../../support/goldSubscriptions.ts';
import { cell, type PromiseRow } from '../../support/promises.ts';
import {
  amountIn,
  dayIn,
  daysIn,
  fieldsIn,
  numbersIn,
  periodIn,
  termsIn,
  type WorkedExample,
  workedExamplesOf,
} from '../../support/workedExamples.ts';

/** The worked examples of docs/subscriptions.md: their requests, dates and amounts are read from the page. The test takes the steps. */

const gold = goldSubscriptions();
const examples = workedExamplesOf('subscriptions.md');

function example(heading: string): WorkedExample {
  const found = examples.find((one) => one.heading === heading);
  if (!found) throw new Error(`no example under ${heading}`);
  return found;
}

/** Creates the plan of an example, by its price. Returns the plan, and the days that the text names. */
async function planOf({ heading, text }: WorkedExample) {
  const [, price = '', interval = ''] = /lans? of (\d+\.\d\d) a (month|year)/.exec(text) ?? [];
  const plan = heading.toLowerCase().replaceAll(' ', '-');
  await gold.api.sandbox.make('/plans', { id: plan, name: plan, amount: Number(price), interval });
  return { plan, price: Number(price), days: daysIn(text) };
}

const at = (days: readonly number[], index: number): number => days[index] ?? Number.NaN;
const dateOf = (row: PromiseRow) => dayIn(cell(row, 'date'));
const happens = (row: PromiseRow) => cell(row, 'what happens');

/** Date, total and period of each invoice. */
const billsOf = async (id: number) =>
  (await gold.invoices(id)).map(({ date, total, items: [line] }) => [date, total, line.period_start, line.period_end]);

test('the page has these examples', () => {
  expect(examples.map(({ heading, rows }) => [heading, rows.length])).toEqual([
    ['Days before a period', 7],
    ['Arrears', 4],
    ['Trials', 4],
    ['Add-ons', 5],
    ['Change it', 3],
    ['Contracts', 5],
    ['Pause', 5],
    ['See what a change costs', 4],
    ['Mails', 3],
  ]);
});

test('Days before a period', async () => {
  const { rows, text } = example('Days before a period');
  const { plan, price, days } = await planOf(example('Days before a period'));
  const terms = fieldsIn(text);
  expect(at(days, 0)).toBe(MARCH);
  const id = await gold.begin({ plan, start_date: at(days, 1), ...terms });
  const told: unknown[] = [];
  for (const row of rows) {
    const date = dateOf(row);
    if (date > MARCH) {
      await gold.advanceTo(id, date - 1);
      expect(await billsOf(id)).toEqual(told);
    }
    const before = await gold.read(id);
    await gold.advanceTo(id, date);
    const [start, end] = daysIn(happens(row).split('the bill of ')[1] ?? '');
    if (start && end) told.push([date, price, start, end]);
    if (happens(row).includes(' less '))
      expect(at(daysIn(happens(row)), 0) - Number(terms.bill_in_advance_days) * 86_400).toBe(date);
    if (happens(row) === 'the first period begins')
      expect([before.status, (await gold.read(id)).period_start]).toEqual(['not_started', date]);
    if (happens(row).startsWith('`cancel_at_period_end`')) {
      expect(date).toBe(at(days, 2));
      await gold.change(id, { cancel_at_period_end: true });
      const voided = (await gold.invoices(id)).filter(({ status }) => status === 'voided');
      expect(voided.map((invoice) => invoice.date)).toEqual([dayIn(happens(row))]);
    }
    expect(await billsOf(id)).toEqual(told);
  }
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: dateOf(rows.at(-1) ?? {}) });
});

test('Arrears', async () => {
  const { rows, text } = example('Arrears');
  const { plan, days } = await planOf(example('Arrears'));
  const id = await gold.begin({ plan, bill_in: 'arrears', start_date: at(days, 0), ...fieldsIn(text) });
  await gold.advanceTo(id, at(days, 1));
  await gold.change(id, { paused: true, resume_at: at(days, 2) });
  await gold.advanceTo(id, at(days, 3));
  await gold.cancel(id);
  const told = rows.map((row) => {
    const lines = cell(row, 'bill').split('; ');
    return [
      dateOf(row),
      ...lines.map((line) => [amountIn(line.split(': ')[1] ?? ''), ...periodIn(line.split(': ')[0] ?? '')]),
    ];
  });
  expect(await gold.billedLines(id)).toEqual(told);
});

test('Trials', async () => {
  const { rows, text } = example('Trials');
  const { plan, days } = await planOf(example('Trials'));
  expect(days).toEqual([MARCH]);
  const id = await gold.begin({ plan, ...fieldsIn(text) });
  const [begin = {}, ...others] = rows;
  const [period_end, contract_period_start, contract_period_end] = daysIn(happens(begin));
  const [mrr] = numbersIn(happens(begin), /`mrr` (\d+)/);
  const trial = { period_start: dateOf(begin), period_end, mrr, contract_period_start, contract_period_end };
  expect(await gold.read(id)).toMatchObject(trial);
  const told: unknown[] = [];
  for (const row of others) {
    await gold.advanceTo(id, dateOf(row) - 1);
    expect([(await gold.read(id)).status, await billsOf(id)]).toEqual(['active', told]);
    await gold.advanceTo(id, dateOf(row));
    const [total, earned] = /, (\d+\.\d\d)(?:; `mrr` (\d+\.\d\d))?$/.exec(happens(row))?.slice(1) ?? [];
    if (total) told.push([dateOf(row), Number(total), ...periodIn(happens(row))]);
    if (earned) expect(await gold.read(id)).toMatchObject({ mrr: Number(earned) });
    expect(await billsOf(id)).toEqual(told);
  }
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
});

test('Add-ons', async () => {
  const { rows, text, code } = example('Add-ons');
  const prices = /costs (\S+) a month.*up to (\d+) at (\S+), above at (\S+)\. A line is an item of (\S+)\. /;
  const [amount, max_qty, low, high, item] = numbersIn(text, prices);
  const tiers = [{ max_qty, unit_cost: low }, { unit_cost: high }];
  const { sandbox } = gold.api;
  expect(amount).toBe(10);
  await sandbox.make('/plans', { id: 'users', name: 'Users', interval: 'month', pricing_mode: 'tiered', tiers });
  await sandbox.make('/items', { id: 'line', name: 'Line', unit_cost: item });
  const { addons } = JSON.parse(/POST \/subscriptions (\{[^`]*\})/.exec(code[0] ?? '')?.[1] ?? '{}');
  const id = await gold.begin({ addons, start_date: at(daysIn(text), 0), ...fieldsIn(text) });
  const [, first = '', second = ''] = Object.keys(rows[0] ?? {});
  await gold.advanceTo(id, dayIn(second));
  const [short, whole] = await gold.invoices(id);
  expect([short.date, whole.date]).toEqual([dayIn(first), dayIn(second)]);
  const filled = (head: string) =>
    rows.filter((row) => row[head] && row.line !== 'total').map((row) => cell(row, head));
  const amounts = ({ items }: Answer['body']) => items.map((line: Answer['body']) => line.amount);
  expect(amounts(short)).toEqual(filled(first).map(amountIn));
  const share = first.split(': ')[1]?.replace(' days of ', ' / ');
  expect(filled(first).filter((figure) => !figure.includes(` x ${share} = `))).toEqual([]);
  expect(amounts(whole)).toEqual(filled(second).map(amountIn));
  const sold = whole.items.map((line: Answer['body']) => {
    const label = [line.name, line.description?.replaceAll('\n', ', ')].filter(Boolean).join(': ');
    return [label, `${line.quantity} x ${line.unit_cost.toFixed(2)}`];
  });
  expect(sold).toEqual(rows.slice(0, -1).map((row) => [row.line, cell(row, second).split(' = ')[0]]));
  const total = rows.at(-1) ?? {};
  expect([short.total, whole.total]).toEqual([amountIn(cell(total, first)), amountIn(cell(total, second))]);
});

const changed = example('Change it');

test.each(changed.rows.map((row) => [cell(row, '`prorate`'), row] as const))(
  'Change it: prorate %s',
  async (prorate, row) => {
    const [from, changedAt] = changed.text.split(', changed ');
    const [quantity, left, whole] = numbersIn(
      changed.text,
      /quantity of (\d+) on .* at noon, when (\S+) of (\d+) days/,
    );
    const [price = 0] = numbersIn(changed.text, /plan of (\S+) a month/);
    const plan = { id: `changed-${prorate.replace(/\W/g, '')}`, name: 'Changed', amount: price, interval: 'month' };
    await gold.api.sandbox.make('/plans', plan);
    const customer = await gold.customerWith();
    expect(dayIn(from ?? '')).toBe(MARCH);
    const id = await gold.begin({ customer, plan: plan.id });
    const [, atOnce = '', next = ''] = Object.keys(row);
    const now = dayIn(changedAt ?? '') + 43_200;
    expect([dayIn(atOnce), dayIn(next)]).toEqual([now - 43_200, MARCH + Number(whole) * 86_400]);
    expect((dayIn(next) - now) / 86_400).toBe(left);
    gold.moveTo(now);
    await gold.change(id, { quantity, prorate: JSON.parse(prorate.replaceAll('`', '')) });
    await gold.advanceTo(id, dayIn(next));
    const told = [atOnce, next].flatMap((head) => {
      const figure = row[head];
      return figure ? [[head === atOnce ? now : dayIn(head), amountIn(figure), termsIn(figure).toSorted()]] : [];
    });
    const [, ...invoices] = await gold.invoices(id);
    const shown = invoices.map(({ date, total, items }) => {
      return [date, total, items.map((line: Answer['body']) => line.amount).toSorted()];
    });
    expect(shown).toEqual(told);
  },
);

test('Contracts', async () => {
  const { rows, text } = example('Contracts');
  const { plan, days } = await planOf(example('Contracts'));
  const id = await gold.begin({ plan, start_date: at(days, 0), ...fieldsIn(text) });
  const words = ['none', 'one cycle', 'two cycles', 'three cycles'];
  let contract = '';
  for (const [index, row] of rows.entries()) {
    if (dateOf(row) > at(days, 0)) await gold.advanceTo(id, dateOf(row) - 1);
    expect(await gold.billed(id)).toHaveLength(index);
    await gold.advanceTo(id, dateOf(row));
    expect((await gold.invoices(id)).at(-1)).toMatchObject({ date: dateOf(row), total: amountIn(cell(row, 'bill')) });
    contract = row.contract || contract;
    const [start, end] = periodIn(contract);
    const { contract_period_start, contract_period_end, cycles } = await gold.read(id);
    expect([contract_period_start, contract_period_end]).toEqual([start, end]);
    if (contract.includes(': ')) expect(words[cycles]).toBe(contract.split(': ')[1]);
  }
});

const pauses = example('Pause');

test.each(pauses.rows.map((row) => [cell(row, 'subscription'), row] as const))('Pause: %s', async (terms, row) => {
  const [begin = 0, asked = 0, askedAhead = 0, resume_at = 0] = daysIn(pauses.text);
  const [price = 0] = numbersIn(pauses.text, /^Plans of (\S+) a month/);
  expect([begin, price]).toEqual([MARCH, 10]); // the gold plan
  const { resume_mode, ...fields } = fieldsIn(terms);
  if (terms === 'in arrears') fields.bill_in = 'arrears';
  if (terms.startsWith('from ')) fields.start_date = dayIn(terms);
  const id = await gold.begin(fields);
  await gold.advanceTo(id, 'bill_in_advance_days' in fields ? askedAhead : asked);
  const pause = { pause_at_period_end: true, resume_at, ...(resume_mode ? { resume_mode } : {}) };
  expect((await gold.change(id, pause)).body).toMatchObject(pause);
  const told = cell(row, 'bills')
    .split('; ')
    .map((bill) => {
      const [date = '', figure = ''] = bill.split(', ');
      const [sum = '', month] = figure.split(' for ');
      return [dayIn(date), sum === 'voided' ? sum : amountIn(sum), ...(month ? periodIn(month) : [])];
    });
  await gold.advanceTo(id, Math.max(...told.map(([date]) => Number(date))));
  const shown = (await gold.invoices(id)).map(({ date, total, status, items: [line] }, index) => {
    const period = told[index]?.length === 4 ? [line.period_start, line.period_end] : [];
    return [date, status === 'voided' ? status : total, ...period];
  });
  expect(shown).toEqual(told);
});

test('See what a change costs', async () => {
  const { rows, text, code } = example('See what a change costs');
  const pattern = /costs (\S+) a month.* balance of (\d+\.\d\d)\. .* takes (\d+) % off (two) bills/;
  const [price = 0, credit = 0, value = 0] = numbersIn(text, pattern);
  expect(price).toBe(10); // the gold plan
  await gold.api.sandbox.make('/coupons', { id: 'two', name: 'Two', value, duration: 2 });
  const customer = await gold.customerWith();
  gold.moveTo(MARCH);
  await gold.api.sandbox.make('/credit_balance_adjustments', { customer, amount: price + credit });
  const id = await gold.begin({ customer });
  const request = code.find((block) => block.includes('dry_run=')) ?? '';
  const [, query = '', body = ''] = /7(\?dry_run=\d+) (\{.*\})/.exec(request) ?? [];
  const { body: answer } = await gold.api.sandbox.patch(`/subscriptions/${id}${query}`, JSON.parse(body));
  const shown = answer.invoices.map(({ date, total, balance }: Answer['body']) => [date, total, balance]);
  const figures = (row: PromiseRow) => [amountIn(cell(row, '`total`')), amountIn(cell(row, '`balance`'))];
  expect(shown).toEqual(rows.map((row) => [dateOf(row), ...figures(row)]));
  let left = credit;
  for (const row of rows) {
    const [, full, percent] = /(\S+) less (\d+) %/.exec(row.because ?? '') ?? [];
    if (full) expect([Number(full), Number(percent)]).toEqual([price, value]);
    const [, paid, of] = /credit pays (?:its last )?(\d+\.\d\d)(?: of (\d+\.\d\d))?/.exec(row.because ?? '') ?? [];
    const [total = 0, balance = 0] = figures(row);
    expect(Number(paid ?? 0)).toBe(total - balance);
    if (of) expect(Number(of)).toBe(left);
    left -= Number(paid ?? 0);
  }
  expect(left).toBe(0);
});

test('Mails', async () => {
  const { rows, text } = example('Mails');
  const { plan, days } = await planOf(example('Mails'));
  const { contract_notice_days, ...terms } = fieldsIn(text);
  await gold.api.sandbox.patch('/account', { contract_notice_days });
  const customer = await gold.customerWith({ email: 'example@example.com', email_new_invoices: 'none' });
  expect([...days, dateOf(rows[0] ?? {})]).toEqual([MARCH, MARCH]);
  const id = await gold.begin({ customer, plan, ...terms });
  const templates = { confirmation: 'confirmation', 'the contract': 'contract_ending', 'the sub': 'renews_soon' };
  for (const [index, row] of rows.entries()) {
    if (index > 0) await gold.advanceTo(id, dateOf(row) - 1);
    const mails = async () => (await gold.api.sandbox.get(`/emails?filter[customer]=${customer}&sort=id`)).body;
    expect(await mails()).toHaveLength(index === 0 ? 1 : index);
    await gold.advanceTo(id, dateOf(row));
    const [, template] = Object.entries(templates).find(([words]) => cell(row, 'mail').startsWith(words)) ?? [];
    const mail = (await mails()).at(-1);
    expect(mail.template).toContain(template);
    const named = daysIn(cell(row, 'mail')).map((day) => new Date(day * 1000));
    const words = named.map((day) => day.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' }));
    for (const word of words) expect(mail.subject).toContain(word);
  }
  await gold.api.sandbox.patch('/account', { contract_notice_days: null });
});

test('no request failed, and the books are right', async () => {
  expect(gold.api.faults).toEqual([]);
  await gold.expectCleanBooks();
});
