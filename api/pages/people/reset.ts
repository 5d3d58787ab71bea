import { Refusal } from '../../../billing/refusal.ts';
import { logActOfPerson } from '../../../commands/kernel/auditLog.ts';
import { mailReset, tellPerson } from '../../../commands/people/mails.ts';
import { emailKey, newPasswordHash, personOf, setPassword } from '../../../commands/people/persons.ts';
import { findSecret, newSecret, takeSecret } from '../../../commands/people/secrets.ts';
import { browserName, rememberBrowser } from '../../../commands/people/sessions.ts';
import { Person } from '../../../db/schema/person.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { button, field, form } from '../kit/forms.ts';
import { html } from '../kit/html.ts';
import { alert } from '../kit/parts.ts';
import { formFields, showPage, showProblem } from './layout.ts';
import { browserOf, type PageContext, type PeopleSite, readForm, setCookie, visitorOf } from './site.ts';
import { countTry } from './throttle.ts';

const PROBLEM = 'problem';

export async function showReset(site: PeopleSite, ctx: PageContext): Promise<void> {
  const address = field({
    name: 'email',
    label: 'Email',
    value: '',
    type: 'email',
    autocomplete: 'username',
    maxLength: 255,
    hint: null,
    problem: null,
    isFocused: true,
  });
  const main = html`<h1>Set a new password</h1>
<p class="lead">You get a mail with a link that works once, within an hour.</p>
${form('/reset', html`${formFields(site, ctx)}${address}${button('Send the link', 'primary')}`)}`;
  showPage(site, ctx, { title: 'Set a new password', main });
}

/** Sends the link. The answer is the same, and costs the same, whether or not anybody has the address. */
export async function takeReset(site: PeopleSite, ctx: PageContext): Promise<void> {
  const { email = '' } = await readForm(site, ctx);
  const { deps } = site;
  await countTry(site, 'reset_address', visitorOf(site, ctx));
  await countTry(site, 'reset_identity', emailKey(email));
  const main = html`<h1>Look into your mail</h1>
<p>If ${email.trim()} signs in here, a link to set a new password is on its way. It works for an hour.</p>
<p class="quiet"><a href="/sign_in">Sign in</a></p>`;
  showPage(site, ctx, { title: 'Look into your mail', main });
  // After the answer, so that its time tells nothing.
  void sendLink(site, email).catch((error: unknown) => deps.log.error({ err: error }, 'a reset link was not queued'));
}

async function sendLink({ deps }: PeopleSite, email: string): Promise<void> {
  const now = deps.systemNow();
  const isSent = await inTransaction(deps.em, async (em) => {
    const person = await personOf(em, email, now);
    if (!person) return false;
    const secret = newSecret(em, { purpose: 'reset', personId: person.id }, now);
    mailReset(em, { email: person.email, secret }, now);
    return true;
  });
  if (isSent) deps.poke();
}

/** The page behind the link. Opening it uses nothing up: programs of mail servers open links, too. */
export async function showNewPassword(
  site: PeopleSite,
  ctx: PageContext,
  [secret = '']: readonly string[],
): Promise<void> {
  await countTry(site, 'link_address', visitorOf(site, ctx));
  const found = await findSecret(site.deps.em.fork(), { purpose: 'reset', secret }, site.deps.systemNow());
  if (found) askForPassword(site, ctx, { secret, status: 200 });
  else gone(site, ctx);
}

export async function takeNewPassword(
  site: PeopleSite,
  ctx: PageContext,
  [secret = '']: readonly string[],
): Promise<void> {
  const { password = '' } = await readForm(site, ctx);
  const { deps } = site;
  const now = deps.systemNow();
  await countTry(site, 'link_address', visitorOf(site, ctx));
  try {
    const found = await findSecret(deps.em.fork(), { purpose: 'reset', secret }, now);
    const owner = found?.person && (await deps.em.fork().findOneOrFail(Person, { id: found.person.id }));
    if (!owner) return gone(site, ctx);
    const passwordHash = await newPasswordHash(password, owner.email);
    const browser = await inTransaction(deps.em, async (em) => {
      const taken = await takeSecret(em, { purpose: 'reset', secret }, now);
      if (!taken?.person) return null;
      const person = await em.findOneOrFail(Person, { id: taken.person.id });
      await setPassword(em, { person, passwordHash }, now);
      await logActOfPerson(em, person.id, { kind: 'change', operation: 'resetPassword' }, now);
      tellPerson(em, { person, what: 'Your password was changed', from: browserName(browserOf(site, ctx)) }, now);
      return rememberBrowser(em, person.id, now); // the mailed link proved whose browser it is
    });
    if (browser === null) return gone(site, ctx);
    deps.poke();
    setCookie(site, ctx, ['device', browser]);
    const main = html`<h1>Your new password counts</h1>
<p>All your sessions have ended. <a href="/sign_in">Sign in</a> with the new password.</p>`;
    showPage(site, ctx, { title: 'Your new password counts', main });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    askForPassword(site, ctx, { secret, status: 400, problem: error.message });
  }
}

function askForPassword(
  site: PeopleSite,
  ctx: PageContext,
  { secret, status, problem }: { secret: string; status: number; problem?: string },
): void {
  const fields = html`${formFields(site, ctx)}${newPasswordField(problem ? PROBLEM : null)}`;
  const main = html`<h1>Set a new password</h1>
${problem ? alert(problem, PROBLEM) : null}
${form(`/reset/${secret}`, html`${fields}${button('Set the password', 'primary')}`)}`;
  showPage(site, ctx, { title: 'Set a new password', main, status });
}

/** The field for a new password. */
export function newPasswordField(problem: string | null, isFocused = true) {
  return field({
    name: 'password',
    label: 'New password',
    value: '',
    type: 'password',
    autocomplete: 'new-password',
    maxLength: 256,
    hint: 'At least 10 characters, and none that attackers try first.',
    problem,
    isFocused,
  });
}

function gone(site: PeopleSite, ctx: PageContext): void {
  showProblem(site, ctx, {
    title: 'This link has ended',
    message: 'It was used, or is older than an hour. Ask for a new one.',
    status: 404,
  });
}
