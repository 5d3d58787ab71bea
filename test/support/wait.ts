import { inspect } from 'node:util';

/**
 * How long a test waits for a condition while the probe sees the same thing, in milliseconds. It is there to end a test that hangs, not to
 * measure: a machine under heavy load is ten times slower. `npm test -- --patience 10` sets it, for whoever breaks the code to see a test fail.
 */
const PATIENCE = Number(process.env.PERENNIAL_TEST_PATIENCE ?? 180) * 1000;

/** While the probe sees progress, a test waits this many times as long, and no longer. */
const WITH_PROGRESS = 3;

/**
 * `what` completes "waited for …"; `every` and `patience` in milliseconds. `within` (milliseconds) is a fixed limit, where waiting itself is
 * tested.
 */
export interface Waiting {
  what: string;
  within?: number;
  patience?: number;
  every?: number;
}

type Found<T> = Exclude<T, false | null | undefined | 0 | ''>;

/**
 * Asks until the answer is truthy, and answers it. A probe that throws (an `expect` for instance) is asked again.
 * When time is over it throws an Error that tells what was waited for and what was last seen.
 */
export async function until<T>(probe: () => T | Promise<T>, waiting: Waiting): Promise<Found<T>> {
  const { what, within, patience = PATIENCE, every = 25 } = waiting;
  const begun = performance.now();
  const latest = begun + (within ?? WITH_PROGRESS * patience);
  let deadline = begun + (within ?? patience);
  let last = 'nothing, the first look did not end';
  for (;;) {
    const look = await Promise.race([lookOnce(probe), expiry(deadline)]);
    if (look === 'expired') break;
    if ('found' in look) return look.found as Found<T>;
    if (look.seen !== last && within === undefined) deadline = Math.min(performance.now() + patience, latest);
    last = look.seen;
    if (performance.now() + every > deadline) break;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  const waited = within ?? Math.round(performance.now() - begun);
  throw new Error(`waited ${waited} ms for ${what}; last seen: ${last}`);
}

async function lookOnce<T>(probe: () => T | Promise<T>): Promise<{ found: T } | { seen: string }> {
  try {
    const value = await probe();
    return value ? { found: value } : { seen: inspect(value) };
  } catch (error) {
    return { seen: error instanceof Error ? error.message : inspect(error) };
  }
}

function expiry(deadline: number): Promise<'expired'> {
  return new Promise((resolve) => setTimeout(resolve, deadline - performance.now(), 'expired').unref());
}
