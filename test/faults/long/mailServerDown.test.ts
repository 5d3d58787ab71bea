import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mailBackoff } from '../../../billing/wait.ts';
import { readBacklog } from '../../../db/queries/processes/queues.ts';
import { createEndpoint, GOOD_CARD } from '../../support/business.ts';
import { listen } from '../../support/listen.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { remind } from '../../support/reminders.ts';
import { expectSound } from '../../support/soundness.ts';
import { invoiceFor, payingCustomer } from '../../support/story.ts';
import { until } from '../../support/wait.ts';

/** The mail server is away for an hour, says nothing, or breaks off: no mail is lost or doubled, and other work goes on. */

let product: Product;
let receiver: Receiver;
let webhook: { id: number };
let broken: Server | null = null;
const sockets = new Set<Socket>();
beforeAll(async () => {
  product = await startProduct({ env: { SWEEP_INTERVAL: '100', SWEEP_AGE: '100', LOG_LEVEL: 'silent' } });
  receiver = await startReceiver();
  webhook = await createEndpoint(product, receiver.url);
});
afterEach(repair);
afterAll(async () => {
  await product.close();
  await receiver.stop();
});

/** Replaces the mail server by one that treats each connection in this way. */
async function breakBy(connected: (socket: Socket) => void): Promise<void> {
  await product.mailbox.stop();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    connected(socket);
  });
  broken = await listen(server, Number(new URL(product.mailbox.url).port));
}

/** Brings the mail server back. */
async function repair(): Promise<void> {
  const closing = broken;
  broken = null;
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  if (closing) await new Promise((resolve) => closing.close(resolve));
  await product.mailbox.start();
}

/** Makes time pass for the waiting mails, from one attempt to the next. Returns once no mail is due. */
async function timePasses(seconds: number): Promise<void> {
  const due = `select extract(epoch from min(next_attempt_at) - clock_timestamp())::float8 as wait,
    count(*) filter (where next_attempt_at <= clock_timestamp())::int as count from email where state = 'queued'`;
  for (let left = seconds; ; ) {
    const { wait } = await product.row<{ wait: number | null; count: number }>(due, ({ count }) => count === 0);
    if (wait === null || left === 0) return;
    const step = Math.min(left, Math.max(0, wait));
    await product.rows(
      `update email set created_at = created_at - t, updated_at = updated_at - t, next_attempt_at = next_attempt_at - t,
         give_up_at = give_up_at - t from make_interval(secs => ?) t where state = 'queued'`,
      [step],
    );
    left -= step;
  }
}

interface Row {
  id: number;
  address: string;
  name: string;
  template: string;
  state: string;
  attempts: number;
}

const mailsTo = (address: string) =>
  product.rows<Row>(
    `select id, to_address as address, message_id as name, template, state, attempts from email where to_address like ? order by id`,
    [`%@${address}`],
  );

/** Waits until each of these mails has been tried and none is due. */
async function tried(domain: string, count: number): Promise<void> {
  const sql = `select count(*)::int as count from email where to_address like ? and state = 'queued' and attempts > 0 and next_attempt_at > now()`;
  const areTried = async () => (await product.rows<{ count: number }>(sql, [`%@${domain}`]))[0]?.count === count;
  await until(areTried, { what: `${count} tried mails` });
}

/** The work that waits, as the metrics show it. */
async function backlog() {
  const connection = await product.deps.open();
  return readBacklog(connection, product.deps.systemNow()).finally(() => connection.close());
}

/** The recipients, names and files of the mails that arrived at a domain. */
const arrivedAt = (domain: string) =>
  product.mailbox
    .messages()
    .filter(({ to }) => to.some((address) => address.endsWith(`@${domain}`)))
    .map(({ to, headers, files }) => ({ to, name: headers['message-id'], files: files.map(({ type }) => type) }))
    .toSorted((one, other) => String(one.to).localeCompare(String(other.to)));

/** Charges a customer, who gets a receipt. Returns once a webhook has told of the payment. */
async function charge(email: string): Promise<void> {
  const { id } = await payingCustomer(product, GOOD_CARD, { name: email, email });
  const invoice = await invoiceFor(product, id, 10);
  const isPaid = (body: string) => {
    const { type, data } = JSON.parse(body);
    return type === 'invoice.paid' && data.object.id === invoice.id;
  };
  await receiver.waitFor(({ body }) => isPaid(body), `the payment of ${email}`);
}

/** An open invoice of a customer with this address. */
async function owe(email: string) {
  const { id: customer } = await product.client.post('/customers', { name: email, email });
  return { customer, invoice: (await invoiceFor(product, customer, 20)).id };
}

const PDF = ['application/pdf'];

test('a mail server that is away for an hour loses no mail and doubles none; charges and webhooks go on meanwhile', async () => {
  const { client, mailbox } = product;
  const work: ((email: string) => Promise<unknown>)[] = [
    charge,
    async (email) => client.post('/invoices/{id}/emails', {}, { id: (await owe(email)).invoice }),
    async (email) => client.post('/customers/{id}/emails', {}, { id: (await owe(email)).customer }),
    async (email) =>
      remind(
        { em: product.deps.em },
        { account: { id: product.accountId } },
        { invoiceId: (await owe(email)).invoice },
      ),
    charge,
  ];
  await mailbox.stop();
  let passed = 0;
  for (const [index, begin] of work.entries()) {
    await begin(`${index}@away.example`);
    await tried('away.example', index + 1);
    await timePasses(mailBackoff(index + 1) / 1000);
    passed += mailBackoff(index + 1) / 1000;
  }
  await timePasses(3600 - passed);

  const waiting = await mailsTo('away.example');
  for (const { id } of waiting)
    expect(await client.get('/emails/{id}', { id })).toMatchObject({
      state: 'queued',
      reject_reason: expect.stringContaining('ECONNREFUSED'),
    });
  expect(Math.max(...waiting.map(({ attempts }) => attempts))).toBeGreaterThanOrEqual(6);
  // A queue that is tried is no problem of the account. Operators see it in the metrics.
  expect(await client.get('/problems')).toEqual([]);
  expect((await backlog()).emailsRetried).toBe(work.length);

  await mailbox.start();
  await timePasses(3600); // no wait is longer
  await expectSound(product, [webhook]);
  expect((await backlog()).emailsRetried).toBe(0);
  const sent = await mailsTo('away.example');
  expect(sent.map(({ template, state, name }) => ({ template, state, name }))).toEqual(
    waiting.map(({ template, name }) => ({ template, state: 'sent', name })),
  );
  expect(sent.map(({ template }) => template)).toEqual([
    'payment_receipt_email',
    'new_invoice_email',
    'statement_email',
    'late_payment_reminder_email',
    'payment_receipt_email',
  ]);
  const files = [PDF, PDF, PDF, [], PDF];
  expect(arrivedAt('away.example')).toEqual(
    waiting.map(({ address, name }, index) => ({ to: [address], name, files: files[index] })),
  );
});

test('a mail server that accepts connections and says nothing delays only mail', async () => {
  await breakBy((socket) => socket.resume());
  await charge('first@silent.example');
  await until(() => sockets.size > 0, { what: 'a connection of the worker' });
  await charge('second@silent.example');
  await tried('silent.example', 2);
  const waiting = await mailsTo('silent.example');
  const { reject_reason: reason } = await product.client.get('/emails/{id}', { id: Number(waiting[0]?.id) });
  expect(reason).toMatch(/Greeting never received|took too long/);

  await repair();
  await timePasses(3600);
  await expectSound(product, [webhook]);
  expect(arrivedAt('silent.example')).toEqual(
    waiting
      .toSorted((one, other) => one.address.localeCompare(other.address))
      .map(({ address: to, name }) => {
        return { to: [to], name, files: PDF };
      }),
  );
});

test('a mail whose connection breaks within its content arrives once and whole, under the name of every try', async () => {
  const names: string[] = [];
  await breakBy((socket) => breakWithinData(socket, (name) => names.push(name)));
  await charge('cut@broken.example');
  await tried('broken.example', 1);
  await timePasses(40); // waits of 10 s and 30 s
  const [waiting] = await mailsTo('broken.example');
  expect(waiting?.attempts).toBe(3);
  expect(names.length).toBeGreaterThanOrEqual(3);
  expect(new Set(names)).toEqual(new Set([waiting?.name]));

  await repair();
  await timePasses(3600);
  await expectSound(product, [webhook]);
  expect(arrivedAt('broken.example')).toEqual([{ to: ['cut@broken.example'], name: waiting?.name, files: PDF }]);
});

/** Takes a mail up to the end of its header, and closes the connection within its content. */
function breakWithinData(socket: Socket, seen: (name: string) => void): void {
  let data: string | null = null;
  socket.write('220 ready\r\n');
  socket.on('data', (bytes) => {
    const text = bytes.toString('latin1');
    if (data === null && !/^DATA/i.test(text)) socket.write('250 ok\r\n');
    else if (data === null) {
      data = '';
      socket.write('354 go on\r\n');
    } else {
      data += text;
      const name = /^Message-ID: (<.*>)/im.exec(data)?.[1];
      if (!name || !data.includes('\r\n\r\n')) return;
      data = '';
      seen(name);
      socket.destroy();
    }
  });
}
