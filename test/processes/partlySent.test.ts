import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { POSTMARK, postmarkRequest, sendEvent } from '../support/bounces.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => product.close());

const GREYLISTED = '4.7.1 Greylisted';

/** Sends an invoice to an address, with a blind copy. Returns the id of the email. */
async function mailed(email: string, bcc: string): Promise<number> {
  const { client } = product;
  const customer = await client.post('/customers', { name: 'Ann', email });
  const invoice = await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 25 }] });
  const [mail] = await client.post('/invoices/{id}/emails', { bcc }, { id: invoice.id });
  return Number(mail?.id);
}

/** The email after a number of attempts. */
async function after(id: number, attempts: number) {
  const sql = `select attempts, message_id as name, extract(epoch from next_attempt_at - clock_timestamp())::float8 as wait
    from email where id = ${id}`;
  type Row = { attempts: number; name: string; wait: number | null };
  const row = await product.row<Row>(sql, (email) => email.attempts === attempts);
  const { state, reject_reason: reason } = await product.client.get('/emails/{id}', { id });
  return { ...row, state, reason };
}

const timePasses = (id: number) =>
  product.rows(`update email set next_attempt_at = now() - interval '1 s' where id = ${id}`);

/** The recipients of each mail with a Message-ID, in order. */
const arrived = (name: string) =>
  product.mailbox.messages().flatMap(({ headers, to }) => (headers['message-id'] === name ? [to] : []));

test.each([
  ['the recipient', 'late@example.com', 'on-time-copy@example.com', `451 ${GREYLISTED}`],
  ['a blind copy', 'on-time@example.com', 'late-copy@example.com', `A blind copy waits: 451 ${GREYLISTED}`],
])(
  '%s that the mail server refuses for now gets the mail later, and the others get it once',
  async (_, to, bcc, why) => {
    const { mailbox } = product;
    const [late, onTime] = to.startsWith('late') ? [to, bcc] : [bcc, to];
    mailbox.refuseAddress(late, GREYLISTED, 451);
    const id = await mailed(to, bcc);
    const first = await after(id, 1);
    expect(first).toMatchObject({ state: 'queued', reason: why });
    expect(first.wait).toBeGreaterThan(0);
    await timePasses(id);
    const second = await after(id, 2);
    expect(second).toMatchObject({ state: 'queued', reason: expect.stringContaining(GREYLISTED) });
    expect(second.wait).toBeGreaterThan(10); // 30 s after the attempt
    expect(arrived(first.name)).toEqual([[onTime]]);
    mailbox.acceptAddress(late);
    await timePasses(id);
    expect(await after(id, 3)).toMatchObject({ state: 'sent', reason: null, wait: null });
    expect(arrived(first.name)).toEqual([[onTime], [late]]);
    await expectSound(product);
  },
);

test('a mail whose recipient is refused for good still reaches a blind copy that was refused for now', async () => {
  const { mailbox } = product;
  const [gone, late] = ['gone@example.com', 'later-copy@example.com'];
  mailbox.refuseAddress(gone, '5.1.1 No such user');
  mailbox.refuseAddress(late, GREYLISTED, 451);
  const id = await mailed(gone, late);
  const first = await after(id, 1);
  expect(first).toMatchObject({ state: 'queued', reason: '550 5.1.1 No such user' });
  mailbox.acceptAddress(late);
  await timePasses(id);
  expect(await after(id, 2)).toMatchObject({ state: 'bounced', reason: '550 5.1.1 No such user', wait: null });
  expect(arrived(first.name)).toEqual([[late]]);
});

test('a blind copy is given up after 48 hours, and the mail is sent and says so', async () => {
  const { mailbox } = product;
  const [to, late] = ['reached@example.com', 'never-copy@example.com'];
  mailbox.refuseAddress(late, GREYLISTED, 451);
  const id = await mailed(to, late);
  const { name } = await after(id, 1);
  // Nearly 48 hours have passed: a third attempt would come after their end.
  await product.rows(`update email set give_up_at = now() + interval '29 s' where id = ${id}`);
  await timePasses(id);
  const reason = expect.stringMatching(`^A blind copy did not arrive: .*${GREYLISTED}$`);
  expect(await after(id, 2)).toMatchObject({ state: 'sent', reason, wait: null });
  expect(arrived(name)).toEqual([[to]]);
});

test('a bounce that is reported while a blind copy waits loses neither the bounce nor the copy', async () => {
  const { mailbox, client } = product;
  const [to, late] = ['bounces@example.com', 'patient-copy@example.com'];
  mailbox.refuseAddress(late, GREYLISTED, 451);
  const id = await mailed(to, late);
  const { name } = await after(id, 1);
  const provider = await client.post('/mail_providers', POSTMARK);
  const Metadata = { 'message-id': name.replace(/[<>]/g, '') };
  const bounce = postmarkRequest({ Email: to, Description: 'No such user', Metadata });
  expect(await sendEvent(new URL(product.url), provider, bounce)).toMatchObject({ status: 200 });
  expect(await after(id, 1)).toMatchObject({ state: 'queued', reason: expect.stringContaining('No such user') });
  mailbox.acceptAddress(late);
  await timePasses(id);
  expect(await after(id, 2)).toMatchObject({ state: 'bounced', reason: expect.stringContaining('No such user') });
  expect(arrived(name)).toEqual([[to], [late]]);
});
