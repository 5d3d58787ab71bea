import { Refusal } from '../../../billing/refusal.ts';
import type { TextCredentials, TextProviderKind } from '../../../commands/ports/ports.ts';
import { listIn, textIn } from '../../jsonValues.ts';
import { readAllowedHosts } from '../../webhooks/egress.ts';
import { createTwilioClient, type TwilioAnswer, type TwilioClient } from './client.ts';
import { createTwilioSender } from './sender.ts';

export interface TwilioOptions {
  /** Origin of a server that replaces those of Twilio; null: Twilio. */
  server: string | null;
  /** Hosts that are exempt from the address rules of webhooks. */
  allowedHosts: Iterable<string>;
}

/** Texts by Twilio. `close` closes its connections. */
export function createTwilioKind({
  server,
  allowedHosts,
}: TwilioOptions): TextProviderKind & { close(): Promise<void> } {
  const client = createTwilioClient({ server, allowed: readAllowedHosts(allowedHosts) });
  return {
    name: 'twilio',
    async check(credentials, signal) {
      checkShape(credentials);
      await checkAccount(client, credentials, signal);
      await checkSender(client, credentials, signal);
    },
    open: (configuration, credentials, events) => createTwilioSender(client, { configuration, credentials, events }),
    close: client.close,
  };
}

function checkShape({ accountSid, sender }: TextCredentials): void {
  if (!/^AC[0-9a-f]{32}$/.test(accountSid))
    throw new Refusal('parameter_invalid', 'Account SID must be AC and 32 hexadecimal digits', 'account_sid');
  if (!/^(?:\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/.test(sender))
    throw new Refusal(
      'parameter_invalid',
      'Sender must be a number such as +15550100, or a messaging service MG…',
      'sender',
    );
}

async function checkAccount(client: TwilioClient, credentials: TextCredentials, signal: AbortSignal): Promise<void> {
  const { accountSid, authToken } = credentials;
  const path = `/2010-04-01/Accounts/${accountSid}.json`;
  const { status, body } = await asked(client.call({ server: 'api', path, accountSid, authToken }, signal));
  if (status !== 200)
    throw new Refusal('parameter_invalid', 'Twilio does not accept the account SID and the auth token', 'auth_token');
  const state = textIn(body, 'status');
  if (state !== 'active')
    throw new Refusal('parameter_invalid', `Account at Twilio must be active: ${state}`, 'account_sid');
}

async function checkSender(client: TwilioClient, credentials: TextCredentials, signal: AbortSignal): Promise<void> {
  const { accountSid, authToken, sender } = credentials;
  const own = { accountSid, authToken };
  if (sender.startsWith('MG')) {
    const path = `/v1/Services/${sender}`;
    const { status } = await asked(client.call({ server: 'messaging', path, ...own }, signal));
    if (status !== 200)
      throw new Refusal('parameter_invalid', `Account at Twilio has no messaging service ${sender}`, 'sender');
    return;
  }
  const path = `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json?${new URLSearchParams({ PhoneNumber: sender })}`;
  const { body } = await asked(client.call({ server: 'api', path, ...own }, signal));
  if (!listIn(body, 'incoming_phone_numbers').some((one) => textIn(one, 'phone_number') === sender))
    throw new Refusal('parameter_invalid', `Account at Twilio has no number ${sender}`, 'sender');
}

/** The answer to a question. Throws a Refusal if Twilio does not answer. */
async function asked(call: Promise<TwilioAnswer>): Promise<TwilioAnswer> {
  const answer = await call.catch(() => null);
  if (answer === null || answer.status >= 500 || answer.status === 429)
    throw new Refusal('gateway_unavailable', 'Twilio has not answered: try again', 'auth_token');
  return answer;
}
