import { nextSignUpStep, type SignUpFacts } from '../../billing/signUps/signUp.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { SignUp } from '../../db/schema/signUp.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import type { Moment } from '../kernel/caller.ts';
import { type Planned, setWakeups, wakeupsOf } from '../kernel/waking.ts';

/**
 * Whether the charge of the first invoice was never made, because a process had stopped: nobody declined it, and the visitor does not know. Its attempt
 * is loaded.
 */
export function isUnmade({ state, charge }: SignUp): boolean {
  const why = charge?.state === 'abandoned' ? charge.interruption : null;
  return state === 'charging' && (why === 'interrupted' || why === 'not_made');
}

/** The input of the rule. Times are epoch milliseconds. The charge of the sign-up is loaded. */
export function factsOf(signUp: SignUp, lookAt: number, keptUntil: number | null = null): SignUpFacts {
  const { state, startedAt, endedAt = null, storedReference = null } = signUp;
  return {
    state,
    startedAt: startedAt.getTime(),
    endedAt: endedAt?.getTime() ?? null,
    isStored: storedReference !== null,
    isUnmade: isUnmade(signUp),
    lookAt,
    keptUntil,
  };
}

/**
 * Plans the next step of a sign-up, whose charge is loaded. `lookAt`: when its gateway is asked next, if it is. `keptUntil`: until when it is not given
 * up. `existing`: its wake-ups.
 */
export async function planSignUp(
  em: EntityManager,
  moment: Moment,
  {
    signUp,
    lookAt,
    keptUntil = null,
    inside = false,
    existing,
  }: { signUp: SignUp; lookAt: number; keptUntil?: number | null; inside?: boolean; existing?: Wakeup[] },
): Promise<Planned> {
  const { accountId, id } = signUp;
  const { waits, due } = nextSignUpStep(factsOf(signUp, lookAt, keptUntil), moment.systemNow.getTime());
  const waiter = { process: 'sign_up' as const, subjectId: id, clockId: null };
  const known = existing ?? (await wakeupsOf(em, { accountId, process: 'sign_up', ids: [id] }));
  return setWakeups(em, moment, { waiter, waits, existing: known, inside, isDue: due !== null });
}
