import { randomBytes } from 'node:crypto';
import { compare } from '../../../../billing/money/money.ts';
import { isSourceMethod, methodOfSource, type SourceMethod } from '../../../../billing/payments/paymentMethods.ts';
import { MOST_INVOICES_AT_ONCE } from '../../../../billing/payments/severalInvoices.ts';
import { Refusal } from '../../../../billing/refusal.ts';
import { fieldsOf, type MountedFields } from '../../../../commands/charges/instruments.ts';
import type { OfferedFee } from '../../../../commands/charges/pagePayments.ts';
import { type PayableMethod, payableMethods } from '../../../../commands/charges/payable.ts';
import { disabledBy, type Planned, seenOf } from '../../../../commands/portal/paying.ts';
import { chargeableSources } from '../../../../commands/portal/sources.ts';
import type { PaymentSource } from '../../../../db/schema/customer.ts';
import { sourceInWords } from '../../../../present/emails/paymentSource.ts';
import { writingFor } from '../../../../present/emails/writing.ts';
import { type ConsentText, consentText } from '../../../../present/printed/consent.ts';
import { payingWordsOf } from '../../../../words/paying/words.ts';
import { fill } from '../../../../words/text.ts';
import { consentField } from '../../kit/consent.ts';
import { amountRows, optionLinks } from '../../kit/customerPage.ts';
import { button, choices, form, hidden, linkButton } from '../../kit/forms.ts';
import { gatewayFields, scriptOf } from '../../kit/gatewayFields.ts';
import { type Html, html, printed } from '../../kit/html.ts';
import { formatsIn } from '../formats.ts';
import { answerVisit, problemOf } from '../frame.ts';
import type { PortalVisit } from '../place.ts';
import { formFields, said } from '../site.ts';
import { showChoice } from './choice.ts';
import { changedText, planOf, type Wanted, wantedQuery } from './wanted.ts';

/** How a payment can be made. */
export interface Ways {
  sources: PaymentSource[];
  methods: (PayableMethod & { method: SourceMethod; configuration: string })[];
}

/** The stored sources of a visitor that can pay, and the methods by which it can pay otherwise. */
export async function waysOf(visit: PortalVisit, { currency }: Wanted, planned: Planned): Promise<Ways> {
  const { em, account, customer, visitor } = visit;
  const document = disabledBy(planned);
  const offers = await payableMethods(em, { account, customer, document, amount: planned.total, currency });
  const suits = (method: SourceMethod, isStored: boolean) =>
    offers.some(
      ({ terms, obstacle }) =>
        terms.method === method && (obstacle === null || (isStored && obstacle === 'no_gateway')),
    );
  const stored = await chargeableSources(em, visitor);
  const sources = stored.filter(({ type }) => suits(methodOfSource(type), true));
  const methods = offers.flatMap((offer) => {
    const { method } = offer.terms;
    const { configuration } = offer;
    return isSourceMethod(method) && configuration !== null && suits(method, false)
      ? [{ ...offer, method, configuration }]
      : [];
  });
  return { sources, methods };
}

/** The page that shows what each invoice gets, and how it can be paid. */
export async function showReview(visit: PortalVisit, wanted: Wanted, problem: string | null = null): Promise<void> {
  const { words, root, ctx } = visit;
  const planned = await planOf(visit, wanted);
  if (typeof planned === 'string') {
    const { chosen, currency } = wanted;
    const ids = chosen.kind === 'some' ? new Set(chosen.ids) : null;
    const amount = chosen.kind === 'amount' ? chosen.amount : '';
    const why =
      planned === 'changed' && chosen.kind === 'some' ? await changedText(visit, currency, chosen.ids) : problem;
    return showChoice(visit, currency, { choice: chosen.kind, amount, ids, problem: planned, why });
  }
  const ways = await waysOf(visit, wanted, planned);
  const asked = ctx.query.with;
  const method =
    ways.methods.find((one) => one.method === asked) ?? (ways.sources.length > 0 ? null : (ways.methods.at(0) ?? null));
  const mounted = method && (await mountedOf(visit, method.configuration));
  const cut = planned.isCut
    ? html`<p class="hint">${fill(words.mostAtOnce, { count: MOST_INVOICES_AT_ONCE })}</p>`
    : null;
  const main = html`<h1>${words.reviewTitle}</h1>
${problemOf(problem)}
${rowsOf(visit, wanted, planned)}
${cut}
<p><a href="${root}/pay?${wantedQuery(wanted)}">${words.changeChoice}</a></p>
${wayLinks(visit, wanted, { ways, chosen: method?.method ?? null })}
${payForm(visit, wanted, { planned, ways, method: method?.method ?? null, mounted })}`;
  const script = mounted && scriptOf(mounted.gateway);
  answerVisit(visit, { path: 'pay', title: words.reviewTitle, main, script, status: problem === null ? 200 : 400 });
}

/** The invoices and the total. A part of an invoice says of how much. */
function rowsOf(visit: PortalVisit, { currency }: Wanted, { parts, invoices, total }: Planned): Html {
  const { head, words } = visit;
  const { labels } = head.pen;
  const { money } = formatsIn(visit, currency);
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice] as const));
  const rows = parts.flatMap(({ id, amount }) => {
    const invoice = byId.get(id);
    if (!invoice) return [];
    const isPart = compare(amount, invoice.owed) < 0;
    const details = isPart ? [fill(words.partOf, { amount: money(amount), balance: money(invoice.owed) })] : [];
    return [{ label: `${labels.invoice} ${head.pen.own(invoice.number)}`, details, value: money(amount) }];
  });
  const sum = amountRows([{ label: payingWordsOf(head.language).totalToPay, value: money(total), weight: 'total' }]);
  if (rows.length <= MOST_UNFOLDED) return html`<div class="parts">${amountRows(rows)}${sum}</div>`;
  return html`<div class="parts"><details class="folded"><summary>${words.whatYouPay} (${rows.length})</summary>${amountRows(rows)}</details>${sum}</div>`;
}

const MOST_UNFOLDED = 8;

/** Links to the stored sources and to the other ways of paying. */
function wayLinks(
  visit: PortalVisit,
  wanted: Wanted,
  { ways, chosen }: { ways: Ways; chosen: SourceMethod | null },
): Html | null {
  const { words, root, head } = visit;
  const { card, bankAccount } = payingWordsOf(head.language);
  const hasStored = ways.sources.length > 0;
  const names = hasStored
    ? { credit_card: words.anotherCard, ach: words.anotherAccount }
    : { credit_card: card, ach: bankAccount };
  const to = (way: string) => `${root}/pay/review?${wantedQuery(wanted, { with: way })}`;
  const [first, ...more] = ways.sources;
  const stored = first
    ? [
        {
          name: more.length === 0 ? sourceName(visit, first) : words.sources,
          href: to('stored'),
          hint: null,
          isChosen: chosen === null,
        },
      ]
    : [];
  const others = ways.methods.map(({ method }) => ({
    name: names[method],
    href: to(method),
    hint: null,
    isChosen: chosen === method,
  }));
  return optionLinks(words.payWith, [...stored, ...others]);
}

/** The consent to automatic payment by a source that is stored with the payment. */
export function consentIn({ account, head }: PortalVisit, method: SourceMethod): ConsentText {
  return consentText(account, { language: head.language, method });
}

function payForm(
  visit: PortalVisit,
  wanted: Wanted,
  of: { planned: Planned; ways: Ways; method: SourceMethod | null; mounted: MountedFields | null },
): Html {
  const { words, root, head } = visit;
  const { planned, ways, method, mounted } = of;
  const paying = payingWordsOf(head.language);
  const { currency } = wanted;
  const { total } = planned;
  const shown = planned.parts.map(({ id }) => id).join('.');
  const isMissing = method === null ? ways.sources.length === 0 : mounted === null;
  if (isMissing) return html`<p class="lead">${printed(said(visit, words.noMethod))}</p>`;
  const pay = fill(paying.payAmount, { amount: formatsIn(visit, currency).money(total) });
  const fields =
    method === null || mounted === null
      ? storedFields(visit, ways)
      : html`${hidden('method', method)}${gatewayFields({ mounted, method, currency, amount: total, language: head.language, tokensPath: `${root}/pay/tokens?currency=${currency}`, needsScript: paying.needsScript })}
${consentField({ consent: consentIn(visit, method), label: paying.save, isRequired: false, isChecked: false, problem: null })}`;
  return form(
    `${root}/pay/review?${wantedQuery(wanted, method === null ? {} : { with: method })}`,
    html`${formFields(visit)}${hidden('form', randomBytes(16).toString('hex'))}${hidden('seen', seenOf(currency, planned))}${hidden('shown', shown)}
${fields}
${button(printed(pay), 'primary')}`,
    'pay',
  );
}

/** The name of a stored source: "Mastercard ending in 5454". */
export function sourceName({ account, customer, currency }: PortalVisit, source: PaymentSource): string {
  const writing = writingFor(account, customer, { currency, timeZone: account.timeZone });
  const { type, brand = null, bankName = null, last4 } = source;
  return sourceInWords({ type, brand, bankName, last4 }, writing);
}

/** The stored sources to choose from, if there are several. */
function storedFields(visit: PortalVisit, { sources }: Ways): Html {
  const { customer, words, ctx } = visit;
  const [only, ...others] = sources;
  if (only && others.length === 0) return hidden('source', String(only.id));
  const options = sources.map((source) => ({
    value: String(source.id),
    label: sourceName(visit, source),
    hint: source.id === customer.defaultSource?.id ? words.defaultSource : null,
  }));
  const asked = options.find(({ value }) => value === ctx.query.source);
  const chosen = (asked ?? options.at(0))?.value ?? '';
  return choices('source', words.sources, { options, chosen });
}

async function mountedOf({ em, account }: PortalVisit, configuration: string): Promise<MountedFields | null> {
  try {
    return await fieldsOf(em, { accountId: account.id, configuration });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
}

/** Fields of the form that the confirming form sends again. */
const KEPT = ['form', 'seen', 'shown', 'method', 'source', 'consent', 'consent_seen', 'service_token'];

/** The page that shows the convenience fee and the total before they are charged. */
export function showFee(
  visit: PortalVisit,
  wanted: Wanted,
  { sent, amount, fee }: { sent: Readonly<Record<string, string>>; amount: string; fee: OfferedFee },
): void {
  const { words, head, root } = visit;
  const paying = payingWordsOf(head.language);
  const { money, percent } = formatsIn(visit, wanted.currency);
  const rows = amountRows([
    { label: head.pen.labels.amount, value: money(amount), weight: 'plain' },
    { label: paying.fee, value: money(fee.fee), weight: 'plain' },
    { label: paying.totalToPay, value: money(fee.total), weight: 'total' },
  ]);
  const kept = KEPT.flatMap((name) => (sent[name] === undefined ? [] : [hidden(name, sent[name])]));
  const why = fill(said(visit, paying.feeWhy), { percent: percent(Number(fee.percent)) });
  const pay = fill(paying.payAmount, { amount: money(fee.total) });
  const here = `${root}/pay/review?${wantedQuery(wanted)}`;
  const main = html`<h1>${paying.feeTitle}</h1>
<p class="lead">${printed(why)}</p>
${rows}
${form(here, html`${formFields(visit)}${kept}${hidden('fee', fee.fee)}${button(printed(pay), 'primary')}`, 'pay')}
<p class="actions">${linkButton(words.anotherMethod, here, 'plain')}</p>`;
  answerVisit(visit, { path: 'pay', title: paying.feeTitle, main });
}
