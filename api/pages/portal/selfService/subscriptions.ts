import { isEnded } from '../../../../billing/subscriptions/subscription.ts';
import { lockSubscription } from '../../../../commands/aggregates/subscription.ts';
import { callerInPortal } from '../../../../commands/portal/acting.ts';
import { canWrite } from '../../../../commands/portal/sessions.ts';
import {
  type ListedSubscription,
  listedSubscriptions,
  type SubscriptionOnPage,
  subscriptionOnPage,
} from '../../../../commands/subscriptions/changes/onPage.ts';
import { type Offer, offerOf } from '../../../../commands/subscriptions/selfService/offering.ts';
import { Subscription } from '../../../../db/schema/subscription.ts';
import { inDryRun } from '../../../../db/transaction.ts';
import { figureOf } from '../../../../present/emails/subscription.ts';
import { type Writing, writingFor } from '../../../../present/emails/writing.ts';
import type { SelfServiceWords } from '../../../../words/selfService/wording.ts';
import { selfServiceWordsOf } from '../../../../words/selfService/words.ts';
import { button, form, hidden, linkButton } from '../../kit/forms.ts';
import { type Html, html, printed } from '../../kit/html.ts';
import { type Host, hostOf } from '../../managing/frame.ts';
import { statusOf, subscriptionParts, titleOf } from '../../managing/subscriptionPage.ts';
import { answerVisit } from '../frame.ts';
import type { PortalVisit, Rest } from '../place.ts';
import { formFields, NothingThere, said } from '../site.ts';
import { doneNotice, idIn } from './acting.ts';

export const PATH = 'subscriptions';

/** A subscription of the visitor's customer, with what the customer can do with it. */
export interface OwnSubscription {
  visit: PortalVisit;
  id: number;
  path: string;
  texts: SelfServiceWords;
  host: Host;
  writing: Writing;
  shown: SubscriptionOnPage;
  offer: Offer;
  /** Whether the visitor may change it. */
  isWritable: boolean;
}

/** Reads a subscription of the customer. Throws NothingThere if it has none with this id. */
export async function ownSubscription(visit: PortalVisit, id: number): Promise<OwnSubscription> {
  const { em, account, customer, visitor, site, root } = visit;
  const own = await em.count(Subscription, { accountId: account.id, id, customer });
  if (own === 0) throw new NothingThere();
  const caller = callerInPortal(account, visitor);
  const now = site.deps.systemNow();
  const { offer, shown } = await inDryRun(site.deps.em, async (inner) => {
    const offered = await offerOf(inner, await lockSubscription(inner, { caller, id }, now));
    return { offer: offered, shown: await subscriptionOnPage(inner, { account, id }, now) };
  });
  const writing = writingFor(account, customer, shown.terms);
  const texts = selfServiceWordsOf(visit.head.language);
  const isWritable = canWrite(visitor, 'manage');
  const host = hostOf(account, visit.head);
  return { visit, id, path: `${root}/${PATH}/${id}`, texts, host, writing, shown, offer, isWritable };
}

/** The list of subscriptions: those that run first, then those that have ended. What they cost is what is stored. */
export async function showSubscriptions(visit: PortalVisit): Promise<void> {
  const { em, account, customer, head, now } = visit;
  const texts = selfServiceWordsOf(head.language);
  const rows = await listedSubscriptions(em, { account, customer, most: MOST_SHOWN }, now);
  const hasEnded = ({ state }: ListedSubscription) => Number(isEnded(state.status));
  const sorted = rows.toSorted((one, other) => hasEnded(one) - hasEnded(other));
  const items = sorted.map((one) => listed(visit, one));
  const list = items.length === 0 ? html`<p class="lead">${texts.none}</p>` : html`<ul class="listed">${items}</ul>`;
  answerVisit(visit, { path: PATH, title: texts.subscriptions, main: html`<h1>${texts.subscriptions}</h1>${list}` });
}

const MOST_SHOWN = 50;

function listed({ account, customer, head, root }: PortalVisit, { id, ...shown }: ListedSubscription): Html {
  const { terms } = shown;
  const writing = writingFor(account, customer, terms);
  const { text, tone } = statusOf({ host: hostOf(account, head), shown, writing });
  const price = `${figureOf(terms, writing)} · ${writing.formats.duration(terms.intervalCount, terms.interval)}`;
  return html`<li><a href="${root}/${PATH}/${id}">${terms.plan}</a><strong class="money end">${printed(price)}</strong>
<span class="second${tone === 'bad' ? ' bad' : ''}">${printed(text)}</span></li>`;
}

/** One subscription, and what the visitor can do with it. */
export async function showSubscription(visit: PortalVisit, id: number): Promise<void> {
  const own = await ownSubscription(visit, id);
  const { texts } = own;
  const done = doneNotice(visit, {
    changed: texts.changed,
    planned: texts.planned,
    undone: texts.tookBack,
    cancel: texts.willEnd,
    ended: texts.hasEnded,
    pause: texts.willPause,
    resume: texts.resumed,
  });
  const main = html`${done}${subscriptionParts(own)}${own.isWritable ? waysOf(own) : null}`;
  answerVisit(visit, { path: PATH, title: titleOf(own), main });
}

/** The buttons that change a subscription, and what is planned. */
function waysOf({ visit, path, texts, offer }: OwnSubscription): Html {
  const { undo, obstacle, cancel, canChange, canPause, canResume } = offer;
  const back = (what: string, label: string) =>
    form(`${path}/undo`, html`${formFields(visit)}${hidden('what', what)}${button(label, 'plain')}`, 'inline');
  const planned =
    obstacle !== 'planned_change'
      ? null
      : html`<p>${undo.includes('change') ? texts.plannedHere : printed(said(visit, texts.plannedBy))}</p>`;
  const resume = html`<p>${texts.resumeWhy}</p>${form(`${path}/resume`, html`${formFields(visit)}${button(texts.resume, 'primary')}`)}`;
  return html`${planned}${canResume ? resume : null}<div class="actions">
${canChange ? linkButton(texts.change, `${path}/change`) : null}
${undo.includes('change') ? back('change', texts.takeBack) : null}
${undo.includes('cancellation') ? back('cancellation', texts.keepAfterAll) : null}
${undo.includes('pause') ? back('pause', texts.dontPause) : null}
${canPause ? linkButton(texts.pause, `${path}/pause`, 'plain') : null}
${cancel === 'none' ? null : linkButton(texts.cancel, `${path}/cancel`, 'plain')}</div>`;
}

/** The subscription that a path names, and the page below it. */
export function readPath([id, page, ...more]: Rest): { id: number; page: string } {
  if (more.length > 0) throw new NothingThere();
  return { id: idIn(id), page: page ?? '' };
}
