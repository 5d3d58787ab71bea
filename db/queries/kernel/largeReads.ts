import { Overload } from '../../../billing/overload.ts';
import { createPlaces, type Leave } from '../../fairness/places.ts';

const places = createPlaces<number>({
  size: Number.POSITIVE_INFINITY,
  most: () => 1,
  mostWaiting: 20, // each holds what it has read so far
  refusal: () => new Overload('Too many large lists of this account are being read; try again'),
  late: 5000,
});

/**
 * Waits until no other large read of the account runs in this process, because each holds tens of thousands of rows. After 5 s, one
 * waiting read starts anyway. Rejects with Overload if too many wait.
 */
export function largeRead(accountId: number): Promise<Leave> {
  return places.take(accountId);
}
