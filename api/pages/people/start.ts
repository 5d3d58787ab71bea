import { Refusal } from '../../../billing/refusal.ts';
import { newPasswordHash } from '../../../commands/people/persons.ts';
import { nameIn } from '../../../commands/people/signUp.ts';
import { type Chosen, findStartLink, type StartLink, useStartLink } from '../../../commands/people/startLink.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { isLoopback } from '../../limits/clientAddress.ts';
import { button, field, form } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { alert } from '../kit/parts.ts';
import { newPersonFields } from './invitation.ts';
import { formFields, showPage, showProblem } from './layout.ts';
import { finish } from './signIn.ts';
import { type Form, HOME, type PageContext, type PeopleSite, readForm, visitorOf } from './site.ts';
import { countTry } from './throttle.ts';

const PROBLEM = 'problem';

/** Headers by which proxies tell for whom they ask. */
const FORWARDING =
  /^(forwarded|x-forwarded\b.*|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether a browser on this machine asks, under an address of this machine, and no proxy in between. Everybody who reaches a proxy comes from
 * where the proxy is.
 */
function isHere({ deps }: PeopleSite, ctx: PageContext): boolean {
  const hosts = [new URL(deps.publicUrl).hostname, ctx.hostname, ctx.req.socket.remoteAddress ?? ''];
  return hosts.every(isLoopback) && !Object.keys(ctx.headers).some((name) => FORWARDING.test(name));
}

type Handler = (site: PeopleSite, ctx: PageContext, rest: readonly string[]) => Promise<void>;

function ifHere(handler: Handler): Handler {
  return async (site, ctx, rest) => {
    await countTry(site, 'link_address', visitorOf(site, ctx));
    if (isHere(site, ctx)) return handler(site, ctx, rest);
    showProblem(site, ctx, {
      title: 'This link works only where Perennial runs',
      message: 'Open it in a browser on that machine, by its local address, without a proxy.',
      status: 403,
    });
  };
}

/** The page behind the link that `start` prints. Opening it uses nothing up, because browsers open links before they are clicked. */
export const showStart = ifHere(async (site, ctx, [secret = '']) => {
  const { em, systemNow } = site.deps;
  const link = await findStartLink(em.fork(), secret, systemNow());
  if (link) show(site, ctx, { secret, link, status: 200 });
  else gone(site, ctx);
});

/** Signs the administrator in. One without a password of its own sets it first. */
export const takeStart = ifHere(async (site, ctx, [secret = '']) => {
  const sent = await readForm(site, ctx);
  const { deps } = site;
  const link = await findStartLink(deps.em.fork(), secret, deps.systemNow());
  if (!link) return gone(site, ctx);
  try {
    const chosen = link.setsUp ? await chosenIn(sent) : null;
    const person = await inTransaction(deps.em, (em) => useStartLink(em, { secret, chosen }, deps.systemNow()));
    if (!person) return gone(site, ctx);
    const proofs = chosen ? (['console', 'password'] as const) : (['console'] as const);
    await finish(site, ctx, { personId: person.id, proofs, returnTo: HOME });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    show(site, ctx, { secret, link, status: 400, problem: error, sent });
  }
});

async function chosenIn({ name = '', email = '', password = '' }: Form): Promise<Chosen> {
  const given = nameIn(name, { what: 'Name', param: 'name' });
  return { name: given, email, passwordHash: await newPasswordHash(password, email.trim().toLowerCase()) };
}

function show(
  site: PeopleSite,
  ctx: PageContext,
  shown: { secret: string; link: StartLink; status: number; problem?: Refusal; sent?: Form },
): void {
  const { secret, link, status, problem, sent = {} } = shown;
  const { person, setsUp } = link;
  const fields = setsUp ? setUpFields(sent, { email: person.email, wrong: problem?.param ?? null }) : null;
  const go = button(setsUp ? 'Start' : 'Sign in', 'primary');
  const main = html`<h1>Welcome to Perennial</h1>
<p class="lead">${setsUp ? 'Choose how you sign in from now on.' : html`You sign in as ${person.email}, this once without a password.`}</p>
${problem ? alert(problem.message, PROBLEM) : null}
${form(`/start/${secret}`, html`${formFields(site, ctx)}${fields}${go}`)}`;
  showPage(site, ctx, { title: 'Welcome', main, status });
}

function setUpFields(sent: Form, { email, wrong }: { email: string; wrong: string | null }): Html {
  const address = field({
    name: 'email',
    label: 'Your email',
    value: sent.email ?? email,
    type: 'email',
    autocomplete: 'username',
    maxLength: 255,
    hint: null,
    problem: wrong === 'email' ? PROBLEM : null,
    isFocused: false,
  });
  return html`${address}${newPersonFields(sent, PROBLEM, wrong)}`;
}

function gone(site: PeopleSite, ctx: PageContext): void {
  showProblem(site, ctx, {
    title: 'This link has ended',
    message:
      'It was used, is older than ten minutes, or a second factor was added since. A new start prints a new one.',
    status: 404,
  });
}
