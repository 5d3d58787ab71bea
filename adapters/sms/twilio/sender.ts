import type { OutgoingText, TextCredentials, TextResult, TextSender } from '../../../commands/ports/ports.ts';
import { listIn, textIn } from '../../jsonValues.ts';
import { NotReached, type TwilioAnswer, type TwilioClient } from './client.ts';
import { readTwilioEvent, STOPPED } from './events.ts';

/** Twilio's record has whole seconds, and its clock may differ from ours. */
const SKEW_MILLISECONDS = 5_000;
const MOST_LISTED = 100;

/** Sends texts by an account at Twilio. `configuration`: its name. `events`: public URL of its events. */
export function createTwilioSender(
  client: TwilioClient,
  of: { configuration: string; credentials: TextCredentials; events: string },
): TextSender {
  const { configuration, credentials, events } = of;
  const { sender } = credentials;
  const account = { accountSid: credentials.accountSid, authToken: credentials.authToken };
  const path = `/2010-04-01/Accounts/${account.accountSid}/Messages.json`;
  const from = sender.startsWith('MG') ? { MessagingServiceSid: sender } : { From: sender };
  return {
    name: configuration,
    async send({ to, message, id }, signal) {
      const form = { To: to, ...from, Body: message, StatusCallback: `${events}?text=${id}` };
      try {
        return resultOf(await client.call({ server: 'api', path, ...account, form }, signal));
      } catch (error) {
        if (error instanceof NotReached) return { status: 'later', reason: error.message, retryAfterSeconds: null };
        return {
          status: 'unknown',
          reason: signal.aborted ? 'Twilio has not answered in time' : 'the answer was lost',
        };
      }
    },
    async look(text, since, signal) {
      const query = new URLSearchParams({ To: text.to, PageSize: `${MOST_LISTED}` });
      const answer = await client.call({ server: 'api', path: `${path}?${query}`, ...account }, signal);
      if (answer.status !== 200) throw new Error(`Twilio answered a look-up with ${answer.status}`);
      const found = listIn(answer.body, 'messages').find((one) => isSame(one, text, since));
      const reference = textIn(found ?? null, 'sid');
      return reference === null ? null : { reference };
    },
    readEvent: (message) => readTwilioEvent(credentials, message),
  };
}

/** Codes of an account that may send again later: its credentials, its balance, its rate. */
const LATER_STATUSES = new Set([401, 403, 404, 429]);

function resultOf({ status, body, retryAfterSeconds }: TwilioAnswer): TextResult {
  const code = textIn(body, 'code');
  const reason = `Twilio: ${code ?? status} ${textIn(body, 'message') ?? ''}`.trim().slice(0, 500);
  const reference = textIn(body, 'sid');
  if (status < 300 && reference !== null) return { status: 'accepted', reference };
  if (LATER_STATUSES.has(status)) return { status: 'later', reason, retryAfterSeconds };
  if (status >= 400 && status < 500) return { status: 'refused', reason, isStopped: code === STOPPED };
  return { status: 'unknown', reason };
}

/** Whether a message in Twilio's record is a text of ours: the same words to the same number, made since then. */
function isSame(one: object, { to, message }: OutgoingText, since: Date): boolean {
  const made = Date.parse(textIn(one, 'date_created') ?? '');
  if (!(made >= since.getTime() - SKEW_MILLISECONDS)) return false;
  const isOutbound = (textIn(one, 'direction') ?? '').startsWith('outbound');
  return isOutbound && textIn(one, 'to') === to && plain(textIn(one, 'body') ?? '').includes(plain(message));
}

/** Letters and digits: Twilio replaces quotation marks by ones that need fewer segments, and puts a sentence before texts of trials. */
function plain(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
}
