import { renderSVG } from 'uqr';
import { isFresh } from '../../../billing/people/proofs.ts';
import { totpUri } from '../../../billing/people/totp.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { verifyPassword } from '../../../commands/accounts/passwords.ts';
import { logActOfPerson } from '../../../commands/kernel/auditLog.ts';
import { addTotp, newRecoveryCodes, offerTotp, removeTotp } from '../../../commands/people/factors.ts';
import { tellPerson } from '../../../commands/people/mails.ts';
import { type Factors, factorsOf, newPasswordHash, setPassword } from '../../../commands/people/persons.ts';
import { browserName, endOtherSessions, revokeSession, sessionsOf } from '../../../commands/people/sessions.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { FoundSession } from '../../../db/queries/accounts/people.ts';
import { Person, type PersonSession } from '../../../db/schema/person.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { button, confirmed, field, form, hidden } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { alert, entries, notice } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import type { PersonHandler } from './accounts.ts';
import { formFields, showPage } from './layout.ts';
import { newPasswordField } from './reset.ts';
import { browserOf, type Form, type PageContext, type PeopleSite, readForm, signInPath } from './site.ts';
import { countTry } from './throttle.ts';

const PATH = '/security';

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
    const of = { personId: session.personId, id: /^\d{1,9}$/.test(sent.id ?? '') ? Number(sent.id) : 0 };
    await inTransaction(site.deps.em, (em) => revokeSession(em, of, site.deps.systemNow()));
    return seeOther(ctx, PATH);
  }
  if (sent.action === 'end_others') {
    await endOtherSessions(site.deps.em.fork(), { personId: session.personId, keptId: session.id });
    return seeOther(ctx, PATH);
  }
  if (!isFresh(session.provenAt, site.deps.systemNow())) return seeOther(ctx, signInPath(PATH));
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
    await countTry(site, 'second_factor', String(session.personId));
    const known = await site.deps.em.fork().findOneOrFail(Person, { id: session.personId });
    if (!(await verifyPassword(sent.current ?? '', known.passwordHash ?? null)))
      throw new Refusal('parameter_invalid', 'The current password is not this one', 'current');
    const passwordHash = await newPasswordHash(sent.password ?? '', known.email);
    return changing(site, { ctx, session, what: 'Your password was changed' }, async (em, person) => {
      await setPassword(em, { person, passwordHash, keptSessionId: session.id }, site.deps.systemNow());
      return notice('The new password counts. All other sessions have ended.');
    });
  },
  offer_totp: async (site, { ctx, session }) => offer(site, ctx, session),
  add_totp: (site, { ctx, session, sent }) =>
    changing(site, { ctx, session, what: 'An authenticator app was added' }, async (em, person) => {
      const { cipher } = site.deps;
      const given = { person, sealed: sent.offered ?? '', code: sent.code ?? '', cipher };
      if (!(await addTotp(em, given, site.deps.systemNow())))
        throw new Refusal('parameter_invalid', 'This code does not belong to the secret: begin again', 'code');
      await endOtherSessions(em, { personId: person.id, keptId: session.id });
      return showCodes(await newRecoveryCodes(em, person));
    }),
  remove_totp: (site, { ctx, session }) =>
    changing(site, { ctx, session, what: 'The authenticator app was removed' }, async (em, person) => {
      await removeTotp(em, person, site.deps.systemNow());
      return notice('Your sign-in no longer asks for a code.');
    }),
  recovery_codes: (site, { ctx, session }) =>
    changing(site, { ctx, session, what: 'New recovery codes were made' }, async (em, person) =>
      showCodes(await newRecoveryCodes(em, person)),
    ),
};

/** Changes a person in one transaction, and tells it. */
async function changing(
  site: PeopleSite,
  { ctx, session, what }: { ctx: PageContext; session: FoundSession; what: string },
  change: (em: EntityManager, person: Person) => Promise<Html>,
): Promise<Html> {
  const shown = await inTransaction(site.deps.em, async (em) => {
    const person = await em.findOneOrFail(Person, { id: session.personId });
    const done = await change(em, person);
    const now = site.deps.systemNow();
    tellPerson(em, { person, what, from: browserName(browserOf(site, ctx)) }, now);
    await logActOfPerson(em, person.id, { kind: 'change', operation: 'changeSecurity', reason: what }, now);
    return done;
  });
  site.deps.poke();
  return shown;
}

function offer(site: PeopleSite, ctx: PageContext, { email }: FoundSession): Html {
  const { secret, sealed } = offerTotp(site.deps.cipher);
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSVG(totpUri(secret, email))).toString('base64')}`;
  const code = field({
    name: 'code',
    label: 'Code that the app shows',
    value: '',
    type: 'text',
    autocomplete: 'one-time-code',
    maxLength: 7,
    hint: null,
    problem: null,
    isFocused: true,
  });
  return html`<section aria-labelledby="offered"><h2 id="offered">Add an authenticator app</h2>
<p>Scan this picture with the app, or type the secret into it.</p>
<p><img src="${picture}" alt="QR code of the secret" width="200" height="200"></p>
<p><code>${secret}</code></p>
${form(PATH, html`${formFields(site, ctx)}${hidden('action', 'add_totp')}${hidden('offered', sealed)}${code}${button('Add the app', 'primary')}`)}</section>`;
}

function showCodes(codes: readonly string[]): Html {
  const items = codes.map((code) => html`<li><code>${code}</code></li>`);
  return notice(html`<p><strong>Copy your recovery codes now: they are shown only this once.</strong> Each replaces your app once.</p>
<ul>${items}</ul>`);
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
  const factors = await factorsOf(em, person);
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
  const main = html`<h1>Password, second factor and sessions</h1>
${problem ? alert(problem) : null}
${done}
<section aria-labelledby="factor"><h2 id="factor">Second factor</h2>${factorsHtml(site, ctx, factors)}</section>
<section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>${sessionsHtml(site, ctx, { sessions, session })}</section>
<section aria-labelledby="password-title"><h2 id="password-title">Password</h2>
${acting(site, ctx, 'password', html`${current}${newPasswordField(null, false)}${button('Change the password', 'primary')}`)}</section>`;
  showPage(site, ctx, { title: 'Security', main, status, email: session.email, isWide: true, hasPictures: true });
}

function acting(site: PeopleSite, ctx: PageContext, action: string, content: Html): Html {
  return form(PATH, html`${formFields(site, ctx)}${hidden('action', action)}${content}`);
}

function factorsHtml(site: PeopleSite, ctx: PageContext, { hasTotp, recoveryCodes }: Factors): Html {
  if (!hasTotp)
    return html`<p>Your password alone signs you in.</p>${acting(site, ctx, 'offer_totp', button('Add an authenticator app', 'primary'))}`;
  const again = acting(site, ctx, 'recovery_codes', button('Make new recovery codes', 'plain'));
  const remove = acting(site, ctx, 'remove_totp', button('Remove the authenticator app', 'danger'));
  return html`<p>Your sign-in asks for a code of your authenticator app. ${recoveryCodes} recovery codes are left.</p>
<div class="actions">${again}${confirmed('Remove', 'Your password alone signs you in then.', remove)}</div>`;
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
