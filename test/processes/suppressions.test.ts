import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addressHashOf } from '../../commands/kernel/secrets.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => product.close());

/** Suppresses an address of the sandbox, as an event about a mail does. */
const suppress = (address: string) =>
  product.rows(
    `insert into suppression (account_id, digest, address, reason, suppressed_at, created_at, updated_at)
     values (?, ?, ?, 'hard_bounce', now(), now(), now())`,
    [product.accountId, addressHashOf(product.accountId, address), address],
  );

test('nothing is sent to a suppressed address: the mail fails and says why, with one task; blind copies are left out', async () => {
  const { client, mailbox } = product;
  const customer = await client.post('/customers', { name: 'Ann', email: 'Dead@example.com' });
  await suppress('dead@example.com');
  await suppress('dead-copy@example.com');
  const invoice = await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 25 }] });
  const send = (body: object) => client.post('/invoices/{id}/emails', body, { id: invoice.id });
  const failed = await Promise.all([send({}), send({})]);
  const [alive] = await send({
    to: [{ name: 'Bob', email: 'bob@example.com' }],
    bcc: 'dead-copy@example.com,books@example.com',
  });
  await product.row(`select state from email where id = ${alive?.id}`, ({ state }) => state === 'sent');
  for (const [email] of failed) {
    await product.row(`select state from email where id = ${email?.id}`, ({ state }) => state === 'failed');
    const reason = 'Nothing is sent to this address any more: a mail to it was refused for good';
    expect(await client.get('/emails/{id}', { id: Number(email?.id) })).toMatchObject({
      state: 'failed',
      reject_reason: reason,
    });
  }
  expect(mailbox.messages().map(({ to }) => to)).toEqual([['bob@example.com', 'books@example.com']]);
  const name = 'Correct the email address Dead@example.com: a mail to it was refused for good';
  expect(await client.get('/tasks')).toMatchObject([{ name, customer: customer.id, complete: false }]);
  const [suppressed] = await client.get('/suppressions', { filter: { email: 'dead@example.com' } });
  await client.delete('/suppressions/{id}', { id: suppressed?.id ?? 0 });
  await send({});
  await mailbox.waitFor(({ to }) => to.includes('Dead@example.com'), 'mail to the address that is allowed again');
  expect(await client.get('/tasks')).toMatchObject([{ name, complete: true }]);
});

test('an address that the mail server does not know gets no more mail; one that it refuses by its policy does', async () => {
  const { client, mailbox } = product;
  mailbox.refuseAddress('gone@example.com', '5.1.1 No such user');
  mailbox.refuseAddress('policy@example.com', '5.7.1 Relaying denied');
  const mailed = async (email: string) => {
    const customer = await client.post('/customers', { name: 'Cleo', email });
    const invoice = await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 25 }] });
    const [mail] = await client.post('/invoices/{id}/emails', {}, { id: invoice.id });
    await product.row(`select state from email where id = ${mail?.id}`, ({ state }) => state === 'bounced');
    const suppressions = await client.get('/suppressions', { filter: { email } });
    return [
      suppressions.map(({ reason }) => reason),
      await client.get('/tasks', { filter: { customer: customer.id } }),
    ];
  };
  const name = 'Correct the email address gone@example.com: a mail to it was refused for good';
  expect(await mailed('gone@example.com')).toMatchObject([['hard_bounce'], [{ name, complete: false }]]);
  expect(await mailed('policy@example.com')).toEqual([[], []]);
});

test('a recipient that the mail server does not know is suppressed also when another recipient of the mail is accepted', async () => {
  const { client, mailbox } = product;
  for (const gone of ['gone-to@example.com', 'gone-copy@example.com'])
    mailbox.refuseAddress(gone, '5.1.1 No such user');
  const sent = async (email: string, bcc: string) => {
    const customer = await client.post('/customers', { name: 'Dora', email });
    const invoice = await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 25 }] });
    const [mail] = await client.post('/invoices/{id}/emails', { bcc }, { id: invoice.id });
    await product.row(`select state from email where id = ${mail?.id}`, ({ state }) => state !== 'queued');
    const { state, reject_reason: reason } = await client.get('/emails/{id}', { id: Number(mail?.id) });
    const tasks = await client.get('/tasks', { filter: { customer: customer.id } });
    return { state, reason, tasks: tasks.map(({ name }) => name) };
  };
  const dead = async (email: string) =>
    (await client.get('/suppressions', { filter: { email } })).map(({ reason }) => reason);
  const task = (address: string) => `Correct the email address ${address}: a mail to it was refused for good`;
  // Only the blind copy arrives: the mail did not reach its recipient.
  expect(await sent('gone-to@example.com', 'books@example.com')).toEqual({
    state: 'bounced',
    reason: '550 5.1.1 No such user',
    tasks: [task('gone-to@example.com')],
  });
  // Only the recipient gets it: the mail is sent and says so, and the copy is suppressed.
  expect(await sent('dora@example.com', 'gone-copy@example.com')).toEqual({
    state: 'sent',
    reason: 'A blind copy did not arrive: 550 5.1.1 No such user',
    tasks: [task('gone-copy@example.com')],
  });
  expect([await dead('gone-to@example.com'), await dead('gone-copy@example.com')]).toEqual([
    ['hard_bounce'],
    ['hard_bounce'],
  ]);
});
