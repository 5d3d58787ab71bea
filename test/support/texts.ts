import { TWILIO_ACCOUNT, TWILIO_NUMBER, TWILIO_TOKEN } from '../adapters/twilio/server.ts';
import type { Client, TestApi } from './api.ts';

/** The provider that sends nothing, as the sandbox has it. */
export const TEST_PROVIDER = {
  provider: 'test',
  name: 'Sandbox',
  account_sid: TWILIO_ACCOUNT,
  auth_token: TWILIO_TOKEN,
  sender: TWILIO_NUMBER,
} as const;

/** The provider of live accounts, at the server that stands for Twilio. */
export const TWILIO_PROVIDER = { ...TEST_PROVIDER, provider: 'twilio', name: 'Twilio' } as const;

/** Adds the provider of the sandbox. Returns its id. */
export async function seedProvider(client: Client): Promise<number> {
  return (await client.make('/message_providers', TEST_PROVIDER)).id;
}

/** A text to a customer that was sent, as rows: the API sends none itself. Returns its id. */
export async function seedText(api: TestApi, client: Client, customer: number): Promise<number> {
  const [row] = await api.em.execute<{ id: number }[]>(
    `insert into text_message (account_id, customer_id, reminder_id, contact_id, cause, number, message, zones, invoice_ids, state,
       attempts, give_up_at, reference, sent_at, created_at, updated_at)
     select account_id, id, 0, 1, 'seeded:' || id, '+12125550123', 'Please pay $10.00', '{America/New_York}', '{}', 'sent',
       1, now(), 'SM' || id, now(), now(), now() from customer where account_id = ? and id = ? returning id`,
    [client.account.id, customer],
  );
  return row?.id ?? 0;
}
