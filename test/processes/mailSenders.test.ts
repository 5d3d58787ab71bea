import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dkimKey, SENDER, verifiedDkim } from '../support/dkim.ts';
import { type KeyServer, startKeyServer } from '../support/nameservers.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
let dns: KeyServer;
beforeAll(async () => {
  dns = await startKeyServer();
  const env = { LOG_LEVEL: 'silent', NAMESERVERS: dns.address, SWEEP_INTERVAL: '200', SWEEP_AGE: '1' };
  product = await startProduct({ env });
});
afterAll(async () => {
  await product.close();
  await dns.stop();
});

test('mails come from the sender of the account only while the DNS has its key, signed by it; otherwise from the deployment', async () => {
  const { client, mailbox } = product;
  await client.patch('/account', { reply_to: 'help@acme.example', alert_recipients: ['team@acme.example'] });
  const mailTo = async (address: string) => {
    const { id: customer } = await client.post('/customers', { name: 'Ann', email: address });
    const { id } = await client.post('/invoices', { customer, items: [{ unit_cost: 25 }] });
    await client.post('/invoices/{id}/emails', {}, { id });
    return mailbox.waitFor(({ to }) => to.includes(address), `mail to ${address}`);
  };
  const { privateKey, publicKey } = dkimKey();
  const sender = await client.post('/mail_senders', { ...SENDER, private_key: privateKey });
  const checked = (state: string) =>
    product.row(`select ${state} as found from mail_sender where id = ${sender.id}`, ({ found }) => found === true);
  /** Makes the next check due, as its time does. */
  const dueNow = () => product.rows(`update mail_sender set next_look_at = now() - interval '1 minute'`);
  const fromDeployment = { from: 'Acme <billing@perennial.localhost>', 'reply-to': 'help@acme.example' };

  await checked('looked_at is not null'); // by itself, after it was created
  const unproved = await mailTo('a@example.com');
  expect(unproved.headers).toMatchObject(fromDeployment);
  expect(unproved.headers['dkim-signature']).toBeUndefined();

  dns.publish(sender.dns_name, { texts: [sender.dns_value] });
  await dueNow();
  await checked('found_at is not null'); // by itself, because it was due
  const signed = await mailTo('b@example.com');
  expect(signed).toMatchObject({
    from: 'billing@acme.example',
    headers: { from: 'Acme <billing@acme.example>', 'reply-to': 'help@acme.example' },
  });
  expect(signed.files).toHaveLength(1); // the PDF
  expect(await verifiedDkim(signed.raw, publicKey)).toMatchObject({ result: 'pass', domain: 'acme.example' });

  dns.publish(sender.dns_name, null);
  await dueNow();
  await checked('lost_at is not null');
  const alert = await mailbox.waitFor(({ to }) => to.includes('team@acme.example'), 'mail to the team');
  expect(alert).toMatchObject({ headers: { subject: 'A problem needs your attention', from: fromDeployment.from } });
  expect((await mailTo('c@example.com')).headers).toMatchObject(fromDeployment);
});

test('a DNS check that takes long or fails holds up no mail', async () => {
  const { client, mailbox } = product;
  const [sender] = (await client.get('/mail_senders')) as { id: number; dns_name: string }[];
  dns.publish(sender?.dns_name ?? '', { silent: true });
  await client.patch('/account', { alert_recipients: [] });
  const { id: customer } = await client.post('/customers', { name: 'Bob', email: 'bob@example.com' });
  const { id } = await client.post('/invoices', { customer, items: [{ unit_cost: 25 }] });
  const [mail] = await client.post('/invoices/{id}/emails', {}, { id });
  await mailbox.waitFor(({ to }) => to.includes('bob@example.com'), 'mail to Bob');
  /** Makes the mail and a check due at the same moment. Returns the times when the mail was sent and the check was recorded. */
  const both = `with again as (update email set state = 'queued', sent_at = null, next_attempt_at = now() where id = ${mail?.id})
    update mail_sender set next_look_at = now(), looked_at = null where id = ${sender?.id}`;
  const sent = () => product.row(`select sent_at as at from email where id = ${mail?.id}`, ({ at }) => at !== null);
  await product.row(`select state from email where id = ${mail?.id}`, ({ state }) => state === 'sent');
  await product.rows(both);
  const checked = await product.row(
    `select updated_at as at from mail_sender where id = ${sender?.id} and looked_at is not null`,
  );
  expect(new Date(String((await sent()).at)).getTime()).toBeLessThan(new Date(String(checked.at)).getTime());

  await product.rows(`alter table mail_sender add constraint failing check (looked_at < '2000-01-01') not valid`);
  await product.rows(both);
  await sent();
  expect(await product.rows(`select 1 from mail_sender where looked_at is not null`)).toEqual([]);
  await product.rows('alter table mail_sender drop constraint failing');
});
