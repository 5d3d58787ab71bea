import { setTimeout as sleep } from 'node:timers/promises';
import { EMAIL } from '../../../billing/mail/mailSender.ts';
import { PORTAL_LINK_LIFETIMES, PORTAL_SESSION_LIFETIMES } from '../../../billing/people/portal.ts';
import {
  findPortalLink,
  isAskedBy,
  isPortalCode,
  newPortalCode,
  newPortalSecret,
  queuePortalSignIn,
} from '../../../commands/portal/links.ts';
import { chooseCustomer, endPortalSession, portalVisitor, signInByLink } from '../../../commands/portal/sessions.ts';
import { holdersOf } from '../../../db/queries/portal/sessions.ts';
import type { PortalLink } from '../../../db/schema/portal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { button, field, form, hidden, linkButton } from '../kit/forms.ts';
import { html, printed } from '../kit/html.ts';
import { seeOther } from '../kit/posted.ts';
import { readForm } from '../people/site.ts';
import { answerGuest, PROBLEM, problemOf, tellGuest } from './frame.ts';
import {
  browserOf,
  countPortalTry,
  formFields,
  keepBrowser,
  keepSession,
  knownBrowser,
  NothingThere,
  type PortalGuest,
  returnPart,
  said,
  sessionOf,
  signInPath,
} from './site.ts';

/** The pages that sign in: the one that asks for an address, and the one behind the mailed link. */
export async function openSignIn(guest: PortalGuest, [secret, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  const isSent = guest.ctx.method === 'POST';
  if (secret === undefined) return isSent ? takeAddress(guest) : askForAddress(guest, {});
  await countPortalTry(guest, 'link_address');
  return isSent ? takeLink(guest, secret) : showLink(guest, secret, {});
}

function askForAddress(guest: PortalGuest, shown: { email?: string; problem?: string; returnTo?: string }): void {
  const { words, root, ctx } = guest;
  const { email = '', problem = null } = shown;
  const returnTo = shown.returnTo ?? returnPart(ctx.query.return_to);
  const address = field({
    name: 'email',
    label: words.email,
    value: email,
    type: 'email',
    autocomplete: 'email',
    maxLength: 255,
    hint: null,
    problem: problem && PROBLEM,
    isFocused: true,
  });
  const fields = html`${formFields(guest)}${hidden('return_to', returnTo)}${address}${button(words.sendLink, 'primary')}`;
  const main = html`<h1>${words.signIn}</h1>
<p class="lead">${printed(said(guest, words.signInLead))}</p>
${problemOf(problem)}
${form(`${root}/sign_in`, fields)}`;
  answerGuest(guest, { title: words.signIn, main, status: problem === null ? 200 : 400 });
}

/** Mails the link. The answer is the same, and takes the same time, whether or not anybody has the address. */
async function takeAddress(guest: PortalGuest): Promise<void> {
  const { site, ctx, words, root, account } = guest;
  const began = performance.now();
  const sent = await readForm(site, ctx);
  const email = (sent.email ?? '').trim();
  const returnTo = returnPart(sent.return_to);
  await countPortalTry(guest, 'sign_in_address');
  if (email.length > 255 || !EMAIL.test(email))
    return askForAddress(guest, { email, problem: words.emailWrong, returnTo });
  await countPortalTry(guest, 'sign_in_identity_at_address', email.toLowerCase());
  await countPortalTry(guest, 'sign_in_identity', email.toLowerCase());
  const [secret, code, browser] = [newPortalSecret(), newPortalCode(), newPortalSecret()];
  const asked = { account, email, secret, code, browser, returnTo };
  const { em, systemNow, poke } = site.deps;
  const isQueued = await inTransaction(em, (inner) => queuePortalSignIn(inner, asked, systemNow()));
  if (isQueued) poke();
  await withoutPlace(() => sleep(untilAnswer(performance.now() - began)));
  keepBrowser(guest, browser, PORTAL_LINK_LIFETIMES.sign_in);
  const again = html`<p class="quiet">${words.nothingArrived} <a href="${signInPath(root, returnTo)}">${words.askAgain}</a></p>`;
  const main = html`<h1>${words.lookTitle}</h1>
<p class="lead">${printed(said(guest, words.lookWhy, { address: email }))}</p>
<p>${words.lookCode} <strong class="bigcode">${`${code.slice(0, 3)} ${code.slice(3)}`}</strong></p>
${again}`;
  answerGuest(guest, { title: words.lookTitle, main });
}

/** Answers leave at multiples of this time after the question: the work for an address that is known takes less. */
const ANSWER_MILLISECONDS = 200;

const untilAnswer = (passed: number): number => Math.ceil(passed / ANSWER_MILLISECONDS) * ANSWER_MILLISECONDS - passed;

/** The page behind the link. Opening it uses nothing up: programs of mail servers open links, too. */
async function showLink(
  guest: PortalGuest,
  secret: string,
  shown: { problem?: string; returnTo?: string },
): Promise<void> {
  const { words, root, ctx } = guest;
  const { problem = null } = shown;
  const link = await linkOf(guest, secret);
  if (!link) return gone(guest);
  const returnTo = shown.returnTo ?? returnPart(ctx.query.return_to);
  const code = isAskedBy(link, knownBrowser(guest))
    ? null
    : field({
        name: 'code',
        label: words.code,
        value: '',
        type: 'text',
        autocomplete: 'one-time-code',
        maxLength: 10,
        hint: words.codeHint,
        problem: problem && PROBLEM,
        isFocused: true,
      });
  const fields = html`${formFields(guest)}${hidden('return_to', returnTo)}${code}${button(words.proceed, 'primary')}`;
  const main = html`<h1>${words.signIn}</h1>
<p class="lead">${printed(said(guest, words.enterAs, { address: link.email ?? '' }))}</p>
${problemOf(problem)}
${form(`${root}/sign_in/${secret}`, fields)}`;
  answerGuest(guest, { title: words.signIn, main, status: problem === null ? 200 : 401 });
}

function linkOf({ site, em, account }: PortalGuest, secret: string): Promise<PortalLink | null> {
  return findPortalLink(em, { accountId: account.id, purpose: 'sign_in', secret }, site.deps.systemNow());
}

async function takeLink(guest: PortalGuest, secret: string): Promise<void> {
  const { site, ctx, em, account, root, words } = guest;
  const sent = await readForm(site, ctx);
  const returnTo = returnPart(sent.return_to);
  const link = await linkOf(guest, secret);
  if (!link) return gone(guest);
  const isKnown = isAskedBy(link, knownBrowser(guest));
  if (!isKnown && !(await isPortalCode(em, link, { secret, code: sent.code ?? '' })))
    return showLink(guest, secret, { problem: words.codeWrong, returnTo });
  const now = site.deps.systemNow();
  const of = { accountId: account.id, secret, browser: browserOf(guest) };
  const signedIn = await inTransaction(site.deps.em, (inner) => signInByLink(inner, of, now));
  if (!signedIn) return gone(guest);
  site.deps.poke();
  keepSession(guest, signedIn.cookie, PORTAL_SESSION_LIFETIMES.mail);
  const onward = returnTo === '' ? root : `${root}/${returnTo}`;
  seeOther(ctx, signedIn.customers > 1 ? `${root}/customers?${new URLSearchParams({ return_to: returnTo })}` : onward);
}

function gone(guest: PortalGuest): void {
  const { words, root } = guest;
  const onward = html`<p class="actions">${linkButton(words.askAgain, `${root}/sign_in`)}</p>`;
  tellGuest(guest, { title: words.endedTitle, why: words.endedWhy, status: 404, onward });
}

/** Ends the session of this browser, or all of its address. */
export async function signOut(guest: PortalGuest): Promise<void> {
  const { site, ctx, account, em, root } = guest;
  if (ctx.method !== 'POST') return seeOther(ctx, root);
  const { everywhere } = await readForm(site, ctx);
  const cookie = sessionOf(guest);
  const of = { accountId: account.id, cookie: cookie ?? '' };
  const visitor = cookie === null ? null : await portalVisitor(em, of, site.deps.systemNow());
  if (visitor) await endPortalSession(em, visitor, { everywhere: everywhere === 'yes' });
  keepSession(guest, null);
  seeOther(ctx, visitor?.session.maker?.returnUrl ?? signInPath(root, ''));
}

/** An address of several customers chooses one of them. */
export async function chooseHolder(guest: PortalGuest, rest: readonly string[]): Promise<void> {
  const { site, ctx, account, em, root, words } = guest;
  const cookie = sessionOf(guest);
  const of = { accountId: account.id, cookie: cookie ?? '' };
  const visitor = cookie === null ? null : await portalVisitor(em, of, site.deps.systemNow());
  const { email = null } = visitor?.session ?? {};
  if (!visitor || email === null || rest.length > 0) return seeOther(ctx, signInPath(root, ''));
  if (ctx.method === 'POST') {
    const sent = await readForm(site, ctx);
    const wanted = Number(sent.customer);
    const isChosen =
      /^[1-9]\d{0,9}$/.test(sent.customer ?? '') &&
      wanted <= LARGEST_ID &&
      (await inTransaction(site.deps.em, (inner) => chooseCustomer(inner, visitor, wanted, site.deps.systemNow())));
    const returnTo = returnPart(sent.return_to);
    return seeOther(ctx, isChosen && returnTo !== '' ? `${root}/${returnTo}` : isChosen ? root : `${root}/customers`);
  }
  const holders = await holdersOf(em, { accountId: account.id, email });
  const picks = holders.map(({ customerId, name, number }) => {
    const { labels } = guest.head.pen;
    const told = html`${name} <span class="detail">${labels.customerNumber} ${number}</span>`;
    return html`<li>${button(told, 'plain', { name: 'customer', value: String(customerId) })}</li>`;
  });
  const fields = html`${formFields(guest)}${hidden('return_to', returnPart(ctx.query.return_to))}<ul class="picks">${picks}</ul>`;
  const main = html`<h1>${words.chooseTitle}</h1>
<p class="lead">${printed(said(guest, words.chooseWhy, { address: email }))}</p>
${form(`${root}/customers`, fields)}`;
  answerGuest(guest, { title: words.chooseTitle, main });
}
