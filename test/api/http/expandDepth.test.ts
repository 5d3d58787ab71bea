import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';

/** Relations form cycles. The depth of expansion is limited. */

let api: TestApi;
/** Ids of customers, topmost first. Each is the parent of the next one. */
const line: number[] = [];
let note: number;
beforeAll(async () => {
  api = await startApi();
  for (let level = 0; level < 9; level += 1) {
    const parent_customer = line.at(-1) ?? null;
    line.push((await api.sandbox.make('/customers', { name: `Level ${level}`, parent_customer })).id);
  }
  const customer = line.at(-1);
  const items = [{ name: 'x', unit_cost: 5 }];
  const invoice = (await api.sandbox.make('/invoices', { customer, items })).id;
  note = (await api.sandbox.make('/notes', { customer, invoice, notes: 'n' })).id;
});
afterAll(() => api.close());

const up = (levels: number) => Array(levels).fill('parent_customer').join('.');

/** The depth of nested objects. */
function depth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Math.max(0, ...Object.values(value).map(depth));
  return inner + ('object' in value ? 1 : 0);
}

test('a path is expanded for five relations, however long it is', async () => {
  const path = `/customers/${line.at(-1)}`;
  const four = (await api.sandbox.get(`${path}?expand=${up(4)}`)).body;
  expect(depth(four)).toBe(1 + 4);
  const five = (await api.sandbox.get(`${path}?expand=${up(5)}`)).body;
  expect(depth(five)).toBe(1 + 5);
  for (const levels of [6, 8, 500]) {
    const answer = await api.sandbox.get(`${path}?expand=${up(levels)}`);
    expect([answer.status, answer.body]).toEqual([200, five]);
  }
  const statements = await api.statements(() => api.sandbox.get(`/customers?expand=${up(100)}`));
  // Authentication, list, count, rates and sources; and three statements for each of at most five relations.
  expect(statements.length).toBeLessThanOrEqual(5 + 3 * 5);
});

test('fifty paths are expanded, and further ones are ignored', async () => {
  const others = (count: number) => Array.from({ length: count }, (_, n) => `invoice.customer.nothing${n}`);
  const asked = async (paths: string[]) => (await api.sandbox.get(`/notes/${note}?expand=${paths.join()}`)).body;
  expect(await asked([...others(49), 'customer'])).toMatchObject({
    customer: { name: 'Level 8' },
    invoice: { total: 5 },
  });
  expect(await asked([...others(50), 'customer'])).toMatchObject({ customer: line.at(-1), invoice: { total: 5 } });
});
