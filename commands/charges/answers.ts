import type { ErrorCode } from '../../billing/errorCodes.ts';
import type { Presented } from '../../billing/json.ts';
import { declineCodeOf } from '../../billing/payments/declines.ts';
import type { EntityManager } from '../../db/orm.ts';
import { linesOf } from '../../db/queries/documents/lines.ts';
import { type Attempt, type AttemptKind, isOfInvoice } from '../../db/schema/attempt.ts';
import { AttemptInvoice } from '../../db/schema/attemptParts.ts';
import { Charge } from '../../db/schema/charge.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { Idempotency } from '../../db/schema/idempotency.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { Payment } from '../../db/schema/payment.ts';
import { Refund } from '../../db/schema/refund.ts';
import { presentInvoice } from '../../present/documents/invoice.ts';
import { presentError } from '../../present/kernel/error.ts';
import { attemptInWords, declinedInWords } from '../../present/payments/attempt.ts';
import { presentPayment } from '../../present/payments/payment.ts';
import { presentPaymentSource } from '../../present/payments/paymentSource.ts';
import { presentRefund } from '../../present/payments/refund.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';

/** The API's answer to a request. */
export interface Answer {
  statusCode: number;
  body: Presented;
}

/** What the outcome of an attempt has written, if its transaction is at hand. Its answer then need not read it again. */
export interface Written {
  charge?: Charge;
  payment?: Payment;
  /** The invoices that were charged. */
  invoices?: readonly LockedInvoice[];
}

/** The answer to the request that started an attempt; null: there is no outcome yet. */
export async function answerOf(em: EntityManager, attempt: Attempt, written: Written = {}): Promise<Answer | null> {
  switch (attempt.state) {
    case 'open':
    case 'waiting':
      return null;
    case 'failed':
      return { statusCode: 400, body: await declinedAnswer(em, attempt, written) };
    case 'abandoned':
      return { statusCode: 400, body: await neverMade(em, attempt) };
    default:
      return answers[attempt.kind](em, attempt, written);
  }
}

/** The code of a decline, by what was asked of the gateway. */
function declinedCode({ kind, method }: Attempt): ErrorCode {
  if (kind === 'verify_source') return 'verification_failed';
  if (kind === 'refund' || kind === 'delete_source') return 'gateway_refused';
  return method === 'ach' ? 'bank_debit_declined' : 'card_declined';
}

async function declinedAnswer(em: EntityManager, attempt: Attempt, written: Written): Promise<Presented> {
  const { accountId, kind, declineKind = null, failureCode = null } = attempt;
  const charge = kind === 'charge' ? (written.charge ?? (await em.findOne(Charge, { accountId, attempt }))) : null;
  return presentError({
    type: 'invalid_request',
    code: declinedCode(attempt),
    message: declinedInWords(attempt),
    decline: {
      code: declineCodeOf(failureCode, declineKind),
      chargeId: charge?.id ?? null,
      isRetryable: declineKind === 'soft',
    },
  });
}

async function neverMade(em: EntityManager, attempt: Attempt): Promise<Presented> {
  const code = attempt.interruption === 'refused' ? 'gateway_refused' : 'gateway_unavailable';
  return presentError({ type: 'api', code, message: await retryInstructions(em, attempt) });
}

type AnswerOf = (em: EntityManager, attempt: Attempt, written: Written) => Promise<Answer | null>;

/** The answers about operations that the gateway did, or is doing. */
const answers: Readonly<Record<AttemptKind, AnswerOf>> = {
  charge: chargeAnswer,
  vault: sourceAnswer,
  verify_source: verifiedAnswer,
  delete_source: sourceAnswer,
  refund: refundAnswer,
};

/** Explains an abandoned attempt, and how to retry it. A retry needs a new Idempotency-Key, because the old one replays this answer. */
async function retryInstructions(em: EntityManager, attempt: Attempt): Promise<string> {
  const { accountId, id } = attempt;
  const isKeyed = (await em.count(Idempotency, { accountId, attemptId: id })) > 0;
  const again = isKeyed ? 'with a new Idempotency-Key: the old one returns this answer again' : 'again';
  const said = attempt.interruption === 'refused' ? `. It said: ${attempt.failureMessage}` : '';
  return `${attemptInWords(attempt)}${said}. To try again, send the request ${again}`;
}

async function chargeAnswer(em: EntityManager, attempt: Attempt, written: Written): Promise<Answer> {
  const { accountId } = attempt;
  if (isOfInvoice(attempt.origin)) {
    const [paid] = written.invoices ?? [];
    if (paid) return { statusCode: 200, body: presentInvoice(paid.invoice, paid.lines) };
    const target = await em.findOneOrFail(AttemptInvoice, { accountId, attempt });
    const invoice = await em.findOneOrFail(Invoice, { accountId, id: target.invoice.id });
    return { statusCode: 200, body: presentInvoice(invoice, await linesOf(em, 'invoice', invoice)) };
  }
  const payment = written.payment ?? (await paymentOf(em, attempt));
  const { charge } = payment;
  if (!charge) throw new Error(`payment ${payment.id} has no charge`);
  return { statusCode: 201, body: presentPayment(payment, charge) };
}

function paymentOf(em: EntityManager, attempt: Attempt): Promise<Payment> {
  const { accountId } = attempt;
  const of = { accountId, charge: { accountId, attempt } };
  return em.findOneOrFail(Payment, of, { populate: ['charge'], strategy: 'joined' });
}

async function refundAnswer(em: EntityManager, attempt: Attempt): Promise<Answer> {
  const refund = await em.findOneOrFail(Refund, { accountId: attempt.accountId, attempt });
  return { statusCode: 201, body: presentRefund(refund, attempt.customer.id) };
}

/** Null while the gateway has not told whether the bank account is verified. */
async function verifiedAnswer(em: EntityManager, attempt: Attempt): Promise<Answer | null> {
  const stored = attempt.state === 'succeeded' ? await sourceAnswer(em, attempt) : null;
  return stored && { statusCode: 200, body: stored.body };
}

/** Null until the gateway has stored the source. */
async function sourceAnswer(em: EntityManager, attempt: Attempt): Promise<Answer | null> {
  const { accountId, source } = attempt;
  if (!source) return null;
  const stored = await em.findOneOrFail(PaymentSource, { accountId, id: source.id });
  return { statusCode: 201, body: presentPaymentSource(stored) };
}

/**
 * The answer to the request that started an attempt, in the transaction of its outcome. Stores it for replays if the request has a key. Null:
 * there is no answer yet, or nobody needs it: the request has no key, and `isAwaited` says that it does not wait here.
 */
export async function storeAnswer(
  em: EntityManager,
  attempt: Attempt,
  { written, isAwaited }: { written: Written; isAwaited: boolean },
): Promise<Answer | null> {
  const { accountId, id, origin } = attempt;
  if (origin === 'autopay') return null;
  const row = await em.findOne(Idempotency, { accountId, attemptId: id, statusCode: null });
  if (!row && !isAwaited) return null;
  await em.sendWrites();
  const answer = await answerOf(em, attempt, written);
  if (!row || !answer) return answer;
  const { statusCode, body } = answer;
  em.assign(row, { statusCode, body: JSON.stringify(body), customerId: attempt.customer.id });
  return answer;
}
