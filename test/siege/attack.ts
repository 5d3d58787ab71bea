import type { Random } from './random.ts';
import type { RequestResult } from './tally.ts';

/** Options of a request to the attacker's API. */
export interface Call {
  /** Sent as JSON. A string or a buffer is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Index of the attacker's key. Default: 0. */
  key?: number;
  from?: number;
}

/** The means of an attack: an account with keys, addresses, harmful endpoints, and random numbers. */
export interface Attacker {
  random: Random;
  /** A request to the sandbox. */
  call(method: string, path: string, call?: Call): Promise<RequestResult>;
  /** A request to the live account. */
  callLive(method: string, path: string, call?: Call): Promise<RequestResult>;
  /** A request without a key to any URL. */
  visit(
    url: string,
    visit?: { method?: string; headers?: Record<string, string>; body?: string; from?: number },
  ): Promise<RequestResult>;
  /** Creates a customer. Returns its id, or 0 when the API refused it. */
  customer(fields?: object): Promise<number>;
  origin: string;
  /** Origin of the harmful endpoints: /hang, /redirect, /refuse, /gone, /later, /cut, /endless, /trickle. */
  receivers: string;
  /** Whether the window of the attack is over. */
  isOver(): boolean;
}

export interface Attack {
  name: string;
  /** One line for the help text: the requests that it sends. */
  tries: string;
  run(at: Attacker): Promise<unknown>;
}

/** Calls `work` `times` times, at most `width` calls at the same time, and stops early when the window is over. */
export async function repeat(
  at: Attacker,
  { times, width }: { times: number; width: number },
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < times && !at.isOver()) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
