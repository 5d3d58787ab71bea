import { Overload } from '../../billing/failures.ts';
import type { Tenant } from '../tenant.ts';
import { type ConcurrencyLimit, createRecent, NOBODY_RESTS } from './concurrencyLimit.ts';
import { createPlaces, type Places, type UnusualWait } from './places.ts';

/** The places of a pool, shared so that one account's work never keeps others from getting one. */
export type Shares = Pick<Places<Tenant>, 'take' | 'waiting'>;

export interface SharesOptions {
  /** Milliseconds after which a request goes on to the pool itself. */
  late?: number;
  note?: ((end: UnusualWait) => void) | undefined;
  /** By default nobody rests. */
  concurrencyLimit?: ConcurrencyLimit<Tenant> | undefined;
}

/** Smaller pools have no shares: less the reserved places, an account would have one connection or none. */
const SMALLEST = 4;
/** Number of places that even an account that is alone leaves free. */
const RESERVED = 2;
/** Share of the places for one account while others work. */
const SHARE = 0.3;
const LATE_MILLISECONDS = 5000;
/** Maximum number of waiting requests: from one account, and from all whose account is not known yet. */
const MOST_WAITING = 1000;

/**
 * Shares `size` places. Finding the tenant of a request goes first: behind the places of one account, no other one would be recognized. `take`
 * rejects with Overload if too many requests wait.
 */
export function createShares(size: number, options: SharesOptions = {}): Shares {
  const { late = LATE_MILLISECONDS, note, concurrencyLimit = NOBODY_RESTS } = options;
  const asked = createRecent<Tenant>();
  const places = createPlaces<Tenant>({
    size,
    most(tenant) {
      if (size < SMALLEST) return size;
      return tenant === 'unknown' || asked.isAlone(tenant) ? size - RESERVED : Math.ceil(size * SHARE);
    },
    mostWaiting: MOST_WAITING,
    refusal: tooMany,
    rest: concurrencyLimit.rest,
    goesFirst: (tenant) => tenant === 'unknown',
    late,
    ...(note ? { note } : {}),
  });
  return {
    get waiting() {
      return places.waiting;
    },
    take(tenant) {
      if (tenant !== 'unknown') asked.note(tenant);
      // Work without an account never rests, and keeps no account from being alone.
      if (typeof tenant !== 'number') return places.take(tenant);
      concurrencyLimit.ask(tenant);
      return places.take(tenant).then((leave) => {
        const takenAt = performance.now();
        return () => {
          concurrencyLimit.used(tenant, performance.now() - takenAt);
          leave();
        };
      });
    },
  };
}

function tooMany(tenant: Tenant): Overload {
  if (tenant === 'unknown') return new Overload('Too many requests wait to be authenticated; try again');
  return new Overload('Too many requests of this account wait for the database; try again');
}
