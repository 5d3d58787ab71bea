import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, portOf } from '../../support/listen.ts';
import { Fault } from './fault.ts';
import { type Params, parseForm } from './form.ts';
import { carryOut } from './routes.ts';
import { refuseBroken } from './rules.ts';
import { newWorld, type World } from './world.ts';

/** A request that the server received. */
export interface Asked {
  method: string;
  path: string;
  params: Params;
  key: string | null;
  headers: IncomingMessage['headers'];
  /** The parameters as they were sent. */
  text: string;
  /** Null: the server has not answered. */
  answer: Answer | null;
}

/**
 * How the server fails: it carries the request out or not (`before`), and then does not answer (`silent`), cuts the connection, or answers
 * with an error.
 */
export type Failure =
  | 'silent_before'
  | 'silent_after'
  | 'cut_before'
  | 'cut_after'
  | 'rate_limited'
  | 'broken'
  /** Its answer is an error with 500, which it keeps under the key; it has carried the request out, or not. */
  | 'failed_after'
  | 'failed_before'
  /** It begins to carry the request out, and goes on when the promise is kept. */
  | { held: Promise<unknown> }
  /** It carries the request out, and answers when the promise is kept. */
  | { answerHeld: Promise<unknown> }
  /** It carries the request out, and something else answers in its place. */
  | { status: number; text: string }
  /** It refuses the request. */
  | Refused;

export interface StripeServer {
  world: World;
  /** Where the server listens, as the adapter takes it. */
  address: { host: string; port: number; protocol: 'http' };
  asked: readonly Asked[];
  /** Makes the next requests fail that match. */
  fail(what: { request: RegExp; how: Failure; times?: number }): void;
  /** Revokes a secret key, as the Dashboard does: all its requests get 401. https://docs.stripe.com/keys */
  revoke(secretKey: string): void;
  /** Takes a secret key again. */
  restore(secretKey: string): void;
  /** Forgets the idempotency keys, as Stripe does after a day. */
  forgetKeys(): void;
  close(): Promise<void>;
}

/** Answers of Stripe that refuse a request for a reason of the account, by https://docs.stripe.com/error-codes and /api/errors. */
const REFUSALS = {
  /** "The API key provided has expired. Obtain your current API keys from the Dashboard." */
  api_key_expired: { status: 401, message: 'The API key provided has expired.' },
  /** "Activate the payment method in the Dashboard, then try again." */
  payment_method_unactivated: { status: 400, message: 'The payment method type is not activated.' },
  /** "The account ID provided as a value for the Stripe-Account header is invalid." */
  account_invalid: { status: 403, message: 'The provided key does not have access to the account.' },
  /** "403: The API key doesn't have permissions to perform the request." A restricted key. */
  more_permissions_required: { status: 403, message: 'The provided key does not have the required permissions.' },
  /** "400: The request was unacceptable, often due to missing a required parameter." */
  without_code: { status: 400, message: 'This is not available here.' },
} as const;
export type Refused = keyof typeof REFUSALS;

interface Kept {
  endpoint: string;
  body: string;
  answer: Answer | null;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** Milliseconds that a request takes by default, so that requests overlap. */
const LATENCY = 5;

/** Every error has one of four types, also those without a code: https://docs.stripe.com/api/errors#errors-type. */
const REQUEST = 'invalid_request_error';

const BROKEN: Answer = { status: 500, body: { error: { type: 'api_error', message: 'Stripe is broken.' } } };

const errorOf = (status: number, error: Record<string, unknown>): Answer => ({ status, body: { error } });

const isRefusal = (failure: string): failure is Refused => failure in REFUSALS;

function refusalOf(refused: Refused): Answer {
  const { status, message } = REFUSALS[refused];
  return errorOf(status, { type: REQUEST, message, ...(refused === 'without_code' ? {} : { code: refused }) });
}

/** The account that a secret key opens: `acct_Rome2027` for `sk_test_Rome2027`; null: none. */
function accountOf(secretKey: string): string | null {
  const [, name] = /^sk_(?:test|live)_(?!unknown)(\w+)$/.exec(secretKey) ?? [];
  return name ? `acct_${name}` : null;
}

/**
 * Starts a server on the loopback interface that behaves as Stripe does, for the requests that the adapter makes. It knows all
 * keys, but for those that begin with `sk_test_unknown` or `sk_live_unknown`.
 */
export async function startStripe(latency = LATENCY): Promise<StripeServer> {
  const world = newWorld();
  const asked: Asked[] = [];
  const failures: { request: RegExp; how: Failure; times: number }[] = [];
  const keys = new Map<string, Kept>();
  const revoked = new Set<string>();
  const answerTo = keeping(world, keys);
  const answered = (request: Asked, { account, ...how }: Carrying & { account: string }): Promise<Answer> | Answer =>
    request.path === '/v1/account' ? { status: 200, body: { id: account, object: 'account' } } : answerTo(request, how);
  const nextFailure = ({ method, path }: Asked): Failure | null => {
    const planned = failures.find(({ request, times }) => times > 0 && request.test(`${method} ${path}`));
    if (!planned) return null;
    planned.times -= 1;
    return planned.how;
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await receive(incoming);
    asked.push(request);
    const failure = nextFailure(request);
    await sleep(latency);
    if (failure === 'silent_before') return;
    if (failure === 'cut_before') return void response.destroy();
    if (failure === 'rate_limited')
      return send(response, errorOf(429, { type: REQUEST, code: 'rate_limit', message: 'Too fast.' }));
    if (typeof failure === 'string' && isRefusal(failure)) return send(response, refusalOf(failure));
    const secretKey = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const account = revoked.has(secretKey) ? null : accountOf(secretKey);
    const held = typeof failure === 'object' && failure !== null && 'held' in failure ? failure.held : null;
    const breaks = failure === 'failed_after' || failure === 'failed_before' ? failure : null;
    const answer = await (account
      ? answered(request, { account, held, breaks })
      : errorOf(401, { type: REQUEST, message: 'Invalid API Key provided.' }));
    if (typeof failure === 'object' && failure !== null && 'answerHeld' in failure) await failure.answerHeld;
    request.answer = answer;
    if (failure === 'silent_after') return;
    if (failure === 'cut_after') return void response.destroy();
    if (typeof failure === 'object' && failure !== null && 'text' in failure)
      return void response.writeHead(failure.status).end(failure.text);
    if (failure === 'broken') return send(response, BROKEN);
    send(response, answer);
  };
  const server = await listen(createServer(handle), 0);
  return {
    world,
    asked,
    address: { host: '127.0.0.1', port: portOf(server), protocol: 'http' },
    fail: ({ request, how, times = 1 }) => void failures.push({ request, how, times }),
    revoke: (secretKey) => void revoked.add(secretKey),
    restore: (secretKey) => void revoked.delete(secretKey),
    forgetKeys: () => keys.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function receive(incoming: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { pathname, search } = new URL(incoming.url ?? '/', 'http://stripe.test');
  const text = incoming.method === 'GET' ? search.slice(1) : Buffer.concat(chunks).toString();
  const key = incoming.headers['idempotency-key'];
  return {
    method: incoming.method ?? '',
    path: pathname,
    params: parseForm(text),
    key: typeof key === 'string' ? key : null,
    headers: incoming.headers,
    text,
    answer: null,
  };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  // The SDK reports how long a request took only if it has an id.
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' });
  response.end(JSON.stringify(body));
}

/** How a request is carried out. */
interface Carrying {
  /** It goes on once this is kept. */
  held: Promise<unknown> | null;
  /** Stripe fails after it has carried the request out, or before. */
  breaks: 'failed_after' | 'failed_before' | null;
}

/**
 * Carries requests out, and keeps answers under their idempotency keys, by https://docs.stripe.com/api/idempotent_requests: a request with a
 * used key gets the answer of the first one, errors with 500 included; other parameters are an error; nothing is kept of a request whose
 * parameters are not valid, or which meets another one that is being carried out. That one gets 409, whose code `idempotency_key_in_use` is
 * in https://docs.stripe.com/error-codes.
 */
function keeping(world: World, keys: Map<string, Kept>): (request: Asked, how: Carrying) => Promise<Answer> {
  return async (request, how) => {
    const { key, method, path, params } = request;
    if (method === 'GET' || key === null) return (await attempt(world, request, how)).answer;
    const [endpoint, body] = [`${method} ${path}`, JSON.stringify(params)];
    const used = keys.get(key);
    if (used && (used.endpoint !== endpoint || used.body !== body))
      return errorOf(400, usedKey(used, { key, endpoint }));
    if (used)
      return (
        used.answer ?? errorOf(409, { type: REQUEST, code: 'idempotency_key_in_use', message: 'The key is in use.' })
      );
    const kept: Kept = { endpoint, body, answer: null };
    keys.set(key, kept);
    const { answer, isKept } = await attempt(world, request, how);
    if (isKept) kept.answer = answer;
    else keys.delete(key);
    return answer;
  };
}

function usedKey(used: Kept, { key, endpoint }: { key: string; endpoint: string }) {
  const same = used.endpoint === endpoint ? 'with the same parameters' : `for the same endpoint ('${used.endpoint}')`;
  const message = `Keys for idempotent requests can only be used ${same}. Try using a key other than '${key}'.`;
  return { type: 'idempotency_error', message };
}

async function attempt(
  world: World,
  request: Asked,
  { held, breaks }: Carrying,
): Promise<{ answer: Answer; isKept: boolean }> {
  await (held ?? sleep(LATENCY));
  try {
    refuseBroken(request);
    if (breaks === 'failed_before') return { answer: BROKEN, isKept: true };
    const answer = { status: 200, body: carryOut(world, request) };
    return { answer: breaks ? BROKEN : answer, isKept: true };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { answer: errorOf(error.status, error.body), isKept: error.isKept };
  }
}
