import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceChasing } from '../../../commands/chasing/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { visitPage } from '../../support/payPage.ts';
import { type Answered, type Product, startProduct } from '../../support/product.ts';
import { remind, stopPaths } from '../../support/reminders.ts';
import { inputsOf } from '../../support/sourcePage.ts';
import { invoiceFor } from '../../support/story.ts';
import { send } from '../money/client.ts';
import { collectionTerms, makeDue, reminder } from '../money/collected.ts';
import { newPayer } from '../money/payers.ts';
import { parts } from '../money/planChanges.ts';
import { capturesOf, expectRecovered } from '../money/recovery.ts';

/** Edits of payment plans beside edits, approvals, payments and charges; the end of reminders beside a reminder. */

let product: Product;

beforeAll(async () => {
  product = await startProduct({ worker: false, endpoint: true, env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
});
afterAll(() => product.close());

/** An invoice of 90.00 with a plan of 30.00 each. */
interface Raced {
  customer: number;
  invoice: number;
  plan: Answered;
}

/** A request, which two clients send with the same idempotency key. */
type Asked = (raced: Raced) => { method: string; path: string; body: unknown };

const path = ({ invoice }: Raced) => `/invoices/${invoice}/payment_plan`;

const requests = {
  put: (raced) => ({ method: 'PUT', path: path(raced), body: { installments: parts(50, 40) } }),
  edit: (raced) => {
    const [first, second] = raced.plan.installments;
    const installments = [
      { id: first.id, amount: 20 },
      { id: second.id, amount: 40 },
    ];
    return { method: 'PATCH', path: path(raced), body: { installments } };
  },
  cancel: (raced) => ({ method: 'DELETE', path: path(raced), body: undefined }),
  pay: ({ customer, invoice }) => {
    const applied_to = [{ type: 'invoice', invoice, amount: 35 }];
    return { method: 'POST', path: '/payments', body: { customer, amount: 35, applied_to } };
  },
  charge: ({ invoice }) => ({ method: 'POST', path: `/invoices/${invoice}/pay`, body: {} }),
} satisfies Record<string, Asked>;

type Name = keyof typeof requests;
const names = Object.keys(requests) as Name[];

async function planned(more: object = {}): Promise<Raced> {
  const customer = await newPayer(product, { autopay: true, autopayDelayDays: 365 });
  const { id: invoice } = await invoiceFor(product, customer, 90);
  const body = { installments: parts(30, 30, 30), ...more };
  return { customer, invoice, plan: await product.call('PUT', `/invoices/${invoice}/payment_plan`, body) };
}

/**
 * Sends a request twice at once with one key. Returns whether it was accepted. Accepted answers are the same. A refusal changes nothing and is
 * not stored, so the twin can be accepted once the other request of the race has ended.
 */
async function sendTwice(raced: Raced, name: Name, nth: number): Promise<boolean> {
  const asked = { ...requests[name](raced), url: product.url, key: product.key };
  const keyed = { ...asked, idempotencyKey: `${name} ${nth} ${raced.invoice}` };
  const [one, other] = await Promise.all([send(keyed), send(keyed)]);
  for (const { status } of [one, other]) expect([200, 201, 204, 400]).toContain(status);
  const accepted = [one, other].filter(({ status }) => status < 400);
  if (accepted.length === 2) {
    expect([other.status, other.body]).toEqual([one.status, one.body]);
    expect(one.replayed).not.toBe(other.replayed);
  }
  return accepted.length > 0;
}

/** Expects that the installments add up to what is owed, that each accepted request counts once, and that the history is complete. */
async function expectConsistent(raced: Raced, accepted: Record<Name, number>): Promise<void> {
  const { invoice } = raced;
  const { balance } = await product.client.get('/invoices/{id}', { id: invoice });
  const captures = await capturesOf(product, invoice);
  expect(captures).toBe(accepted.charge);
  const charged = await product.rows<{ sum: number }>(
    `select coalesce(sum(ai.amount), 0)::float8 as sum from attempt_invoice ai join attempt a on a.id = ai.attempt_id
     where ai.invoice_id = ? and a.state = 'succeeded'`,
    [invoice],
  );
  expect(balance).toBe(90 - 35 * accepted.pay - (charged[0]?.sum ?? 0));
  const plan = await product.call('GET', path(raced));
  const owed = plan.installments.reduce((sum: number, one: Answered) => sum + one.balance, 0);
  if (plan.status !== 'canceled') expect({ invoice, owed }).toEqual({ invoice, owed: balance });
  // A PUT after the end of the plan makes a new one.
  const plans = await product.rows<{ status: string }>(
    'select status from payment_plan where invoice_id = ? order by id',
    [invoice],
  );
  const canceled = plans.filter(({ status }) => status === 'canceled');
  expect({ invoice, canceled: canceled.length }).toEqual({ invoice, canceled: accepted.cancel });
  expect(plans.length - canceled.length).toBeLessThanOrEqual(1);
  const told = await product.rows<{ type: string }>(
    `select e.type from event e join payment_plan p on e.subject_type = 'payment_plan' and e.subject_id = p.id::text
     where p.invoice_id = ? order by e.id`,
    [invoice],
  );
  const count = (type: string) => told.filter((one) => one.type === `payment_plan.${type}`).length;
  expect({ created: count('created'), deleted: count('deleted') }).toEqual({
    created: plans.length,
    deleted: accepted.cancel,
  });
}

const pairs = names.flatMap((one, index) => names.slice(index).map((other): [Name, Name] => [one, other]));

test('two requests about a plan at once, each sent twice with its key: nothing is lost or doubled', async () => {
  const done = new Set<Name>();
  for (const pair of pairs) {
    const raced = await planned();
    const ends = await Promise.all(pair.map((name, nth) => sendTwice(raced, name, nth)));
    expect({ pair, ends }).toEqual({ pair, ends: expect.arrayContaining([true]) });
    const accepted = { put: 0, edit: 0, cancel: 0, pay: 0, charge: 0 };
    for (const name of pair.filter((_, nth) => ends[nth])) {
      accepted[name] += 1;
      done.add(name);
    }
    await expectConsistent(raced, accepted);
  }
  expect([...done].sort()).toEqual([...names].sort());
});

test.each(names)('an approval beside %s is one of these installments, or is refused', async (name) => {
  for (let round = 0; round < 3; round++) {
    const raced = await planned({ require_approval: true });
    const visited = { origin: new URL(product.url).origin, deps: { publicUrl: 'http://localhost' } };
    const url = raced.plan.approval_url;
    const form = { ...inputsOf(await visitPage(visited, url)), initials: 'A. L.', consent: 'yes' };
    const approve = () => visitPage(visited, url, { method: 'POST', body: new URLSearchParams(form) });
    const [sent, again, accepted] = await Promise.all([approve(), approve(), sendTwice(raced, name, 0)]);
    const plan = await product.call('GET', path(raced));
    const isApproved = plan.approval !== null;
    const statuses = [sent.status, again.status];
    for (const status of statuses) expect([200, 303, 400]).toContain(status);
    // Whoever is led back to the page sees what became of the approval.
    const { html } = await visitPage(visited, url);
    if (plan.status === 'active') expect(html).toContain('A. L.');
    if (!isApproved) expect(html).not.toContain('A. L.');
    if (plan.status === 'active') expect(isApproved).toBe(true);
    if (name === 'cancel') expect([accepted, plan.status]).toEqual([true, 'canceled']);
    const approvals = await product.rows<{ installments: { balance: number }[] }>(
      `select object -> 'installments' as installments from event
       where subject_type = 'payment_plan' and subject_id = ? and reason = 'on_page'`,
      [String(plan.id)],
    );
    expect(approvals).toHaveLength(isApproved ? 1 : 0);
    // Approved are the installments that were shown.
    for (const { installments } of approvals) expect(installments.map(({ balance }) => balance)).toEqual([30, 30, 30]);
    const none = { put: 0, edit: 0, cancel: 0, pay: 0, charge: 0 };
    await expectConsistent(raced, { ...none, [name]: Number(accepted) });
  }
});

test('a customer that stops reminders beside a step is mailed before that, or called', async () => {
  const { deps, accountId } = product;
  const collecting = reminder(await collectionTerms(product));
  for (let round = 0; round < 6; round++) {
    const { customer, invoice } = await collecting.make(product);
    await makeDue(product, collecting, { customer, invoice });
    await remind({ em: deps.em }, { account: { id: accountId } }, { invoiceId: invoice });
    const [stop = ''] = (await stopPaths({ em: deps.em }, customer)).values();
    const click = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
    const visited = { origin: new URL(product.url).origin, deps: { publicUrl: 'http://localhost' } };
    const step = () =>
      inTransaction(deps.em, (em) => advanceChasing(em, { accountId, id: customer }, deps.systemNow()));
    const stopping = visitPage(visited, stop, click);
    if (round === 0) await stopping; // no race: the step comes later
    await Promise.all([step(), stopping, step()]);
    // Both lock the customer first, so the transaction that came first has the lower number.
    const asked = await product.rows<{ channel: string; mailed: boolean; stoppedBefore: boolean }>(
      `select r.channel, r.task_id is null as mailed, a.xmin::text::bigint < r.xmin::text::bigint as "stoppedBefore"
       from reminder r join reminder_address a on a.customer_id = r.customer_id and a.stopped_at is not null
       where r.customer_id = ? order by r.channel`,
      [customer],
    );
    expect(asked.map(({ channel }) => channel)).toEqual(['email', 'phone']);
    expect(asked[0]?.mailed).toBe(!asked[0]?.stoppedBefore);
    const tasks = await product.client.get('/tasks', { filter: { customer } });
    expect(tasks).toHaveLength(asked[0]?.mailed ? 1 : 2);
  }
});

test('the books are sound after all races', async () => {
  await product.startWorker();
  await expectRecovered(product);
});
