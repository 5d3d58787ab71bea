import { addressHashOf } from '../../commands/kernel/secrets.ts';
import type { Client, TestApi } from './api.ts';

export const EVENT_PASSWORD = 'the-password-of-the-events';
export const POSTMARK = { provider: 'postmark', name: 'Postmark', secret: EVENT_PASSWORD } as const;

/** Sends a request to the address of a provider's events, which has another origin than the API of the test. */
export async function sendEvent(
  api: Pick<TestApi, 'origin'>,
  { events_url: url }: { events_url: string },
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<{ status: number; body: string }> {
  const answer = await fetch(`${api.origin}${new URL(url).pathname}`, { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.text() };
}

/** A report of a mail server (RFC 3464) about one recipient. */
export function deliveryReport(of: {
  messageId: string;
  address: string;
  status?: string;
  action?: string;
  id?: string;
}): string {
  const {
    messageId,
    address,
    status = '5.1.1',
    action = 'failed',
    id = `<report-${status}-of-${messageId.slice(1)}`,
  } = of;
  const lines = [
    ['From: MAILER-DAEMON@mx.example.com', 'Subject: Undelivered Mail', `Message-ID: ${id}`],
    ['Date: Mon, 01 Mar 2027 10:00:00 +0000', 'MIME-Version: 1.0'],
    ['Content-Type: multipart/report; report-type=delivery-status; boundary="B"', ''],
    ['--B', 'Content-Type: text/plain', '', 'Your mail could not be delivered.', ''],
    ['--B', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example.com', ''],
    [`Original-Recipient: rfc822;${address}`, 'Final-Recipient: rfc822; forwarded@example.net'],
    [`Action: ${action}`, `Status: ${status}`, 'Diagnostic-Code: smtp; 550 5.1.1', ' no such user', ''],
    ['--B', 'Content-Type: text/rfc822-headers', '', `Message-ID: ${messageId}`, 'Subject: Invoice', '', '--B--', ''],
  ];
  return lines.flat().join('\r\n');
}

/** The request by which a mailbox passes on a report. */
export const reportRequest = (report: string, password = EVENT_PASSWORD) => ({
  body: report,
  headers: { 'Content-Type': 'message/rfc822', ...passwordHeader(password) },
});

/** The request by which Postmark tells of a bounce. */
export function postmarkRequest(fields: Readonly<Record<string, unknown>>, password = EVENT_PASSWORD) {
  const event = { RecordType: 'Bounce', ID: 1, Type: 'HardBounce', BouncedAt: '2027-03-01T10:00:00Z', ...fields };
  return { body: JSON.stringify(event), headers: { 'Content-Type': 'application/json', ...passwordHeader(password) } };
}

function passwordHeader(password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`perennial:${password}`).toString('base64')}` };
}

/** A bounce of each mail to a customer, as rows. */
export async function seedMailEvents(api: TestApi, client: Client, customer: number): Promise<void> {
  await api.em.execute(
    `insert into mail_event (account_id, configuration, reference, kind, email_id, digest, occurred_at, received_at)
     select account_id, 'postmark_1_1', 'seeded ' || id, 'soft_bounce', id, 'seeded', now(), now() from email
     where account_id = ? and customer_id = ?`,
    [client.account.id, customer],
  );
}

/** An address to which nothing is sent, as a row. Returns its id. */
export async function seedSuppression(api: TestApi, client: Client, address: string): Promise<number> {
  const [row] = await api.em.execute<{ id: number }[]>(
    `insert into suppression (account_id, digest, address, reason, detail, suppressed_at, created_at, updated_at)
     values (?, ?, ?, 'hard_bounce', 'Refused for good', now(), now(), now()) returning id`,
    [client.account.id, addressHashOf(client.account.id, address), address],
  );
  return row?.id ?? 0;
}

/** A request as an adapter hears it, with its header names in lower case. */
export const asHeard = ({ body, headers }: { body: string; headers: Record<string, string> }) => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
});
