import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type SeenPage, visitPage } from '../../support/payPage.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { inputsOf } from '../../support/sourcePage.ts';
import { invoiceFor } from '../../support/story.ts';
import { until } from '../../support/wait.ts';
import { type Sent, send } from '../money/client.ts';
import { letMinutePass } from '../money/meanwhile.ts';
import { newPayer, token } from '../money/payers.ts';
import { type PlanChange, type PlanOutcome, parts, planChanges } from '../money/planChanges.ts';
import { expectRecovered } from '../money/recovery.ts';

/** APIs that are killed before and after the commit of a payment plan, of its changes, and of its approval. */

let product: Product;

beforeAll(async () => {
  product = await startProduct({ worker: false, endpoint: true });
});
afterEach(killRoles);
afterAll(() => product.close());

/** Points at which the API is killed. */
const deaths = [
  { death: 'before the commit', point: 'before_commit', isDone: false },
  { death: 'after the commit', point: 'committed', isDone: true },
];

const put = (invoice: number, installments: object[], more: object = {}) =>
  product.call('PUT', `/invoices/${invoice}/payment_plan`, { installments, ...more });

const byHand = () => newPayer(product, { autopay: false });
const byAutopay = () => newPayer(product, { autopay: true, autopayDelayDays: 365 });
/** A customer on AutoPay that has no source yet. */
const withoutSource = async (): Promise<number> => {
  const person = { name: 'Payer', email: 'payer@example.com', autopay: true };
  return (await product.client.post('/customers', person)).id;
};

async function expectPlan(invoice: number, { status, amounts, events, mails }: PlanOutcome): Promise<void> {
  const plan = await product.call('GET', `/invoices/${invoice}/payment_plan`);
  const shown = plan.installments.map(({ amount }: { amount: number }) => amount);
  const told = await product.rows<{ type: string }>(
    `select type from event where subject_type = 'payment_plan' and subject_id = '${plan.id}' order by id`,
  );
  const sent = await product.rows(
    `select 1 from email where template = 'payment_plan_email' and customer_id = (select customer_id from invoice where id = ${invoice})`,
  );
  const seen = { status: plan.status, amounts: shown, mails: sent.length };
  expect({ ...seen, events: told.map(({ type }) => type.replace('payment_plan.', '')) }).toEqual({
    status,
    amounts,
    mails,
    events,
  });
}

/** Lets requests wait at a point of an API, and kills it. None of them is answered. */
async function killWith(point: string, sendings: ((api: Role) => Promise<unknown>)[]): Promise<void> {
  const hits = sendings.map((_, index) => `${point}=hang:${index + 1}`);
  // Each request that waits before its commit holds a connection.
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: hits.join(), DATABASE_POOL: '40' });
  const answers: Promise<unknown>[] = [];
  for (const [index, sending] of sendings.entries()) {
    answers.push(sending(api));
    await Promise.race([api.untilHit(point, index + 1), Promise.all(answers)]);
  }
  const heard = Promise.allSettled(answers);
  await api.kill();
  expect((await heard).map(({ status }) => status)).toEqual(sendings.map(() => 'rejected'));
  // PostgreSQL ends the sessions of a killed client soon.
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
  await until(async () => (await product.rows(waiting)).length === 0, { what: 'the sessions of the API to end' });
}

test.each(deaths)(
  'after an API is killed $death of changes of payment plans, repeated requests make each once',
  async (at) => {
    const asked: (Sent & Pick<PlanChange, 'status' | 'after'> & { invoice: number })[] = [];
    for (const { method, before, body, status, after } of planChanges) {
      const { id: invoice } = await invoiceFor(product, await byHand(), 90);
      const plan = before.length > 0 ? await put(invoice, parts(...before)) : null;
      const path = `/invoices/${invoice}/payment_plan`;
      const idempotencyKey = `plan ${invoice}`;
      const sent = { url: product.url, method, path, body: body(plan), key: product.key, idempotencyKey };
      asked.push({ ...sent, invoice, status, after });
    }
    await killWith(
      `write.${at.point}`,
      asked.map(
        (one) =>
          ({ url }) =>
            send({ ...one, url }),
      ),
    );
    for (const one of asked) {
      const answer = await send(one);
      expect(answer).toMatchObject({ status: one.status, replayed: at.isDone });
      expect(await send(one)).toEqual({ ...answer, replayed: true });
      await expectPlan(one.invoice, one.after);
    }
  },
);

const page = (url: string, at: { url: string }, form?: Record<string, string>): Promise<SeenPage> => {
  const visited = { origin: new URL(at.url).origin, deps: { publicUrl: 'http://localhost' } };
  return visitPage(visited, url, form ? { method: 'POST', body: new URLSearchParams(form) } : {});
};

test.each(deaths)(
  'after an API is killed $death of approvals, customers that send them again have approved once',
  async (at) => {
    const plans: { invoice: number; url: string; form: Record<string, string>; status: string }[] = [];
    for (const [who, status] of [
      [byAutopay, 'active'],
      [withoutSource, 'pending_signup'],
    ] as const) {
      const { id: invoice } = await invoiceFor(product, await who(), 90);
      const { approval_url: url } = await put(invoice, parts(40, 50), { require_approval: true });
      const form = { ...inputsOf(await page(url, product)), initials: 'A. L.', consent: 'yes' };
      plans.push({ invoice, url, form, status });
    }
    await killWith(
      `approval.${at.point}`,
      plans.map(
        ({ url, form }) =>
          (api) =>
            page(url, api, form),
      ),
    );
    for (const { invoice, url, form, status } of plans) {
      const sent = await page(url, product, form);
      expect(sent.status).toBe(at.isDone ? 200 : 303);
      expect((await page(url, product, form)).html).toContain('A. L.');
      await expectPlan(invoice, { status, amounts: [40, 50], events: ['created', 'updated'], mails: 1 });
    }
  },
);

test('after an API is killed while a source is stored for which a plan waits, the plan begins once', async () => {
  const points = ['confirmed', 'recorded'];
  const asked: (Sent & { invoice: number })[] = [];
  for (const point of points) {
    const customer = await withoutSource();
    const { id: invoice } = await invoiceFor(product, customer, 90);
    expect(await put(invoice, parts(40, 50))).toMatchObject({ status: 'pending_signup' });
    const body = { method: 'credit_card', gateway_token: token.pays, make_default: true };
    const path = `/customers/${customer}/payment_sources`;
    const sent = { url: product.url, path, body, key: product.key, idempotencyKey: `source ${customer}` };
    asked.push({ ...sent, invoice });
    await killWith(`vault.${point}`, [({ url }) => send({ ...sent, url })]);
  }
  await letMinutePass(product);
  for (const one of asked) {
    expect(await send(one)).toMatchObject({ status: 201, replayed: true });
    await send(one);
    await expectPlan(one.invoice, { status: 'active', amounts: [40, 50], events: ['created', 'updated'], mails: 2 });
  }
});

test('the work of all plans goes on when a worker is there, and the books are sound', async () => {
  await product.startWorker();
  await expectRecovered(product);
  expect(await product.rows(orphans)).toEqual([]);
});

/** Wake-ups of invoices that nothing is asked for any more, and open invoices with a plan that nothing waits for. */
const orphans = `
  select i.id, 'wake-up of a closed invoice' as what from invoice i
    join wakeup w on w.account_id = i.account_id and w.process = 'invoice' and w.subject_id = i.id where i.closed
  union all
  select i.id, 'open invoice without a wake-up' from invoice i
    join payment_plan p on p.account_id = i.account_id and p.id = i.payment_plan_id and p.status = 'active'
    left join wakeup w on w.account_id = i.account_id and w.process = 'invoice' and w.subject_id = i.id where not i.closed and w.at is null`;
