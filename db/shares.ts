import { Overload } from '../billing/overload.ts';
import { createPlaces, type Places, type UnusualWait } from './places.ts';
import { createRecent } from './recent.ts';
import type { Tenant } from './tenant.ts';

/** The places of a pool, lent so that one account's work never keeps others from having one. */
export type Shares = Pick<Places<Tenant>, 'take' | 'waiting'>;

export interface SharesOptions {
  /** After how long one goes on to the pool itself, milliseconds. */
  late?: number;
  note?: ((end: UnusualWait) => void) | undefined;
}

/** Pools below this size are lent to whoever asks. */
const SMALLEST = 4;
/** Left for others, also by an account that is alone. */
const RESERVED = 2;
/** Share of the places that one account has while others work. */
const SHARE = 0.3;
const LATE_MILLISECONDS = 5000;
/** So much of one account may wait at a time, and so much of which it is not known yet whose it is. */
const MOST_WAITING = 1000;

/** Lends `size` places. Finding out whose work it is goes before all. `take` rejects with Overload when too much waits. */
export function createShares(size: number, { late = LATE_MILLISECONDS, note }: SharesOptions = {}): Shares {
  const asked = createRecent<Tenant>();
  const places = createPlaces<Tenant>({
    size,
    most(tenant) {
      if (size < SMALLEST) return size;
      return tenant === 'unknown' || asked.isAlone(tenant) ? size - RESERVED : Math.ceil(size * SHARE);
    },
    mostWaiting: MOST_WAITING,
    refusal: tooMany,
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
      return places.take(tenant);
    },
  };
}

function tooMany(tenant: Tenant): Overload {
  if (tenant === 'unknown') return new Overload('Too many requests wait to be authenticated; try again');
  return new Overload('Too many requests of this account wait for the database; try again');
}
