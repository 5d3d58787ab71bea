import type { EntityManager } from '../../orm.ts';
import { NEW_TOKEN } from '../../schema/columns.ts';

interface Key {
  accountId: number;
  id: number;
}

/** Deletes the addresses that got reminders about a customer, so that their links lead nowhere. */
export async function deleteReminderAddresses(em: EntityManager, { accountId, id }: Key): Promise<void> {
  await em.execute('delete from reminder_address where account_id = ? and customer_id = ?', [accountId, id]);
}

/** Gives new links to the addresses that got reminders about a customer. The links from before lead nowhere. */
export async function renewReminderLinks(em: EntityManager, { accountId, id }: Key, now: Date): Promise<void> {
  await em.execute(
    `update reminder_address set token = ${NEW_TOKEN}, updated_at = ? where account_id = ? and customer_id = ?`,
    [now, accountId, id],
  );
}
