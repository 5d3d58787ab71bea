import type { Proof } from '../../../billing/people/proofs.ts';
import type { ChallengeUse } from '../../../commands/people/passkeys.ts';
import { newChallenge, passkeysOf, reportCopy, takeChallenge, usePasskey } from '../../../commands/people/passkeys.ts';
import { takeSecret } from '../../../commands/people/secrets.ts';
import { browserName } from '../../../commands/people/sessions.ts';
import { Passkey, Person } from '../../../db/schema/person.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { seeOther } from '../kit/posted.ts';
import { checkSigned, namesHolder, readSigned, requestOptions } from './passkey/ceremony.ts';
import { noteFailure } from './refused.ts';
import {
  askForCode,
  countFactor,
  finish,
  forgetFactorTries,
  returnOf,
  showSignInForm,
  stepOf,
  tellGuessed,
} from './signIn.ts';
import {
  browserOf,
  cookieOf,
  type Form,
  type PageContext,
  type PeopleSite,
  readForm,
  returnPath,
  visitorOf,
} from './site.ts';
import { countTry } from './throttle.ts';

const REFUSED = 'This passkey was not accepted. Try again, or sign in another way.';

/** What a browser asks a passkey for that signs in alone: any of this site, whose device checks who holds it. */
export async function offerSignIn(site: PeopleSite, ctx: PageContext): Promise<void> {
  await readForm(site, ctx);
  await countTry(site, 'passkey_address', visitorOf(site, ctx));
  const challenge = await challengeFor(site, { ...boundToForm(site, ctx), personId: null });
  ctx.body = await requestOptions(site.deps, { known: null, challenge });
}

/** Signs in with a passkey alone. */
export async function takePasskey(site: PeopleSite, ctx: PageContext): Promise<void> {
  const sent = await readForm(site, ctx);
  await countTry(site, 'passkey_address', visitorOf(site, ctx));
  const returnTo = returnPath(sent.return_to);
  const used = await checkUse(site, ctx, { sent, of: boundToForm(site, ctx), holderId: null });
  if (!used) return showSignInForm(site, ctx, { returnTo, status: 401, problem: REFUSED, isOfPasskey: true });
  await finish(site, ctx, { personId: used.personId, proofs: [used.proof], returnTo });
}

/** What a browser asks a passkey for that is the second factor: one of the person, whether or not its device checks who holds it. */
export async function offerSecondFactor(site: PeopleSite, ctx: PageContext): Promise<void> {
  await readForm(site, ctx);
  const step = await stepOf(site, ctx);
  if (!step?.person) {
    ctx.body = { sign_in: '/sign_in' };
    return;
  }
  await countTry(site, 'passkey_address', visitorOf(site, ctx));
  const { id } = step.person;
  const known = await passkeysOf(site.deps.em.fork(), id);
  const challenge = await challengeFor(site, { ...boundToStep(site, ctx), personId: id });
  ctx.body = await requestOptions(site.deps, { known, challenge });
}

/** Ends a sign-in whose password was checked, with a passkey. */
export async function takeSecondFactor(site: PeopleSite, ctx: PageContext): Promise<void> {
  const sent = await readForm(site, ctx);
  const { em, systemNow } = site.deps;
  const step = await stepOf(site, ctx);
  if (!step?.person) return seeOther(ctx, '/sign_in');
  const { id } = step.person;
  const tries = await countFactor(site, step, id);
  const used = await checkUse(site, ctx, { sent, of: boundToStep(site, ctx), holderId: id });
  if (!used) await tellGuessed(site, ctx, { id, tries });
  if (!used) return askForCode(site, ctx, { step, status: 401, problem: REFUSED, isOfPasskey: true });
  await forgetFactorTries(site, id);
  const secret = cookieOf(site, ctx, 'step') ?? '';
  if (!(await takeSecret(em.fork(), { purpose: 'second_factor', secret }, systemNow())))
    return seeOther(ctx, '/sign_in');
  await finish(site, ctx, { personId: id, proofs: ['password', used.proof], returnTo: returnOf(step) });
}

/** A challenge for a sign-in by passkey alone counts in the browser with this form cookie. */
const boundToForm = (site: PeopleSite, ctx: PageContext): ChallengeUse => ({
  use: 'sign_in',
  bound: cookieOf(site, ctx, 'form') ?? '',
});

/** A challenge for the second factor counts in the sign-in with this step cookie. */
const boundToStep = (site: PeopleSite, ctx: PageContext): ChallengeUse => ({
  use: 'second_factor',
  bound: cookieOf(site, ctx, 'step') ?? '',
});

function challengeFor({ deps }: PeopleSite, of: ChallengeUse & { personId: number | null }): Promise<string> {
  return inTransaction(deps.em, async (em) => newChallenge(em, of, deps.systemNow()));
}

function noteRefused({ deps }: PeopleSite, reason: string, id: number): void {
  noteFailure(deps, { operation: 'signIn', reason }, (em) => em.findOne(Person, { id }));
}

interface Use {
  sent: Form;
  of: ChallengeUse;
  /** The person who has to hold it; null: whoever it names, by a device that checked who holds it. */
  holderId: number | null;
}

/** Checks a use of a passkey. Null: it does not count. A failure is logged in the accounts of the holder, if anybody holds it. */
async function checkUse(
  site: PeopleSite,
  ctx: PageContext,
  { sent, of, holderId }: Use,
): Promise<{ personId: number; proof: Proof } | null> {
  const { em, systemNow } = site.deps;
  const response = readSigned(sent.passkey ?? '');
  const passkey = response && (await em.fork().findOne(Passkey, { credentialId: response.id }));
  if (!passkey) {
    if (holderId !== null) noteRefused(site, 'unknown passkey', holderId);
    return null;
  }
  const { id: personId } = passkey.person;
  const takes = (challenge: string) => takeChallenge(em.fork(), { ...of, challenge }, systemNow());
  const isHolder = holderId === null ? namesHolder(response, personId) : personId === holderId;
  const checked = await checkSigned(site.deps, { response, passkey, takes, isVerified: holderId === null });
  if (!checked || !isHolder) {
    noteRefused(site, 'passkey refused', holderId ?? personId);
    return null;
  }
  const { counter, isVerified } = checked;
  const outcome = await inTransaction(em, async (inner) => {
    const noted = await usePasskey(inner, { passkey, counter }, systemNow());
    if (noted === 'copied') await reportCopy(inner, { passkey, from: browserName(browserOf(site, ctx)) }, systemNow());
    return noted;
  });
  if (outcome === 'copied') site.deps.poke();
  return outcome === 'used' ? { personId, proof: isVerified ? 'verified_passkey' : 'passkey' } : null;
}
