import { Overload } from '../billing/overload.ts';
import { createRecent } from './recent.ts';
import type { Tenant } from './tenant.ts';

/** Gives a place back. */
export type Leave = () => void;

/** The places of a pool, lent so that one account's work never keeps others from having one. */
export interface Shares {
  /** Waits for a place. Rejects with Overload when too much of the account waits already. */
  take(tenant: Tenant): Promise<Leave>;
  /** How many wait. */
  readonly waiting: number;
}

interface Waiting {
  tenant: Tenant;
  go: () => void;
}

/** Pools below this size are lent to whoever asks. */
const SMALLEST = 4;
/** Left for others, also by an account that is alone. */
const RESERVED = 2;
/** Share of the places that one account has while others work. */
const SHARE = 0.3;
/**
 * So often one that has waited for as long goes on to the pool itself: work that holds a place and asks for another does not wait for
 * itself for ever. No more of them: an account that asks for more than its share for long would have all places.
 */
const LATE_MILLISECONDS = 5000;
/** So much of one account may wait at a time. */
const MOST_WAITING = 1000;

/** Lends `size` places: of those who wait, to the account that has the fewest. Finding out whose work it is goes before all. */
export function createShares(size: number, lateMilliseconds = LATE_MILLISECONDS): Shares {
  const held = new Map<Tenant, number>();
  const waiting = new Set<Waiting>();
  const late = new Map<Tenant, number>();
  const asked = createRecent<Tenant>();
  let total = 0;
  const heldBy = (tenant: Tenant) => held.get(tenant) ?? 0;
  const most = (tenant: Tenant) => {
    if (size < SMALLEST) return size;
    return tenant === 'unknown' || asked.isAlone(tenant) ? size - RESERVED : Math.ceil(size * SHARE);
  };
  const mayHave = (tenant: Tenant) => total < size && heldBy(tenant) < most(tenant);
  const waitingOf = (tenant: Tenant) => [...waiting].filter((one) => one.tenant === tenant).length;
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined;
    for (const one of waiting) {
      if (!mayHave(one.tenant)) continue;
      if (one.tenant === 'unknown') return one;
      if (!first || heldBy(one.tenant) < heldBy(first.tenant)) first = one;
    }
    return first;
  };
  const enter = (tenant: Tenant): Leave => {
    total += 1;
    held.set(tenant, heldBy(tenant) + 1);
    return () => {
      total -= 1;
      if (heldBy(tenant) > 1) held.set(tenant, heldBy(tenant) - 1);
      else {
        held.delete(tenant);
        late.delete(tenant);
      }
      next()?.go();
    };
  };
  return {
    get waiting() {
      return waiting.size;
    },
    take(tenant) {
      if (tenant !== 'unknown') asked.note(tenant);
      if (mayHave(tenant)) return Promise.resolve(enter(tenant));
      if (tenant !== 'unknown' && waitingOf(tenant) >= MOST_WAITING)
        return Promise.reject(new Overload('Too many requests of this account wait for the database; try again'));
      return new Promise((resolve) => {
        const go = () => {
          clearInterval(timer);
          waiting.delete(one);
          resolve(enter(tenant));
        };
        const one = { tenant, go };
        const goLate = () => {
          if ((late.get(tenant) ?? -lateMilliseconds) + lateMilliseconds > performance.now()) return;
          late.set(tenant, performance.now());
          go();
        };
        const timer = setInterval(goLate, lateMilliseconds).unref();
        waiting.add(one);
      });
    },
  };
}
