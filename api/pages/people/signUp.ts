import { Refusal } from '../../../billing/refusal.ts';
import {
  type FoundSignUp,
  findSignUp,
  openSignedUp,
  type SignUp,
  sendSignUp,
  signUpIn,
} from '../../../commands/people/signUp.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { button, field, form } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { alert } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import { newPersonFields, newPersonIn } from './invitation.ts';
import { formFields, showPage, showProblem } from './layout.ts';
import { finish } from './signIn.ts';
import {
  type Form,
  HOME,
  type PageContext,
  type PeopleSite,
  readForm,
  signedIn,
  signInPath,
  visitorOf,
} from './site.ts';
import { countTry } from './throttle.ts';

const PROBLEM = 'problem';

type Handler = (site: PeopleSite, ctx: PageContext, rest: readonly string[]) => Promise<void>;

/** Where operators open accounts, the pages say so. */
function ifOpen(handler: Handler): Handler {
  return async (site, ctx, rest) => {
    if (site.deps.isSignUpOpen === true) return handler(site, ctx, rest);
    showProblem(site, ctx, {
      title: 'Accounts are opened by the operator',
      message: 'Ask the operator of this system for an account, or a colleague for an invitation.',
      status: 404,
    });
  };
}

export const showSignUp = ifOpen(async (site, ctx) => show(site, ctx, { status: 200 }));

/** Mails the link. The answer is the same, and costs the same, whether or not anybody has the address. */
export const takeSignUp = ifOpen(async (site, ctx) => {
  const sent = await readForm(site, ctx);
  const { deps } = site;
  await countTry(site, 'sign_up_address', visitorOf(site, ctx));
  try {
    const asked = signUpIn({ email: sent.email ?? '', business: sent.business ?? '' });
    await countTry(site, 'sign_up_identity', asked.email);
    const main = html`<h1>Look into your mail</h1>
<p>A link to open the account is on its way to ${asked.email}. It works once, within an hour.</p>
<p class="quiet">Nothing arrived? Look among the unwanted mails, or <a href="/sign_up">begin again</a>.</p>`;
    showPage(site, ctx, { title: 'Look into your mail', main });
    // After the answer, so that its time tells nothing.
    void sendLink(site, asked).catch((error: unknown) =>
      deps.log.error({ err: error }, 'a link to open an account was not queued'),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    show(site, ctx, { status: 400, problem: error, sent });
  }
});

async function sendLink({ deps }: PeopleSite, asked: SignUp): Promise<void> {
  await inTransaction(deps.em, async (em) => sendSignUp(em, asked, deps.systemNow()));
  deps.poke();
}

function show(
  site: PeopleSite,
  ctx: PageContext,
  { status, problem, sent = {} }: { status: number; problem?: Refusal; sent?: Form },
): void {
  const given = (name: string) => ({
    name,
    hint: null,
    maxLength: 255,
    problem: problem?.param === name ? PROBLEM : null,
  });
  const business = field({
    ...given('business'),
    label: 'Name of your business',
    value: sent.business ?? '',
    type: 'text',
    autocomplete: 'organization',
    isFocused: true,
  });
  const email = field({
    ...given('email'),
    label: 'Your email',
    value: sent.email ?? '',
    type: 'email',
    autocomplete: 'username',
    isFocused: false,
  });
  const main = html`<h1>Open an account</h1>
<p class="lead">You get a mail with a link that opens it, with you as its administrator.</p>
${problem ? alert(problem.message, PROBLEM) : null}
${form('/sign_up', html`${formFields(site, ctx)}${business}${email}${button('Send the link', 'primary')}`)}
<p class="quiet"><a href="/sign_in">Sign in</a> if you have an account.</p>`;
  showPage(site, ctx, { title: 'Open an account', main, status });
}

/** The page behind the link. Opening it opens no account: programs of mail servers open links, too. */
export const showSignUpLink = ifOpen(async (site, ctx, [secret = '']) => {
  const found = await find(site, ctx, secret);
  if (found) await showLink(site, ctx, { secret, found, status: 200 });
});

export const takeSignUpLink = ifOpen(async (site, ctx, [secret = '']) => {
  const sent = await readForm(site, ctx);
  const found = await find(site, ctx, secret);
  if (!found) return;
  const { deps } = site;
  try {
    const session = await signedIn(site, ctx);
    const as = found.hasPerson ? { personId: session?.personId ?? 0 } : await newPersonIn(sent, found.email);
    const person = await inTransaction(deps.em, (em) => openSignedUp(em, { secret, as }, deps.systemNow()));
    if (!person) return gone(site, ctx);
    if (found.hasPerson) return seeOther(ctx, HOME);
    await finish(site, ctx, { personId: person.id, proofs: ['password'], returnTo: HOME });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await showLink(site, ctx, { secret, found, status: 400, problem: error, sent });
  }
});

async function find(site: PeopleSite, ctx: PageContext, secret: string): Promise<FoundSignUp | null> {
  await countTry(site, 'link_address', visitorOf(site, ctx));
  const found = await findSignUp(site.deps.em.fork(), secret, site.deps.systemNow());
  if (!found) gone(site, ctx);
  return found;
}

async function showLink(
  site: PeopleSite,
  ctx: PageContext,
  shown: { secret: string; found: FoundSignUp; status: number; problem?: Refusal; sent?: Form },
): Promise<void> {
  const { secret, found, status, problem, sent = {} } = shown;
  const session = await signedIn(site, ctx);
  const path = `/sign_up/${secret}`;
  const fields = formFields(site, ctx);
  const open = button('Open the account', 'primary');
  const content = (): Html => {
    if (!found.hasPerson)
      return form(path, html`${fields}${newPersonFields(sent, PROBLEM, problem?.param ?? null)}${open}`);
    if (session?.email === found.email) return form(path, html`${fields}${open}`);
    return html`<p>You sign in here as ${found.email} already. <a href="${signInPath(path)}">Sign in to open it</a></p>`;
  };
  const main = html`<h1>Open the account of ${found.business}</h1>
<p class="lead">with the address ${found.email}</p>
${problem ? alert(problem.message, PROBLEM) : null}
${content()}`;
  showPage(site, ctx, { title: 'Open the account', main, status, email: session?.email ?? null });
}

function gone(site: PeopleSite, ctx: PageContext): void {
  showProblem(site, ctx, {
    title: 'This link has ended',
    message: 'It was used, or is older than an hour. If it opened your account, sign in. Otherwise ask for a new one.',
    status: 404,
  });
}
