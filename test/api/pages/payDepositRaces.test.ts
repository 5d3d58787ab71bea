import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import {
  approvedEstimate,
  cardTokens,
  formOn,
  payOn,
  sendForm,
  serviceToken,
  visitPage,
} from '../../support/payPage.ts';

/** Several who pay one deposit, and estimates that change while a form that pays their deposit is open. */

let api: TestApi;
let client: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi({ gatewayDeadline: 2000 });
  client = api.sandbox;
  customer = (await client.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support', quantity: 1, unit_cost: 400 }];
const estimate = (more: object = {}) => approvedEstimate(api, { customer, items, deposit: 100, ...more });
const see = (url: string) => visitPage(api, url);
const read = async (id: number) => (await client.get(`/estimates/${id}`)).body;
const filled = async (url: string) => ({
  ...formOn(await see(url)),
  service_token: await serviceToken(client, cardTokens.good),
});

/** Attempts to charge the deposit of an estimate, and those of them for which the gateway took money. */
async function tried(id: number): Promise<{ attempts: number; taken: number }> {
  const [row] = await api.em.execute<{ attempts: number; taken: number }[]>(
    `select count(distinct a.id)::int as attempts, coalesce(sum(o.captured) filter (where o.status = 'succeeded'), 0)::int as taken
     from attempt_credit t join attempt a on a.account_id = t.account_id and a.id = t.attempt_id
     left join test_gateway.operation o on o.key = a.key::text
     where t.estimate_id = ?`,
    [id],
  );
  return row ?? { attempts: 0, taken: 0 };
}

const untouched = { attempts: 0, taken: 0 };

const pays = (id: number, amount: number) =>
  client.make('/payments', { customer, amount, applied_to: [{ type: 'estimate', estimate: id, amount }] });

const meanwhile: [string, (id: number) => Promise<unknown>, string, number][] = [
  ['voided', (id) => client.post(`/estimates/${id}/void`), 'This estimate was voided', 400],
  ['invoiced', (id) => client.post(`/estimates/${id}/invoice`), 'This estimate has become an invoice', 400],
  ['closed', (id) => client.patch(`/estimates/${id}`, { closed: true }), 'This estimate is closed', 400],
  ['deleted', (id) => client.delete(`/estimates/${id}`), '', 404],
  ['paid', (id) => pays(id, 100), 'This deposit is paid', 400],
  ['paid in part', (id) => pays(id, 40), 'This estimate has changed', 400],
  ['said to be paid', (id) => client.patch(`/estimates/${id}`, { deposit_paid: true }), 'This deposit is paid', 400],
  [
    'given another deposit',
    (id) => client.patch(`/estimates/${id}`, { deposit: 90 }),
    'This estimate has changed',
    400,
  ],
  ['given no deposit', (id) => client.patch(`/estimates/${id}`, { deposit: 0 }), 'asks for no deposit', 400],
];

test.each(meanwhile)(
  'an estimate that was %s since its page was opened is not charged',
  async (_how, change, words, status) => {
    const { id, payment_url } = await estimate();
    const form = await filled(payment_url);
    await change(id);
    const answer = await sendForm(api, payment_url, form);
    expect([answer.status, answer.html.includes(words)]).toEqual([status, true]);
    expect(await tried(id)).toEqual(untouched);
  },
);

test('a form of an estimate that is voided, invoiced or paid at the same moment is charged or refused, never both', async () => {
  for (const change of [
    (id: number) => client.post(`/estimates/${id}/void`),
    (id: number) => client.post(`/estimates/${id}/invoice`),
    (id: number) => pays(id, 100),
  ]) {
    const { id, payment_url } = await estimate();
    const form = await filled(payment_url);
    const [answer] = await Promise.all([sendForm(api, payment_url, form), change(id)]);
    const { attempts, taken } = await tried(id);
    expect([answer.status, attempts, taken]).toEqual(answer.status === 303 ? [303, 1, 1] : [400, 0, 0]);
    expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  }
});

test('money that arrives after the estimate became an invoice stays with the customer, and a task tells of it', async () => {
  const { id, number, payment_url } = await estimate();
  const { location } = await payOn(api, payment_url, { card: cardTokens.authentication });
  await client.post(`/estimates/${id}/invoice`);
  const reference = (await see(location ?? '')).headers.get('Refresh')?.split('/').at(-1) ?? '';
  await api.gateway.challenges.answer(reference, true);
  expect((await see(`${location}?returned=1`)).html).toContain('Thank you for your payment');
  const [payment] = (await client.get('/payments?sort=id desc&per_page=1')).body;
  expect(payment).toMatchObject({ amount: 100, balance: 100 });
  const tasks: { name: string }[] = (await client.get(`/tasks?filter[customer]=${customer}`)).body;
  expect(tasks.map(({ name }) => name)).toContainEqual(expect.stringContaining(`estimate ${number} (invoiced)`));
});

test('twenty posts of one form at once are one payment', async () => {
  const { id, payment_url } = await estimate();
  const form = await filled(payment_url);
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendForm(api, payment_url, form)));
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(303);
  const late = await sendForm(api, payment_url, { ...form, service_token: 'other', amount: '1' });
  expect([late.status, late.location]).toEqual([303, answers[0]?.location]);
  expect(await tried(id)).toEqual({ attempts: 1, taken: 1 });
  expect(await read(id)).toMatchObject({ deposit_paid: true });
});

test('two visitors who pay one deposit at once are one payment: the other one is told', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, payment_url } = await estimate();
    const forms = await Promise.all([filled(payment_url), filled(payment_url)]);
    const answers = await Promise.all(forms.map((form) => sendForm(api, payment_url, form)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    const other = answers.find(({ status }) => status === 400);
    expect(other?.html).toMatch(
      /Another payment of this deposit is in progress|This deposit is paid|This estimate has changed/,
    );
    expect(await tried(id)).toEqual({ attempts: 1, taken: 1 });
  }
});

test('a visitor and a request that charge one deposit at once are one payment', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id, payment_url } = await estimate();
    const form = await filled(payment_url);
    const applied_to = [{ type: 'estimate', estimate: id, amount: 400 }];
    const charge = { customer, method: 'credit_card', gateway_token: cardTokens.good, amount: 400, applied_to };
    const [page, asked] = await Promise.all([sendForm(api, payment_url, form), client.post('/charges', charge)]);
    expect([page.status, asked.status].sort()).toEqual(page.status === 303 ? [303, 400] : [201, 400]);
    expect(await tried(id)).toEqual({ attempts: 1, taken: 1 });
  }
});

test('the books are right after all of this', async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
