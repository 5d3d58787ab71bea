import { queueReminder, type Reminder } from '../../commands/chasing/reminderMail.ts';
import { lockOwnerAsSystem } from '../../commands/kernel/lockedCustomer.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { TestApi } from './api.ts';

/** Queues a reminder of an invoice, as a step of chasing does. */
export function remind(
  api: Pick<TestApi, 'em'>,
  client: { account: { id: number } },
  { invoiceId, ...reminder }: Partial<Reminder> & { invoiceId: number },
): ReturnType<typeof queueReminder> {
  const whole = { cause: `invoice:${invoiceId}`, items: [{ invoiceId }], credits: [], ...reminder };
  const key = { table: 'invoice' as const, accountId: client.account.id, id: invoiceId };
  return inTransaction(api.em, async (em) => queueReminder(em, await lockOwnerAsSystem(em, key, new Date()), whole));
}

/** Paths of the pages that stop reminders, from the mails to a customer: the path of each address. */
export async function stopPaths(api: Pick<TestApi, 'em'>, customer: number): Promise<Map<string, string>> {
  const rows = await api.em
    .fork()
    .execute<{ address: string; url: string }[]>(
      'select to_address as address, unsubscribe_url as url from email where customer_id = ? and unsubscribe_url is not null order by id',
      [customer],
    );
  return new Map(rows.map(({ address, url }) => [address, new URL(url).pathname]));
}

/** The path of the page that stops reminders to the customer of this invoice, which gets one. */
export async function remindersPath(
  api: Pick<TestApi, 'em' | 'sandbox'>,
  { id, customer }: { id: number; customer: number },
): Promise<string> {
  await remind(api, api.sandbox, { invoiceId: id });
  const [path = ''] = (await stopPaths(api, customer)).values();
  return path;
}
