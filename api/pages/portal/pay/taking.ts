import { compare, decimalIn, type Money } from '../../../../billing/money/money.ts';
import { isSourceMethod } from '../../../../billing/payments/paymentMethods.ts';
import type { PresentPayer } from '../../../../billing/payments/presentPayer.ts';
import { Refusal } from '../../../../billing/refusal.ts';
import { runAttempt } from '../../../../commands/charges/attempts.ts';
import type { GivenConsent } from '../../../../commands/charges/consents.ts';
import type { OfferedFee } from '../../../../commands/charges/pagePayments.ts';
import { Missing } from '../../../../commands/kernel/missing.ts';
import {
  applyCreditInPortal,
  feeInPortal,
  type PortalInstrument,
  type PortalPayment,
  portalKeyOf,
  seenOf,
  startPortalPayment,
} from '../../../../commands/portal/paying.ts';
import { failpoint } from '../../../../db/failpoint.ts';
import { brokenUnique } from '../../../../db/failure.ts';
import { portalAttempt } from '../../../../db/queries/portal/paying.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { absolute } from '../../../../present/kernel/links.ts';
import { payingWordsOf } from '../../../../words/paying/words.ts';
import { withoutPlace } from '../../../limits/admission.ts';
import { readConsent } from '../../kit/consent.ts';
import { seeOther } from '../../kit/posted.ts';
import type { Form } from '../../people/site.ts';
import type { PortalVisit } from '../place.ts';
import { browserOf, said } from '../site.ts';
import { consentIn, showFee, showReview } from './review.ts';
import { changedText, idsIn, planOf, type Wanted } from './wanted.ts';

const FORM = /^[0-9a-f]{32}$/;

/** Takes the form that pays: starts the charge and leads to the page of its outcome, or shows what is wrong. The same form pays once. */
export async function takePortalPayment(visit: PortalVisit, wanted: Wanted, sent: Form): Promise<void> {
  const { ctx, em, site, account, visitor, customer, root, words, head } = visit;
  const { deps } = site;
  const paying = payingWordsOf(head.language);
  if (!FORM.test(sent.form ?? '')) return showReview(visit, wanted, paying.errors.form);
  const key = portalKeyOf(visitor, sent.form ?? '');
  const here = `${root}/pay/${key}`;
  if (await portalAttempt(em, { accountId: account.id, customerId: customer.id }, key)) return seeOther(ctx, here);
  const instrument = instrumentIn(sent);
  if (!instrument) return showReview(visit, wanted, 'source' in sent ? words.errorSource : paying.errors.token);
  const consent = consentOf(visit, sent, instrument);
  const sinceShown = () => changedText(visit, wanted.currency, idsIn(sent.shown ?? '') ?? []);
  if (consent === 'changed') return showReview(visit, wanted, words.errorChanged);
  try {
    if (customer.hasCredit) {
      const of = { account, visitor, currency: wanted.currency };
      await inTransaction(deps.em, (inner) => applyCreditInPortal(inner, of, deps.systemNow()));
    }
    const asked = await feeOf(visit, wanted, { sent, instrument });
    if (asked === 'changed') return showReview(visit, wanted, await sinceShown());
    if (asked.toConfirm) return showFee(visit, wanted, { sent, amount: asked.amount, fee: asked.toConfirm });
    const payment = {
      account,
      visitor,
      ...wanted,
      seen: sent.seen ?? '',
      key,
      instrument,
      fee: asked.fee,
      payer: payerOf(visit, here),
      consent,
      lookUpDelay: deps.lookUpDelay,
    };
    const { attempt, isNew } = await start(visit, payment);
    deps.poke();
    if (isNew) await run(visit, { accountId: account.id, id: attempt.id });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Missing)) throw error;
    return showReview(visit, wanted, problemIn(visit, error) ?? (await sinceShown()));
  }
  seeOther(ctx, here);
}

/** What a refusal means to a payer, by the parameter that it names. Null: something has changed. */
function problemIn(visit: PortalVisit, error: Error): string | null {
  const { words, head } = visit;
  const { errors } = payingWordsOf(head.language);
  const param = error instanceof Refusal ? (error.param ?? '') : '';
  const texts: Readonly<Record<string, string>> = {
    applied_to: errors.busy,
    source: words.errorSource,
    payment_source_id: words.sourceGone,
    service_token: errors.token,
    gateway_token: errors.token,
    method: errors.method,
    tries: errors.tries,
  };
  const text = texts[param];
  return text === undefined ? null : said(visit, text);
}

function instrumentIn({ source, method, service_token: serviceToken }: Form): PortalInstrument | null {
  if (source !== undefined) return /^\d{1,10}$/.test(source) ? { sourceId: Number(source) } : null;
  return isSourceMethod(method ?? '') && serviceToken ? { serviceToken, method: toMethod(method) } : null;
}

const toMethod = (method: string | undefined) => (method === 'ach' ? 'ach' : 'credit_card');

/** The consent to store a new source for automatic payment. Null: none was given. `changed`: the form showed another text. */
function consentOf(visit: PortalVisit, sent: Form, instrument: PortalInstrument): GivenConsent | null | 'changed' {
  if (!('method' in instrument)) return null;
  const shown = consentIn(visit, instrument.method);
  const read = readConsent(new URLSearchParams({ ...sent }), shown);
  if (read !== 'given') return read === 'missing' ? null : read;
  return { ...shown, page: 'portal', email: visit.visitor.session.email, ...browserOf(visit) };
}

/** The convenience fee that is to be charged; `toConfirm`: the payer has not confirmed it yet. `changed`: what the page showed is no longer so. */
async function feeOf(
  visit: PortalVisit,
  wanted: Wanted,
  { sent, instrument }: { sent: Form; instrument: PortalInstrument },
): Promise<{ toConfirm: OfferedFee | null; fee: Money | null; amount: Money } | 'changed'> {
  const { site, account, visitor } = visit;
  const { currency } = wanted;
  const planned = await planOf({ ...visit, em: site.deps.em.fork() }, wanted);
  if (typeof planned === 'string' || seenOf(currency, planned) !== sent.seen) return 'changed';
  const amount = planned.total;
  const of = { account, visitor, currency, instrument, amount };
  const offered = await feeInPortal(site.deps.em.fork(), of, site.deps.systemNow());
  if (!offered) return { toConfirm: null, fee: null, amount };
  const confirmed = decimalOf(sent.fee ?? '');
  const isConfirmed = confirmed !== null && compare(confirmed, offered.fee) === 0;
  return { toConfirm: isConfirmed ? null : offered, fee: offered.fee, amount };
}

function decimalOf(text: string): string | null {
  return /^\d{1,14}(\.\d{1,4})?$/.test(text) ? decimalIn(text, { maxDecimals: 4, maxSignificant: 18 }).decimal : null;
}

/** The payer as the bank asks for it. The bank sends it back to the page of the outcome. */
function payerOf(visit: PortalVisit, here: string): PresentPayer {
  const { ip, userAgent } = browserOf(visit);
  return { returnUrl: absolute(`${here}?returned=1`), ip, userAgent: userAgent ?? '' };
}

/** The transaction of the first step. Of two forms with one key at once, the second finds the attempt of the first. */
async function start({ site: { deps } }: PortalVisit, payment: PortalPayment) {
  const once = () =>
    inTransaction(deps.em, async (em) => {
      const started = await startPortalPayment(em, payment, deps.systemNow());
      await failpoint('portal_payment.before_commit');
      return started;
    });
  try {
    const started = await once();
    await failpoint('portal_payment.committed');
    return started;
  } catch (error) {
    if (brokenUnique(error) !== 'attempt_key') throw error;
    return once();
  }
}

/** The second and third step. A failure is logged: the page of the outcome tells what became of the payment. */
async function run({ site: { deps } }: PortalVisit, key: { accountId: number; id: number }): Promise<void> {
  try {
    await withoutPlace(() => runAttempt(deps, key));
  } catch (error) {
    deps.log.error({ err: error, account: key.accountId, attempt: key.id }, 'a payment in a portal was interrupted');
  }
  deps.poke();
}
