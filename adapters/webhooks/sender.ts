import { Agent, type Dispatcher, errors } from 'undici';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../../commands/ports.ts';
import { createConnector } from './connector.ts';
import { checkUrl, EgressRefused, readAllowedHosts } from './egress.ts';

const keptAnswerBytes = 4 * 1024;
const readAnswerBytes = 64 * 1024;

export interface WebhookSenderOptions {
  /** Host names or addresses exempt from the check of addresses; development needs loopback. */
  allowedHosts: Iterable<string>;
  /** DNS servers in place of the system's, `address` or `address:port`. */
  nameservers?: string[];
}

/**
 * Sends webhooks over kept-alive connections. Redirects are answers and never followed. The connections to an origin are not limited:
 * several accounts may send to one origin, and hanging requests of one would delay the others. Callers limit how many they send at a time.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender & { close(): Promise<void> } {
  const allowed = readAllowedHosts(options.allowedHosts);
  const agent = new Agent({
    connect: createConnector(allowed, options.nameservers),
    pipelining: 1,
    // Below the 5 s after which many servers close an idle connection.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
  });
  return {
    send: (request) => send(agent, request),
    checkUrl: (url, environment) => checkUrl(url, environment, allowed),
    close: () => agent.destroy(),
  };
}

/** Never throws: a failure is in `error`. */
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

/** The first 4 KiB as text. A body longer than 64 KiB is cut off by closing its connection. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    if (length < keptAnswerBytes) kept.push(chunk.subarray(0, keptAnswerBytes - length));
    length += chunk.length;
    if (length > readAnswerBytes) break;
  }
  // `stream` drops a character that the cut has split. U+0000 is replaced, because PostgreSQL does not store it.
  const text = new TextDecoder().decode(Buffer.concat(kept), { stream: true });
  return text.replaceAll('\u0000', '\uFFFD');
}

/** Seconds from now, parsed from a number of seconds or an HTTP date; null for anything else. */
function readRetryAfter(header: string | string[] | undefined): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const milliseconds = Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, Math.ceil(milliseconds / 1000));
}

/** The message of a failure. An error of several addresses tried at once has only a code. */
function describeFailure(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError) return 'No connection in time';
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return (error.message || code).slice(0, 500);
}
