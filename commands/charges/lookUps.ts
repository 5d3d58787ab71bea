import { challengeEndsAt } from '../../billing/payments/presentPayer.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { GatewayLook, GatewayOutcome } from '../ports/ports.ts';
import { type AttemptDeps, type Found, type OpenAttempt, type Refused, warn } from './openAttempt.ts';
import { isPromised } from './operations.ts';
import { failedCall } from './refusals.ts';

/**
 * Who looks an attempt up. `process`: its process, which abandons what was not confirmed, and what its payer did not authenticate in
 * time. `payer`: the payer, who came back; nothing is abandoned. `leaver`: the payer, who does not want to authenticate any more.
 */
export type LookingUp = 'process' | 'payer' | 'leaver';

/** Looks up an operation that may have been confirmed. Null: the outcome is still unknown. */
export async function lookUp(deps: AttemptDeps, open: OpenAttempt, by: LookingUp): Promise<Found | null> {
  const { attempt, gateway, at, signal } = open;
  const reference = attempt.reference ?? '';
  try {
    const look = await gateway.look(reference, at, signal);
    if (isUnmade(look)) {
      if (isPromised(attempt)) return await gateway.confirm(reference, at, signal);
      return by === 'process' && (await gateway.abandon(reference, signal, ageOf(deps, open))) ? NOT_MADE : null;
    }
    const found = await withChallenge(deps, open, { reference, outcome: look });
    if (found?.status !== 'waiting' || !isOver(deps, open, by)) return found;
    return await endChallenge(deps, open);
  } catch (error) {
    return failedCall(deps, open, error);
  }
}

/** Milliseconds since the gateway was first asked to carry the operation out. */
function ageOf({ systemNow }: AttemptDeps, { attempt }: OpenAttempt): number {
  return systemNow().getTime() - (attempt.sentAt ?? attempt.startedAt).getTime();
}

const NOT_MADE = { status: 'abandoned', why: 'not_made' } as const;
const UNAUTHENTICATED = { status: 'abandoned', why: 'unauthenticated' } as const;

type Unmade = Exclude<GatewayLook, GatewayOutcome>;

function isUnmade(look: GatewayLook): look is Unmade {
  return look.status === 'unconfirmed' || look.status === 'not_found';
}

function isOver({ systemNow }: AttemptDeps, { attempt }: OpenAttempt, by: LookingUp): boolean {
  const { startedAt, method = null } = attempt;
  if (by === 'process') return systemNow().getTime() >= challengeEndsAt({ startedAt: startedAt.getTime(), method });
  return by === 'leaver';
}

/** Abandons an operation that waits for its payer. If it has happened meanwhile, returns its outcome. */
async function endChallenge(deps: AttemptDeps, open: OpenAttempt): Promise<Found | null> {
  const { attempt, gateway, at, signal } = open;
  const reference = attempt.reference ?? '';
  const isAbandoned = await gateway.abandon(reference, signal, ageOf(deps, open));
  await failpoint(`${attempt.kind}.abandoned`);
  if (isAbandoned) return UNAUTHENTICATED;
  const look = await gateway.look(reference, at, signal);
  const found = isUnmade(look) ? null : await withChallenge(deps, open, { reference, outcome: look });
  return found?.status === 'waiting' ? null : found;
}

/**
 * The outcome that the gateway reports; a pending operation that waits for its payer has none yet. Null: the gateway did not say whether it
 * does.
 */
export async function withChallenge(
  deps: AttemptDeps,
  open: OpenAttempt,
  { reference, outcome }: { reference: string; outcome: GatewayOutcome | Refused },
): Promise<Found | null> {
  const { attempt, gateway, at, signal } = open;
  if ('why' in outcome) return outcome;
  if (outcome.status === 'abandoned' && attempt.state === 'waiting') return UNAUTHENTICATED;
  const mayWait = attempt.payer && attempt.state !== 'pending';
  if (outcome.status !== 'pending' || !mayWait || !gateway.challenge) return outcome;
  try {
    const url = await gateway.challenge(reference, at, signal);
    return url === null ? outcome : { status: 'waiting', sealedChallenge: deps.cipher.encrypt(url) };
  } catch (error) {
    return warn(deps, open, error);
  }
}
