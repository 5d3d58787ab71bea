import { isEnded } from '../../../billing/subscriptions/subscription.ts';
import type { SubscriptionOnPage } from '../../../commands/subscriptions/changes/onPage.ts';
import { aboutUsage, lastDay, rowsOf, whatFollows } from '../../../present/emails/subscription.ts';
import type { Writing } from '../../../present/emails/writing.ts';
import { isolated } from '../../../present/printed/formats.ts';
import { selfServiceWordsOf } from '../../../words/selfService/words.ts';
import { fill } from '../../../words/text.ts';
import { amountRows } from '../kit/customerPage.ts';
import { linkButton } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { facts, table } from '../kit/parts.ts';
import { framed, type Host, sellerIn } from './frame.ts';

export interface ShownSubscription {
  host: Host;
  shown: SubscriptionOnPage;
  writing: Writing;
}

export interface SubscriptionPage extends ShownSubscription {
  /** Path of the page that adds a payment source. */
  sourcePath: string;
  /** Path in the portal where it is changed after a sign-in; null: it is changed only by asking. */
  portalPath: string | null;
}

/** The page of a subscription. It changes nothing. */
export function subscriptionPage({ sourcePath, portalPath, ...page }: SubscriptionPage): Page {
  const { host, writing } = page;
  const { words } = host;
  const title = titleOf(page);
  const ways = portalPath ? linkButton(selfServiceWordsOf(host.head.language).toSignIn, portalPath, 'plain') : null;
  const actions = html`<p class="actions">${linkButton(writing.words.updateSource, sourcePath)}${ways}</p>`;
  const contact = portalPath ? null : html`<p class="quiet">${printed(sellerIn(host, words.viewOnly))}</p>`;
  const main = html`${subscriptionParts(page)}
${isEnded(page.shown.state.status) ? null : html`${actions}${contact}`}`;
  return framed(host, { title, main });
}

/** The title of a subscription: its plan. Printed text. */
export function titleOf({ host, shown, writing }: ShownSubscription): string {
  return fill(host.words.subscription, { plan: isolated(shown.terms.plan, writing.direction) });
}

/** A subscription with its state, terms, add-ons and next invoice. */
export function subscriptionParts(page: ShownSubscription): Html {
  const { text, tone } = statusOf(page);
  const isOver = isEnded(page.shown.state.status);
  return html`<div class="heading"><h1>${printed(titleOf(page))}</h1><p class="mark ${tone}">${printed(text)}</p></div>
${isOver ? null : html`<p class="lead">${printed(sentencesOf(page))}</p>`}
${facts(rows(page))}
${addons(page)}
${isOver ? null : nextSection(page)}`;
}

type Tone = 'good' | 'bad' | 'wait';

/** The status in words. */
export function statusOf({
  host: { words },
  shown: { state, terms },
  writing,
}: Omit<ShownSubscription, 'shown'> & { shown: Pick<SubscriptionOnPage, 'state' | 'terms'> }): {
  text: string;
  tone: Tone;
} {
  const { formats } = writing;
  const { status, paused, resumeAt, cancelAtPeriodEnd, periodEndAt, pendingRenewal } = state;
  if (status === 'canceled') return { text: words.canceled, tone: 'wait' };
  if (status === 'finished') return { text: words.finished, tone: 'wait' };
  if (status === 'past_due') return { text: words.pastDue, tone: 'bad' };
  if (paused) {
    const until = resumeAt && fill(words.pausedUntil, { day: lastDay(resumeAt, writing) });
    return { text: until ?? words.paused, tone: 'wait' };
  }
  if (status === 'not_started') {
    return { text: fill(words.startsOn, { day: formats.day(terms.startAt) }), tone: 'wait' };
  }
  if (pendingRenewal) return { text: words.waits, tone: 'wait' };
  const endAt = terms.contract?.follows === 'none' ? terms.contract.endAt : periodEndAt;
  if (cancelAtPeriodEnd && endAt) return { text: fill(words.endsOn, { day: lastDay(endAt, writing) }), tone: 'wait' };
  if (terms.trialEndAt)
    return { text: fill(words.trialUntil, { day: lastDay(terms.trialEndAt, writing) }), tone: 'good' };
  return { text: words.active, tone: 'good' };
}

function sentencesOf({ shown: { terms }, writing }: ShownSubscription): string {
  const { words } = writing;
  const follows = terms.isPaused ? [words.isPaused] : whatFollows(terms, writing);
  return [...follows, ...aboutUsage(terms, writing)].join(words.space);
}

/** The terms, without the plan, which the title names, and without the day of the next bill, which has a section of its own. */
function rows({ shown, writing }: ShownSubscription) {
  const { words, formats } = writing;
  const { canceledAt, status } = shown.state;
  const hidden = new Set([words.plan, words.nextBill]);
  const ended = isEnded(status) && canceledAt ? [{ label: words.endedOn, value: formats.day(canceledAt) }] : [];
  return [...rowsOf(shown.terms, writing).filter(({ label }) => !hidden.has(label)), ...ended].map(
    ({ label, value }) => ({ label, value: html`<bdi dir="${writing.direction}">${printed(value)}</bdi>` }),
  );
}

function addons({ host: { words }, shown, writing }: ShownSubscription): Html | null {
  if (shown.addons.length === 0) return null;
  const { labels, formats } = writing;
  const listed = shown.addons.map(({ name, quantity }) => [
    html`<bdi>${name}</bdi>`,
    formats.quantity(String(quantity)),
  ]);
  return html`<section><h2>${words.addons}</h2>${table(
    words.addons,
    [
      { label: labels.description, look: 'name' },
      { label: labels.quantity, look: 'amount' },
    ],
    listed,
  )}</section>`;
}

function nextSection({ host: { words }, shown: { next }, writing }: ShownSubscription): Html {
  if (!next) return html`<section><h2>${words.nextInvoice}</h2><p>${words.nothingNext}</p></section>`;
  const { lines, sums } = next.document;
  const day = fill(words.onDay, { day: writing.formats.day(next.date) });
  const listed = lines.map(({ name, details, amount }) => [
    html`${printed(name)}${details.map((detail) => html`<span class="detail">${printed(detail)}</span>`)}`,
    printed(amount),
  ]);
  return html`<section><h2>${words.nextInvoice}</h2><p>${printed(day)}</p>
${table(
  words.nextInvoice,
  [
    { label: writing.labels.description, look: 'name' },
    { label: writing.labels.amount, look: 'amount' },
  ],
  listed,
)}
${amountRows(sums)}
<p class="quiet">${words.canChange}</p></section>`;
}
