import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';

let api: TestApi;
let client: Client;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  customer = (await client.make('/customers', { name: 'Acme' })).id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

interface Entry {
  rule: string;
  upcoming: boolean;
  what: string;
  why: string;
  subject: { object: string; id: number };
}
const timeline = async (path: string): Promise<Entry[]> => {
  const { status, body } = await client.get(`${path}/timeline`);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const brief = (entries: Entry[]) => entries.map(({ rule, subject }) => `${rule} of ${subject.object} ${subject.id}`);

test('an estimate tells when it expires, and of its deposit and its invoice', async () => {
  const expiration_date = Math.floor(Date.now() / 1000) + 30 * 86_400;
  const items = [{ name: 'Roof', unit_cost: 100 }];
  const estimate = await client.make('/estimates', { customer, items, deposit: 40, expiration_date });
  const path = `/estimates/${estimate.id}`;
  const [next, ...past] = await timeline(path);
  expect(next).toMatchObject({ rule: 'expire', upcoming: true, why: 'it is neither invoiced nor closed' });
  expect(brief(past)).toEqual([`estimate.created of estimate ${estimate.id}`]);
  const applied_to = [{ type: 'estimate', estimate: estimate.id, amount: 40 }];
  const payment = await client.make('/payments', { customer, amount: 40, applied_to });
  const invoice = (await client.post(`${path}/invoice`)).body;
  const other = await client.make('/payments', { customer, amount: 1 });
  const told = brief(await timeline(path));
  expect(told).toEqual(
    expect.arrayContaining([
      `payment.created of payment ${payment.id}`,
      `invoice.created of invoice ${invoice.id}`,
      `estimate.updated of estimate ${estimate.id}`,
    ]),
  );
  expect(told.filter((one) => /^expire/.test(one) || one.endsWith(`payment ${other.id}`))).toEqual([]);
});

test('a payment tells of its charge and of the disputes of its bank, and what comes next', async () => {
  const dispute = await seedDispute(api, client, customer);
  const { charge } = (await client.get(`/disputes/${dispute}`)).body;
  const paid = (await client.get('/payments')).body.find(
    (one: { charge?: { id: number } }) => one.charge?.id === charge,
  );
  const entries = await timeline(`/payments/${paid.id}`);
  expect(brief(entries)).toEqual(
    expect.arrayContaining([`payment.created of payment ${paid.id}`, `charge.disputed of charge ${charge}`]),
  );
  expect(entries[0]).toMatchObject({ upcoming: true, rule: 'dispute', why: 'a dispute of the charge is open' });
  const note = await client.make('/credit_notes', { customer, items: [{ name: 'Back', unit_cost: 5 }] });
  expect(brief(await timeline(`/credit_notes/${note.id}`))).toContain(`credit_note.created of credit_note ${note.id}`);
  expect((await client.get('/payments/999999/timeline')).status).toBe(404);
});

test('mails to a customer are told on its timeline and on that of their document, until it is anonymized', async () => {
  const { id } = await client.make('/customers', { name: 'Ann', email: 'ann@example.com' });
  const invoice = await client.make('/invoices', { customer: id, items: [{ unit_cost: 10 }] });
  const to = [{ name: 'Bob', email: 'bob@example.com' }];
  const mail = async (path: string, body: object) =>
    expect((await client.post(`${path}/emails`, body)).status).toBe(200);
  await mail(`/invoices/${invoice.id}`, { template: 'unpaid_invoice_email', to });
  await mail(`/invoices/${invoice.id}`, {});
  await mail(`/customers/${id}`, {});
  await api.em.execute("update email set state = 'sent' where account_id = ? and customer_id = ?", [
    client.account.id,
    id,
  ]);
  const [failed] = (await client.get(`/emails?filter[customer]=${id}&sort=id desc`)).body;
  await api.em.execute(
    "update email set state = 'failed', failure_reason = 'no route' where account_id = ? and id = ?",
    [client.account.id, failed.id],
  );
  const mails = async (path: string) =>
    (await timeline(path))
      .filter(({ rule }) => rule === 'mailed')
      .map(({ what, subject }) => `${what} | ${subject.object} ${subject.id}`)
      .toSorted();
  const ofInvoice = [
    `invoice mailed to ann@example.com | invoice ${invoice.id}`,
    `reminder mailed to bob@example.com | invoice ${invoice.id}`,
  ];
  expect(await mails(`/invoices/${invoice.id}`)).toEqual(ofInvoice);
  expect(await mails(`/customers/${id}`)).toEqual([
    ...ofInvoice,
    `statement to ann@example.com could not be mailed: no route | customer ${id}`,
  ]);
  expect((await client.post(`/invoices/${invoice.id}/void`)).status).toBe(200);
  expect((await client.post(`/customers/${id}/anonymize`)).status).toBe(200);
  expect(await mails(`/invoices/${invoice.id}`)).toEqual([
    `invoice mailed | invoice ${invoice.id}`,
    `reminder mailed | invoice ${invoice.id}`,
  ]);
});

describe('a timeline is told in the language of Accept-Language', () => {
  const at = Date.parse('2027-03-05T12:00:00Z') / 1000;
  let owner: number;
  let path: string;
  beforeAll(async () => {
    owner = (await client.make('/customers', { name: 'Ada' })).id;
    const items = [{ name: 'Roof', unit_cost: 1280 }];
    const due_date = Math.floor(Date.now() / 1000) + 30 * 86_400;
    const { id } = await client.make('/invoices', { customer: owner, number: 'RE-7', items, due_date });
    path = `/invoices/${id}/timeline`;
    const applied_to = [{ type: 'invoice', invoice: id, amount: 300 }];
    await client.make('/payments', { customer: owner, amount: 300, method: 'wire_transfer', applied_to });
    await client.make('/tasks', { customer: owner, name: 'Ring', action: 'phone', due_date: at });
  });
  const told = async (of: string, language: string, query = '') => {
    const { status, headers, body } = await client.request('GET', `${of}${query}`, undefined, {
      'Accept-Language': language,
    });
    expect([status, headers.get('Vary')]).toEqual([200, 'Accept-Language']);
    const lines = body.map(({ what, why }: Entry) => `${what} | ${why}`.replaceAll('\u00a0', ' '));
    return { language: headers.get('Content-Language'), lines };
  };

  test.each([
    [
      'de-AT, en;q=0.5',
      'de',
      'überfällig | die Rechnung ist nicht bezahlt',
      'Zahlung über 300,00 $ erhalten, Zahlungsart: Überweisung | über die API veranlasst',
      'RE-7: 980,00 $ offen, vorher 1.280,00 $ | über die API veranlasst',
      'RE-7 über 1.280,00 $ ausgestellt | über die API veranlasst',
      'Aufgabe „Ring“ angelegt, fällig am 5. März 2027 | über die API veranlasst',
    ],
    [
      'ja',
      'ja',
      '期限超過 | 支払われていません',
      '$300.00の入金がありました（支払方法：銀行振込） | APIによる操作です',
      'RE-7の残高：$980.00（変更前：$1,280.00） | APIによる操作です',
      'RE-7を$1,280.00で発行しました | APIによる操作です',
      'タスク「Ring」を作成しました（期日：2027年3月5日） | APIによる操作です',
    ],
    ...['pt, xx;q=0.5', '*', 'en-GB'].map((wanted) => [
      wanted,
      'en',
      'past due | it is not paid',
      'payment of $300.00 by wire transfer received | asked by the API',
      'RE-7 owes $980.00, before $1,280.00 | asked by the API',
      'issued RE-7 for $1,280.00 | asked by the API',
      'task “Ring” made, due 5 March 2027 | asked by the API',
    ]),
  ])('%s: %s', async (wanted = '', language = '', pastDue = '', paid = '', owes = '', issued = '', task = '') => {
    const { lines, ...of } = await told(path, wanted);
    expect([of.language, lines.toSorted()]).toEqual([language, [pastDue, paid, owes, issued].toSorted()]);
    const customers = await told(`/customers/${owner}/timeline`, wanted, '?filter[rule]=task.created');
    expect(customers.lines).toEqual([task]);
  });

  test('a step of another version is shown as it is stored, its reason is translated', async () => {
    await api.em.execute(
      "update wakeup set step = 'pays the piper 3 of 4' where account_id = ? and step = 'past due'",
      [client.account.id],
    );
    expect((await told(path, 'de', '?filter[upcoming]=true')).lines).toEqual([
      'pays the piper 3 of 4 | die Rechnung ist nicht bezahlt',
    ]);
  });
});
