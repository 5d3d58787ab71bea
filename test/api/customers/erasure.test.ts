import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventTypes } from '../../../billing/eventTypes.ts';
import { auditDatabase } from '../../../bin/audit.ts';
import { subjectTables } from '../../../db/schema/customerTables.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { seedCatalog, seedEverything } from '../../support/everything.ts';
import { ownedTables } from '../../support/owned.ts';

/** Each text column of the tables of customers is erased by anonymizing, or is kept for a reason. */

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  await client.patch('/account', { apply_credits_at_issue: false });
  await seedCatalog(client);
});
afterAll(() => api.close());

const document =
  'name number number_key purchase_order notes discounts taxes metadata ship_to disabled_payment_methods';
/** Columns that are kept, by table. */
const kept: Record<string, string> = {
  // Issued documents and payments: the law requires to keep them.
  credit_note: document,
  estimate: document,
  // `taken_steps` has ids, counts and days.
  invoice: `${document} expected_payment_reference taken_steps write_off_reason payment_failure_message`,
  write_off: 'ledger_account taxes reason',
  document_pdf: 'name xml',
  line_item: 'type name description gl_account discounts taxes metadata credited',
  payment: 'ach_sender_id reference metadata receipt_number_key refunds',
  // References and messages of gateways. They have no names and no complete card numbers.
  attempt: 'reference sealed_token sealed_challenge failure_message credential shown',
  charge: 'gateway_id failure_message source refunds',
  refund: 'gateway_id failure_message reference',
  dispute: 'gateway_id',
  gateway_event: 'event_id type reference',
  payment_source: 'gateway_id gateway_customer bank_name failure_reason',
  gateway_customer: 'reference',
  // The API key or application of the business. Attempts also have it.
  event: 'credential',
  // The evidence of a consent: it names the seller, not the customer.
  payment_consent: 'text',
  // What was bought, the accepted texts, which name the seller, addresses of the account, and references of gateways.
  sign_up: 'choice consent terms return_url reference stored_reference sealed_challenge',
  link_payment: 'return_url',
  // Our own codes and numbers.
  payment_plan: 'installments written_off_parts',
  customer: 'number number_key taxengine_entity_use_code disabled_payment_methods pdf_templates',
  email: 'cause document message_id',
  numbering_gap: 'prefix',
  ledger_entry: 'ledger_account',
  subscription: 'discounts taxes used prorations prorated_prices usage_thresholds usage_told',
  usage_rate: 'collected',
  usage_total: 'terms billed',
  // Our own messages with ids, numbers and amounts; answers of receivers; idempotency keys, and stored answers, which are rewritten like events.
  problem: 'step message',
  test_clock_step: 'did',
  wakeup: 'step reason_detail',
  webhook_attempt: 'error answer',
  idempotency: 'key body',
  usage_record: 'key',
  // Our own words, and time zones.
  text_message: 'failure_reason zones',
};

/** Columns that can hold text from requests. */
function said(table: string): string[] {
  const meta = [...api.em.getMetadata().getAll().values()].find(({ tableName }) => tableName === table);
  return (meta?.props ?? []).flatMap(({ kind, columnTypes = [], length = 0, fieldNames = [] }) => {
    const [type = ''] = columnTypes;
    const isLong = /text|json/.test(type) || (/varchar/.test(type) && length >= 100);
    return kind === 'scalar' && isLong ? fieldNames : [];
  });
}

test('anonymizing leaves no text about the customer, except where it is kept for a reason', async () => {
  const id = await seedEverything(api, client, {});
  const em = api.em.fork();
  const tables = ownedTables(api.em);
  const erased = tables.flatMap((table) =>
    said(table)
      .filter((column) => !(kept[table] ?? '').split(' ').includes(column))
      .map((column) => ({ table, column })),
  );
  await endObstacles(id);
  // Events are left out: their objects repeat the rows, and a planted text would make them invalid.
  for (const { table, column } of erased.filter((one) => one.table !== 'event')) await plant(id, table, column);
  await em.execute(
    `update event set object = replace(object::text, '"All"', '"Planted"')::json where object::text like '%"All"%'`,
  );
  expect((await found(erased)).length).toBeGreaterThan(20);
  expect(await client.post(`/customers/${id}/anonymize`)).toMatchObject({ status: 200, body: { name: 'Anonymized' } });
  expect(await found(erased)).toEqual([]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

/** Removes everything that prevents anonymizing. */
async function endObstacles(customer: number): Promise<void> {
  const ask = async (method: string, path: string, body?: object) => {
    const { status, body: said } = await client.request(method, path, body);
    expect([method, path, status, said]).toEqual([method, path, expect.any(Number), said]);
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(said)}`);
  };
  for (const { id } of (await client.get(`/subscriptions?filter[customer]=${customer}`)).body)
    await ask('DELETE', `/subscriptions/${id}`);
  for (const { id } of (await client.get(`/customers/${customer}/line_items`)).body)
    await ask('DELETE', `/customers/${customer}/line_items/${id}`);
  for (const { id, draft } of (await client.get(`/invoices?filter[customer]=${customer}&filter[closed]=0`)).body)
    await (draft ? ask('DELETE', `/invoices/${id}`) : ask('PATCH', `/invoices/${id}`, { closed: true }));
  for (const { id, object } of (await client.get(`/customers/${customer}/payment_sources`)).body)
    await ask('DELETE', `/customers/${customer}/${object}s/${id}`);
}

/** SQL: rows of customer ?0 in tables without a column for it. */
const whoseRows: Record<string, string> = {
  customer: '(id = ?0 or merged_into_id = ?0)',
  subscription_addon: 'subscription_id in (select id from subscription where customer_id = ?0)',
  gateway_event: 'attempt_id in (select id from attempt where customer_id = ?0)',
  usage_rate: 'subscription_id in (select id from subscription where customer_id = ?0)',
};

async function plant(customer: number, table: string, column: string): Promise<void> {
  const whose = whoseRows[table] ?? 'customer_id = ?0';
  const [{ type } = { type: '' }] = await api.em
    .fork()
    .execute<{ type: string }[]>(
      'select data_type as type from information_schema.columns where table_name = ? and column_name = ?',
      [table, column],
    );
  const json = column === 'component' ? `component || '{"description": "Planted"}'` : `'["Planted"]'`;
  const value = type.startsWith('json') ? json : `'Planted' || id`;
  await api.em
    .fork()
    .execute(`update ${table} set ${column} = ${value} where ${whose.replaceAll('?0', `${customer}`)}`);
}

async function found(columns: readonly { table: string; column: string }[]): Promise<string[]> {
  const seen: string[] = [];
  for (const { table, column } of columns) {
    const rows = await api.em
      .fork()
      .execute<{ text: string }[]>(
        `select ${column}::text as text from "${table}" where account_id = ? and ${column}::text ~ 'Planted' limit 2`,
        [client.account.id],
      );
    seen.push(...rows.map(({ text }) => `${table}.${column}: ${text}`));
  }
  return seen;
}

test('the list of reasons names only columns that are still kept', () => {
  const columns = ownedTables(api.em).flatMap((table) => said(table).map((column) => `${table} ${column}`));
  const listed = Object.entries(kept).flatMap(([table, names]) => names.split(' ').map((name) => `${table} ${name}`));
  const unknown = listed.filter((name) => !columns.includes(name) && !/^credit_note (ship|disabled)/.test(name));
  expect(unknown).toEqual([]);
});

test('events about each kind of object of a customer are found', () => {
  const kinds = new Set(eventTypes.map((type) => type.split('.')[0]));
  for (const kind of ['customer', 'sign_up_page', 'payment_link']) kinds.delete(kind);
  expect([...kinds].sort()).toEqual([...subjectTables].sort());
});
