import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());

const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
const pays = (invoice: number) => ({ applied_to: [{ type: 'invoice', invoice, amount: 5 }] });
let keys = 0;
/** Creates an object with an idempotency key, so that the answer is stored. */
const make = (path: string, body: object) => {
  keys += 1;
  return api.sandbox.make(path, body, { 'Idempotency-Key': `key ${keys}` });
};
const customer = async (body: object = {}) => (await make('/customers', { name: 'Ada', ...body })).id;
const read = async (path: string) => (await api.sandbox.get(path)).body;

describe('DELETE', () => {
  test('a customer without bills is deleted with contacts, notes, tasks and deleted sources', async () => {
    const { sandbox } = api;
    const id = await customer({ number: 'AGAIN' });
    const path = `/customers/${id}`;
    await make(`${path}/contacts`, { name: 'c' });
    const note = await make('/notes', { customer: id, notes: 'n' });
    await make('/tasks', { customer: id, name: 't', action: 'phone' });
    const card = await make(`${path}/payment_sources`, CARD);
    await sandbox.delete(`${path}/cards/${card.id}`);
    expect(await sandbox.delete(path)).toMatchObject({ status: 204, body: null });
    for (const gone of [path, `/notes/${note.id}`]) expect((await sandbox.get(gone)).status).toBe(404);
    expect((await sandbox.delete(path)).status).toBe(404);
    const [last] = await read(`/events?related_to=customer,${id}`);
    expect(last).toMatchObject({ type: 'customer.deleted', data: { object: { id, name: 'Ada' } } });
    await customer({ number: 'AGAIN' });
    expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  });

  test('the numbers of its deleted drafts are explained, and each draft has a deletion event', async () => {
    const drafts: [string, { id: number }][] = [];
    for (const [type, series] of [
      ['invoice', 'INV'],
      ['estimate', 'EST'],
      ['credit_note', 'CN'],
    ]) {
      const other = await customer();
      const issued = await make(`/${type}s`, { customer: other, items: [{ unit_cost: 1 }] });
      const number = `${series}-${String(Number(issued.number.slice(-5)) + 1).padStart(5, '0')}`;
      const id = await customer();
      drafts.push([`${type}`, await make(`/${type}s`, { customer: id, items: [], number, draft: true })]);
      // The series skips the number while the draft has it.
      await make(`/${type}s`, { customer: other, items: [{ unit_cost: 1 }] });
      expect((await api.sandbox.delete(`/customers/${id}`)).status).toBe(204);
    }
    expect(await auditDatabase(api.databaseUrl)).toEqual([]);
    for (const [type, { id }] of drafts) {
      const [last] = await read(`/events?related_to=${type},${id}`);
      expect(last).toMatchObject({ type: `${type}.deleted`, data: { object: { id } } });
    }
  });

  test.each([
    ['issued invoices', (id: number) => make('/invoices', { customer: id })],
    ['payments', (id: number) => make('/payments', { customer: id, amount: 1 })],
    ['payments', (id: number) => make('/charges', { customer: id, amount: 1, applied_to: [], ...CARD })],
    ['a payment source', (id: number) => make(`/customers/${id}/payment_sources`, CARD)],
    ['subscriptions', (id: number) => make('/subscriptions', { customer: id, plan: 'gold', start_date: 4e9 })],
    ['a credit balance', (id: number) => make('/credit_balance_adjustments', { customer: id, amount: 1 })],
    ['customers below it', (id: number) => customer({ parent_customer: id })],
  ])('a customer with %s cannot be deleted, and the message suggests to deactivate it', async (what, give) => {
    const id = await customer();
    await give(id);
    expect(await api.sandbox.delete(`/customers/${id}`)).toMatchObject(
      refused({
        message: `Customer ${id} has ${what} and cannot be deleted: deactivate it with active: false instead`,
      }),
    );
    expect(await read(`/customers/${id}`)).toMatchObject({ id });
  });

  test('a customer that is deleted and billed simultaneously is either deleted or billed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await customer();
      const [billed, deleted] = await Promise.all([
        api.sandbox.post('/invoices', { customer: id, items: [] }),
        api.sandbox.delete(`/customers/${id}`),
      ]);
      expect([`${billed.status} ${deleted.status}`]).toEqual([expect.stringMatching(/^(201 400|400 204)$/)]);
    }
  });
});

describe('anonymize', () => {
  /** Texts that must not occur anywhere after the customer is anonymized. */
  const secrets = [
    'Ada Lovelace',
    'ada@example.com',
    'Analytical Way',
    'Grace Hopper',
    'grace@example.com',
    'pays late',
  ];
  const named = { name: 'Ada Lovelace', email: 'ada@example.com', address1: '12 Analytical Way', country: 'GB' };

  /** Rows that contain one of these texts. Snapshots of issued documents are legal records and do not count. */
  async function found(): Promise<string[]> {
    const em = api.em.fork();
    const tables = await em.execute<{ name: string }[]>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname <> 'snapshot'`,
    );
    const seen: string[] = [];
    for (const { name } of tables) {
      const pattern = secrets.join('|');
      const rows = await em.execute<{ text: string }[]>(
        `select t::text as text from "${name}" t where t::text ~ ? limit 3`,
        [pattern],
      );
      seen.push(...rows.map(({ text }) => `${name}: ${text}`));
    }
    return seen;
  }

  test('anonymizing leaves no personal data anywhere, and keeps issued documents', async () => {
    const { sandbox } = api;
    const id = await customer({ ...named, number: 'C-9' });
    const path = `/customers/${id}`;
    const contact = await make(`${path}/contacts`, { name: 'Grace Hopper', email: 'grace@example.com' });
    const gone = await make(`${path}/contacts`, { name: 'Grace Hopper' });
    await sandbox.delete(`${path}/contacts/${gone.id}`);
    await make('/notes', { customer: id, notes: 'Ada Lovelace pays late' });
    const task = await make('/tasks', { customer: id, name: 'Call Ada Lovelace', action: 'phone' });
    const invoice = await make('/invoices', { customer: id, items: [{ name: 'Hour', unit_cost: 40 }] });
    await make('/charges', {
      customer: id,
      amount: 40,
      receipt_email: 'ada@example.com',
      ...CARD,
      applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 40 }],
    });
    const moved = () =>
      sandbox.patch(path, { address1: '13 Analytical Way' }, { 'Idempotency-Key': 'Ada has moved house' });
    const before = await moved();
    const child = { name: 'Child', parent_customer: id };
    const bearing = () => sandbox.post('/customers?expand=parent_customer', child, { 'Idempotency-Key': 'child' });
    expect((await bearing()).body).toMatchObject({ name: 'Child', parent_customer: { name: 'Ada Lovelace' } });
    const sending = () => sandbox.post(`/invoices/${invoice.id}/emails`, null, { 'Idempotency-Key': 'sent' });
    expect((await sending()).body).toMatchObject([{ email: 'ada@example.com' }]);
    const kept = await api.em.fork().execute<{ body: string }[]>('select body from idempotency');
    const about = kept.filter(({ body }) => secrets.some((word) => body?.includes(word)));
    expect(about.length).toBeGreaterThan(6); // two of the customer, contacts, note, task, charge, email
    expect((await found()).length).toBeGreaterThan(8);

    const { status, body } = await sandbox.post(`${path}/anonymize`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      number: 'C-9',
      name: 'Anonymized',
      email: null,
      address1: null,
      country: 'GB',
      active: false,
    });
    expect(await found()).toEqual([]);
    expect(await read(`/invoices/${invoice.id}`)).toMatchObject({ number: invoice.number, total: 40, paid: true });
    const snapshots = await api.em
      .fork()
      .execute(`select bill_to ->> 'name' as name from snapshot where bill_to ->> 'customerId' = ?::text`, [id]);
    expect(snapshots).toEqual([{ name: 'Ada Lovelace' }]);
    // A repeated request still has its effect once. Its stored answer no longer has the names.
    const again = await moved();
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual({ ...before.body, name: 'Anonymized', email: null, address1: null });
    expect((await bearing()).body).toMatchObject({ name: 'Child', parent_customer: { id, name: 'Anonymized' } });
    expect((await sending()).body).toMatchObject([{ object: 'email', email: '', subject: '', message: '' }]);
    expect((await sandbox.get(`${path}/contacts/${contact.id}`)).status).toBe(404);
    expect(await read(`/tasks/${task.id}`)).toMatchObject({ name: 'Anonymized', complete: false });
    const events = await read(`/events?related_to=customer,${id}`);
    expect(events.at(-1)).toMatchObject({
      type: 'customer.created',
      data: { object: { name: 'Anonymized', country: 'GB' } },
    });
    expect(events[0]).toMatchObject({ type: 'customer.updated', data: { previous: { active: true } } });

    expect((await sandbox.post(`${path}/anonymize`)).body).toEqual(body);
    expect((await read(`/events?related_to=customer,${id}`)).length).toBe(events.length);
    const message = `Customer ${id} was anonymized and can no longer be changed`;
    expect(await sandbox.patch(path, { name: 'Ada Lovelace' })).toMatchObject(refused({ message }));
    expect(await sandbox.post(`${path}/contacts`, { name: 'x' })).toMatchObject(refused({ message }));
    expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  });

  test('an anonymized customer refuses new personal data', async () => {
    const { sandbox } = api;
    const gone = await customer(named);
    const line = { items: [{ unit_cost: 5 }] };
    const task = await make('/tasks', { customer: gone, name: 'Call', action: 'phone' });
    const adjustment = await make('/credit_balance_adjustments', { customer: gone, amount: 3 });
    const payment = await make('/payments', { customer: gone, amount: 5 });
    const estimate = await make('/estimates', { customer: gone, ...line });
    expect((await sandbox.post(`/customers/${gone}/anonymize`)).status).toBe(200);
    const other = await customer();
    const draft = await make('/credit_notes', { customer: other, draft: true, ...line });
    const given = await make('/payments', { customer: other, amount: 5 });
    const message = `Customer ${gone} was anonymized and can no longer be changed`;
    const refuses = async (method: string, path: string, body: object, param: string | null) => {
      const { status, body: said } = await sandbox.request(method, path, body);
      expect([method, path, status, said]).toMatchObject([method, path, 400, { message, ...(param ? { param } : {}) }]);
    };
    for (const [path, body] of [
      ['/notes', { notes: 'Ada' }],
      ['/tasks', { name: 'Call Ada', action: 'phone' }],
      ['/payments', { amount: 5, notes: 'from Ada' }],
      ['/charges', { amount: 5, applied_to: [{ type: 'credit', amount: 5 }], ...CARD }],
      ['/credit_balance_adjustments', { amount: 5, notes: 'Ada' }],
      ['/credit_notes', line],
      ['/estimates', line],
      ['/invoices', line],
      ['/subscriptions', { plan: 'gold' }],
    ] as const)
      await refuses('POST', path, { customer: gone, ...body }, 'customer');
    await refuses('POST', `/customers/${gone}/line_items`, { unit_cost: 1 }, null);
    await refuses('POST', `/customers/${gone}/payment_sources`, CARD, null);
    await refuses('PATCH', `/credit_notes/${draft.id}`, { customer: gone }, 'customer');
    await refuses('PATCH', `/payments/${given.id}`, { customer: gone }, 'customer');
    await refuses('PATCH', `/payments/${payment.id}`, { notes: 'from Ada' }, 'notes');
    await refuses('PATCH', `/credit_balance_adjustments/${adjustment.id}`, { notes: 'Ada' }, 'notes');
    await refuses('PATCH', `/tasks/${task.id}`, { name: 'Call Ada' }, 'name');
    // Changes without personal data are still allowed.
    expect(await sandbox.patch(`/tasks/${task.id}`, { complete: true })).toMatchObject({ status: 200 });
    expect(await sandbox.post(`/estimates/${estimate.id}/void`)).toMatchObject({ status: 200 });
    // Personal data that is added later is erased by the next anonymization.
    const mailed = await sandbox.post(`/payments/${payment.id}/emails`, {
      to: [{ name: 'Ada', email: 'ada@example.com' }],
    });
    expect(mailed.status).toBe(200);
    expect((await sandbox.post(`/customers/${gone}/anonymize`)).status).toBe(200);
    expect(await found()).toEqual([]);
  });

  test('anonymizing also erases data that was never issued or agreed, and data that nobody has to keep', async () => {
    const { sandbox } = api;
    const id = await customer(named);
    const ship_to = { name: 'Grace Hopper', address1: '12 Analytical Way', country: 'GB' };
    const words = { notes: 'Ada Lovelace', purchase_order: 'of Grace Hopper', metadata: { who: 'Ada Lovelace' } };
    const items = [{ name: 'For Ada Lovelace', description: 'pays late', unit_cost: 5 }];
    const to = { customer: id, items: [{ unit_cost: 5 }] };
    const sent = { ...to, ship_to, sent: true };
    const [declined, voided] = [await make('/estimates', sent), await make('/estimates', sent)];
    expect((await sandbox.patch(`/estimates/${declined.id}`, { closed: true })).body.status).toBe('declined');
    await sandbox.post(`/estimates/${voided.id}/void`);
    const agreed = await make('/estimates', { ...to, ship_to: { name: 'Dock 9', country: 'GB' } });
    const invoice = await make(`/estimates/${agreed.id}/invoice`, {});
    await make('/payments', { customer: id, amount: 5, notes: 'Ada Lovelace pays late', ...pays(invoice.id) });
    const addons = [{ plan: 'gold', description: 'Seat of Ada Lovelace' }];
    const sold = { customer: id, plan: 'gold', ship_to, start_date: 4e9, addons };
    const { id: subscription } = await make('/subscriptions', sold);
    await sandbox.delete(`/subscriptions/${subscription}`);
    const line = await make(`/customers/${id}/line_items`, { ...items[0], metadata: words.metadata });
    await sandbox.patch(`/customers/${id}/line_items/${line.id}`, { description: 'Grace Hopper' });
    await sandbox.delete(`/customers/${id}/line_items/${line.id}`);
    for (const path of ['/invoices', '/estimates', '/credit_notes']) {
      const draft = await make(path, { customer: id, draft: true, ...words, items });
      await sandbox.patch(`${path}/${draft.id}`, {
        notes: 'pays late',
        items: [{ name: 'Grace Hopper', unit_cost: 1 }],
      });
      expect((await sandbox.post(`/customers/${id}/anonymize`)).body.message).toContain(`has drafts:`);
      await sandbox.delete(`${path}/${draft.id}`);
    }
    expect((await found()).length).toBeGreaterThan(9);
    expect((await sandbox.post(`/customers/${id}/anonymize`)).status).toBe(200);
    expect(await found()).toEqual([]);
    expect(await read(`/estimates/${agreed.id}`)).toMatchObject({ status: 'invoiced', ship_to: { name: 'Dock 9' } });
    expect(await read(`/estimates/${declined.id}`)).toMatchObject({ ship_to: null, total: 5 });
    expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  });

  test.each([
    ['open invoices', (id: number) => make('/invoices', { customer: id, items: [{ unit_cost: 1 }] })],
    ['a stored payment source', (id: number) => make(`/customers/${id}/payment_sources`, CARD)],
    ['running subscriptions', (id: number) => make('/subscriptions', { customer: id, plan: 'gold', start_date: 4e9 })],
    ['pending line items', (id: number) => make(`/customers/${id}/line_items`, { unit_cost: 1 })],
  ])('a customer with %s cannot be anonymized', async (what, give) => {
    const id = await customer();
    await give(id);
    expect(await api.sandbox.post(`/customers/${id}/anonymize`)).toMatchObject(
      refused({ message: `Customer ${id} has ${what}: its data is still needed` }),
    );
  });
});
