import { advanceSignUp } from '../commands/signUps/steps.ts';
import { settleSignUp } from '../commands/signUps/vaulting.ts';
import { isLookDue } from '../db/queries/signUps/due.ts';
import type { ActivityResult, ProcessInput } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import type { StepShare } from './stepShare.ts';
import { classified, takeSteps } from './steps.ts';

/** Asks the gateway what became of the payment source of a sign-up, if that is due, and takes the due step. */
export async function runSignUp(deps: WorkerDeps, share: StepShare, input: ProcessInput): Promise<ActivityResult> {
  const { accountId, id } = input;
  try {
    if (await isLookDue(deps.em.fork(), { accountId, id }, deps.systemNow()))
      await settleSignUp(deps, { accountId, id });
  } catch (error) {
    throw classified(error);
  } finally {
    deps.poke();
  }
  return share.run(accountId, () => takeSteps(deps, { process: 'sign_up', input, step: advanceSignUp }));
}
