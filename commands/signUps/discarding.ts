import { randomUUID } from 'node:crypto';
import { SignUp } from '../../db/schema/signUp.ts';
import type { AttemptDeps } from '../charges/openAttempt.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';

/** Deletes the source of a refused sign-up at the gateway, outside any transaction. Throws while the gateway does not answer. */
export async function discardStored(deps: AttemptDeps, { accountId, id }: ProcessKey): Promise<void> {
  const em = deps.em.fork();
  const signUp = await em.findOne(SignUp, { accountId, id });
  const reference = signUp?.storedReference ?? null;
  if (!signUp || reference === null) return;
  const gateway = await deps.gateways.find(accountId, signUp.gateway);
  if (!gateway) throw new Error(`no gateway ${signUp.gateway}`);
  const signal = AbortSignal.timeout(deps.gatewayDeadline);
  const at = deps.systemNow().getTime();
  const operation = {
    kind: 'delete_source' as const,
    // Deleting twice is harmless, so a retry needs no key of an earlier try.
    key: randomUUID(),
    accountId,
    customerId: signUp.customerKey,
    reference,
    sourceType: signUp.method === 'ach' ? ('bank_account' as const) : ('card' as const),
  };
  const prepared = await gateway.prepare(operation, at, signal);
  await gateway.confirm(prepared.reference, at, signal);
  const stored = { accountId, id, storedReference: reference };
  await deps.em.fork().nativeUpdate(SignUp, stored, { storedReference: null, updatedAt: deps.systemNow() });
}
