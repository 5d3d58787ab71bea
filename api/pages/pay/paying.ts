import { EMAIL } from '../../../billing/mail/mailSender.ts';
import { compare } from '../../../billing/money/money.ts';
import { isSourceMethod, type SourceMethod } from '../../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import {
  applyCreditBeforePayment,
  attemptKeyOf,
  feeOfPagePayment,
  type OfferedFee,
  type PageInstrument,
  type PagePayment,
  startPagePayment,
} from '../../../commands/charges/pagePayments.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { brokenUnique } from '../../../db/failure.ts';
import { pageAttempt } from '../../../db/queries/charges/pageAttempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { absolute } from '../../../present/kernel/links.ts';
import type { PayingError } from '../../../words/paying/wording.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { answerMissing } from '../hosted/page.ts';
import { readConsent } from '../kit/consent.ts';
import { readForm, seeOther } from '../kit/posted.ts';
import { sourcesOfPayer } from '../portal/signedInPayer.ts';
import { decimalOf, OTHER } from './amountChoice.ts';
import type { Unconfirmed } from './confirmPage.ts';
import { consentFor } from './payPage.ts';
import { canPay, showConfirmPage, showPayPage } from './showing.ts';
import type { Posted, Visit } from './visit.ts';

const FORM = /^[0-9a-f]{32}$/;
const LONGEST = 255;
const CONTROL = /\p{Cc}/u;

/** Takes the form of the pay page: starts the payment and answers with the page of its outcome, or with the form and what is wrong. */
export async function takePayment(posted: Posted): Promise<void> {
  const { ctx, deps, named, document, paths } = posted;
  const sent = await readForm(ctx);
  const form = sent.get('form') ?? '';
  if (!FORM.test(form) || hasNul(sent))
    return showNow(posted, (visit) => showPayPage(visit, refusedForm(sent, 'form')));
  const key = attemptKeyOf({ ...named, token: document.token }, form);
  if (await pageAttempt(posted.em, named, key)) return seeOther(ctx, paths.payment(key));
  const read = await readPayment(posted, sent);
  if (typeof read === 'string') return refuse(posted, sent, read);
  try {
    await creditStep(posted, read);
    const { asked, fee } = await feeStep(posted, read);
    if (asked || !isShown(sent, read.amount)) return confirm(posted, { sent, amount: read.amount, fee: asked });
    const { attempt, isNew } = await start(posted, { ...read, fee, key, payer: payerOf(posted, key) });
    deps.poke();
    if (isNew) await run(posted, { accountId: named.accountId, id: attempt.id });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Missing)) throw error;
    const name = error instanceof Refusal ? error.param : undefined;
    return refuse(posted, sent, ERRORS[name ?? ''] ?? 'form');
  }
  seeOther(ctx, paths.payment(key));
}

/** Shows the document as it is now: changed or paid meanwhile, perhaps, or deleted. */
async function showNow({ ctx, deps, named, open }: Posted, show: (visit: Visit) => Promise<void>): Promise<void> {
  const visit = await open();
  if (visit) await show(visit);
  else await answerMissing(ctx, deps.em.fork(), named.accountId);
}

/** Shows the form again. That its page was outdated matters more than any other error. */
function refuse(posted: Posted, sent: URLSearchParams, error: PayingError): Promise<void> {
  return showNow(posted, (visit) =>
    showPayPage(visit, refusedForm(sent, visit.seen === seenIn(sent) ? error : 'changed')),
  );
}

/** Shows the amount and the fee of a form, unless its page was outdated, or its amount cannot be paid. */
function confirm(posted: Posted, asked: Unconfirmed): Promise<void> {
  const { sent } = asked;
  return showNow(posted, async (visit) => {
    if (visit.seen !== seenIn(sent)) return showPayPage(visit, refusedForm(sent, 'changed'));
    if (!(await canPay(visit, asked))) return showPayPage(visit, refusedForm(sent, 'amount'));
    showConfirmPage(visit, asked);
  });
}

/** Whether the button of a form named the amount that it pays. It may not, where no script runs. */
function isShown(sent: URLSearchParams, amount: string): boolean {
  const shown = decimalOf((sent.get('shown_amount') ?? '').trim());
  return shown !== null && compare(shown, amount) === 0;
}

/** The hash of what the page showed from which a form was sent. */
const seenIn = (sent: URLSearchParams): string => (sent.get('seen') ?? '').trim();

/** The error of the page, by the parameter that the refusal names. */
const ERRORS: Readonly<Record<string, PayingError>> = {
  invoice: 'changed',
  estimate: 'changed',
  seen: 'changed',
  applied_to: 'busy',
  amount: 'amount',
  payment_source_id: 'method',
  method: 'method',
  gateway_token: 'token',
  service_token: 'token',
  tries: 'tries',
};

function refusedForm(sent: URLSearchParams, error: PayingError) {
  const text = (name: string) => (sent.get(name) ?? '').slice(0, LONGEST).replaceAll('\0', '');
  return {
    error,
    decline: null,
    wanted: { method: text('method'), source: text('source') || null },
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
  { document: { account, language }, ip, userAgent }: Posted,
  sent: URLSearchParams,
  method: SourceMethod,
): PagePayment['consent'] | 'changed' {
  const shown = consentFor({ language, seller: account }, method);
  const read = readConsent(sent, shown);
  if (read !== 'given') return read === 'missing' ? null : read;
  return { ...shown, page: 'pay', ip, userAgent };
}

/** Reads what was sent. Returns the error when something is missing or malformed. */
async function readPayment(posted: Posted, sent: URLSearchParams): Promise<Read | PayingError> {
  const { deps, document, named } = posted;
  const text = (name: string) => (sent.get(name) ?? '').trim();
  const [method, name, email] = [text('method'), text('name'), text('email')];
  if (!isSourceMethod(method)) return 'method';
  const choice = text('choice');
  const amount = decimalOf(choice === '' || choice === OTHER ? text('amount') : choice);
  if (amount === null) return 'amount_form';
  if (name.length > LONGEST || CONTROL.test(name)) return 'name';
  if (email !== '' && (email.length > LONGEST || !EMAIL.test(email))) return 'email';
  const instrument = await instrumentIn(posted, { source: text('source'), token: text('service_token') });
  if (typeof instrument === 'string') return instrument;
  const consent = 'sourceId' in instrument ? null : consentIn(posted, sent, method);
  if (consent === 'changed') return consent;
  return {
    account: document.account,
    document: { type: named.type, id: named.id },
    seen: seenIn(sent),
    method,
    amount,
    fee: decimalOf(text('fee')),
    instrument,
    receiptName: name === '' ? null : name,
    receiptEmail: email === '' ? null : email,
    consent,
    lookUpDelay: deps.lookUpDelay,
  };
}

/** What pays: the stored source that was chosen, if the visitor may use it, or what was entered. */
async function instrumentIn(
  { ctx, deps, document: { account, customerId } }: Posted,
  { source, token }: { source: string; token: string },
): Promise<PageInstrument | PayingError> {
  if (source === '') return token === '' ? 'token' : { serviceToken: token };
  const stored = await sourcesOfPayer({ ctx, em: deps.em.fork(), account, customerId }, deps.systemNow());
  const found = stored.find(({ id }) => String(id) === source);
  return found ? { sourceId: found.id, type: found.type } : 'method';
}

/** Lets credit of the customer pay first. A customer without credit needs no transaction for it. */
async function creditStep({ deps, named, document }: Posted, read: Read): Promise<void> {
  if (named.type !== 'invoice' || !document.hasCredit) return;
  await inTransaction(deps.em, (em) => applyCreditBeforePayment(em, read, deps.systemNow()));
}

/** The convenience fee that is to be charged; `asked`: the visitor has not confirmed it yet. */
async function feeStep(
  { deps, document }: Posted,
  read: Read,
): Promise<{ asked: OfferedFee | null; fee: string | null }> {
  const { customerId, currency } = document;
  const about = { ...read, customerId, currency };
  const offered = await feeOfPagePayment(deps.em.fork(), about, deps.systemNow());
  if (offered === null) return { asked: null, fee: null };
  const isConfirmed = read.fee !== null && compare(offered.fee, read.fee) === 0;
  return { asked: isConfirmed ? null : offered, fee: offered.fee };
}

/** The visitor as the bank asks for it. The bank sends it back to the page of the outcome. */
function payerOf({ ip, userAgent, paths }: Posted, key: string): PagePayment['payer'] {
  return { returnUrl: absolute(`${paths.payment(key)}?returned=1`), ip, userAgent: userAgent ?? '' };
}

/** The transaction of the first step. Two forms with one key at once: the second one finds the attempt of the first. */
async function start({ deps }: Posted, payment: PagePayment) {
  const once = () => inTransaction(deps.em, (em) => startPagePayment(em, payment, deps.systemNow()));
  try {
    return await once();
  } catch (error) {
    if (brokenUnique(error) !== 'attempt_key') throw error;
    return await once();
  }
}

/** The second and third step. A failure is logged: the outcome page tells what became of the payment. */
async function run({ deps }: Posted, key: { accountId: number; id: number }): Promise<void> {
  try {
    await withoutPlace(() => runAttempt(deps, key));
  } catch (error) {
    deps.log.error({ err: error, account: key.accountId, attempt: key.id }, 'a payment on a page was interrupted');
  }
  deps.poke();
}
