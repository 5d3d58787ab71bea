import { isZero } from '../../../billing/money/money.ts';
import { addDaysToDay, capAtLatest, isDay, localDay, startOfDay } from '../../../billing/time/calendar.ts';
import { canWrite } from '../../../commands/portal/sessions.ts';
import {
  type Filter,
  type ListedDocument,
  type ListedKind,
  type ListedPayment,
  listedDocuments,
  listedKinds,
  listedPayments,
} from '../../../db/queries/portal/lists.ts';
import { documentUrl } from '../../../present/kernel/links.ts';
import type { PortalWords } from '../../../words/portal/wording.ts';
import { portalWordsOf } from '../../../words/portal/words.ts';
import { fill } from '../../../words/text.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import { dayField, filterForm, selectField } from '../kit/filters.ts';
import { button } from '../kit/forms.ts';
import { type Html, html, type Part, printed } from '../kit/html.ts';
import { formatsIn } from './formats.ts';
import { answerVisit, PROBLEM, problemOf } from './frame.ts';
import type { Place, PortalVisit, Rest } from './place.ts';
import { NothingThere } from './site.ts';

const MOST_SHOWN = 25;

interface Asked {
  kind: ListedKind;
  state: 'all' | 'open';
  from: string;
  until: string;
  beforeId: number | null;
  problem: string | null;
}

/** What the address asks for. Days are those of the account. */
function askedIn({ ctx, words }: PortalVisit): Asked {
  const text = (name: string) => {
    const value = ctx.query[name];
    return typeof value === 'string' ? value : '';
  };
  const kind = listedKinds.find((one) => one === text('kind')) ?? 'invoice';
  const [from, until] = [text('from'), text('until')];
  const isWrong =
    [from, until].some((day) => day !== '' && !isDay(day)) || (from !== '' && until !== '' && from > until);
  const before = Number(text('before'));
  const beforeId = Number.isInteger(before) && before > 0 && before <= LARGEST_ID ? before : null;
  const days = isWrong ? { from: '', until: '' } : { from, until };
  return {
    kind,
    state: text('state') === 'open' ? 'open' : 'all',
    ...days,
    beforeId,
    problem: isWrong ? words.errorDates : null,
  };
}

function filterOf({ account }: PortalVisit, { state, from, until, beforeId }: Asked): Filter {
  const zone = account.timeZone;
  return {
    isOpen: state === 'open',
    from: from === '' ? null : new Date(startOfDay(from, zone)),
    until: until === '' ? null : new Date(capAtLatest(startOfDay(addDaysToDay(until, 1), zone))),
    beforeId,
    most: MOST_SHOWN + 1,
  };
}

interface Row {
  id: number;
  html: Html;
}

/** The list with its filters, and a link to older ones. */
function answerList(
  visit: PortalVisit,
  of: { path: string; title: string; asked: Asked; fields: Part; rows: readonly Row[] },
): void {
  const { words, root } = visit;
  const { path, title, asked, fields, rows } = of;
  const shown = rows.slice(0, MOST_SHOWN);
  const problem = asked.problem === null ? null : PROBLEM;
  const days = html`${dayField({ name: 'from', label: words.from, value: asked.from, problem })}
${dayField({ name: 'until', label: words.until, value: asked.until, problem })}`;
  const query = { kind: asked.kind, state: asked.state, from: asked.from, until: asked.until };
  const older = new URLSearchParams({ ...query, before: String(shown.at(-1)?.id ?? '') });
  const more =
    rows.length > shown.length ? html`<p><a href="${root}/${path}?${older.toString()}">${words.older}</a></p>` : null;
  const isFiltered = asked.state !== 'all' || asked.from !== '' || asked.until !== '' || asked.beforeId !== null;
  const list =
    shown.length === 0
      ? html`<p class="lead">${isFiltered ? words.noneFound : words.noneYet}</p>`
      : html`<ul class="listed">${shown.map((row) => row.html)}</ul>`;
  const main = html`<h1>${title}</h1>
${problemOf(asked.problem)}
${filterForm(`${root}/${path}`, html`${fields}${days}${button(words.show, 'plain')}`)}
${list}
${more}`;
  answerVisit(visit, { path, title, main, status: asked.problem === null ? 200 : 400 });
}

async function showDocuments(visit: PortalVisit, rest: Rest): Promise<void> {
  if (rest.length > 0) throw new NothingThere();
  const { em, account, customer, words, head } = visit;
  const asked = askedIn(visit);
  const key = { accountId: account.id, customerId: customer.id };
  const found = await listedDocuments(em, key, { kind: asked.kind, ...filterOf(visit, asked) });
  const { invoice, estimate, creditNote } = head.pen.labels;
  const kinds = [
    { value: 'invoice', label: invoice },
    { value: 'estimate', label: estimate },
    { value: 'credit_note', label: creditNote },
  ];
  const states = [
    { value: 'all', label: words.all },
    { value: 'open', label: words.isOpen },
  ];
  const fields = html`${selectField({ name: 'kind', label: words.kind, value: asked.kind }, kinds)}
${selectField({ name: 'state', label: words.filterState, value: asked.state }, states)}`;
  const rows = found.map((one) => ({ id: one.id, html: documentRow(visit, asked.kind, one) }));
  answerList(visit, { path: 'documents', title: words.documents, asked, fields, rows });
}

/** The state of a document in words. */
function stateOf(
  words: PortalWords,
  kind: ListedKind,
  { status, balance }: ListedDocument,
  visit: PortalVisit,
): string {
  const { labels } = visit.head.pen;
  if (kind === 'credit_note' && status !== 'voided') return isZero(balance ?? '0') ? words.isUsed : words.isUsable;
  const known: Readonly<Record<string, string>> = {
    past_due: words.isPastDue,
    pending: words.isPending,
    paid: words.isPaid,
    voided: words.isVoided,
    approved: labels.approved,
    declined: labels.declined,
    invoiced: words.isInvoiced,
  };
  return known[status] ?? words.isOpen;
}

function documentRow(visit: PortalVisit, kind: ListedKind, row: ListedDocument): Html {
  const { account, head, words } = visit;
  const { labels } = head.pen;
  const { money, shortDay } = formatsIn(visit, row.currency);
  const names = { invoice: labels.invoice, estimate: labels.estimate, credit_note: labels.creditNote };
  const path = new URL(documentUrl(kind, { ...row, accountId: account.id })).pathname;
  const state = stateOf(words, kind, row, visit);
  const open = kind === 'invoice' && row.balance !== null && !isZero(row.balance) && row.balance !== row.total;
  const left = open ? ` · ${fill(words.partOf, { amount: money(row.balance ?? '0'), balance: money(row.total) })}` : '';
  const isLate = row.status === 'past_due';
  const name = html`${names[kind]} <bdi>${row.number}</bdi>`;
  // The address of an estimate approves it: only who may do so gets it.
  const mayOpen = kind !== 'estimate' || canWrite(visit.visitor, 'manage');
  const title = mayOpen
    ? html`<a href="${path}">${name}</a><a class="pdf" href="${path}/pdf">PDF<span class="unseen"> ${row.number}</span></a>`
    : name;
  return html`<li><span>${title}</span><strong class="money end">${printed(money(row.total))}</strong>
<span class="second">${printed(shortDay(row.date))}</span><span class="second end${isLate ? ' bad' : ''}">${printed(`${state}${left}`)}</span></li>`;
}

async function showPayments(visit: PortalVisit, rest: Rest): Promise<void> {
  if (rest.length > 0) throw new NothingThere();
  const { em, account, customer, words } = visit;
  const asked = askedIn(visit);
  const found = await listedPayments(em, { accountId: account.id, customerId: customer.id }, filterOf(visit, asked));
  const rows = found.map((one) => ({ id: one.id, html: paymentRow(visit, one) }));
  answerList(visit, { path: 'payments', title: words.payments, asked, fields: null, rows });
}

function paymentRow(visit: PortalVisit, payment: ListedPayment): Html {
  const { account, head, words } = visit;
  const { labels } = head.pen;
  const { money, shortDay } = formatsIn(visit, payment.currency);
  const path = new URL(documentUrl('payment', { ...payment, accountId: account.id })).pathname;
  const method = labels.methods[payment.method] ?? payment.method;
  const over = payment.isReturned ? words.isReturned : labels.refunded;
  const voided = payment.voided ? over : '';
  const state = payment.isPending ? words.isPending : voided;
  const receipt = payment.isPending
    ? null
    : html`<a href="${path}">${labels.receipt} <bdi>${payment.receiptNumber ?? ''}</bdi></a><a class="pdf" href="${path}/pdf">PDF<span class="unseen"> ${payment.receiptNumber ?? String(payment.id)}</span></a>`;
  return html`<li><span>${receipt ?? method}</span><strong class="money end">${printed(money(payment.amount))}</strong>
<span class="second">${printed(`${shortDay(payment.date)} · ${method}`)}</span><span class="second end">${state}</span></li>`;
}

/** Today's day, and the first of its month, in the account's zone. */
export function thisMonth({ now, account }: PortalVisit): { first: string; today: string } {
  const today = localDay(now.getTime(), account.timeZone);
  return { first: `${today.slice(0, 8)}01`, today };
}

export const documentsPlace: Place = {
  path: 'documents',
  name: (language) => portalWordsOf(language).documents,
  isOpen: () => true,
  show: showDocuments,
};

export const paymentsPlace: Place = {
  path: 'payments',
  name: (language) => portalWordsOf(language).payments,
  isOpen: () => true,
  show: showPayments,
};
