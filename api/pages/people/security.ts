import { isFresh } from '../../../billing/people/proofs.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { verifyPassword } from '../../../commands/accounts/passwords.ts';
import { logActOfPerson } from '../../../commands/kernel/auditLog.ts';
import { addTotp, newRecoveryCodes, removeTotp } from '../../../commands/people/factors.ts';
import { tellPerson } from '../../../commands/people/mails.ts';
import {
  addPasskey,
  type ChallengeUse,
  newChallenge,
  passkeysOf,
  removePasskey,
  takeChallenge,
} from '../../../commands/people/passkeys.ts';
import { factorsOf, hasSecondFactor, newPasswordHash, setPassword } from '../../../commands/people/persons.ts';
import {
  browserName,
  deviceName,
  endOtherSessions,
  rememberBrowser,
  revokeOtherSessions,
  revokeSession,
  sessionsOf,
} from '../../../commands/people/sessions.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type FoundSession, membershipsOf } from '../../../db/queries/accounts/people.ts';
import { Person, type PersonSession } from '../../../db/schema/person.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { button, field, hidden } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { alert, entries, notice } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import type { PersonHandler } from './accounts.ts';
import { acting, factorsHtml, recoveryCodes, SECURITY_PATH, totpOffer } from './factors.ts';
import { showPage } from './layout.ts';
import { checkCreated, creationOptions } from './passkey/ceremony.ts';
import { passkeyPageScript } from './passkey/parts.ts';
import { noteFailure } from './refused.ts';
import { newPasswordField } from './reset.ts';
import {
  browserOf,
  type Form,
  type PageContext,
  type PeopleSite,
  readForm,
  setCookie,
  signedIn,
  signInPath,
} from './site.ts';
import { countTryOn, forgetTries } from './throttle.ts';

interface ShownSecurity {
  status?: number;
  problem?: string;
  /** What was done, above the page. */
  done?: Html;
}

export const showSecurity: PersonHandler = (site, ctx, session) => show(site, ctx, session);

/** One form of the page: `action` says which. Everything but ending a session needs a fresh sign-in. */
export const takeSecurity: PersonHandler = async (site, ctx, session) => {
  const sent = await readForm(site, ctx);
  if (sent.action === 'end_session') {
    const of = { personId: session.personId, id: idIn(sent) };
    await inTransaction(site.deps.em, (em) => revokeSession(em, of, site.deps.systemNow()));
    return seeOther(ctx, SECURITY_PATH);
  }
  if (sent.action === 'end_others') {
    const of = { ...session, browser: browserOf(site, ctx) };
    const device = await inTransaction(site.deps.em, (em) => revokeOtherSessions(em, of, site.deps.systemNow()));
    if (device !== null) setCookie(site, ctx, ['device', device]);
    return seeOther(ctx, SECURITY_PATH);
  }
  if (!isFresh(session.provenAt, site.deps.systemNow())) return seeOther(ctx, signInPath(SECURITY_PATH));
  const { action = '' } = sent;
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) return show(site, ctx, session, { status: 400, problem: 'This page has no such form' });
  try {
    await show(site, ctx, session, { done: await act(site, { ctx, session, sent }) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await show(site, ctx, session, { status: 400, problem: error.message });
  }
};

interface Sent {
  ctx: PageContext;
  session: FoundSession;
  sent: Form;
}

type Act = (site: PeopleSite, sent: Sent) => Promise<Html>;

const actions: Readonly<Record<string, Act>> = {
  password: async (site, { ctx, session, sent }) => {
    const who = String(session.personId);
    const find = (em: EntityManager) => em.findOne(Person, { id: session.personId });
    await countTryOn(site, { name: 'current_password', who, operation: 'changeSecurity', find });
    const known = await site.deps.em.fork().findOneOrFail(Person, { id: session.personId });
    if (!(await verifyPassword(sent.current ?? '', known.passwordHash ?? null))) {
      noteFailure(site.deps, { operation: 'changeSecurity', reason: 'wrong current password' }, find);
      throw new Refusal('parameter_invalid', 'The current password is not this one', 'current');
    }
    await forgetTries(site, 'current_password', who);
    const passwordHash = await newPasswordHash(sent.password ?? '', known.email);
    let device = '';
    const done = await changing(site, { ctx, session, what: 'Your password was changed' }, async (em, person) => {
      await setPassword(em, { person, passwordHash, keptSessionId: session.id }, site.deps.systemNow());
      device = rememberBrowser(em, person.id, site.deps.systemNow()); // this browser stays known
      return notice('The new password counts. All other sessions have ended.');
    });
    setCookie(site, ctx, ['device', device]);
    return done;
  },
  offer_totp: async (site, { ctx, session }) => totpOffer(site, ctx, session),
  add_totp: (site, { ctx, session, sent }) =>
    changing(site, { ctx, session, what: 'An authenticator app was added' }, async (em, person) => {
      const { cipher } = site.deps;
      const given = { person, sealed: sent.offered ?? '', code: sent.code ?? '', cipher };
      if (!(await addTotp(em, given, site.deps.systemNow())))
        throw new Refusal('parameter_invalid', 'This code does not belong to the secret: begin again', 'code');
      return codesOrNotice(em, person, 'Your sign-in asks for a code of the app, or for a passkey.');
    }),
  remove_totp: (site, { ctx, session }) =>
    changing(site, { ctx, session, what: 'The authenticator app was removed' }, async (em, person) => {
      await removeTotp(em, person, site.deps.systemNow());
      return notice('Your sign-in no longer asks for a code of the app.');
    }),
  add_passkey: async (site, { ctx, session, sent }) => {
    const { em, systemNow } = site.deps;
    const name = sent.name?.trim().slice(0, 100) || deviceName(ctx.get('User-Agent'));
    const takes = (challenge: string) => takeChallenge(em.fork(), { ...adding(session), challenge }, systemNow());
    const passkey = await checkCreated(site.deps, { sent: sent.passkey ?? '', name, takes });
    if (!passkey) throw new Refusal('parameter_invalid', 'The passkey was not accepted: try again', 'passkey');
    return changing(site, { ctx, session, what: 'A passkey was added' }, async (inner, person) => {
      await addPasskey(inner, { person, passkey }, systemNow());
      return codesOrNotice(inner, person, 'The passkey was added.');
    });
  },
  remove_passkey: (site, { ctx, session, sent }) =>
    changing(site, { ctx, session, what: 'A passkey was removed' }, async (em, person) => {
      await removePasskey(em, { person, id: idIn(sent) });
      return notice('The passkey no longer signs you in. Delete it on its device, too.');
    }),
  recovery_codes: (site, { ctx, session }) =>
    changing(site, { ctx, session, what: 'New recovery codes were made' }, async (em, person) => {
      if (!hasSecondFactor(await factorsOf(em, person)))
        throw new Refusal('state_conflict', 'Recovery codes replace a second factor: add one first');
      return recoveryCodes(await newRecoveryCodes(em, person));
    }),
};

/** A number among the fields, 0 for anything else. */
const idIn = ({ id = '' }: Form): number => (/^\d{1,9}$/.test(id) ? Number(id) : 0);

/** With the first factor come recovery codes; later ones leave them. */
async function codesOrNotice(em: EntityManager, person: Person, text: string): Promise<Html> {
  const { recoveryCodes: left } = await factorsOf(em, person);
  return left === 0 ? recoveryCodes(await newRecoveryCodes(em, person)) : notice(text);
}

/** A new passkey of the person of a session. */
const adding = ({ id }: FoundSession): ChallengeUse => ({ use: 'add', bound: String(id) });

/** What a browser needs to make a passkey, or where a person without a fresh sign-in goes first. */
export async function offerNewPasskey(site: PeopleSite, ctx: PageContext): Promise<void> {
  await readForm(site, ctx);
  const { em, systemNow } = site.deps;
  const session = await signedIn(site, ctx);
  if (!session || !isFresh(session.provenAt, systemNow())) {
    ctx.status = 403;
    ctx.body = { sign_in: signInPath(SECURITY_PATH) };
    return;
  }
  const asked = await inTransaction(em, async (inner) => {
    const person = await inner.findOneOrFail(Person, { id: session.personId });
    const known = await passkeysOf(inner, person);
    const challenge = newChallenge(inner, { ...adding(session), personId: person.id }, systemNow());
    return { person: { ...person, name: person.name ?? null }, known, challenge };
  });
  ctx.body = await creationOptions(site.deps, asked);
}

/** Changes how a person signs in, in one transaction. All its other sessions end, and it is told. */
async function changing(
  site: PeopleSite,
  { ctx, session, what }: { ctx: PageContext; session: FoundSession; what: string },
  change: (em: EntityManager, person: Person) => Promise<Html>,
): Promise<Html> {
  const shown = await inTransaction(site.deps.em, async (em) => {
    const person = await em.findOneOrFail(Person, { id: session.personId });
    const done = await change(em, person);
    await endOtherSessions(em, { personId: person.id, keptId: session.id });
    const now = site.deps.systemNow();
    tellPerson(em, { person, what, from: browserName(browserOf(site, ctx)) }, now);
    await logActOfPerson(em, person.id, { kind: 'change', operation: 'changeSecurity', reason: what }, now);
    return done;
  });
  site.deps.poke();
  return shown;
}

async function show(
  site: PeopleSite,
  ctx: PageContext,
  session: FoundSession,
  shown: ShownSecurity = {},
): Promise<void> {
  const { status = 200, problem, done = null } = shown;
  const em = site.deps.em.fork();
  const person = await em.findOne(Person, { id: session.personId });
  if (!person) return seeOther(ctx, '/sign_in');
  const now = site.deps.systemNow();
  const sessions = await sessionsOf(em, person.id, now);
  const memberships = await membershipsOf(em, person.id);
  const demanding = memberships.filter(({ needsTwoFactors }) => needsTwoFactors).map(({ name }) => name);
  const factors = { factors: await factorsOf(em, person), passkeys: await passkeysOf(em, person), demanding };
  const current = field({
    name: 'current',
    label: 'Current password',
    value: '',
    type: 'password',
    autocomplete: 'current-password',
    maxLength: 256,
    hint: null,
    problem: null,
    isFocused: false,
  });
  const main = html`<p><a href="/accounts">Your accounts</a></p>
<h1>Password, second factor and sessions</h1>
${problem ? alert(problem) : null}
${done}
${factorsHtml(site, ctx, factors)}
<section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>${sessionsHtml(site, ctx, { sessions, session })}</section>
<section aria-labelledby="password-title"><h2 id="password-title">Password</h2>
${acting(site, ctx, 'password', html`${current}${newPasswordField(null, false)}${button('Change the password', 'primary')}`)}</section>`;
  const look = { isWide: true, hasPictures: true, script: passkeyPageScript() };
  showPage(site, ctx, { title: 'Security', main, status, email: session.email, ...look });
}

function sessionsHtml(
  site: PeopleSite,
  ctx: PageContext,
  { sessions, session }: { sessions: readonly PersonSession[]; session: FoundSession },
): Html {
  const items = sessions.map((one) => ({
    name: browserName({ ip: one.ip, userAgent: one.userAgent ?? null }),
    kind:
      one.id === session.id
        ? 'This session'
        : `Last seen ${one.lastSeenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    content:
      one.id === session.id
        ? null
        : acting(site, ctx, 'end_session', html`${hidden('id', String(one.id))}${button('End', 'plain')}`),
  }));
  const others = sessions.length > 1 ? acting(site, ctx, 'end_others', button('End all others', 'plain')) : null;
  return html`${entries(items.map((item) => ({ ...item, content: item.content ?? html`` })))}${others}`;
}
