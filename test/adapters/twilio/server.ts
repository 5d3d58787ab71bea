import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { twilioSignature } from '../../../adapters/sms/twilio/events.ts';
import { listen, portOf } from '../../support/listen.ts';

export const TWILIO_ACCOUNT = 'AC0123456789abcdef0123456789abcdef';
export const TWILIO_TOKEN = 'the-token-of-the-tests';
export const TWILIO_NUMBER = '+15555550100';
export const TWILIO_SERVICE = 'MG0123456789abcdef0123456789abcdef';

/** A text that the server took. */
export interface TakenText {
  sid: string;
  to: string;
  from: string;
  body: string;
  callback: string;
  madeAt: Date;
}

/**
 * How the server answers a request to send. `cut_before`, `hang_before`: it does not take the text; `cut_after`, `hang_after`: it does, and its
 * answer is lost.
 */
export type SendAnswer =
  | 'take'
  | 'cut_before'
  | 'cut_after'
  | 'hang_before'
  | 'hang_after'
  | { status: number; code: number; message: string; retryAfter?: number };

export interface TwilioServer {
  url: string;
  taken: readonly TakenText[];
  /** Number of requests to send, taken or not. */
  readonly sends: number;
  /** Answers the next requests to send with these answers in order, and all later ones by taking the text. */
  answer(...answers: SendAnswer[]): void;
  /** Whether look-ups fail with 500. */
  failLooks(fails: boolean): void;
  /** State of the account. */
  setStatus(status: 'active' | 'suspended'): void;
  close(): Promise<void>;
}

/** Starts a server that stands for Twilio: accounts, numbers, services and messages. It sends no events by itself. */
export async function startTwilio(): Promise<TwilioServer> {
  const taken: TakenText[] = [];
  const script: SendAnswer[] = [];
  const state = { sends: 0, failsLooks: false, status: 'active' };
  const take = (form: URLSearchParams): TakenText => {
    const sid = `SM${String(taken.length + 1).padStart(32, '0')}`;
    const named = (name: string) => form.get(name) ?? '';
    const from = named('From') || named('MessagingServiceSid');
    const one = {
      sid,
      from,
      to: named('To'),
      body: named('Body'),
      callback: named('StatusCallback'),
      madeAt: new Date(),
    };
    taken.push(one);
    return one;
  };
  const send = (form: URLSearchParams, response: ServerResponse): void => {
    state.sends += 1;
    const answer = script.shift() ?? 'take';
    if (typeof answer === 'object') {
      refuse(response, answer);
      return;
    }
    const one = answer.endsWith('_before') ? null : take(form);
    if (answer.startsWith('hang')) return;
    if (answer.startsWith('cut') || !one) response.socket?.destroy();
    else json(response, 201, { sid: one.sid, status: 'queued', to: one.to, body: one.body });
  };
  const list = (to: string | null, response: ServerResponse): void => {
    if (state.failsLooks) {
      json(response, 500, {});
      return;
    }
    const messages = taken
      .filter((one) => one.to === to)
      .map(({ sid, body, madeAt }) => ({
        sid,
        to,
        body,
        direction: 'outbound-api',
        date_created: madeAt.toUTCString(),
      }));
    json(response, 200, { messages: messages.reverse() });
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://twilio');
    const account = `/2010-04-01/Accounts/${TWILIO_ACCOUNT}`;
    const form = new URLSearchParams(await text(request));
    if (!isAllowed(request)) return json(response, 401, { code: 20003, message: 'Authenticate', status: 401 });
    if (url.pathname === `${account}.json`) return json(response, 200, { sid: TWILIO_ACCOUNT, status: state.status });
    if (url.pathname === `${account}/IncomingPhoneNumbers.json`) {
      const owned = url.searchParams.get('PhoneNumber') === TWILIO_NUMBER ? [{ phone_number: TWILIO_NUMBER }] : [];
      return json(response, 200, { incoming_phone_numbers: owned });
    }
    if (url.pathname === `/v1/Services/${TWILIO_SERVICE}`) return json(response, 200, { sid: TWILIO_SERVICE });
    if (url.pathname !== `${account}/Messages.json`) return json(response, 404, { code: 20404, message: 'Not found' });
    if (request.method === 'POST') return send(form, response);
    list(url.searchParams.get('To'), response);
  };
  const server = await listen(
    createServer((request, response) => void handle(request, response)),
    0,
  );
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    taken,
    get sends() {
      return state.sends;
    },
    answer: (...answers) => void script.push(...answers),
    failLooks: (fails) => {
      state.failsLooks = fails;
    },
    setStatus: (status) => {
      state.status = status;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function isAllowed({ headers }: IncomingMessage): boolean {
  const credentials = Buffer.from(`${TWILIO_ACCOUNT}:${TWILIO_TOKEN}`).toString('base64');
  return headers.authorization === `Basic ${credentials}`;
}

function refuse(response: ServerResponse, { status, code, message, retryAfter }: Exclude<SendAnswer, string>): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  json(response, status, { code, message, status });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Body and headers of an event that Twilio sends to a URL. */
export function twilioEvent(
  url: string,
  fields: Readonly<Record<string, string>>,
  token = TWILIO_TOKEN,
): { body: string; headers: Record<string, string> } {
  const form = new URLSearchParams({ AccountSid: TWILIO_ACCOUNT, ...fields });
  const type = 'application/x-www-form-urlencoded';
  return {
    body: form.toString(),
    headers: { 'content-type': type, 'x-twilio-signature': twilioSignature(token, url, form) },
  };
}
