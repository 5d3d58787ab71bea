import { inspect } from 'node:util';

/**
 * How long a test waits for a condition while the result of the probe does not change, in milliseconds. The limit only ends a test that
 * hangs: a machine under heavy load is ten times slower. `npm test -- --patience 10` sets it to ten seconds, for example to see a test fail
 * on broken code.
 */
const PATIENCE = Number(process.env.PERENNIAL_TEST_PATIENCE ?? 180) * 1000;

/** SQL: the transactions of this database that wait for a lock, oldest first. */
export const LOCK_WAITS = `select xact_start as since from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() order by 1`;

/** While the result of the probe changes, a test waits up to this many times as long. */
const WITH_PROGRESS = 6;

/**
 * `what` completes "waited … ms for". `every`, `patience` and `within` are milliseconds. `within` is a fixed limit. Set it only in tests of
 * waiting itself.
 */
export interface WaitOptions {
  what: string;
  within?: number;
  patience?: number;
  every?: number;
}

type Found<T> = Exclude<T, false | null | undefined | 0 | ''>;

/**
 * Calls `probe` until its result is truthy, and returns the result. Repeats a probe that throws, for instance by `expect`. After the time
 * limit it throws an Error with `what` and the last result.
 */
export async function until<T>(probe: () => T | Promise<T>, waiting: WaitOptions): Promise<Found<T>> {
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
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, deadline - performance.now()), 'expired').unref());
}
