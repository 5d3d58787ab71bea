import { createShares, type Leave, type Shares } from '../../shares.ts';

interface Reads {
  places: Shares;
  /** How many read or wait. */
  count: number;
}

const reads = new Map<number, Reads>();

/**
 * Waits until no other large read of the account runs in this process: several at once would each hold tens of thousands of rows.
 * Rejects with Overload when too many wait.
 */
export async function largeRead(accountId: number): Promise<Leave> {
  const own = reads.get(accountId) ?? { places: createShares(1), count: 0 };
  reads.set(accountId, own);
  own.count += 1;
  const forget = () => {
    own.count -= 1;
    if (own.count === 0) reads.delete(accountId);
  };
  try {
    const leave = await own.places.take(accountId);
    return () => {
      leave();
      forget();
    };
  } catch (error) {
    forget();
    throw error;
  }
}
