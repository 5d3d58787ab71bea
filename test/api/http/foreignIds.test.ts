import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { paramOf } from '../../../api/body/request.ts';
import type { Answer, Client, TestApi } from '../../support/api.ts';
import { bodySchemaOf, isReference, type Path, placesIn, sampleOf, withValue } from '../../support/bodies.ts';
import { apiDocument, type LocatedOperation, operationsOf } from '../../support/openapi.ts';
import { requestIn, seedWorld, startWorld, type World } from '../../support/world.ts';

/** Each id field in the bodies of the OpenAPI document: an id of another account is refused like an id that does not exist. */

let api: TestApi;
let client: Client;
/** Objects of the business that sends requests, and of another one. */
let ours: World;
let theirs: World;
let before: unknown;
beforeAll(async () => {
  const scene = await startWorld();
  ({ api, client } = scene);
  const { world } = scene;
  const rival = (await api.open('Rival')).sandbox;
  ours = { ...world, ...(await untouched(client, world.customers)) };
  theirs = { ...(await seedWorld(api, rival)), ...(await onlyTheirs(rival)) };
  before = await countRows();
});
afterAll(() => api.close());

/** New documents, so that only the id can be the reason of a refusal. */
async function untouched(of: Client, customer: unknown): Promise<World> {
  const make = async (path: string) =>
    (await of.post(path, { customer, items: [{ name: 'Hour', unit_cost: 50 }] })).body.id;
  return {
    invoices: await make('/invoices'),
    estimates: await make('/estimates'),
    credit_notes: await make('/credit_notes'),
  };
}

/** Objects whose ids exist only in the other business, and parts of an invoice. */
async function onlyTheirs(rival: Client): Promise<World> {
  await rival.post('/items', { id: 'their-item', name: 'Theirs', unit_cost: 1 });
  await rival.post('/plans', { id: 'their-plan', name: 'Theirs', amount: 1, interval: 'month' });
  await rival.post('/coupons', { id: 'their-coupon', name: 'Theirs', value: 5 });
  await rival.post('/tax_rates', { id: 'their-rate', name: 'Theirs', value: 5 });
  const customer = (await rival.make('/customers', { name: 'Theirs' })).id;
  const parts = { discounts: ['their-coupon'], taxes: ['their-rate'] };
  const items = [{ name: 'Hour', unit_cost: 50, ...parts }];
  const { body } = await rival.post('/invoices', { customer, items, ...parts });
  const sold = { customer, plan: 'their-plan', addons: [{ plan: 'their-plan' }] };
  const roof = (await rival.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 50 }] })).id;
  const halves = [4_070_908_800, 4_073_587_200].map((date) => ({ date, amount: 25 }));
  const planned = await rival.request('PUT', `/invoices/${roof}/payment_plan`, { installments: halves });
  const [addon] = (await rival.make('/subscriptions', sold)).addons;
  const [member] = await api.em
    .fork()
    .execute<{ id: number }[]>('select id from member where account_id = ?', [rival.account.twinId]);
  const steps = [{ name: 'Call', action: 'phone', schedule: 'age:9' }];
  const theme = await rival.make('/themes', { name: 'Theirs' });
  const paper = await rival.make('/pdf_templates', { name: 'Theirs' });
  const cadence = await rival.make('/chasing_cadences', { name: 'Theirs', steps });
  const role = await rival.make('/roles', { id: 'their-role', name: 'Theirs', permissions: [] });
  return {
    roles: role.id,
    themes: theme.id,
    papers: paper.id,
    chaseSteps: cadence.steps[0].id,
    items: 'their-item',
    plans: 'their-plan',
    coupons: 'their-coupon',
    tax_rates: 'their-rate',
    lines: body.items[0].id,
    members: member?.id ?? 0,
    addons: addon.id,
    installments: planned.body.installments[0].id,
    discounts: body.discounts[0].id,
    taxes: body.taxes[0].id,
    lineDiscounts: body.items[0].discounts[0].id,
    lineTaxes: body.items[0].taxes[0].id,
  };
}

/** Number of rows of each table. A refused request adds none. */
async function countRows(): Promise<unknown> {
  const tables = await api.em
    .fork()
    .execute<{ name: string }[]>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  const counts = tables.map(({ name }) => `(select count(*)::int from ${name}) as ${name}`);
  const [row] = await api.em.fork().execute(`select ${counts.join(', ')}`);
  return { ...row, rate_limit_bucket: 0 };
}

interface Named {
  /** The kind of object in the other business. */
  is: string;
  /** Other fields that the body needs. undefined: left out. */
  beside?: Record<string, unknown>;
}

/** The kind of each id, by its path in the body. */
const named: Record<string, Named> = {
  addon: { is: 'addons' },
  'addons[].catalog_item': { is: 'items', beside: { plan: undefined } },
  'addons[].id': { is: 'addons' },
  'addons[].plan': { is: 'plans' },
  'applied_to[].invoice': { is: 'invoices', beside: { type: 'invoice', amount: 1 } },
  'applied_to[].estimate': { is: 'estimates', beside: { type: 'estimate', amount: 1, invoice: undefined } },
  'applied_to[].credit_note': { is: 'credit_notes', beside: { type: 'credit', amount: 1, invoice: undefined } },
  'attachments[]': { is: 'files' },
  catalog_item: { is: 'items' },
  completed_by_user_id: { is: 'members', beside: { complete: true } },
  customer: { is: 'customers' },
  customer_id: { is: 'customers', beside: { customer: undefined } },
  'discounts[]': { is: 'coupons' },
  'discounts[].coupon': { is: 'coupons' },
  'discounts[].id': { is: 'discounts' },
  'ids[]': { is: 'invoices' },
  'invoices[]': { is: 'invoices' },
  'installments[].id': { is: 'installments' },
  invoice: { is: 'invoices' },
  invoice_id: { is: 'invoices', beside: { invoice: undefined } },
  chase_step_id: { is: 'chaseSteps' },
  chasing_cadence: { is: 'chasing_cadences' },
  'items[].catalog_item': { is: 'items' },
  'items[].discounts[]': { is: 'coupons' },
  'items[].discounts[].coupon': { is: 'coupons' },
  'items[].discounts[].id': { is: 'lineDiscounts' },
  'items[].id': { is: 'lines' },
  'items[].taxes[]': { is: 'tax_rates' },
  'items[].taxes[].id': { is: 'lineTaxes' },
  'items[].taxes[].tax_rate': { is: 'tax_rates' },
  line_item: { is: 'lines' },
  logo: { is: 'files' },
  'recipients[]': { is: 'members' },
  'plans[]': { is: 'plans' },
  'portal_changes.addons[].catalog_item': { is: 'items', beside: { plan: undefined } },
  'portal_changes.addons[].plan': { is: 'plans', beside: { catalog_item: undefined } },
  'portal_changes.plans[]': { is: 'plans' },
  sign_up_page: { is: 'sign_up_pages' },
  theme: { is: 'themes' },
  'next.user_id': { is: 'members' },
  next_chase_step: { is: 'chaseSteps' },
  'object.id': { is: 'invoices', beside: { type: 'invoice' } },
  owner: { is: 'members' },
  parent_customer: { is: 'customers' },
  ach_gateway: { is: 'merchant_accounts' },
  cc_gateway: { is: 'merchant_accounts' },
  merchant_account: { is: 'merchant_accounts' },
  payment: { is: 'payments' },
  'payments[]': { is: 'payments' },
  payment_source_id: {
    is: 'cards',
    beside: { payment_source_type: 'card', gateway_token: undefined, applied_to: [] },
  },
  'pdf_templates[]': { is: 'papers' },
  'pending_line_items[].catalog_item': { is: 'items' },
  'pending_line_items[].discounts[]': { is: 'coupons' },
  'pending_line_items[].discounts[].coupon': { is: 'coupons' },
  'pending_line_items[].discounts[].id': { is: 'lineDiscounts' },
  'pending_line_items[].taxes[]': { is: 'tax_rates' },
  'pending_line_items[].taxes[].id': { is: 'lineTaxes' },
  'pending_line_items[].taxes[].tax_rate': { is: 'tax_rates' },
  plan: { is: 'plans' },
  role: { is: 'roles' },
  'steps[].assigned_user_id': { is: 'members', beside: { schedule: 'age:9' } },
  'steps[].id': { is: 'chaseSteps', beside: { schedule: 'age:9' } },
  tax_rate: { is: 'tax_rates' },
  'taxes[]': { is: 'tax_rates' },
  'taxes[].id': { is: 'taxes' },
  'taxes[].tax_rate': { is: 'tax_rates' },
  test_clock: { is: 'test_clocks' },
  'usage[].addon': { is: 'addons' },
  'usage_thresholds[].plan': { is: 'plans', beside: { quantity: 1 } },
  user: { is: 'members' },
  user_id: { is: 'members' },
};

/** A schedule of a step. Cadences of customers and of invoices have different ones. */
const scheduleIn = (operation: string) => (operation.includes('Invoice') ? 'issue' : 'age:9');

const keyOf = (path: Path) =>
  path
    .map((step) => (step === 0 ? '[]' : `.${step}`))
    .join('')
    .slice(1);

const operations = operationsOf(apiDocument);
const cases = operations.flatMap((one) => {
  const schema = bodySchemaOf(apiDocument, one.operation);
  // A coupon or tax rate of a document can also be given as plain text.
  const isCode = (path: Path) => /(discounts|taxes)\[\]$/.test(keyOf(path));
  const places = schema ? placesIn(schema).filter((place) => isReference(place.schema) || isCode(place.path)) : [];
  return places.map(({ path }) => ({ id: one.id, key: keyOf(path), param: paramOf(path) ?? '', path, one, schema }));
});

/** Lines of a new document have no ids yet, so a given id has no effect. */
const isNew = ({ id, key }: { id: string; key: string }) => id.startsWith('create') && key === 'items[].id';

test('the test knows ids to send, and the kind of each', () => {
  expect(cases.length).toBeGreaterThan(100);
  expect([...new Set(cases.map(({ key }) => key))].toSorted()).toEqual(Object.keys(named).toSorted());
});

/** An answer with its id removed from the message. */
function wordsOf(answer: Answer, id: number | string): unknown {
  const { message, ...rest } = answer.body ?? {};
  return { status: answer.status, ...rest, message: String(message).replaceAll(String(id), 'the id') };
}

/** The action that takes ids, where the example is another one. */
const actions: Record<string, Record<string, unknown>> = {
  useSelfService: { action: 'change', when: undefined, reason: undefined },
};

/** Messages of refusals: an id is not found, it is no choice, or it may not be given or changed at all. */
const REFUSED =
  /was not found|cannot be (changed|moved|set)|cannot move|needs (an|the) id|not supported yet|is not one that the customer can choose/;

const startOf = (param: unknown) => new RegExp(`^${String(param).replaceAll(/[[\]]/g, '\\$&')}\\[`);

/**
 * Each report of a batch has its own answer (`test/api/usage/usageReports.test.ts`), each object of a job too (`test/processes/bulkJobs.test.ts`),
 * and each payment whose import is undone (`test/api/payments/importUndo.test.ts`).
 */
const isJudgedAlone = ({ id, key }: { id: string; key: string }) =>
  id === 'createUsageBatch' || key === 'ids[]' || key === 'payments[]';

test.each(cases.filter((one) => !isNew(one) && !isJudgedAlone(one)))(
  '$id does not accept $key of another account',
  async ({ one, path, key, param, schema }) => {
    const { is, beside = {} } = named[key] ?? { is: '' };
    const { path: url, body: example = sampleOf(schema ?? {}) } = requestIn(ours, one);
    const besides: { path: Path; value: unknown }[] = Object.entries(beside).map(([name, value]) => ({
      path: [...path.slice(0, -1), name],
      value: name === 'schedule' ? scheduleIn(one.id) : value,
    }));
    for (const [name, value] of Object.entries(actions[one.id] ?? {})) besides.push({ path: [name], value });
    const body = besides.reduce((made: unknown, more) => withValue(schema ?? {}, made, more), example);
    const ask = (id: number | string) =>
      client.request(one.method, url, withValue(schema ?? {}, body, { path, value: id }));
    const theirId = theirs[is] ?? 'none';
    const nobodys = typeof theirId === 'number' ? 2_147_483_600 : 'nobodys-code';
    const [answer, unknown] = [await ask(theirId), await ask(nobodys)];
    expect(wordsOf(answer, theirId)).toEqual(wordsOf(unknown, nobodys));
    expect(answer.status).toBe(400);
    // The refusal names the field or its list. An alias is named by its main name.
    expect(`${param.replace(/^(customer|invoice)_id$/, '$1')}[`).toMatch(startOf(answer.body.param));
    expect(answer.body.message).toMatch(REFUSED);
  },
);

const nested = operations.filter(({ path }) => (path.match(/\{/g) ?? []).length > 1);

test.each(nested.map((one) => ({ id: one.id, one })))(
  "$id does not find another account's objects below an own object",
  async ({ one }) => {
    const [, kind = ''] = /(\w+)\/\{\w+\}(?!.*\{)/.exec(one.path) ?? [];
    const { path, body } = requestIn(
      { ...ours, unverified: theirs.unverified ?? 0, [kind]: theirs[kind] ?? 0 },
      one satisfies LocatedOperation,
    );
    expect((await client.request(one.method, path, body)).status).toBe(404);
  },
);

test('these requests wrote nothing', async () => {
  expect(await countRows()).toEqual(before);
  expect(api.faults).toEqual([]);
});

test.each(cases.filter(isNew))('$id gives its lines their own ids', async ({ one, path, schema }) => {
  const { path: url, body } = requestIn(ours, one);
  const answer = await client.post(url, withValue(schema ?? {}, body, { path, value: theirs.lines }));
  expect(answer).toMatchObject({ status: 201, body: { items: [{ id: expect.any(Number) }] } });
  expect(answer.body.items[0].id).not.toBe(theirs.lines);
});
