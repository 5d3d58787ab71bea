import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Unprintable } from '../../../billing/failures.ts';
import { basic, startApi, type TestApi } from '../../support/api.ts';
import { rendererOf } from '../../support/printed.ts';

/** The problem of a PDF that cannot be rendered is closed when the PDF is no longer needed. */

let api: TestApi;
beforeAll(async () => {
  const render = () => Promise.reject(new Unprintable('time', 'It took longer than 20 s to set'));
  api = await startApi({ pdf: rendererOf(render) });
});
afterAll(() => api.close());

const items = [{ name: 'Hour', unit_cost: 9 }];
const anyone = async (more: object = {}) => (await api.sandbox.make('/customers', { name: 'Ann', ...more })).id;

/** Requests the PDF of a document, which fails and opens a problem. Returns the path of the document. */
async function failed(collection: string, id: number): Promise<string> {
  const headers = { ...basic(api.sandbox.key), Accept: 'application/pdf' };
  expect((await fetch(`${api.sandbox.url}/${collection}/${id}`, { headers })).status).toBe(400);
  return `/${collection}/${id}`;
}

/** Subject types of the open problems. */
const open = async () =>
  (await api.sandbox.get('/problems')).body.map(({ subject }: { subject: { object: string } }) => subject.object);

test.each([
  { collection: 'invoices', object: 'invoice_pdf' },
  { collection: 'estimates', object: 'estimate_pdf' },
  { collection: 'credit_notes', object: 'credit_note_pdf' },
])('the problem of a PDF is closed when its document is deleted: $collection', async ({ collection, object }) => {
  const { id } = await api.sandbox.make(`/${collection}`, { customer: await anyone(), draft: true, items });
  const path = await failed(collection, id);
  expect(await open()).toEqual([object]);
  expect((await api.sandbox.delete(path)).status).toBe(204);
  expect(await open()).toEqual([]);
});

test('a problem of a PDF closes when its document is deleted with the customer', async () => {
  const customer = await anyone();
  await failed('invoices', (await api.sandbox.make('/invoices', { customer, draft: true, items })).id);
  expect(await open()).toEqual(['invoice_pdf']);
  expect((await api.sandbox.delete(`/customers/${customer}`)).status).toBe(204);
  expect(await open()).toEqual([]);
});

test('a problem of a PDF is deleted with the test clock of its document', async () => {
  const { id: test_clock } = await api.sandbox.make('/test_clocks', { frozen_time: 1_900_000_000 });
  const customer = await anyone({ test_clock });
  await failed('invoices', (await api.sandbox.make('/invoices', { customer, items })).id);
  await failed('payments', (await api.sandbox.make('/payments', { customer, method: 'cash', amount: 5 })).id);
  expect((await open()).toSorted()).toEqual(['invoice_pdf', 'payment_pdf']);
  expect((await api.sandbox.delete(`/test_clocks/${test_clock}`)).status).toBe(204);
  expect(await open()).toEqual([]);
});

test('anonymizing a customer closes the problem of its receipt, which is printed anew', async () => {
  const customer = await anyone();
  await failed('payments', (await api.sandbox.make('/payments', { customer, method: 'cash', amount: 5 })).id);
  expect(await open()).toEqual(['payment_pdf']);
  expect(await api.sandbox.post(`/customers/${customer}/anonymize`)).toMatchObject({ status: 200 });
  expect(await open()).toEqual([]);
});
