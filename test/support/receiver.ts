import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { listen, portOf } from './listen.ts';
import { until } from './wait.ts';

/** A received request. `body` is the exact text. `receivedAt` is real time in epoch milliseconds. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  receivedAt: number;
}

/** `hang` never answers. `cut` closes the connection without an answer. An answer with `after` waits for that promise. */
export type ScriptedAnswer =
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string;
      delayMilliseconds?: number;
      after?: Promise<void>;
    }
  | 'hang'
  | 'cut';

export interface Receiver {
  url: string;
  requests: readonly Received[];
  /** Answers the next requests with these answers in order, and all later ones with 200. */
  answer(...answers: ScriptedAnswer[]): void;
  /** From now on the function chooses the answers. `count` is the number of the request, from 1. */
  answerBy(choose: (request: Received, count: number) => ScriptedAnswer): void;
  /** Waits for the first request that matches. */
  waitFor(predicate: (request: Received) => boolean, what: string): Promise<Received>;
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
}

const ok: ScriptedAnswer = { status: 200 };

/** Starts a scripted webhook endpoint on the loopback interface. Its default answer is 200. */
export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  const script: ScriptedAnswer[] = [];
  let choose = (_request: Received, _count: number): ScriptedAnswer => script.shift() ?? ok;
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await receive(incoming);
    reply(response, choose(request, requests.push(request)));
  };
  const open = (port: number) => listen(createServer(handle), port);
  let server: Server | null = await open(0);
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    answer: (...answers) => void script.push(...answers),
    answerBy: (chooser) => {
      choose = chooser;
    },
    waitFor: (predicate, what) => until(() => requests.find(predicate), { what }),
    stop: async () => {
      const closing = server;
      server = null;
      closing?.closeAllConnections();
      await new Promise((resolve) => (closing === null ? resolve(null) : closing.close(resolve)));
    },
    start: async () => {
      server ??= await open(port);
    },
  };
}

/** Verifies the Standard Webhooks signature of a request with `secret` and returns its payload. Throws when the signature is wrong. */
export function verifiedPayload(request: Received, secret: string): unknown {
  return new Webhook(secret).verify(request.body, request.headers);
}

async function receive(incoming: IncomingMessage): Promise<Received> {
  const receivedAt = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
    receivedAt,
  };
}

function reply(response: ServerResponse, answer: ScriptedAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'cut') {
    response.destroy();
    return;
  }
  const send = () => response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  if (answer.after !== undefined) void answer.after.then(send);
  else setTimeout(send, answer.delayMilliseconds ?? 0);
}
