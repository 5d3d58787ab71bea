import { setTimeout as pause } from 'node:timers/promises';
import type { Answered } from '../../support/product.ts';
import { randomOf } from '../../support/random.ts';
import { chosen } from '../../support/subscriptionProducts.ts';
import { type Heard, send } from '../money/client.ts';
import type { Known, Noun, Shop } from './shop.ts';

/** One of the clients. It chooses by its own random numbers. */
export interface Actor {
  shop: Shop;
  /** A number from 0 to 1. */
  random(): number;
  oneOf<Value>(values: readonly Value[]): Value;
  /** An amount of money from 0.01 to `most`, often all of it. */
  part(most: number): number;
  /** One of the latest objects, of this customer if given; null: there is none. */
  recent(noun: Noun, customer?: number): Known | null;
  keep(noun: Noun, known: Known): void;
  /** An object as the API shows it; null: it is gone. */
  read(path: string): Promise<Answered | null>;
  /** Sends a request. Throws for an answer that is neither a success nor a refusal. */
  ask(method: string, path: string, body?: unknown): Promise<Heard>;
}

/** How far back a client chooses, so that clients often choose the same object. */
const RECENT = 24;
const RETRY_MILLISECONDS = 100;
/** Part of the requests that a client sends a second time, as if the first answer were lost. */
const SENT_TWICE = 0.05;
const REFUSALS = [400, 402, 404, 409];

/** Creates a client. `name` is that of its requests. */
export function newActor(shop: Shop, seed: number, name: string): Actor {
  const random = randomOf(seed);
  const oneOf = <Value>(values: readonly Value[]) => chosen(values, Math.floor(random() * 2 ** 30));
  const { url, key } = shop.product;
  let requests = 0;
  const ask = async (method: string, path: string, body?: unknown): Promise<Heard> => {
    const idempotencyKey = `${name} ${requests++}`;
    const once = async () => {
      const heard = await unlessBusy(() => send({ url, key, method, path, body, idempotencyKey }));
      if (heard.status >= 300 && !REFUSALS.includes(heard.status)) throw new Error(inWords(path, heard));
      return heard;
    };
    const first = await once();
    if (first.status < 300) shop.succeeded.add(`${method} ${path.replaceAll(/\d+/g, ':id')}`);
    if (method === 'GET' || random() >= SENT_TWICE) return first;
    const again = await once();
    if (first.status < 300 || again.replayed) expectSame(path, [first, again]);
    return again;
  };
  return {
    shop,
    random,
    oneOf,
    ask,
    part: (most) => (random() < 0.5 ? most : Math.max(1, Math.floor(random() * most * 100)) / 100),
    recent: (noun, customer) => {
      const all = shop.known[noun];
      const fit = customer === undefined ? all : all.filter((one) => one.customer === customer);
      return fit.length === 0 ? null : oneOf(fit.slice(-RECENT));
    },
    keep: (noun, known) => void shop.known[noun].push(known),
    read: async (path) => {
      const { status, body } = await ask('GET', path);
      return status === 200 ? body : null;
    },
  };
}

/** Sends a request until the API has time for it. */
async function unlessBusy(request: () => Promise<Heard>): Promise<Heard> {
  for (;;) {
    const heard = await request();
    if (heard.status !== 429) return heard;
    await pause(RETRY_MILLISECONDS);
  }
}

/**
 * Expects that a request and its repetition have the same answer. This does not hold for refusals: they change nothing and are not stored.
 * An invoice may be paid at the request and owed again at its repetition.
 */
function expectSame(path: string, [first, again]: [Heard, Heard]): void {
  if (again.status === first.status && again.body?.id === first.body?.id) return;
  throw new Error(`${inWords(path, first)}, and when it was repeated ${inWords(path, again)}`);
}

const inWords = (path: string, { status, body }: Heard) => `${path} was answered by ${status} ${JSON.stringify(body)}`;
