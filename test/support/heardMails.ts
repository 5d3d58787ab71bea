import type { Answer, Client, TestApi } from './api.ts';
import { deliveryReport, POSTMARK, postmarkRequest, reportRequest, sendEvent } from './bounces.ts';

let count = 0;

/** A business with both kinds of provider that need no signature, and functions by which they tell of bounces. */
export async function hearing(api: TestApi) {
  const { live: client } = await api.open('Hearing');
  const postmark = await client.make('/mail_providers', POSTMARK);
  const mailbox = await client.make('/mail_providers', { ...POSTMARK, provider: 'mailbox' });
  const report = async (of: Parameters<typeof deliveryReport>[0]) =>
    (await sendEvent(api, mailbox, reportRequest(deliveryReport(of)))).status;
  const tell = async (fields: object) => (await sendEvent(api, postmark, postmarkRequest({ ...fields }))).status;
  return { client, postmark, report, tell };
}

/** An email that was sent to a new customer, with its Message-ID. */
export async function sentTo(api: TestApi, client: Client) {
  count += 1;
  const address = `c${count}@example.com`;
  const customer = (await client.make('/customers', { name: 'Ann', email: address })).id;
  return { address, customer, ...(await sentAgain(api, client, customer)) };
}

/** Another email to a customer. */
export async function sentAgain(api: TestApi, client: Client, customer: number, body: object = {}) {
  const invoice = await client.make('/invoices', { customer, items: [{ unit_cost: 25 }] });
  const [email] = (await client.post(`/invoices/${invoice.id}/emails`, body)).body;
  await api.em.execute(`update email set state = 'sent', sent_at = now(), next_attempt_at = null where id = ?`, [
    email.id,
  ]);
  const [row] = await api.em.execute<{ message_id: string }[]>('select message_id from email where id = ?', [email.id]);
  return { email: email.id, messageId: row?.message_id ?? '' };
}

/** State of an email, with the reason. */
export const mailStateOf = async (client: Client, id: string) => {
  const { state, reject_reason: reason } = (await client.get(`/emails/${id}`)).body;
  return [state, reason];
};
export const tasksOf = async (client: Client, customer: number): Promise<Answer['body'][]> =>
  (await client.get('/tasks')).body.filter((task: Answer['body']) => task.customer === customer);
