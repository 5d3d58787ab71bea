import type { Proof } from '../../../billing/people/proofs.ts';
import { checkTotp, takeRecoveryCode } from '../../../commands/people/factors.ts';
import { tellPerson } from '../../../commands/people/mails.ts';
import {
  emailKey,
  type Factors,
  factorsOf,
  hasSecondFactor,
  personByPassword,
  personOf,
} from '../../../commands/people/persons.ts';
import { countTryOf, findSecret, newSecret, takeSecret } from '../../../commands/people/secrets.ts';
import { browserName, endSession, knownBrowser, startSession } from '../../../commands/people/sessions.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { findClient, type OauthClient } from '../../../db/queries/accounts/oauth.ts';
import { Person, type PersonSecret } from '../../../db/schema/person.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { button, field, form } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { alert, notice } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import { formFields, showPage } from './layout.ts';
import { passkeyField, passkeyPageScript, passkeyPart } from './passkey/parts.ts';
import { noteFailure } from './refused.ts';
import {
  browserOf,
  cookieOf,
  type PageContext,
  type PeopleSite,
  readForm,
  returnPath,
  setCookie,
  signedIn,
  signInPath,
  visitorOf,
} from './site.ts';
import { type Counted, countTry, countTryOn, forgetTries } from './throttle.ts';

const PROBLEM = 'problem';

interface ShownForm {
  returnTo: string;
  status: number;
  email?: string;
  problem?: string;
  /** The problem is one of the passkey, not of the fields. */
  isOfPasskey?: boolean;
}

export async function showSignIn(site: PeopleSite, ctx: PageContext): Promise<void> {
  await showSignInForm(site, ctx, { returnTo: returnPath(ctx.query.return_to), status: 200 });
}

/** Checks the password. A person with a second factor is asked for it next. */
export async function takeSignIn(site: PeopleSite, ctx: PageContext): Promise<void> {
  const { email = '', password = '', return_to } = await readForm(site, ctx);
  const returnTo = returnPath(return_to);
  const { deps } = site;
  const now = deps.systemNow();
  const visitor = visitorOf(site, ctx);
  await countTry(site, 'sign_in_address', visitor);
  const identity = emailKey(email);
  const of = { operation: 'signIn', find: (em: EntityManager) => personOf(em, email, now) } as const;
  await countTryOn(site, { name: 'sign_in_identity_at_address', who: `${visitor} ${identity}`, ...of });
  const browserId = await knownBrowser(deps.em.fork(), { ...browserOf(site, ctx), email: identity }, now);
  if (browserId === null) await countTryOn(site, { name: 'sign_in_identity', who: identity, ...of });
  else await countTryOn(site, { name: 'sign_in_browser', who: String(browserId), ...of });
  const person = await withoutPlace(() => personByPassword(deps.em.fork(), { email, password }, now));
  if (!person) {
    noteFailure(deps, { operation: 'signIn', reason: 'wrong password' }, of.find);
    return showSignInForm(site, ctx, { returnTo, email, status: 401, problem: 'Email and password do not match.' });
  }
  await forgetTries(site, 'sign_in_identity_at_address', `${visitor} ${identity}`);
  if (browserId === null) await forgetTries(site, 'sign_in_identity', identity);
  if (!hasSecondFactor(await factorsOf(deps.em.fork(), person)))
    return finish(site, ctx, { personId: person.id, proofs: ['password'], returnTo });
  const data = { returnTo };
  const step = await inTransaction(deps.em, async (em) =>
    newSecret(em, { purpose: 'second_factor', personId: person.id, data }, now),
  );
  setCookie(site, ctx, ['step', step]);
  seeOther(ctx, '/sign_in/code');
}

export async function showCode(site: PeopleSite, ctx: PageContext): Promise<void> {
  const step = await stepOf(site, ctx);
  if (step) await askForCode(site, ctx, { step, status: 200 });
  else seeOther(ctx, '/sign_in');
}

/** Checks a code of the authenticator app, or a recovery code. */
export async function takeCode(site: PeopleSite, ctx: PageContext): Promise<void> {
  const { code = '' } = await readForm(site, ctx);
  const { deps } = site;
  const now = deps.systemNow();
  const step = await stepOf(site, ctx);
  if (!step?.person) return seeOther(ctx, '/sign_in');
  const { id } = step.person;
  const tries = await countFactor(site, step, id);
  const proof = await inTransaction(deps.em, async (em): Promise<Proof | null> => {
    const person = await em.findOneOrFail(Person, { id });
    if (await checkTotp(em, { person, code, cipher: deps.cipher }, now)) return 'totp';
    return (await takeRecoveryCode(em, { person, code }, now)) ? 'recovery_code' : null;
  });
  if (proof === null) {
    noteFailure(deps, { operation: 'signIn', reason: 'wrong code' }, (em) => em.findOne(Person, { id }));
    await tellGuessed(site, ctx, { id, tries });
    return askForCode(site, ctx, { step, status: 401, problem: 'This code is not valid, or was used before.' });
  }
  await forgetFactorTries(site, id);
  const cookie = cookieOf(site, ctx, 'step') ?? '';
  const taken = await takeSecret(deps.em.fork(), { purpose: 'second_factor', secret: cookie }, now);
  if (!taken) return seeOther(ctx, '/sign_in');
  await finish(site, ctx, { personId: id, proofs: ['password', proof], returnTo: returnOf(step) });
}

/** Counts a try of the second factor to the limits of its sign-in and of the person. */
export async function countFactor(site: PeopleSite, step: PersonSecret, id: number): Promise<Counted> {
  await countTryOf(site.deps.em.fork(), step);
  const of = { who: String(id), operation: 'signIn', find: (em: EntityManager) => em.findOne(Person, { id }) } as const;
  const tries = await countTryOn(site, { name: 'second_factor', ...of });
  await countTryOn(site, { name: 'second_factor_day', ...of });
  return tries;
}

export async function forgetFactorTries(site: PeopleSite, id: number): Promise<void> {
  await forgetTries(site, 'second_factor', String(id));
  await forgetTries(site, 'second_factor_day', String(id));
}

/** Tells the person when a wrong second factor was the last one for a while: somebody has its password. */
export async function tellGuessed(
  site: PeopleSite,
  ctx: PageContext,
  { id, tries }: { id: number; tries: Counted },
): Promise<void> {
  const { deps } = site;
  if (!tries.isLast) return;
  await inTransaction(deps.em, async (em) => {
    const person = await em.findOneOrFail(Person, { id });
    const what = 'Your password was entered, and then ten wrong codes';
    tellPerson(em, { person, what, from: browserName(browserOf(site, ctx)) }, deps.systemNow());
  });
  deps.poke();
}

/** Where a sign-in leads that waits for a second factor. */
export const returnOf = ({ data }: PersonSecret): string => returnPath(Reflect.get(data, 'returnTo'));

/** The sign-in of this browser that waits for a second factor; null: none does. */
export function stepOf(site: PeopleSite, ctx: PageContext) {
  const secret = cookieOf(site, ctx, 'step');
  const { em, systemNow } = site.deps;
  return secret === null ? null : findSecret(em.fork(), { purpose: 'second_factor', secret }, systemNow());
}

/** Asks for the second factor: a code or a passkey, as the person has them. */
export async function askForCode(
  site: PeopleSite,
  ctx: PageContext,
  {
    step,
    status,
    problem,
    isOfPasskey = false,
  }: { step: PersonSecret; status: number; problem?: string; isOfPasskey?: boolean },
): Promise<void> {
  const client = await clientOf(site, returnOf(step));
  const em = site.deps.em.fork();
  const factors = await factorsOf(em, await em.findOneOrFail(Person, { id: step.person?.id ?? 0 }));
  const passkey = html`${formFields(site, ctx)}${passkeyField()}${button('Use a passkey', 'primary')}`;
  const main = html`<h1>Confirm that it is you</h1>
${problem ? alert(problem, PROBLEM) : null}
${factors.passkeys > 0 ? passkeyPart('get', '/sign_in/code/passkey_options', form('/sign_in/code/passkey', passkey)) : null}
${codeHtml(site, ctx, { factors, problem: problem && !isOfPasskey ? PROBLEM : null })}
<p class="quiet"><a href="/sign_in">Sign in as somebody else</a></p>`;
  const formTargets = client?.redirectUris ?? [];
  const script = factors.passkeys > 0 ? passkeyPageScript() : null;
  showPage(site, ctx, { title: 'Confirm that it is you', main, status, formTargets, script });
}

function codeHtml(
  site: PeopleSite,
  ctx: PageContext,
  { factors, problem }: { factors: Factors; problem: string | null },
): Html | null {
  const { hasTotp, recoveryCodes, passkeys } = factors;
  if (!hasTotp && recoveryCodes === 0)
    return html`<noscript><p class="alert" role="alert">Your second factor is a passkey, which needs a browser with scripts.</p></noscript>`;
  const code = field({
    name: 'code',
    label: hasTotp ? 'Code' : 'Recovery code',
    value: '',
    type: 'text',
    autocomplete: 'one-time-code',
    maxLength: 40,
    hint: hasTotp
      ? 'Six digits of your authenticator app, or one of your recovery codes.'
      : 'One of your recovery codes.',
    problem,
    isFocused: passkeys === 0,
  });
  return form(
    '/sign_in/code',
    html`${formFields(site, ctx)}${code}${button('Continue', passkeys > 0 ? 'plain' : 'primary')}`,
  );
}

/** Starts the session in this browser. */
export async function finish(
  site: PeopleSite,
  ctx: PageContext,
  { personId, proofs, returnTo }: { personId: number; proofs: readonly Proof[]; returnTo: string },
): Promise<void> {
  const { deps } = site;
  const before = await signedIn(site, ctx);
  const signIn = { personId, proofs, browser: browserOf(site, ctx), before };
  const started = await inTransaction(deps.em, (em) => startSession(em, signIn, deps.systemNow()));
  deps.poke();
  setCookie(site, ctx, ['session', started.cookie]);
  if (started.device !== null) setCookie(site, ctx, ['device', started.device]);
  if (cookieOf(site, ctx, 'step') !== null) setCookie(site, ctx, ['step', null]);
  seeOther(ctx, returnTo);
}

/** Ends the session. The person can then sign in as somebody else and go on. */
export async function takeSignOut(site: PeopleSite, ctx: PageContext): Promise<void> {
  const { return_to } = await readForm(site, ctx);
  const session = await signedIn(site, ctx);
  if (session) await endSession(site.deps.em.fork(), session);
  setCookie(site, ctx, ['session', null]);
  seeOther(ctx, signInPath(returnPath(return_to)));
}

export async function showSignInForm(site: PeopleSite, ctx: PageContext, shown: ShownForm): Promise<void> {
  const { returnTo, status, email = '', problem, isOfPasskey = false } = shown;
  const already = status === 200 ? await signedIn(site, ctx) : null;
  const client = await clientOf(site, returnTo);
  const given = { hint: null, problem: problem && !isOfPasskey ? PROBLEM : null };
  const address = { name: 'email', label: 'Email', type: 'email', autocomplete: 'username' } as const;
  const password = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' } as const;
  const fields = html`${formFields(site, ctx, returnTo)}
${field({ ...address, ...given, value: email, maxLength: 255, isFocused: email === '' })}
${field({ ...password, ...given, value: '', maxLength: 256, isFocused: email !== '' })}`;
  const passkey = html`${formFields(site, ctx, returnTo)}${passkeyField()}${button('Sign in with a passkey', 'plain')}`;
  const main = html`<h1>Sign in</h1>
${client ? html`<p class="lead">to continue to <strong>${client.name}</strong></p>` : null}
${problem ? alert(problem, PROBLEM) : null}
${already ? notice(html`Signed in as ${already.email}. <a href="${returnTo}">Continue</a>`) : null}
${form('/sign_in', html`${fields}${button('Sign in', 'primary')}`)}
${passkeyPart('get', '/sign_in/passkey_options', form('/sign_in/passkey', passkey))}
<p class="quiet"><a href="/reset">Set a new password</a>${site.deps.isSignUpOpen ? html` · <a href="/sign_up">Open an account</a>` : null}</p>`;
  const formTargets = client?.redirectUris ?? [];
  showPage(site, ctx, { title: 'Sign in', main, status, formTargets, script: passkeyPageScript() });
}

/** The application that a person is about to authorize, to which the redirects after the form may lead; null: there is none. */
async function clientOf({ deps }: PeopleSite, returnTo: string): Promise<OauthClient | null> {
  const { pathname, searchParams } = new URL(returnTo, 'http://here');
  const clientId = searchParams.get('client_id');
  if (clientId === null || !pathname.endsWith('/oauth/authorize')) return null;
  const environment = pathname.startsWith('/sandbox/') ? 'sandbox' : 'live';
  return findClient(deps.em.fork(), { clientId, environment });
}
