import { Overload } from '../../billing/failures.ts';
import type { ProcessKey } from '../../commands/kernel/stepOutcome.ts';
import { isUnavailable } from '../../db/failure.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { withoutPlace } from './admission.ts';

/**
 * Runs work on an attempt whose gateway may have moved money. Null: the database could not be reached, did not answer in time, or has too much
 * to do. This is logged, and not thrown, because errors of this kind tell a client to try again.
 */
export async function unlessUnavailable<T>(
  { log }: Pick<ApiDeps, 'log'>,
  { accountId, id }: ProcessKey,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!isUnavailable(error) && !(error instanceof Overload)) throw error;
    log.warn(
      { err: error, account: accountId, attempt: id },
      'the database did not serve an attempt; it will be looked up',
    );
    return null;
  }
}

/** Calls the gateway of an attempt by `work`, `unlessUnavailable`. The request holds no place meanwhile. Null: the work did not end. */
export async function callGateway<T>(
  deps: Pick<ApiDeps, 'log'>,
  key: ProcessKey,
  work: () => Promise<T>,
): Promise<{ result: T } | null> {
  const done = async () => ({ result: await work() });
  return unlessUnavailable(deps, key, () => withoutPlace(done));
}

/** Whether the request that called the gateway has stopped: the attempt is older than the timeout of a call. */
export function hasCallerStopped(
  { systemNow, gatewayDeadline }: Pick<ApiDeps, 'systemNow' | 'gatewayDeadline'>,
  startedAt: Date,
): boolean {
  return systemNow().getTime() - startedAt.getTime() > gatewayDeadline;
}
