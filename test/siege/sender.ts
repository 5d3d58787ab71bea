import { Agent } from 'undici';
import type { RequestResult } from './tally.ts';

export interface Sent {
  method: string;
  /** Full URL. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
  /** The request comes from the local address 127.0.0.<from>. */
  from?: number;
}

/** Sends requests from several loopback addresses. A network error is returned as an answer. */
export interface Sender {
  send(request: Sent): Promise<RequestResult>;
  close(): Promise<void>;
}

const LONGEST_MILLISECONDS = 45_000;

export function createSender(connections: number): Sender {
  const agents = new Map<number, Agent>();
  const agentOf = (from: number): Agent => {
    const known = agents.get(from);
    if (known) return known;
    const localAddress = `127.0.0.${from}`;
    const agent = new Agent({
      connections,
      pipelining: 1,
      localAddress,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    agents.set(from, agent);
    return agent;
  };
  return {
    send: (request) => send(agentOf(request.from ?? 1), request),
    close: async () => void (await Promise.all([...agents.values()].map((agent) => agent.destroy()))),
  };
}

async function send(agent: Agent, { method, url, headers = {}, body }: Sent): Promise<RequestResult> {
  const { origin, pathname, search } = new URL(url);
  const signal = AbortSignal.timeout(LONGEST_MILLISECONDS);
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  try {
    const request = { origin, path: pathname + search, method, headers, body: body ?? null, signal };
    const answer = await agent.request(request as Parameters<Agent['request']>[0]);
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const type = String(answer.headers['content-type'] ?? '');
    const text = type.includes('pdf') ? '' : bytes.toString('utf8');
    return {
      status: answer.statusCode,
      text,
      milliseconds: since(),
      json: type.includes('json') ? parseJson(text) : null,
    };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { status: signal.aborted ? 'time-out' : 'cut', text, milliseconds: since(), json: null };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The authorization header for an API key. */
export function basic(key: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
}
