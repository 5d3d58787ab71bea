import type { Random } from './random.ts';
import type { Answer } from './tally.ts';

/** A request below a base URL of the attacker's. */
export interface Call {
  /** Sent as JSON; a string or bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** One of the attacker's keys; the first unless said otherwise. */
  key?: number;
  from?: number;
}

/** What an attack has: an account with keys, addresses, endpoints that harm, and a seed. */
export interface Attacker {
  random: Random;
  /** A request to the sandbox. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** The same to the live account. */
  callLive(method: string, path: string, call?: Call): Promise<Answer>;
  /** A request without a key, to an address of the product or to a path of its origin. */
  visit(
    url: string,
    visit?: { method?: string; headers?: Record<string, string>; body?: string; from?: number },
  ): Promise<Answer>;
  /** Makes a customer; answers its id. */
  customer(fields?: object): Promise<number>;
  origin: string;
  /** Origin of the endpoints that harm: /hang, /redirect, /refuse, /gone, /later, /cut, /endless, /trickle. */
  receivers: string;
  /** Whether the window of the attack is over. */
  isOver(): boolean;
}

export interface Attack {
  name: string;
  /** What it tries. */
  tries: string;
  run(at: Attacker): Promise<unknown>;
}

/** Does something `times` times, up to `width` of them at once, until the window is over. */
export async function many(
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
