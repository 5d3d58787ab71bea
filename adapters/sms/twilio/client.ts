import { Agent } from 'undici';
import { objectOf } from '../../jsonValues.ts';
import { createConnector } from '../../webhooks/connector.ts';
import { type AllowedHosts, EgressRefused } from '../../webhooks/egress.ts';

const SERVERS = { api: 'https://api.twilio.com', messaging: 'https://messaging.twilio.com' } as const;
const MOST_BYTES = 1024 * 1024;

export interface TwilioRequest {
  server: keyof typeof SERVERS;
  path: string;
  accountSid: string;
  authToken: string;
  /** The form of a POST. Absent: a GET. */
  form?: Readonly<Record<string, string>>;
}

/** An answer of Twilio. `body`: its JSON; null: it has none. */
export interface TwilioAnswer {
  status: number;
  body: object | null;
  retryAfterSeconds: number | null;
}

/** The request never reached Twilio, so it has had no effect. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}

export interface TwilioClient {
  /** Makes one request and never repeats it. Throws NotReached; any other error means that its effect is not known. */
  call(request: TwilioRequest, signal: AbortSignal): Promise<TwilioAnswer>;
  close(): Promise<void>;
}

/** `server`: origin of a server that replaces those of Twilio; null: Twilio. Requests follow the address rules of webhooks. */
export function createTwilioClient(options: { server: string | null; allowed: AllowedHosts }): TwilioClient {
  const agent = new Agent({ connect: createConnector(options.allowed), pipelining: 1, keepAliveTimeout: 4_000 });
  return {
    async call({ server, path, accountSid, authToken, form }, signal) {
      const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
      const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
      try {
        const response = await agent.request({
          origin: options.server ?? SERVERS[server],
          path,
          method: form ? 'POST' : 'GET',
          headers: { authorization: `Basic ${credentials}`, accept: 'application/json', ...type },
          body: form ? new URLSearchParams(form).toString() : null,
          signal,
        });
        const { statusCode: status, headers, body } = response;
        return { status, body: await jsonOf(body), retryAfterSeconds: secondsIn(headers['retry-after']) };
      } catch (error) {
        throw isUnreached(error) ? new NotReached('Twilio could not be reached') : error;
      }
    },
    close: () => agent.destroy(),
  };
}

const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function isUnreached(error: unknown): boolean {
  if (error instanceof EgressRefused) return true;
  return error instanceof Error && 'code' in error && UNREACHED.has(String(error.code));
}

async function jsonOf(body: AsyncIterable<unknown>): Promise<object | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue;
    length += part.length;
    if (length > MOST_BYTES) throw new Error('the answer of Twilio is too long');
    parts.push(part);
  }
  return objectOf(Buffer.concat(parts).toString('utf8'));
}

function secondsIn(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null;
}
