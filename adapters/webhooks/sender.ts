import { Agent, type Dispatcher, errors } from 'undici';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../../commands/ports/ports.ts';
import { createConnector } from './connector.ts';
import { checkUrl, EgressRefused, readAllowedHosts } from './egress.ts';

const keptAnswerBytes = 4 * 1024;
const readAnswerBytes = 64 * 1024;

export interface WebhookSenderOptions {
  /** Host names or addresses that are exempt from the address check. Development needs loopback. */
  allowedHosts: Iterable<string>;
  /** DNS servers instead of the system's: `address` or `address:port`. */
  nameservers?: string[];
}

/**
 * Sends webhooks over persistent connections. Redirects are not followed; they count as responses. The number of connections to an origin is
 * not limited, because several accounts may send to it, and hanging requests of one would delay the others. Callers limit how many they send.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender & { close(): Promise<void> } {
  const allowed = readAllowedHosts(options.allowedHosts);
  const agent = new Agent({
    connect: createConnector(allowed, options.nameservers),
    pipelining: 1,
    // Less than the 5 s after which many servers close an idle connection.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
  });
  return {
    send: (request) => send(agent, request),
    checkUrl: (url, environment) => checkUrl(url, environment, allowed),
    close: () => agent.destroy(),
  };
}

/** Sends one webhook. Never throws: `error` has the reason of a failure. */
async function send(agent: Agent, request: WebhookRequest): Promise<WebhookAnswer> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const signal = AbortSignal.timeout(request.timeoutMilliseconds);
  try {
    const answer = await post(agent, request, signal);
    return { ...answer, error: null, latencyMilliseconds: elapsed() };
  } catch (error) {
    const nothing = { statusCode: null, answer: '', retryAfterSeconds: null };
    const late = `No complete answer within ${request.timeoutMilliseconds / 1000} s`;
    return { ...nothing, error: signal.aborted ? late : describeFailure(error), latencyMilliseconds: elapsed() };
  }
}

async function post(agent: Agent, { url, headers, body }: WebhookRequest, signal: AbortSignal) {
  const { origin, pathname, search, protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new EgressRefused(`${protocol} is not a scheme of webhooks`);
  if (username || password) throw new EgressRefused('The URL contains a user name or password');
  const path = pathname + search;
  const response = await agent.request({ origin, path, method: 'POST', headers, body, signal });
  return {
    statusCode: response.statusCode,
    answer: await readBeginning(response.body),
    retryAfterSeconds: readRetryAfter(response.headers['retry-after']),
  };
}

/** The first 4 KiB of a body as text. For a body longer than 64 KiB, the connection is closed. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    if (length < keptAnswerBytes) kept.push(chunk.subarray(0, keptAnswerBytes - length));
    length += chunk.length;
    if (length > readAnswerBytes) break;
  }
  // `stream` drops an incomplete character at the end. U+0000 is replaced, because PostgreSQL cannot store it.
  const text = new TextDecoder().decode(Buffer.concat(kept), { stream: true });
  return text.replaceAll('\u0000', '\uFFFD');
}

/** Parses a Retry-After header, a number of seconds or an HTTP date, into seconds from now. Null for anything else. */
function readRetryAfter(header: string | string[] | undefined): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const milliseconds = Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, Math.ceil(milliseconds / 1000));
}

/** The message of a failure, or its code: an error of several addresses that were tried at once has no message. */
function describeFailure(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError) return 'No connection in time';
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return (error.message || code).slice(0, 500);
}
