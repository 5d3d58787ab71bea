import { createPlaces } from '../../db/fairness/places.ts';
import { TooManyAtOnce } from '../framework/errors.ts';
import { withoutPlace } from './admission.ts';

/** By account: such requests hold locks while they look ahead, so that many at a time would hold up writes. */
const foreseeing = createPlaces<number>({
  size: Number.POSITIVE_INFINITY,
  most: () => 2,
  mostWaiting: 20,
  longest: 10_000,
  refusal: () => new TooManyAtOnce(),
});

/** Does work when it is the turn of the account. The request holds no place of the process meanwhile. */
export async function inTurn<T>(accountId: number, work: () => Promise<T>): Promise<T> {
  const leave = await withoutPlace(() => foreseeing.take(accountId));
  try {
    return await work();
  } finally {
    leave();
  }
}
