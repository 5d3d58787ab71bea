import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { seedCatalog, seedEverything } from '../../support/everything.ts';
import { cardTokens, payOn, sendForm, visitPage } from '../../support/payPage.ts';
import { upload } from '../../support/upload.ts';

/** Addresses after they were revoked. */

let api: TestApi;
let customer: number;
const NOW = Math.floor(Date.now() / 1000);
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support', unit_cost: 40 }];
const invoice = () => api.sandbox.make('/invoices', { customer, items });
const statusOf = async (url: string) => (await visitPage(api, url)).status;

test('revoked addresses of an invoice show and pay nothing, and its new ones pay', async () => {
  const old = await invoice();
  const { id, url, pdf_url, payment_url } = old;
  const { location } = await payOn(api, payment_url, { card: cardTokens.soft });
  const answer = await api.sandbox.post(`/invoices/${id}/revoke_links`);
  expect(answer).toMatchObject({ status: 200, body: { id, paid: false } });
  for (const address of [url, pdf_url, payment_url, location ?? ''])
    expect([address, await statusOf(address)]).toEqual([address, 404]);
  expect((await sendForm(api, payment_url, { form: 'a'.repeat(32) })).status).toBe(404);
  const renewed = (await api.sandbox.get(`/invoices/${id}`)).body;
  expect(new Set([url, renewed.url]).size).toBe(2);
  expect(renewed.payment_url).toBe(`${renewed.url}/pay`);
  expect(await statusOf(renewed.pdf_url)).toBe(200);
  await payOn(api, renewed.payment_url, { card: cardTokens.good });
  expect((await api.sandbox.get(`/invoices/${id}`)).body).toMatchObject({ paid: true });
});

test('a payment that is under way when the address is revoked is told at the new one', async () => {
  const { id, payment_url } = await invoice();
  const { location } = await payOn(api, payment_url, { card: cardTokens.authentication });
  await api.sandbox.post(`/invoices/${id}/revoke_links`);
  const { url } = (await api.sandbox.get(`/invoices/${id}`)).body;
  const key = location?.split('/').at(-1);
  expect(await statusOf(location ?? '')).toBe(404);
  expect((await visitPage(api, `${url}/payments/${key}`)).html).toContain('Your bank wants you to confirm the payment');
  expect((await visitPage(api, `${url}/pay`)).html).toContain('Continue to your bank');
});

test('the pages of merged customers end with the links of the customer that took over, however far', async () => {
  const [first, second, last] = await Promise.all(
    ['first', 'second', 'last'].map((name) => api.sandbox.make('/customers', { name })),
  );
  const pageOf = ({ id, statement_pdf_url: url }: { id: number; statement_pdf_url: string }) =>
    `/sources/${api.sandbox.account.id}/${id}/${new URL(url).pathname.split('/').at(-2)}`;
  const pages = [first, second, last].map(pageOf);
  expect((await api.sandbox.post(`/customers/${second.id}/merge`, { customer: first.id })).status).toBe(200);
  expect((await api.sandbox.post(`/customers/${last.id}/merge`, { customer: second.id })).status).toBe(200);
  for (const page of pages) expect([page, await statusOf(page)]).toEqual([page, 200]);
  expect((await api.sandbox.post(`/customers/${last.id}/revoke_links`)).status).toBe(200);
  for (const page of pages) expect([page, await statusOf(page)]).toEqual([page, 404]);
});

/** SQL: the columns with the secret part of an address of customers. Sign-up pages and payment links are open to anybody. */
const ADDRESS_COLUMNS = `select table_name as "table", column_name as "column" from information_schema.columns
  where table_schema = 'public' and data_type = 'character varying' and column_name ~ '(^|_)token$'
   and table_name not in ('sign_up_page', 'payment_link') order by 1, 2`;

/** The secrets of all addresses of a customer, by column. */
async function secretsOf(customerId: number): Promise<Record<string, string[]>> {
  const em = api.em.fork();
  const columns = await em.execute<{ table: string; column: string }[]>(ADDRESS_COLUMNS);
  const attached =
    'in (select file_id from attachment a join credit_note n on n.id = a.credit_note_id where n.customer_id = ?)';
  const read = columns.map(async ({ table, column }) => {
    const owner = { customer: 'id = ?', file: `id ${attached}` }[table] ?? 'customer_id = ?';
    const sql = `select ${column} as secret from ${table} where account_id = ? and ${column} is not null and ${owner}`;
    const rows = await em.execute<{ secret: string }[]>(sql, [api.sandbox.account.id, customerId]);
    return [`${table}.${column}`, rows.map(({ secret }) => secret)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** Creates two customers with objects of every kind. */
async function twoCustomers(): Promise<[number, number]> {
  const client = api.sandbox;
  await seedCatalog(client);
  const made: number[] = [];
  for (const name of ['one', 'two']) {
    const id = await seedEverything(api, client, {});
    const parts = [{ name: 'file', filename: `${name}.txt`, type: 'text/plain', content: name }];
    const { body: file } = await upload(client, parts);
    await client.make('/credit_notes', { customer: id, items, attachments: [file.id] });
    const { id: planned } = await client.make('/invoices', { customer: id, items });
    const installments = [
      { date: NOW + 86_400, amount: 20 },
      { date: NOW + 172_800, amount: 20 },
    ];
    await client.post(`/invoices/${planned}/payment_plan`, { installments, require_approval: true });
    made.push(id);
  }
  return [made[0] ?? 0, made[1] ?? 0];
}

test("a customer's revocation renews every address that the schema has, of that customer alone", async () => {
  const [one, two] = await twoCustomers();
  const [before, others] = [await secretsOf(one), await secretsOf(two)];
  expect(Object.entries(before).filter(([, secrets]) => secrets.length === 0)).toEqual([]);
  await api.sandbox.post(`/customers/${one}/revoke_links`);
  const after = await secretsOf(one);
  for (const [column, secrets] of Object.entries(before)) {
    const kept = secrets.filter((secret) => after[column]?.includes(secret));
    expect([column, kept]).toEqual([column, []]);
  }
  expect(await secretsOf(two)).toEqual(others);
});

test('an estimate is not approved through an address from before the revocation of its customer', async () => {
  const { id, url } = await api.sandbox.make('/estimates', { customer, items });
  await api.sandbox.post(`/customers/${customer}/revoke_links`);
  expect((await sendForm(api, url, { answer: 'approve', initials: 'AL' })).status).toBe(404);
  const { approved, url: renewed } = (await api.sandbox.get(`/estimates/${id}`)).body;
  expect([approved, await statusOf(renewed)]).toEqual([null, 200]);
});

test.each([
  ['/estimates', { items }, 'url'],
  ['/credit_notes', { items }, 'pdf_url'],
  ['/payments', { amount: 5 }, 'pdf_url'],
])('addresses of %s are revoked alone', async (path, fields, address) => {
  const made = await api.sandbox.make(path, { customer, ...fields });
  const other = await api.sandbox.make(path, { customer, ...fields });
  const { status, body } = await api.sandbox.post(`${path}/${made.id}/revoke_links`);
  expect([status, await statusOf(made[address]), await statusOf(body[address])]).toEqual([200, 404, 200]);
  expect(await statusOf(other[address])).toBe(200);
});

test('the address of a file is revoked alone; a link to another site has none of ours', async () => {
  const parts = [{ name: 'file', filename: 'a.txt', type: 'text/plain', content: 'a' }];
  const { body: file } = await upload(api.sandbox, parts);
  const { body } = await api.sandbox.post(`/files/${file.id}/revoke_links`);
  expect([await statusOf(file.url), await statusOf(body.url)]).toEqual([404, 200]);
  const link = await api.sandbox.make('/files', { url: 'https://docs.example/a.pdf', name: 'a.pdf' });
  const refusedLink = await api.sandbox.post(`/files/${link.id}/revoke_links`);
  expect(refusedLink).toMatchObject(refused({ code: 'state_conflict' }));
});
