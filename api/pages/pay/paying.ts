import { EMAIL } from '../../../billing/emailAddress.ts';
import { compare, decimalIn } from '../../../billing/money.ts';
import { isSourceMethod, type SourceMethod } from '../../../billing/paymentMethods.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import {
  applyCreditBeforePayment,
  attemptKeyOf,
  feeOfPagePayment,
  type OfferedFee,
  type PagePayment,
  startPagePayment,
} from '../../../commands/charges/pagePayments.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { brokenUnique } from '../../../db/failure.ts';
import { pageAttempt } from '../../../db/queries/charges/pageAttempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { absolute } from '../../../present/kernel/origin.ts';
import type { PayingError } from '../../../present/printed/paying/wording.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { missingPage } from '../hosted/page.ts';
import { readConsent } from '../kit/consent.ts';
import { answerPage } from '../kit/page.ts';
import { readForm, seeOther } from '../kit/posted.ts';
import { OTHER } from './amountChoice.ts';
import { consentFor } from './payPage.ts';
import { showFeePage, showPayPage } from './showing.ts';
import type { Visit } from './visit.ts';

const FORM = /^[0-9a-f]{32}$/;
const LONGEST = 255;
const CONTROL = /\p{Cc}/u;

/** Takes the form of the pay page: starts the payment and answers with the page of its outcome, or with the form and what is wrong. */
export async function takePayment(visit: Visit): Promise<void> {
  const { ctx, named, paying, paths } = visit;
  const sent = await readForm(ctx);
  const refuse = (error: PayingError) => showPayPage(visit, refusedForm(sent, error));
  const form = sent.get('form') ?? '';
  if (!FORM.test(form) || hasNul(sent)) return refuse('form');
  const key = attemptKeyOf(paying.document, form);
  if (await pageAttempt(visit.opened.em, named, key)) return seeOther(ctx, paths.payment(key));
  const read = readPayment(visit, sent);
  if (typeof read === 'string') return refuse(read);
  try {
    const { em } = visit.deps;
    await inTransaction(em, (own) => applyCreditBeforePayment(own, read, visit.deps.systemNow()));
    const { asked, fee } = await feeStep(visit, read);
    if (asked) return showFeePage(visit, { sent, amount: read.amount, fee: asked });
    const { attempt, isNew } = await start(visit, { ...read, fee, key, payer: payerOf(visit, key) });
    visit.deps.poke();
    if (isNew) await run(visit, { accountId: named.accountId, id: attempt.id });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Missing)) throw error;
    // The page shows the document as it is now: paid meanwhile, perhaps, or deleted.
    const again = await visit.again();
    if (!again) return answerPage(ctx, missingPage(ctx.acceptsLanguages()), 404);
    const name = error instanceof Refusal ? error.param : undefined;
    return showPayPage(again, refusedForm(sent, ERRORS[name ?? ''] ?? 'form'));
  }
  seeOther(ctx, paths.payment(key));
}

/** The error of the page, by the parameter that the refusal names. */
const ERRORS: Readonly<Record<string, PayingError>> = {
  invoice: 'changed',
  estimate: 'changed',
  seen: 'changed',
  applied_to: 'busy',
  amount: 'amount',
  method: 'method',
  gateway_token: 'token',
  service_token: 'token',
  tries: 'tries',
};

function refusedForm(sent: URLSearchParams, error: PayingError) {
  const text = (name: string) => (sent.get(name) ?? '').slice(0, LONGEST).replaceAll('\0', '');
  return {
    error,
    method: text('method'),
    typed: {
      choice: text('choice'),
      amount: text('amount'),
      name: text('name'),
      email: text('email'),
      isSaved: sent.get('consent') === 'yes',
    },
  };
}

function hasNul(sent: URLSearchParams): boolean {
  return [...sent].flat().some((text) => text.includes('\0'));
}

type Read = Omit<PagePayment, 'key' | 'payer'>;

/** The visitor's consent to automatic payment. Null: none was given. `changed`: the form showed another text. */
function consentIn(
  { payee, ip, userAgent }: Visit,
  sent: URLSearchParams,
  method: SourceMethod,
): PagePayment['consent'] | 'changed' {
  const shown = consentFor(payee, method);
  const read = readConsent(sent, shown);
  if (read !== 'given') return read === 'missing' ? null : read;
  return { ...shown, page: 'pay', ip, userAgent };
}

/** Reads what was sent. Returns the error when something is missing or malformed. */
function readPayment(visit: Visit, sent: URLSearchParams): Read | PayingError {
  const { deps, opened, named, seen } = visit;
  const text = (name: string) => (sent.get(name) ?? '').trim();
  const [method, name, email, token] = [text('method'), text('name'), text('email'), text('service_token')];
  if (text('seen') !== seen) return 'changed';
  if (!isSourceMethod(method)) return 'method';
  const choice = text('choice');
  const amount = decimalOf(choice === '' || choice === OTHER ? text('amount') : choice);
  if (amount === null) return 'amount';
  if (name.length > LONGEST || CONTROL.test(name)) return 'form';
  if (email !== '' && (email.length > LONGEST || !EMAIL.test(email))) return 'email';
  if (token === '') return 'token';
  const consent = consentIn(visit, sent, method);
  if (consent === 'changed') return consent;
  return {
    account: opened.account,
    document: { type: named.type, id: named.id },
    seen,
    method,
    amount,
    fee: decimalOf(text('fee')),
    serviceToken: token,
    receiptName: name === '' ? null : name,
    receiptEmail: email === '' ? null : email,
    consent,
    lookUpDelay: deps.lookUpDelay,
  };
}

/** The convenience fee that is to be charged; `asked`: the visitor has not confirmed it yet. */
async function feeStep({ deps, paying }: Visit, read: Read): Promise<{ asked: OfferedFee | null; fee: string | null }> {
  const { customer, currency } = paying.document;
  const about = { ...read, customerId: customer.id, currency };
  const offered = await feeOfPagePayment(deps.em.fork(), about, deps.systemNow());
  if (offered === null) return { asked: null, fee: null };
  const isConfirmed = read.fee !== null && compare(offered.fee, read.fee) === 0;
  return { asked: isConfirmed ? null : offered, fee: offered.fee };
}

const MOST_DECIMALS = 4;

/** The decimal text of a typed amount, with a point or a comma. Null: it is none. */
function decimalOf(typed: string): string | null {
  if (!/^\d{1,14}([.,]\d{1,4})?$/.test(typed)) return null;
  return decimalIn(typed.replace(',', '.'), { maxDecimals: MOST_DECIMALS, maxSignificant: 15 }).decimal;
}

/** The visitor as the bank asks for it. The bank sends it back to the page of the outcome. */
function payerOf({ ip, userAgent, paths }: Visit, key: string): PagePayment['payer'] {
  return { returnUrl: absolute(`${paths.payment(key)}?returned=1`), ip, userAgent: userAgent ?? '' };
}

/** The transaction of the first step. Two forms with one key at once: the second one finds the attempt of the first. */
async function start({ deps }: Visit, payment: PagePayment) {
  const once = () => inTransaction(deps.em, (em) => startPagePayment(em, payment, deps.systemNow()));
  try {
    return await once();
  } catch (error) {
    if (brokenUnique(error) !== 'attempt_key') throw error;
    return await once();
  }
}

/** The second and third step. A failure is logged: the outcome page tells what became of the payment. */
async function run({ deps }: Visit, key: { accountId: number; id: number }): Promise<void> {
  try {
    await withoutPlace(() => runAttempt(deps, key));
  } catch (error) {
    deps.log.error({ err: error, account: key.accountId, attempt: key.id }, 'a payment on a page was interrupted');
  }
  deps.poke();
}
