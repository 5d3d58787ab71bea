import { randomBytes } from 'node:crypto';
import { isSourceMethod, type SourceMethod } from '../../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { returnUrlOf } from '../../../billing/signUps/terms.ts';
import { fieldsOf, type MountedFields } from '../../../commands/charges/instruments.ts';
import { type Payable, payableMethods } from '../../../commands/charges/payable.ts';
import { systemCallerOf } from '../../../commands/kernel/caller.ts';
import { type Order, offeredPlans, type Quote, quoteOrder, seenOf } from '../../../commands/signUps/orders.ts';
import { signUpKeyOf, startSignUp } from '../../../commands/signUps/starting.ts';
import { storeSource } from '../../../commands/signUps/vaulting.ts';
import { brokenUnique } from '../../../db/failure.ts';
import { Item } from '../../../db/schema/item.ts';
import { Plan } from '../../../db/schema/plan.ts';
import { SignUp } from '../../../db/schema/signUp.ts';
import { inDryRun, inTransaction } from '../../../db/transaction.ts';
import { consentText } from '../../../present/printed/consent.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { readConsent } from '../kit/consent.ts';
import { html, printed } from '../kit/html.ts';
import { answerPage } from '../kit/page.ts';
import { readForm, seeOther } from '../kit/posted.ts';
import type { OfferedKind } from '../managing/sourcePage.ts';
import type { SellingAddress } from './address.ts';
import { reviewPage, termsHash, termsOf } from './reviewPage.ts';
import { type OfferedAddon, signUpForm, type Wrong } from './signUpForm.ts';
import { choiceIn, detailsIn, errorOf, textIn, WrongField } from './typed.ts';
import { declinedText, framed, type SignUpVisit, sellerIn, visitorOf } from './visit.ts';

const FORM = /^[0-9a-f]{32}$/;

/** Shows the first step, with what was typed before. */
export async function showSignUpForm(
  visit: SignUpVisit,
  { sent = new URLSearchParams(), wrong = null }: { sent?: URLSearchParams; wrong?: Wrong | null } = {},
): Promise<void> {
  const { ctx, em, page, seller } = visit;
  const status = wrong ? 400 : 200;
  const plans = await offeredPlans(em, page);
  if (!page.enabled || plans.length === 0) {
    const { words } = seller;
    const main = html`<h1>${words.closedTitle}</h1><p class="lead">${printed(sellerIn(seller, words.closedWhy))}</p>`;
    return answerPage(ctx, framed(seller, { title: words.closedTitle, main }), status);
  }
  const asked = ctx.method === 'POST' ? sent : asForm(ctx.query);
  const form = formOf(asked);
  answerPage(ctx, signUpForm({ visit, plans, form, addons: await offeredAddons(visit), sent: asked, wrong }), status);
}

/** What identifies the form of a visitor in all its steps, so that a step that is opened twice is one sign-up, too. */
function formOf(sent: URLSearchParams): string {
  const form = textIn(sent, 'form');
  return FORM.test(form) ? form : randomBytes(16).toString('hex');
}

/** Values that a link to the page gives its fields. */
function asForm(query: Readonly<Record<string, string | string[] | undefined>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const name of ['plan', 'quantity', 'coupon', 'return_url']) {
    const value = query[name];
    if (typeof value === 'string') form.set(name, value);
  }
  return form;
}

async function offeredAddons({ em, page }: SignUpVisit): Promise<(OfferedAddon | null)[]> {
  const { accountId, addons } = page;
  if (addons.length === 0) return [];
  const live = (codes: (string | null)[]) => ({
    accountId,
    code: { $in: codes.filter((code) => code !== null) },
    archivedAt: null,
  });
  const plans = await em.find(Plan, live(addons.map(({ plan }) => plan)));
  const items = await em.find(Item, live(addons.map(({ item }) => item)));
  return addons.map(({ plan, item }) => {
    const sold = plans.find(({ code }) => code === plan);
    if (sold) return { name: sold.name, price: sold.amount ?? null };
    const other = items.find(({ code }) => code === item);
    return other ? { name: other.name, price: other.unitCost ?? null } : null;
  });
}

/** Takes a step of a sign-up. */
export async function takeSignUpForm(visit: SignUpVisit): Promise<void> {
  const sent = await readForm(visit.ctx);
  if (textIn(sent, 'step') === 'edit') return showSignUpForm(visit, { sent });
  if (!visit.page.enabled || textIn(sent, 'website') !== '')
    return showSignUpForm(visit, { sent, wrong: { error: 'form', field: 'form' } });
  const earlier = await earlierOf(visit, sent);
  if (earlier === 'nothing_kept') sent.delete('form');
  else if (earlier !== null) return seeOther(visit.ctx, earlier);
  let order: Order;
  let quote: Quote;
  try {
    order = orderIn(visit, sent);
    quote = await inDryRun(visit.deps.em, (em) => quoteOrder(em, order, visit.deps.systemNow()));
  } catch (error) {
    return showSignUpForm(visit, { sent, wrong: errorOf(error) });
  }
  if (textIn(sent, 'step') !== 'subscribe') return showReview(visit, { order, quote, sent, wrong: null });
  await subscribe(visit, { order, quote, sent });
}

/** Path of the outcome of a form that was sent before; null: it was not, or nothing was kept, and the step that pays is not sent again. */
async function earlierOf({ em, address }: SignUpVisit, sent: URLSearchParams): Promise<string | 'nothing_kept' | null> {
  const form = textIn(sent, 'form');
  if (!FORM.test(form)) return null;
  const key = keyOf(address, form);
  const signUp = await em.findOne(SignUp, { accountId: address.accountId, key });
  if (!signUp) return null;
  const isOver = signUp.state === 'declined' || signUp.state === 'abandoned' || signUp.state === 'refused';
  return isOver && textIn(sent, 'step') !== 'subscribe' ? 'nothing_kept' : `${address.path}/${key}`;
}

const keyOf = ({ accountId, id, token }: SellingAddress, form: string): string =>
  signUpKeyOf(`${accountId} ${id} ${token}`, form);

function orderIn({ page, customer, seller }: SignUpVisit, sent: URLSearchParams): Order {
  const { account, language } = seller;
  return {
    caller: systemCallerOf(account),
    page,
    choice: choiceIn(sent, page),
    details: customer ? null : detailsIn(sent, page, account.country ?? null),
    customerId: customer?.id ?? null,
    language,
  };
}

interface Step {
  order: Order;
  quote: Quote;
  sent: URLSearchParams;
}

/** The methods by which an amount can be paid do not depend on a customer that does not exist yet. */
export function payableOf(
  { seller, customer }: SignUpVisit,
  { currency, due }: Pick<Quote, 'currency' | 'due'>,
): Payable {
  const amount = Number(due) > 0 ? due : '1';
  return { account: seller.account, customer, document: null, amount, currency };
}

async function kindsOf(visit: SignUpVisit, quote: Quote): Promise<OfferedKind[]> {
  const offers = await payableMethods(visit.em, payableOf(visit, quote));
  return offers.flatMap(({ terms: { method, instructions }, configuration, obstacle }) =>
    configuration !== null && obstacle === null && isSourceMethod(method)
      ? [{ method, instructions, configuration }]
      : [],
  );
}

async function showReview(visit: SignUpVisit, { quote, sent, wrong }: Step & { wrong: Wrong | null }): Promise<void> {
  const { ctx, em, seller } = visit;
  const kinds = await kindsOf(visit, quote);
  const chosen = kinds.find(({ method }) => method === textIn(sent, 'method')) ?? kinds.at(0) ?? null;
  const mounted = chosen && (await mountedOf(em, seller.account.id, chosen.configuration));
  const form = formOf(sent);
  answerPage(ctx, reviewPage({ visit, quote, kinds, chosen, mounted, sent, form, wrong }), wrong ? 400 : 200);
}

/** The fields of a gateway. Null: its merchant account has no publishable key. */
export async function mountedOf(
  em: SignUpVisit['em'],
  accountId: number,
  configuration: string,
): Promise<MountedFields | null> {
  try {
    return await fieldsOf(em, { accountId, configuration });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
}

/** Starts the sign-up and leads to the page of its outcome, or shows the price again with what is wrong. */
async function subscribe(visit: SignUpVisit, step: Step): Promise<void> {
  const { ctx, deps, address, page } = visit;
  const { sent } = step;
  const form = textIn(sent, 'form');
  const refuse = (wrong: Wrong) => showReview(visit, { ...step, wrong });
  if (!FORM.test(form)) return refuse({ error: 'form', field: 'form' });
  const { accountId } = address;
  const key = keyOf(address, form);
  const here = `${address.path}/${key}`;
  if (textIn(sent, 'seen') !== seenOf(step.quote)) return refuse({ error: 'seen', field: 'seen' });
  let signUp: SignUp;
  try {
    const method = textIn(sent, 'method');
    if (!isSourceMethod(method) || !(await kindsOf(visit, step.quote)).some((kind) => kind.method === method))
      throw new WrongField('method', 'method');
    const agreed = agreedIn(visit, sent, method);
    const visitor = visitorOf(visit);
    const input = {
      ...step.order,
      ...agreed,
      key,
      seen: textIn(sent, 'seen'),
      method,
      serviceToken: textIn(sent, 'service_token'),
      payer: { returnUrl: `${deps.publicUrl}${here}?returned=1`, ...visitor },
      userAgent: visitor.userAgent || null,
      returnUrl: returnUrlOf(page.returnUrls, textIn(sent, 'return_url') || null),
      isAgain: textIn(sent, 'again') === 'yes',
      lookUpDelay: deps.lookUpDelay,
    };
    const once = () => inTransaction(deps.em, (inner) => startSignUp(inner, input, deps.systemNow()));
    const started = await once().catch((error: unknown) => {
      if (brokenUnique(error) !== 'sign_up_key') throw error;
      return once();
    });
    signUp = started.signUp;
    if (!started.isNew) return seeOther(ctx, here);
  } catch (error) {
    return refuse(errorOf(error));
  }
  const started = { accountId, id: signUp.id };
  await withoutPlace(() => storeSource(deps, started)).catch((error: unknown) => {
    deps.log.error({ err: error, account: accountId, signUp: signUp.id }, 'a sign-up was interrupted');
  });
  deps.poke();
  await answerStored(visit, { ...step, signUp: started, here });
}

/** A declined source stays on the page, with all that was typed but the numbers. Everything else has a page of its own. */
async function answerStored(
  visit: SignUpVisit,
  { signUp: key, here, ...step }: Step & { signUp: { accountId: number; id: number }; here: string },
): Promise<void> {
  const { deps, ctx, seller } = visit;
  const signUp = await deps.em.fork().findOne(SignUp, key);
  if (signUp?.state !== 'declined') return seeOther(ctx, here);
  const text = declinedText(seller, signUp.failureCode);
  step.sent.delete('form');
  await showReview(visit, { ...step, wrong: { error: 'token', field: 'service_token', text } });
}

/** The consents that a form gives. Throws WrongField. */
function agreedIn({ seller, page }: SignUpVisit, sent: URLSearchParams, method: SourceMethod) {
  const { account, language } = seller;
  const terms = termsOf(seller, page);
  if (terms && sent.get('terms') !== 'yes') throw new WrongField('terms', 'terms');
  if (terms && sent.get('terms_seen') !== termsHash(terms)) throw new WrongField('form', 'form');
  const consent = consentText(account, { language, method });
  const given = readConsent(sent, consent);
  if (given !== 'given') throw new WrongField(given === 'missing' ? 'consent' : 'form', 'consent');
  return { consent, terms };
}
