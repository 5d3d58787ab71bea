import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { serviceToken, visitPage } from '../../support/payPage.ts';
import { newEmail, type SignUpVisitor, signUpVisitor, type Typed } from '../../support/signUpPage.ts';
import { inputsOf, textOf } from '../../support/sourcePage.ts';
import { until } from '../../support/wait.ts';

/** What happens to a sign-up while others, or the same visitor, do something at the same time. */

/** A card whose bank asks before it is stored, so that something can happen meanwhile. */
const ASKS = 'tok_4000000000003220';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
});
afterAll(() => api.close());

const tokenOf = (card: string) => serviceToken(api.sandbox, card);
const pageWith = async (fields: object = {}) =>
  api.sandbox.make('/sign_up_pages', { name: 'Join Gold', plans: ['gold'], ...fields });
const rows = (path: string) => api.sandbox.get(path).then(({ body }) => body);
const sql = <Row>(text: string) => api.em.fork().execute<Row[]>(text);

/** Sends forms so that each has begun before the first one can go on: the service tokens are locked meanwhile. */
async function sendAtOnce(visitor: SignUpVisitor, forms: Typed[]) {
  const waiting = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return api.em
    .fork()
    .transactional(async (em) => {
      await em.execute('select 1 from service_token for update');
      const answers = forms.map((fields) => visitor.send(fields));
      const all = async () => (await sql<{ count: number }>(waiting))[0]?.count === forms.length;
      await until(all, { what: 'all forms to wait' });
      return { answers }; // they go on once this transaction has ended
    })
    .then(({ answers }) => Promise.all(answers));
}

async function expectOne(email: string): Promise<void> {
  const [customer, ...others] = await rows(`/customers?filter[email]=${email}`);
  expect(others).toEqual([]);
  for (const what of ['subscriptions', 'invoices', 'payments', 'charges'])
    expect([what, await rows(`/${what}?filter[customer]=${customer.id}`)]).toEqual([what, [expect.anything()]]);
  expect(await rows(`/customers/${customer.id}/payment_sources`)).toHaveLength(1);
}

test('a double click signs up once, and every click leads to the outcome', async () => {
  const visitor = signUpVisitor(api, tokenOf, (await pageWith()).url);
  const email = newEmail();
  const fields = await visitor.filled({ email });
  const answers = await sendAtOnce(visitor, [fields, fields, fields]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
  await expectOne(email);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('two tabs of one form sign up once, each with a card of its own, at the same time and one after the other', async () => {
  const visitor = signUpVisitor(api, tokenOf, (await pageWith()).url);
  const email = newEmail();
  const first = await visitor.filled({ email });
  const again = async () => ({ ...first, service_token: await tokenOf('tok_5454545454545454') });
  const reviewed = await visitor.send({ ...first, step: 'review' });
  expect(inputsOf(reviewed).form).toBe(first.form);
  const answers = await sendAtOnce(visitor, [first, { ...inputsOf(reviewed), ...(await again()) }]);
  const [one, ...others] = new Set(answers.map(({ status, location }) => `${status} ${location}`));
  expect([one?.startsWith('303 '), others]).toEqual([true, []]);
  for (const step of ['review', 'subscribe'])
    expect((await visitor.send({ ...(await again()), step })).location).toBe(answers[0]?.location);
  await expectOne(email);
});

test('a form whose card was declined can be sent again from its first step', async () => {
  const visitor = signUpVisitor(api, tokenOf, (await pageWith()).url);
  const email = newEmail();
  const declined = await visitor.filled({ email }, 'tok_4000000000000127');
  const shown = await visitor.send(declined);
  expect([shown.status, inputsOf(shown).form === declined.form]).toEqual([400, false]);
  const back = await visitor.send({ ...declined, step: 'review' });
  expect([back.status, inputsOf(back).form === declined.form]).toEqual([200, false]);
  const agreed = { consent: 'yes', service_token: await tokenOf('tok_4242424242424242') };
  const { location } = await visitor.send({ ...declined, ...inputsOf(back), ...agreed });
  expect(textOf(await visitPage(api, location ?? ''))).toContain('Your subscription is active');
  await expectOne(email);
});

test('a second form of an address is told that it has just ordered, in two tabs at once and later, and orders once more if it is sent again', async () => {
  const visitor = signUpVisitor(api, tokenOf, (await pageWith()).url);
  const email = newEmail();
  const forms = [await visitor.filled({ email }), await visitor.filled({ email: email.toUpperCase() })];
  expect(forms[0]?.form).not.toBe(forms[1]?.form);
  const answers = await sendAtOnce(visitor, forms);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  const told = answers.find(({ status }) => status === 400);
  expect(textOf(told ?? { html: '' })).toContain('Somebody has just subscribed here with the same details');
  await expectOne(answers[0]?.status === 303 ? email : email.toUpperCase());
  const later = await visitor.filled({ email });
  const shown = await visitor.send(later);
  expect([shown.status, inputsOf(shown).again]).toEqual([400, 'yes']);
  const without = await visitor.send({ ...later, ...inputsOf(shown), consent: '' });
  const again = { ...later, ...inputsOf(without), service_token: await tokenOf('tok_4242424242424242') };
  expect(textOf(await visitPage(api, (await visitor.send(again)).location ?? ''))).toContain('subscription is active');
  expect(await rows(`/customers?filter[email]=${email}`)).toHaveLength(answers[0]?.status === 303 ? 2 : 1);
});

test('who has just ordered is not told without a card, on another page, or after an hour', async () => {
  const { url } = await pageWith();
  const visitor = signUpVisitor(api, tokenOf, url);
  const email = newEmail();
  await visitor.signUp({ email });
  const without = await visitor.send({ ...(await visitor.filled({ email })), service_token: 'svt_made_up' });
  expect(textOf(without)).toContain('The card or account could not be read');
  const other = signUpVisitor(api, tokenOf, (await pageWith()).url);
  expect(textOf(await other.signUp({ email }))).toContain('Your subscription is active');
  await sql(`update sign_up set started_at = started_at - interval '1 hour'`);
  expect(textOf(await visitor.signUp({ email }))).toContain('Your subscription is active');
});

/** Signs up with a card whose bank asks first. Returns the answer to the bank, and the page to which it leads. */
async function askedByBank(url: string, typed: Typed) {
  const visitor = signUpVisitor(api, tokenOf, url);
  const page = await visitor.signUp(typed, ASKS);
  expect(textOf(page)).toContain('Your bank wants you to confirm');
  const [, challenge = ''] = /<a class="button" href="([^"]+)"/.exec(page.html) ?? [];
  return async () => {
    const answered = await visitPage(api, `${challenge}/authenticate`, { method: 'POST' });
    return textOf(await visitPage(api, answered.location ?? ''));
  };
}

const cases: [what: string, said: string, page: object, typed: Typed, amid: () => Promise<unknown>][] = [
  [
    'a coupon that runs out',
    'This code cannot be used',
    { coupons: true },
    { coupon: 'last' },
    async () => {
      const customer = (await api.sandbox.make('/customers', { name: 'Faster' })).id;
      await api.sandbox.make('/subscriptions', { customer, plan: 'gold', discounts: ['last'] });
    },
  ],
  [
    'a plan that is archived',
    'This plan is no longer offered',
    { plans: ['old'] },
    {},
    () => api.sandbox.delete('/plans/old'),
  ],
  [
    'a higher price',
    'The price has changed',
    { plans: ['dear'], address: 'country' },
    { country: 'AT' },
    () => api.sandbox.make('/tax_rules', { tax_rate: 'late', country: 'AT' }),
  ],
];

test.each(cases)(
  '%s while the bank is asked: the page says "%s", the stored card is deleted, nothing is charged or kept',
  async (_what, said, page, typed, amid) => {
    await api.sandbox.post('/coupons', { id: 'last', name: 'Last', value: 50, max_redemptions: 1 });
    await api.sandbox.post('/plans', { id: 'old', name: 'Old', amount: 9, interval: 'month' });
    await api.sandbox.post('/plans', { id: 'dear', name: 'Dear', amount: 9, interval: 'month' });
    await api.sandbox.post('/tax_rates', { id: 'late', name: 'VAT', value: 20 });
    const left = `select count(*)::int as count from test_gateway.source where not deleted and token = '${ASKS}'`;
    const charges = `select count(*)::int as count from test_gateway.operation where kind = 'charge'`;
    const before = [await sql(left), await sql(charges)];
    const email = newEmail();
    const confirm = await askedByBank((await pageWith(page)).url, { ...typed, email });
    await amid();
    const told = await confirm();
    expect(told).toContain(said);
    expect(told).toContain('Nothing was charged, and your details were not kept');
    expect(await rows(`/customers?filter[email]=${email}`)).toEqual([]);
    const [row] = await sql('select state, details, ip, stored_reference from sign_up order by id desc limit 1');
    expect(row).toEqual({ state: 'refused', details: null, ip: null, stored_reference: null });
    expect([await sql(left), await sql(charges)]).toEqual(before);
    expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  },
);

test('whether an address has a trial is told only to who has a card, and a coupon that ends says when', async () => {
  await api.sandbox.make('/coupons', { id: 'three', name: 'Three', value: 50, duration: 3 });
  const visitor = signUpVisitor(api, tokenOf, (await pageWith({ trial_days: 14, coupons: true })).url);
  const email = newEmail();
  const first = await visitor.review({ email, coupon: 'three' });
  expect(textOf(first)).toMatch(/Discount lasts\s+3 months/);
  expect(textOf(await visitor.signUp({ email }))).toContain('Your trial has begun');
  const second = await visitor.filled({ email });
  expect(textOf(await visitor.review({ email }))).not.toContain('No trial can begin');
  const without = await visitor.send({ ...second, service_token: 'svt_made_up' });
  expect(textOf(without)).toContain('The card or account could not be read');
  expect(textOf(await visitor.send(second))).toContain('No trial can begin');
});
