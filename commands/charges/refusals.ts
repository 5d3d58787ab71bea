import { readConfiguration } from '../../billing/mail/providers.ts';
import { GatewayRefused } from '../../billing/payments/declines.ts';
import type { EntityManager } from '../../db/orm.ts';
import { closeUnlessWaiting } from '../../db/queries/charges/attempts.ts';
import { type Attempt, isCarriedOut } from '../../db/schema/attempt.ts';
import { inTransaction } from '../../db/transaction.ts';
import { reportOfAccount } from '../mail/problemMails.ts';
import { type AttemptDeps, type OpenAttempt, type Refused, warn } from './openAttempt.ts';
import { isPromised } from './operations.ts';

/**
 * What a call of a gateway that threw says of its operation: it was not made, or nothing (null). A gateway that refuses requests becomes a problem
 * of its merchant account at once if the attempt goes on; otherwise with the outcome of the attempt.
 */
export async function failedCall(deps: AttemptDeps, open: OpenAttempt, error: unknown): Promise<Refused | null> {
  const nothing = warn(deps, open, error);
  if (!(error instanceof GatewayRefused)) return nothing;
  const { code, message } = error;
  if (error.isUnmade && !isPromised(open.attempt)) return { status: 'abandoned', why: 'refused', code, message };
  await inTransaction(deps.em, (em) => report(em, { attempt: open.attempt, message }, deps.systemNow()));
  return nothing;
}

/** Records that a gateway refused an operation, or that it no longer does. Runs last in the transaction of the outcome of an attempt. */
export async function followRefusals(em: EntityManager, attempt: Attempt, systemNow: Date): Promise<void> {
  const { interruption, failureMessage } = attempt;
  const id = readConfiguration(attempt.gateway).merchantAccountId;
  if (id === null) return;
  if (!isCarriedOut(attempt) && interruption !== 'refused') return;
  await em.write();
  if (interruption === 'refused') return report(em, { attempt, message: failureMessage ?? '' }, systemNow);
  await closeUnlessWaiting(em, { accountId: attempt.accountId, id, now: systemNow });
}

/** One problem for each merchant account, however many operations it keeps from being made. */
async function report(
  em: EntityManager,
  { attempt, message }: { attempt: Attempt; message: string },
  systemNow: Date,
): Promise<void> {
  const { accountId, id, customer, gateway } = attempt;
  const subjectId = readConfiguration(gateway).merchantAccountId;
  if (subjectId === null) return;
  const subject = { accountId, subjectType: 'merchant_account', subjectId };
  const said = `${message} Attempt ${id}, customer ${customer.id}`;
  await reportOfAccount(em, { ...subject, step: stepOf(attempt), message: said }, systemNow);
}

/** What the gateway refuses: "charge by ach". */
function stepOf({ kind, method = null }: Attempt): string {
  return method === null ? kind : `${kind} by ${method}`;
}
