import { builtInRoles } from '../../../billing/people/permissions.ts';
import { Refusal } from '../../../billing/refusal.ts';
import {
  acceptInvitation,
  checkInvitationCode,
  findInvitation,
  type Invitation,
  type Joining,
  mailInvitationCode,
} from '../../../commands/people/joining.ts';
import { newPasswordHash } from '../../../commands/people/persons.ts';
import { nameIn } from '../../../commands/people/signUp.ts';
import type { FoundSession } from '../../../db/queries/accounts/people.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { button, field, form } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { alert } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import { formFields, showPage, showProblem } from './layout.ts';
import { newPasswordField } from './reset.ts';
import { finish } from './signIn.ts';
import {
  cookieOf,
  type Form,
  HOME,
  type PageContext,
  type PeopleSite,
  readForm,
  setCookie,
  signedIn,
  signInPath,
  visitorOf,
} from './site.ts';
import { countTry } from './throttle.ts';

const PROBLEM = 'problem';

/** Opening the link accepts nothing: programs of mail servers open links, too. */
export async function showInvitation(
  site: PeopleSite,
  ctx: PageContext,
  [secret = '']: readonly string[],
): Promise<void> {
  const found = await find(site, ctx, secret);
  if (found) await show(site, ctx, { secret, found, status: 200 });
}

export async function takeInvitation(
  site: PeopleSite,
  ctx: PageContext,
  [secret = '']: readonly string[],
): Promise<void> {
  const sent = await readForm(site, ctx);
  const found = await find(site, ctx, secret);
  if (!found) return;
  const { deps } = site;
  const session = await signedIn(site, ctx);
  try {
    const isInvited = session?.email === found.member.email;
    const codeSecret = needsCode(found, session) ? (cookieOf(site, ctx, 'step') ?? '') : null;
    if (codeSecret !== null) {
      if (sent.code === undefined) return await sendCode(site, ctx, { secret, found });
      const proof = { member: found.member, secret: codeSecret, code: sent.code };
      await checkInvitationCode(deps.em.fork(), proof, deps.systemNow());
    }
    const signsIn = isInvited || (found.isProof && found.hasPerson);
    const as = signsIn ? { personId: session?.personId ?? 0 } : await newPersonIn(sent, found.member.email);
    const person = await inTransaction(deps.em, (em) =>
      acceptInvitation(em, { secret, as, codeSecret }, deps.systemNow()),
    );
    if (!person) return gone(site, ctx);
    if (isInvited) return seeOther(ctx, HOME);
    await finish(site, ctx, { personId: person.id, proofs: ['password'], returnTo: HOME });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const asksForCode = sent.code !== undefined;
    await show(site, ctx, { secret, found, status: 400, problem: error, sent, asksForCode });
  }
}

/**
 * Whether the address is not proven: the link was copied, not mailed, and nobody is signed in with the address. The page then looks the
 * same for all addresses, so that the link does not tell who signs in here.
 */
const needsCode = ({ isProof, member }: Invitation, session: FoundSession | null): boolean =>
  !isProof && session?.email !== member.email;

/** Mails six digits to the invited address. The browser holds the secret that they count with. */
async function sendCode(
  site: PeopleSite,
  ctx: PageContext,
  { secret, found }: { secret: string; found: Invitation },
): Promise<void> {
  const { deps } = site;
  await countTry(site, 'code_identity', found.member.email);
  const step = await inTransaction(deps.em, async (em) => mailInvitationCode(em, found, deps.systemNow()));
  deps.poke();
  setCookie(site, ctx, ['step', step]);
  await show(site, ctx, { secret, found, status: 200, asksForCode: true });
}

/** The name and password of somebody new. Refuses an unfit one. */
export async function newPersonIn(sent: Form, email: string): Promise<Joining> {
  const name = nameIn(sent.name ?? '', { what: 'Name', param: 'name' });
  return { name, passwordHash: await newPasswordHash(sent.password ?? '', email) };
}

async function find(site: PeopleSite, ctx: PageContext, secret: string): Promise<Invitation | null> {
  await countTry(site, 'link_address', visitorOf(site, ctx));
  const found = await findInvitation(site.deps.em.fork(), secret, site.deps.systemNow());
  if (!found) gone(site, ctx);
  return found;
}

interface ShownInvitation {
  secret: string;
  found: Invitation;
  status: number;
  problem?: Refusal;
  sent?: Form;
  /** A code was mailed, and the form asks for it. */
  asksForCode?: boolean;
}

async function show(site: PeopleSite, ctx: PageContext, shown: ShownInvitation): Promise<void> {
  const { secret, found, status, problem, sent = {}, asksForCode = false } = shown;
  const { member, account, hasPerson } = found;
  const session = await signedIn(site, ctx);
  const path = `/invitations/${secret}`;
  const role = builtInRoles.get(member.role)?.name ?? member.role;
  const fields = formFields(site, ctx);
  const join = button(`Join ${account.name}`, 'primary');
  const content = (): Html => {
    const signIn = html`<a href="${signInPath(path)}">Sign in to join</a>`;
    const isNew = form(
      path,
      html`${fields}${asksForCode ? codeField(sent, problem?.param === 'code') : null}${newPersonFields(sent, problem ? PROBLEM : null, problem?.param)}${join}`,
    );
    if (needsCode(found, session)) {
      const ask = html`<p>To prove that the address is yours, we mail a code to it.</p>${form(path, html`${fields}${button('Send the code', 'primary')}`)}`;
      const mailed = html`<p role="status">A code of six digits is on its way to ${member.email}. If it does not come, look into the spam folder, or open the link of the invitation again for another code.</p>`;
      return html`${asksForCode ? html`${mailed}${isNew}` : ask}<p class="quiet">You have a password here? ${signIn}</p>`;
    }
    if (session?.email === member.email) return form(path, html`${fields}${join}`);
    if (!hasPerson) return isNew;
    return html`<p>You sign in here as ${member.email} already. ${signIn}</p>`;
  };
  const main = html`<h1>Join ${account.name}</h1>
<p class="lead">as ${role}, with the address ${member.email}</p>
${problem ? alert(problem.message, PROBLEM) : null}
${content()}`;
  showPage(site, ctx, { title: `Join ${account.name}`, main, status, email: session?.email ?? null });
}

function codeField({ code = '' }: Form, isWrong: boolean): Html {
  return field({
    name: 'code',
    label: 'Code from the mail',
    value: code,
    type: 'text',
    autocomplete: 'one-time-code',
    maxLength: 7,
    hint: null,
    problem: isWrong ? PROBLEM : null,
    isFocused: true,
  });
}

/** The fields of somebody new: name and password. `problem`: id of the alert, if there is one. `wrong`: name of the field that it is about. */
export function newPersonFields({ name = '' }: Form, problem: string | null, wrong: string | null = 'password'): Html {
  const yours = field({
    name: 'name',
    label: 'Your name',
    value: name,
    type: 'text',
    autocomplete: 'name',
    maxLength: 255,
    hint: null,
    problem: wrong === 'name' ? problem : null,
    isFocused: false,
  });
  return html`${yours}${newPasswordField(wrong === 'password' ? problem : null, false)}`;
}

function gone(site: PeopleSite, ctx: PageContext): void {
  showProblem(site, ctx, {
    title: 'This invitation has ended',
    message: 'It was accepted or withdrawn, or is older than seven days. Ask for a new one.',
    status: 404,
  });
}
