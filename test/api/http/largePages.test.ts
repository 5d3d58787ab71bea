import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { largeRead } from '../../../db/queries/kernel/childWindows.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { until } from '../../support/wait.ts';

/** Pages of documents with so many lines that one statement doesn't read them all. */

let api: TestApi;
let account: Client;
beforeAll(async () => {
  api = await startApi();
  account = (await api.open('Large')).sandbox;
  const customer = (await account.make('/customers', { name: 'Large' })).id;
  for (const count of [3, 1000, 1000, 1000, 600, 0, 700, 700, 1, 400]) {
    const items = Array.from({ length: count }, (_, index) => ({ name: `Line ${index}`, unit_cost: 1 }));
    await account.post('/invoices', { customer, items });
  }
});
afterAll(() => api.close());

const page = () => account.get('/invoices?sort=id desc');
const ofLines = (statements: readonly string[]) => statements.filter((text) => /from "?line_item/.test(text));

test('a page of large invoices shows each as it is alone, with a few statements', async () => {
  let shown: { id: number; items: { name: string }[] }[] = [];
  const statements = await api.statements(async () => {
    shown = (await page()).body;
  });
  expect(shown.map(({ items }) => items.length)).toEqual([400, 1, 700, 700, 0, 600, 1000, 1000, 1000, 3]);
  for (const invoice of shown) expect(invoice).toEqual((await account.get(`/invoices/${invoice.id}`)).body);
  // 3 + 1000; 1000 + 1000; 600 + 0 + 700 + 700; 1 + 400
  expect(ofLines(statements)).toHaveLength(4);
});

test('a page of smaller ones is read in one statement', async () => {
  const statements = await api.statements(() => account.get('/invoices?sort=id desc&per_page=4'));
  expect(ofLines(statements)).toHaveLength(1);
});

test('several clients that request large pages simultaneously are all answered', async () => {
  const answers = await Promise.all([page(), page(), page(), page()]);
  expect(answers.map(({ status, body }) => [status, body.length])).toEqual(Array(4).fill([200, 10]));
});

test('a large page waits for another one of its account; small pages and other accounts do not wait', async () => {
  const small = 10;
  /** Number of statements that read lines of a large page: while another page is read, and in total. */
  const statementsOf = async () => {
    const before = api.queries.length;
    const count = () => ofLines(api.queries.slice(before)).length;
    const leave = await largeRead(account.account.id);
    const large = page();
    await until(() => count() > 0, { what: 'the first lines of the large page', every: 1 });
    for (let n = 0; n < small; n++) await account.get('/invoices?sort=id desc&per_page=1'); // one statement per page
    (await largeRead(api.sandbox.account.id))();
    const meanwhile = count() - small;
    leave();
    await large;
    return [meanwhile, count() - small];
  };
  // A large page waits for at most 5 s. A slow machine may need several tries.
  await until(async () => isDeepStrictEqual(await statementsOf(), [1, 4]), { what: 'a large page that waits' });
});
