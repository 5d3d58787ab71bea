import { builtInRoles } from '../../../billing/people/permissions.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { acceptInvitation, findInvitation, type Invitation } from '../../../commands/people/joining.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { button, field, form } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { alert } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import { formFields, showPage, showProblem } from './layout.ts';
import { newPasswordField } from './reset.ts';
import { HOME, signInPath } from './returning.ts';
import { finish } from './signIn.ts';
import { browserOf, type Form, type PageContext, type PeopleSite, readForm, signedIn } from './site.ts';
import { countTry, visitorOf } from './throttle.ts';

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
    const as = found.hasPerson
      ? { personId: session?.personId ?? 0 }
      : { name: nameIn(sent), password: sent.password ?? '' };
    const person = await inTransaction(deps.em, (em) => acceptInvitation(em, { secret, as }, deps.systemNow()));
    if (!person) return gone(site, ctx);
    if (found.hasPerson) return seeOther(ctx, HOME);
    await finish(site, ctx, { person, proofs: ['password'], returnTo: HOME });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await show(site, ctx, { secret, found, status: 400, problem: error.message, sent });
  }
}

function nameIn({ name = '' }: Form): string {
  const given = name.trim();
  if (given === '') throw new Refusal('parameter_missing', 'Name missing', 'name');
  if (given.length > 255) throw new Refusal('parameter_invalid', 'Name may have at most 255 characters', 'name');
  return given;
}

async function find(site: PeopleSite, ctx: PageContext, secret: string): Promise<Invitation | null> {
  await countTry(site, 'link_address', visitorOf(browserOf(site, ctx).ip));
  const found = await findInvitation(site.deps.em.fork(), secret, site.deps.systemNow());
  if (!found) gone(site, ctx);
  return found;
}

interface ShownInvitation {
  secret: string;
  found: Invitation;
  status: number;
  problem?: string;
  sent?: Form;
}

async function show(site: PeopleSite, ctx: PageContext, shown: ShownInvitation): Promise<void> {
  const { secret, found, status, problem, sent = {} } = shown;
  const { member, account, hasPerson } = found;
  const session = await signedIn(site, ctx);
  const path = `/invitations/${secret}`;
  const role = builtInRoles.get(member.role)?.name ?? member.role;
  const fields = formFields(site, ctx);
  const join = button(`Join ${account.name}`, 'primary');
  const content = (): Html => {
    if (!hasPerson) return form(path, html`${fields}${newPersonFields(sent, problem ? PROBLEM : null)}${join}`);
    if (session?.email === member.email) return form(path, html`${fields}${join}`);
    return html`<p>You sign in here as ${member.email} already. <a href="${signInPath(path)}">Sign in to join</a></p>`;
  };
  const main = html`<h1>Join ${account.name}</h1>
<p class="lead">as ${role}, with the address ${member.email}</p>
${problem ? alert(problem, PROBLEM) : null}
${content()}`;
  showPage(site, ctx, { title: `Join ${account.name}`, main, status, email: session?.email ?? null });
}

function newPersonFields({ name = '' }: Form, problem: string | null): Html {
  const yours = field({
    name: 'name',
    label: 'Your name',
    value: name,
    type: 'text',
    autocomplete: 'name',
    maxLength: 255,
    hint: null,
    problem: null,
    isFocused: false,
  });
  return html`${yours}${newPasswordField(problem)}`;
}

function gone(site: PeopleSite, ctx: PageContext): void {
  showProblem(site, ctx, {
    title: 'This invitation has ended',
    message: 'It was accepted or withdrawn, or is older than seven days. Ask for a new one.',
    status: 404,
  });
}
