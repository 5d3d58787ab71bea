import type { Context } from 'koa';
import { decimalIn } from '../../../billing/money/money.ts';
import { isSourceMethod } from '../../../billing/payments/paymentMethods.ts';
import { returnUrlOf } from '../../../billing/signUps/terms.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { payableMethods } from '../../../commands/charges/payable.ts';
import { systemCallerOf } from '../../../commands/kernel/caller.ts';
import {
  type LinkTotals,
  quoteLink,
  startLinkPayment,
  type TypedPayment,
} from '../../../commands/signUps/linkPayments.ts';
import { signUpKeyOf } from '../../../commands/signUps/starting.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Account } from '../../../db/schema/account.ts';
import { Attempt } from '../../../db/schema/attempt.ts';
import { PaymentLink } from '../../../db/schema/paymentLink.ts';
import { inDryRun, inTransaction } from '../../../db/transaction.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { languageOf } from '../kit/customerPage.ts';
import { html, printed } from '../kit/html.ts';
import { answerPage } from '../kit/page.ts';
import { readForm, seeOther } from '../kit/posted.ts';
import { hasToken } from '../managing/address.ts';
import { answerToken } from '../pay/tokens.ts';
import type { SellingAddress } from './address.ts';
import { linkPage } from './linkPage.ts';
import { mountedOf } from './signingUp.ts';
import type { Wrong } from './signUpForm.ts';
import { addressIn, errorOf, personIn, plainIn, taxIdIn, textIn, WrongField } from './typed.ts';
import { declinedText, framed, type Seller, type SellingDeps, sellerIn, sellerOf, visitorOf } from './visit.ts';

/** A visit to the page of a payment link. */
export interface LinkVisit {
  ctx: Context;
  deps: SellingDeps;
  em: EntityManager;
  address: SellingAddress;
  link: PaymentLink;
  seller: Seller;
}

const FORM = /^[0-9a-f]{32}$/;

/** Finds the payment link of an address. Null: there is none. */
export async function openLink(ctx: Context, deps: SellingDeps, address: SellingAddress): Promise<LinkVisit | null> {
  const em = deps.em.fork();
  const { accountId, id } = address;
  const account = await em.findOne(Account, { id: accountId });
  const link = await em.findOne(PaymentLink, { accountId, id });
  if (!account || !link || link.deletedAt || !hasToken(address, link)) return null;
  const { currency } = link;
  const seller = await sellerOf(em, account, { language: languageOf(ctx, account.language), currency });
  return { ctx, deps, em, address, link, seller };
}

const payableOf = ({ seller, link }: LinkVisit, amount: string) => ({
  account: seller.account,
  customer: null,
  document: null,
  amount,
  currency: link.currency,
});

/** Makes a service token of what the gateway's fields took. */
export function makeLinkToken(visit: LinkVisit): Promise<true> {
  const { ctx, deps, em, link } = visit;
  return answerToken(ctx, { ...deps, reading: em }, payableOf(visit, link.amount ?? link.minAmount ?? '1'));
}

const NO_ADDRESS = { address1: null, address2: null, city: null, state: null, postalCode: null, country: null };
const NOBODY = { ...NO_ADDRESS, name: '-', email: 'nobody@example.com', taxId: null, phone: null };

/** Shows the page. */
export async function showLink(
  visit: LinkVisit,
  { sent, wrong = null }: { sent?: URLSearchParams; wrong?: Wrong | null } = {},
): Promise<void> {
  const { ctx, em, address, link, seller } = visit;
  const status = wrong ? 400 : 200;
  if (!link.enabled) {
    const { words } = seller;
    const main = html`<h1>${words.nothingPaid}</h1><p class="lead">${printed(sellerIn(seller, words.closedWhy))}</p>`;
    return answerPage(ctx, framed(seller, { title: words.nothingPaid, main }), status);
  }
  const totals = await totalsOfLink(visit);
  const offers = await payableMethods(em, payableOf(visit, totals?.invoice.total ?? link.minAmount ?? '1'));
  const kinds = offers.flatMap(({ terms: { method, instructions }, configuration }) =>
    configuration !== null && isSourceMethod(method) ? [{ method, instructions, configuration }] : [],
  );
  const asked = sent ? textIn(sent, 'method') : ctx.query.method;
  const chosen = kinds.find(({ method }) => method === asked) ?? kinds.at(0) ?? null;
  const mounted = chosen && (await mountedOf(em, link.accountId, chosen.configuration));
  const typed =
    sent ?? new URLSearchParams(typeof ctx.query.return_url === 'string' ? [['return_url', ctx.query.return_url]] : []);
  const page = { seller, link, path: address.path, totals, kinds, chosen, mounted, sent: typed, wrong };
  answerPage(ctx, linkPage(page), status);
}

/** Lines and sums of a link with an amount, by the functions that bill. Null: the payer types the amount. */
async function totalsOfLink({ deps, link, seller }: LinkVisit): Promise<LinkTotals | null> {
  if (!link.amount) return null;
  const { account, language } = seller;
  const asked = { caller: systemCallerOf(account), link, details: NOBODY, fields: [], amount: null, language };
  return inDryRun(deps.em, (em) => quoteLink(em, asked, deps.systemNow()));
}

/** The amount that was typed, with a point or a comma; null: none. Throws WrongField. */
function amountIn(sent: URLSearchParams): string | null {
  const typed = textIn(sent, 'amount');
  if (typed === '') return null;
  if (!/^\d{1,12}([.,]\d{1,4})?$/.test(typed)) throw new WrongField('amount', 'amount');
  return decimalIn(typed.replace(',', '.'), { maxDecimals: 4, maxSignificant: 15 }).decimal;
}

/** What the payer typed. Throws WrongField. */
function typedIn({ link, seller }: LinkVisit, sent: URLSearchParams): TypedPayment {
  const has = (kind: string) => link.fields.find((field) => field.kind === kind);
  const needed = has('address')?.required ? ['address1', 'city'] : [];
  const address = has('address') ? addressIn(sent, needed) : null;
  const country = address?.country ?? seller.account.country ?? null;
  const person = personIn(sent);
  const filled = (name: string, isRequired: boolean | undefined, value: string | null) => {
    if (isRequired && value === null) throw new WrongField('field', name);
    return value;
  };
  const phone = has('phone') ? filled('phone', has('phone')?.required, plainIn(sent, 'phone')) : null;
  const taxId = has('tax_id') ? filled('tax_id', has('tax_id')?.required, taxIdIn(sent, country)) : null;
  const fields = link.fields.flatMap(({ kind, label, required }, index) => {
    if (kind !== 'text') return [];
    const value = filled(`field_${index}`, required, plainIn(sent, `field_${index}`));
    return value === null ? [] : [{ label: label ?? '', value }];
  });
  const parts = address ?? NO_ADDRESS;
  return { details: { ...person, ...parts, taxId, phone }, fields, amount: amountIn(sent), language: seller.language };
}

/** Takes the form: starts the payment and leads to its outcome, or shows the form with what is wrong. */
export async function takeLinkPayment(visit: LinkVisit): Promise<void> {
  const { ctx, deps, em, address, link, seller } = visit;
  const sent = await readForm(ctx);
  const refuse = (wrong: Wrong) => showLink(visit, { sent, wrong });
  const form = textIn(sent, 'form');
  if (!link.enabled || !FORM.test(form) || textIn(sent, 'website') !== '')
    return refuse({ error: 'form', field: 'form' });
  const { accountId } = link;
  const key = signUpKeyOf(`link ${accountId} ${link.id} ${link.token}`, form);
  const here = `${address.path}/${key}`;
  if (await em.findOne(Attempt, { accountId, key })) return seeOther(ctx, here);
  let attempt: Attempt;
  try {
    const method = textIn(sent, 'method');
    if (!isSourceMethod(method)) throw new WrongField('method', 'method');
    const typed = typedIn(visit, sent);
    const shown = link.amount ? textIn(sent, 'seen') : null;
    if (shown !== null && !/^\d{1,12}(\.\d{1,4})?$/.test(shown)) throw new WrongField('seen', 'seen');
    const visitor = visitorOf(visit);
    const input = {
      ...typed,
      caller: systemCallerOf(seller.account),
      link,
      key,
      shown,
      method,
      serviceToken: textIn(sent, 'service_token'),
      payer: { returnUrl: `${deps.publicUrl}${here}?returned=1`, ...visitor },
      userAgent: visitor.userAgent || null,
      returnUrl: returnUrlOf(link.returnUrls, textIn(sent, 'return_url') || null),
      lookUpDelay: deps.lookUpDelay,
    };
    const started = await inTransaction(deps.em, (inner) => startLinkPayment(inner, input, deps.systemNow()));
    attempt = started.attempt;
    if (!started.isNew) return seeOther(ctx, here);
  } catch (error) {
    return refuse(errorOf(error));
  }
  const started = { accountId, id: attempt.id };
  await withoutPlace(() => runAttempt(deps, started)).catch((error: unknown) => {
    deps.log.error({ err: error, account: accountId, attempt: started.id }, 'a payment by a link was interrupted');
  });
  deps.poke();
  const made = await deps.em.fork().findOne(Attempt, started);
  if (made?.state !== 'failed') return seeOther(ctx, here);
  const text = declinedText(seller, made.failureCode);
  await refuse({ error: 'token', field: 'service_token', text });
}
