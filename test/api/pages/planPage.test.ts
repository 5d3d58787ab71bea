import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { type SeenPage, visitPage } from '../../support/payPage.ts';
import { inputsOf, type SourceVisitor, sourceVisitor, textOf } from '../../support/sourcePage.ts';

/** The page on which a customer approves a payment plan. */

let api: TestApi;
let client: Client;
let customer: number;
let invoice: number;
let visitor: SourceVisitor;

const DAY = 86_400;
const start = Math.floor(Date.now() / 1000) + DAY;
const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
const BROWSER = 'Mozilla/5.0 (Plan)';
const NUL = String.fromCharCode(0);

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  visitor = await sourceVisitor(api, client);
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada <b>' })).id;
  invoice = await owe();
});

const owe = async (more: object = {}): Promise<number> =>
  (await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 90 }], ...more })).id;
const path = () => `/invoices/${invoice}/payment_plan`;
const parts = (...amounts: number[]) => amounts.map((amount, index) => ({ date: start + index * 30 * DAY, amount }));
const put = (installments: object[], more: object = { require_approval: true }) =>
  client.request('PUT', path(), { installments, ...more });
const offer = async (...amounts: number[]) => (await put(parts(...amounts))).body;
const readPlan = async () => (await client.get(path())).body;
const readInvoice = async () => (await client.get(`/invoices/${invoice}`)).body;
const isPaidByCard = () => client.make(`/customers/${customer}/payment_sources`, CARD);
const filled = async (url: string, initials = 'A. L.') => {
  const inputs = inputsOf(await visitPage(api, url));
  return { ...inputs, initials, consent: 'yes' };
};
const sendForm = (url: string, fields: Record<string, string>): Promise<SeenPage> =>
  visitPage(api, url, { method: 'POST', body: new URLSearchParams(fields), headers: { 'User-Agent': BROWSER } });
const approve = async (url: string) => sendForm(url, await filled(url));
const eventsOf = async (id: number) =>
  (await client.get(`/events?related_to=payment_plan,${id}&sort=id`)).body.map(({ type }: { type: string }) => type);
/** Number of events of a plan that contain a text. */
const eventsWith = async (id: number, text: string): Promise<number> => {
  const { body } = await client.get(`/events?related_to=payment_plan,${id}`);
  return body.filter((event: object) => JSON.stringify(event).includes(text)).length;
};

test('a plan waits for approval, which keeps initials, time, address and browser, and is active then', async () => {
  const { due_date } = await readInvoice();
  const offered = await offer(40, 50);
  expect(offered).toMatchObject({ status: 'pending_signup', approval: null });
  expect(await readInvoice()).toMatchObject({ due_date });
  const page = await visitPage(api, offered.approval_url);
  expect(page.status).toBe(200);
  expect(textOf(page)).toContain(`${client.account.name} lets you pay invoice`);
  expect(textOf(page)).toContain('in installments, $90.00 in total.');
  expect(textOf(page)).toMatch(/\$40\.00 .*\$50\.00/);
  const sent = await approve(offered.approval_url);
  expect(sent).toMatchObject({ status: 303, location: new URL(offered.approval_url).pathname });
  expect(textOf(await visitPage(api, offered.approval_url))).toContain('Approved by A. L. on');
  const approved = await readPlan();
  expect(approved).toMatchObject({ id: offered.id, status: 'active', approval_url: null });
  expect(approved.approval).toEqual({
    id: expect.any(Number),
    ip: expect.stringMatching(/^10\./),
    timestamp: expect.any(Number),
    user_agent: BROWSER,
  });
  expect(Math.abs(approved.approval.timestamp - Date.now() / 1000)).toBeLessThan(DAY / 2);
  const kept = 'select approval from payment_plan where id = ?';
  const [row] = await api.em.fork().execute<{ approval: object }[]>(kept, [offered.id]);
  const text = `I agree to pay ${client.account.name} these amounts on these dates.`;
  expect(row?.approval).toMatchObject({ initials: 'A. L.', text, language: 'en' });
  expect(await readInvoice()).toMatchObject({ payment_terms: 'Payment Plan', due_date: start });
  expect((await eventsOf(offered.id)).sort()).toEqual(['payment_plan.created', 'payment_plan.updated']);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('AutoPay charges nothing before the approval, and each installment after it', async () => {
  await isPaidByCard();
  invoice = await owe({ autopay: true });
  expect((await readInvoice()).next_payment_attempt).not.toBeNull();
  const { approval_url } = await offer(40, 50);
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: null, payment_terms: 'AutoPay' });
  const { id } = await readPlan();
  const message = `Payment plan ${id} waits for the approval of its customer`;
  expect(await client.post(`/invoices/${invoice}/pay`)).toMatchObject(refused({ message }));
  for (const autopay of [false, true]) await client.patch(`/invoices/${invoice}`, { autopay });
  await client.make(`/customers/${customer}/payment_sources`, { ...CARD, gateway_token: 'tok_5454545454545454' });
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: null });
  expect(textOf(await visitPage(api, approval_url))).toContain('charged to your stored payment method on its date');
  await approve(approval_url);
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: start, payment_terms: 'Payment Plan' });
  expect(await client.post(`/invoices/${invoice}/pay`)).toMatchObject({ status: 200, body: { balance: 50 } });
});

test('an invoice whose plan is canceled before its approval is charged by AutoPay again', async () => {
  await isPaidByCard();
  invoice = await owe({ autopay: true });
  const { approval_url } = await offer(40, 50);
  const form = await filled(approval_url);
  expect(await client.delete(path())).toMatchObject({ status: 204 });
  expect((await readInvoice()).next_payment_attempt).not.toBeNull();
  const sent = await sendForm(approval_url, form);
  expect(sent.status).toBe(400);
  expect(textOf(sent)).toContain('This payment plan was canceled');
  expect(await readPlan()).toMatchObject({ status: 'canceled', approval: null });
});

test('a plan of AutoPay without a source is active once it is approved and a source is added', async () => {
  invoice = await owe({ autopay: true });
  const { approval_url } = await offer(40, 50);
  await approve(approval_url);
  expect(await readPlan()).toMatchObject({ status: 'pending_signup', approval: { user_agent: BROWSER } });
  const page = await visitPage(api, approval_url);
  expect(textOf(page)).toContain('One step is left');
  const [, source = ''] = /href="(\/sources\/[^"]+)"/.exec(page.html) ?? [];
  expect(textOf(await visitor.add(source, 'tok_5454545454545454'))).toContain('Your payment method is saved');
  expect(await readPlan()).toMatchObject({ status: 'active' });
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: start });
});

test('a source that is added before the approval does not make the plan active', async () => {
  invoice = await owe({ autopay: true });
  const { approval_url } = await offer(40, 50);
  await isPaidByCard();
  expect(await readPlan()).toMatchObject({ status: 'pending_signup' });
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: null });
  await approve(approval_url);
  expect(await readPlan()).toMatchObject({ status: 'active' });
});

test('an approval of installments that have changed since is refused, and the page shows the new ones', async () => {
  const { approval_url, id } = await offer(40, 50);
  const form = await filled(approval_url);
  const edited = await put(parts(30, 60), {});
  expect(edited.body).toMatchObject({ id, status: 'pending_signup', approval_url });
  const sent = await sendForm(approval_url, form);
  expect(sent.status).toBe(400);
  expect(textOf(sent)).toContain('The payment plan has changed since you opened this page.');
  expect(textOf(sent)).toContain('$60.00');
  expect(await readPlan()).toMatchObject({ status: 'pending_signup', approval: null });
  const again = await filled(approval_url);
  await client.make('/payments', { customer, amount: 10, applied_to: [{ type: 'invoice', invoice, amount: 10 }] });
  expect((await sendForm(approval_url, again)).status).toBe(400);
  expect((await approve(approval_url)).status).toBe(303);
  expect(await readPlan()).toMatchObject({ status: 'active' });
});

test('ten approvals at once are one approval with one event', async () => {
  const { approval_url, id } = await offer(40, 50);
  const form = await filled(approval_url);
  const sent = await Promise.all(Array.from({ length: 10 }, () => sendForm(approval_url, form)));
  expect(sent.every(({ status }) => status === 303 || status === 200)).toBe(true);
  const { approval } = await readPlan();
  await sendForm(approval_url, form);
  expect((await readPlan()).approval).toEqual(approval);
  expect((await eventsOf(id)).sort()).toEqual(['payment_plan.created', 'payment_plan.updated']);
});

test.each([
  ['no initials', { initials: '' }, 'Please enter your initials'],
  ['HTML as initials', { initials: '<b>x</b>' }, 'Please enter your initials'],
  ['a NUL in the initials', { initials: `A${NUL}B` }, 'Please enter your initials'],
  ['a mark of direction in the initials', { initials: 'A\u202eB' }, 'Please enter your initials'],
  ['too many initials', { initials: 'A'.repeat(11) }, 'Please enter your initials'],
  ['no consent', { consent: '' }, 'Please tick the box.'],
  ['another text of the consent', { consent_seen: 'x' }, 'has changed since you opened'],
  ['another offer', { seen: 'x' }, 'has changed since you opened'],
])('%s is refused and approves nothing', async (_what, fields, told) => {
  const { approval_url } = await offer(40, 50);
  const sent = await sendForm(approval_url, { ...(await filled(approval_url)), ...fields });
  expect(sent.status).toBe(400);
  expect(textOf(sent)).toContain(told);
  expect(sent.html).not.toContain('<b>x');
  expect(await readPlan()).toMatchObject({ status: 'pending_signup', approval: null });
});

test('only the address with its token leads to the plan, until it is revoked', async () => {
  const { approval_url, id } = await offer(40, 50);
  const { pathname } = new URL(approval_url);
  const [, account = ''] = /^\/portal\/(\d+)\//.exec(pathname) ?? [];
  const token = pathname.split('/')[5] ?? '';
  const others = [
    pathname.replace(token, '0'.repeat(32)),
    pathname.replace(token, token.slice(1)),
    pathname.replace(`/${id}/`, `/${id + 1}/`),
    pathname.replace(`/${id}/`, '/9999999999/'),
    pathname.replace(`/portal/${account}/`, '/portal/999999/'),
    `${pathname}/x`,
  ];
  for (const other of others) expect([other, (await visitPage(api, other)).status]).toEqual([other, 404]);
  await client.post(`/customers/${customer}/revoke_links`);
  expect((await visitPage(api, pathname)).status).toBe(404);
  const { approval_url: renewed } = await readPlan();
  expect((await approve(renewed)).status).toBe(303);
});

test('approval can be asked of a waiting plan and given up, but not asked of an active one', async () => {
  const { id } = (await put(parts(40, 50), {})).body;
  expect(await put(parts(30, 60))).toMatchObject(refused({ param: 'require_approval' }));
  await client.delete(path());
  const offered = await offer(40, 50);
  expect(offered.id).not.toBe(id);
  expect(await put(parts(40, 50), { require_approval: false })).toMatchObject({
    body: { id: offered.id, status: 'active', approval_url: null, approval: null },
  });
  expect((await visitPage(api, offered.approval_url)).status).toBe(404);
  expect(await put(parts(40, 50), { require_approval: 'perhaps' })).toMatchObject(
    refused({ param: 'require_approval' }),
  );
});

test('an anonymized customer leaves no trace of the approval', async () => {
  const { approval_url, id } = await offer(40, 50);
  await approve(approval_url);
  await client.patch(`/invoices/${invoice}`, { closed: true });
  expect(await eventsWith(id, BROWSER)).toBe(1);
  expect(await client.post(`/customers/${customer}/anonymize`)).toMatchObject({ status: 200 });
  expect((await visitPage(api, approval_url)).status).toBe(404);
  expect(await eventsWith(id, BROWSER)).toBe(0);
  expect(await readPlan()).toMatchObject({ id, status: 'active', approval: null });
});

test('a plan that was paid before its approval needs none', async () => {
  const { approval_url } = await offer(40, 50);
  await client.make('/payments', { customer, amount: 90, applied_to: [{ type: 'invoice', invoice, amount: 90 }] });
  expect(await readPlan()).toMatchObject({ status: 'finished', approval_url: null });
  expect(textOf(await visitPage(api, approval_url))).toContain('This payment plan is paid');
});
