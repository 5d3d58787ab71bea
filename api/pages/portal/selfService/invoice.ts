import { setting } from '../../../../billing/settings.ts';
import { addDaysToDay, isDay, localDay, startOfDay } from '../../../../billing/time/calendar.ts';
import { isNotCollected } from '../../../../commands/aggregates/collectionState.ts';
import {
  disputeLineAsCustomer,
  hasBrokenPromise,
  promiseAsCustomer,
} from '../../../../commands/invoices/customersWords.ts';
import { canWrite } from '../../../../commands/portal/sessions.ts';
import { type Line, linesOf } from '../../../../db/queries/documents/lines.ts';
import { Invoice } from '../../../../db/schema/invoice.ts';
import { documentUrl } from '../../../../present/kernel/links.ts';
import { formatsOf } from '../../../../present/printed/formats.ts';
import { payingWordsOf } from '../../../../words/paying/words.ts';
import { selfServiceWordsOf } from '../../../../words/selfService/words.ts';
import { fill } from '../../../../words/text.ts';
import { button, field, form, hidden, lines } from '../../kit/forms.ts';
import { type Html, html, printed } from '../../kit/html.ts';
import { facts } from '../../kit/parts.ts';
import { seeOther } from '../../kit/posted.ts';
import type { Form } from '../../people/site.ts';
import { answerVisit, PROBLEM, problemOf } from '../frame.ts';
import type { Place, PortalVisit, Rest } from '../place.ts';
import { formFields, NothingThere, said } from '../site.ts';
import { act, doneNotice, idIn } from './acting.ts';

const PATH = 'invoices';
const MOST_WORDS = 1000;

const isOn = ({ account }: Pick<PortalVisit, 'account'>): boolean =>
  setting(account, 'portal_promise_days') > 0 || setting(account, 'portal_disputes');

/** An open invoice, whose customer promises a day of payment or disputes a line. Other pages lead to it. */
export const invoicePlace: Place = {
  path: PATH,
  name: null,
  isOpen: isOn,
  show: async (visit, [id, ...more]) => {
    if (more.length > 0) throw new NothingThere();
    await showInvoice(visit, await ownInvoice(visit, id), {});
  },
  take: { needs: 'pay', form: takeWords },
};

/** The link from a list to what can be said about an open invoice; null: nothing. */
export function wordsLink(visit: PortalVisit, id: number): Html | null {
  if (!isOn(visit) || !canWrite(visit.visitor, 'pay')) return null;
  const texts = selfServiceWordsOf(visit.head.language);
  const isPromised = setting(visit.account, 'portal_promise_days') > 0;
  return html` · <a href="${visit.root}/${PATH}/${id}">${isPromised ? texts.payLater : texts.wrongTitle}</a>`;
}

async function ownInvoice({ em, account, customer }: PortalVisit, id: string | undefined): Promise<Invoice> {
  const invoice = await em.findOne(Invoice, { accountId: account.id, id: idIn(id), customer, deletedAt: null });
  if (!invoice?.issuedAt) throw new NothingThere();
  return invoice;
}

/** A form that was refused: what is wrong with the day, or with the words about a line. */
interface Wrong {
  day?: string;
  line?: number;
  problem?: string;
}

async function showInvoice(visit: PortalVisit, invoice: Invoice, wrong: Wrong): Promise<void> {
  const { em, head } = visit;
  const texts = selfServiceWordsOf(head.language);
  const { labels } = head.pen;
  const { day, money } = formatsFor(visit, invoice);
  const title = fill(texts.invoiceTitle, { number: head.pen.own(invoice.number ?? `${invoice.id}`) });
  const done = doneNotice(visit, { promise: texts.promised, dispute: said(visit, texts.reported) });
  const rows = [
    { label: labels.amountDue, value: printed(money(invoice.balance)) },
    ...(invoice.dueAt ? [{ label: labels.dueDate, value: printed(day(invoice.dueAt)) }] : []),
  ];
  const document = new URL(documentUrl('invoice', invoice)).pathname;
  const isOpen = !isNotCollected(invoice);
  const billed = await linesOf(em, 'invoice', invoice);
  const main = html`${done}<h1>${printed(title)}</h1>${facts(rows)}
<p><a href="${document}">${payingWordsOf(head.language).viewInvoice}</a></p>
${isOpen ? await promiseSection(visit, invoice, wrong) : null}
${isOpen ? disputeSection(visit, { invoice, billed, wrong }) : null}`;
  answerVisit(visit, { path: PATH, title, main, status: wrong.problem ? 400 : 200 });
}

function formatsFor({ head, customer, account }: PortalVisit, { currency, timeZone }: Invoice) {
  const country = customer.country ?? (customer.language ? null : (account.country ?? null));
  return formatsOf({ language: head.language, country, currency, timeZone });
}

async function promiseSection(visit: PortalVisit, invoice: Invoice, wrong: Wrong): Promise<Html | null> {
  const { em, account, customer, root, now } = visit;
  const days = setting(account, 'portal_promise_days');
  if (days === 0) return null;
  const texts = selfServiceWordsOf(visit.head.language);
  const formats = formatsFor(visit, invoice);
  const titled = (content: Html) => html`<section><h2>${texts.payLater}</h2>${content}</section>`;
  if (invoice.promise === 'promised' && invoice.expectedPaymentAt)
    return titled(html`<p>${printed(fill(texts.promisedBy, { day: formats.day(invoice.expectedPaymentAt) }))}</p>`);
  if (await hasBrokenPromise(em, { accountId: account.id, customerId: customer.id }))
    return titled(html`<p>${printed(said(visit, texts.brokenWhy))}</p>`);
  if (!canWrite(visit.visitor, 'pay')) return null;
  const today = localDay(now.getTime(), invoice.timeZone);
  const last = addDaysToDay(today, days);
  const problem = wrong.day === undefined ? null : (wrong.problem ?? null);
  const date = field({
    name: 'date',
    label: texts.payDay,
    value: wrong.day ?? '',
    type: 'date',
    autocomplete: 'off',
    maxLength: 10,
    min: today,
    max: last,
    hint: printed(fill(texts.until, { day: formats.date(last) })),
    problem: problem && PROBLEM,
    isFocused: false,
  });
  const sending = form(
    `${root}/${PATH}/${invoice.id}/promise`,
    html`${formFields(visit)}${date}${button(texts.promise, 'primary')}`,
  );
  return titled(html`<p>${printed(said(visit, texts.payLaterWhy))}</p>${problemOf(problem)}${sending}`);
}

function disputeSection(
  visit: PortalVisit,
  { invoice, billed, wrong }: { invoice: Invoice; billed: readonly Line[]; wrong: Wrong },
): Html | null {
  if (!setting(visit.account, 'portal_disputes')) return null;
  const texts = selfServiceWordsOf(visit.head.language);
  const formats = formatsFor(visit, invoice);
  const disputed = new Map((invoice.disputedLines ?? []).map(({ line, reason }) => [line, reason]));
  const mayReport = canWrite(visit.visitor, 'pay');
  const until = invoice.disputeHoldUntil;
  const held = until && until > visit.now ? fill(texts.reportedUntil, { day: formats.day(until) }) : null;
  const items = billed.map((line) => {
    const reason = disputed.get(line.id);
    const what = line.name ?? line.description ?? line.itemCode ?? '';
    const said = reason === undefined ? null : fill(texts.reportedBy, { reason: visit.head.pen.own(reason) });
    const asking = mayReport && reason === undefined ? reportForm(visit, { invoice, line, wrong }) : null;
    return html`<li><span>${what}</span><strong class="money end">${printed(formats.money(line.amount))}</strong>
${said === null ? null : html`<span class="second">${printed(said)}</span>`}${asking}</li>`;
  });
  const lead = held ?? said(visit, texts.wrongWhy);
  return html`<section><h2>${texts.wrongTitle}</h2><p>${printed(lead)}</p><ul class="listed">${items}</ul></section>`;
}

function reportForm(
  visit: PortalVisit,
  { invoice, line, wrong }: { invoice: Invoice; line: Line; wrong: Wrong },
): Html {
  const texts = selfServiceWordsOf(visit.head.language);
  const isWrong = wrong.line === line.id;
  const words = lines({
    name: `reason_${line.id}`,
    label: texts.whatIsWrong,
    value: '',
    hint: null,
    rows: 3,
    maxLength: MOST_WORDS,
    problem: isWrong ? PROBLEM : null,
    isProse: true,
  });
  const fields = html`${formFields(visit)}${hidden('line', String(line.id))}${words}${button(texts.report, 'plain')}`;
  const sending = form(`${visit.root}/${PATH}/${invoice.id}/dispute`, fields);
  if (isWrong) return html`<div class="whole">${problemOf(wrong.problem ?? null)}${sending}</div>`;
  return html`<details class="whole"><summary>${texts.report}</summary>${sending}</details>`;
}

async function takeWords(visit: PortalVisit, [id, what, ...more]: Rest, sent: Form): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  const invoice = await ownInvoice(visit, id);
  if (what === 'promise') return takePromise(visit, invoice, sent);
  if (what === 'dispute') return takeDispute(visit, invoice, sent);
  throw new NothingThere();
}

async function takePromise(visit: PortalVisit, invoice: Invoice, sent: Form): Promise<void> {
  const { ctx, root, head, account, now } = visit;
  const texts = selfServiceWordsOf(head.language);
  const day = (sent.date ?? '').trim();
  const about = { operation: 'promiseInPortal', object: { type: 'invoice', id: invoice.id } };
  const last = addDaysToDay(localDay(now.getTime(), invoice.timeZone), setting(account, 'portal_promise_days'));
  const problem = fill(texts.dayWrong, { day: formatsFor(visit, invoice).date(last) });
  if (!isDay(day)) return showInvoice(visit, invoice, { day, problem });
  const date = new Date(startOfDay(day, invoice.timeZone));
  const refusal = await act(visit, about, (em, caller, at) =>
    promiseAsCustomer(em, { caller, id: invoice.id, date }, at),
  );
  if (refusal?.param === 'date') return showInvoice(visit, invoice, { day, problem });
  seeOther(ctx, `${root}/${PATH}/${invoice.id}${refusal ? '' : '?done=promise'}`);
}

async function takeDispute(visit: PortalVisit, invoice: Invoice, sent: Form): Promise<void> {
  const { ctx, root, head } = visit;
  const texts = selfServiceWordsOf(head.language);
  const lineId = Number(sent.line);
  const reason = (sent[`reason_${sent.line}`] ?? '').trim().slice(0, MOST_WORDS);
  if (!Number.isSafeInteger(lineId)) throw new NothingThere();
  if (reason === '') return showInvoice(visit, invoice, { line: lineId, problem: texts.wordsMissing });
  const about = { operation: 'disputeLineInPortal', object: { type: 'invoice', id: invoice.id } };
  const refusal = await act(visit, about, (em, caller, now) =>
    disputeLineAsCustomer(em, { caller, id: invoice.id, lineId, reason }, now),
  );
  if (refusal && refusal.param === null) throw refusal;
  seeOther(ctx, `${root}/${PATH}/${invoice.id}${refusal ? '' : '?done=dispute'}`);
}
