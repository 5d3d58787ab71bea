import { brandStyle } from '../kit/brandStyle.ts';
import { customerPage, customerStyle } from '../kit/customerPage.ts';
import { button, form, hidden } from '../kit/forms.ts';
import { attributes, type Html, html, printed } from '../kit/html.ts';
import { answerPage, kitStyle, type Page, readKitStyle } from '../kit/page.ts';
import { alert, notice } from '../kit/parts.ts';
import type { PageScript } from '../kit/policy.ts';
import type { PortalVisit } from './place.ts';
import { formFields, type PortalGuest, said } from './site.ts';

const portalStyle = readKitStyle('portal');

export interface PortalPage {
  /** Printed text. */
  title: string;
  main: Html;
  status?: number;
  isWide?: boolean;
  script?: PageScript | null;
  /** Addresses outside to which the answer of a form may lead. */
  formTargets?: readonly string[];
}

/** The page of a portal as its account looks. */
function framed(
  { head, account }: PortalGuest,
  { title, main, isWide = false, script = null, formTargets = [] }: PortalPage,
): Page {
  const page = customerPage(head, { title, main, isTest: account.environment === 'sandbox' });
  const css = [kitStyle, customerStyle, portalStyle, brandStyle(head)].join('\n');
  return { ...page, style: { css }, width: isWide ? 'wide' : 'narrow', formTargets, script };
}

/** Answers somebody who is not signed in. */
export function answerGuest(guest: PortalGuest, page: PortalPage): void {
  answerPage(guest.ctx, framed(guest, page), page.status ?? 200);
}

/** A page that says why nothing more is shown, and where to go on. */
export function tellGuest(
  guest: PortalGuest,
  { title, why, status, onward = null }: { title: string; why: string; status: number; onward?: Html | null },
): void {
  const main = html`<h1>${title}</h1><p class="lead">${printed(said(guest, why))}</p>${onward}`;
  answerGuest(guest, { title, main, status });
}

/** A page of a place: the places above it, and who looks at it. */
export function framedIn(visit: PortalVisit, of: { path: string } & PortalPage): Page {
  const { maker } = visit.visitor.session;
  // Signing out leads back to the product that opened the session.
  const page = framed(visit, { isWide: true, formTargets: maker ? [maker.returnUrl] : [], ...of });
  const top = html`${page.top}${menu(visit, of.path)}`;
  const only = maker?.isReadOnly
    ? notice(printed(said(visit, visit.words.onlyReading, { name: visit.customer.name })))
    : null;
  const main = only ? html`${only}${of.main}` : of.main;
  return { ...page, top, main };
}

/** Answers with a page of a place. */
export function answerVisit(visit: PortalVisit, of: { path: string } & PortalPage): void {
  answerPage(visit.ctx, framedIn(visit, of), of.status ?? 200);
}

/** The customer, and the ways out: back to the product of the account, to another customer, or out of the session. */
function whoIsHere(visit: PortalVisit): Html {
  const { words, customer, visitor, root } = visit;
  const { maker } = visitor.session;
  const fields = formFields(visit);
  const site = maker && new URL(maker.returnUrl).host;
  const back =
    maker &&
    html`<a href="${maker.returnUrl}" rel="noreferrer">${printed(said(visit, words.backTo, { site: site ?? '' }))}</a>`;
  const other = maker || !visit.hasOthers ? null : html`<a href="${root}/customers">${words.otherCustomer}</a>`;
  const out = form(
    `${root}/sign_out`,
    html`${fields}${hidden('everywhere', 'no')}${button(words.signOut, 'link')}`,
    'inline',
  );
  return html`<section class="who" aria-label="${customer.name}"><span>${customer.name}</span><span class="inline">${back}${other}${out}</span></section>`;
}

function menu(visit: PortalVisit, path: string): Html {
  const { root, words, head, places } = visit;
  const items = places.flatMap((place) => {
    if (!place.name || !place.isOpen(visit)) return [];
    const href = place.path === '' ? root : `${root}/${place.path}`;
    const current = attributes({ 'aria-current': place.path === path ? 'page' : null });
    return [html`<li><a href="${href}"${current}>${place.name(head.language)}</a></li>`];
  });
  return html`<nav class="portal" aria-label="${words.menu}">${whoIsHere(visit)}<ul class="places">${items}</ul></nav>`;
}

/** Id of the alert above a form. */
export const PROBLEM = 'problem';

/** The alert above a form that was refused. Printed text; null: nothing is wrong. */
export function problemOf(text: string | null): Html | null {
  return text === null ? null : alert(printed(text), PROBLEM);
}
