import { runAttempt } from '../../../commands/charges/attempts.ts';
import { startCharge } from '../../../commands/charges/charges.ts';
import type { Outcome } from '../../../commands/charges/openAttempt.ts';
import { operationOf } from '../../../commands/charges/operations.ts';
import { startVault, startVerification } from '../../../commands/charges/paymentSources.ts';
import { startRefund } from '../../../commands/charges/refunds.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { Attempt } from '../../../db/schema/attempt.ts';
import { AttemptRefund } from '../../../db/schema/attemptParts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Product } from '../../support/product.ts';
import { charged, nth, onInvoice, type Round } from './asked.ts';
import { LOOK_UP } from './movingVerbs.ts';
import { token } from './payers.ts';

/** Operations that the gateway has carried out for the customer of a round. */

interface Who {
  caller: Caller;
  customerId: number;
}

const KNOWN_ACCOUNT = 'tok_110000000_123456789';

/** Charges 20.00 for the credit balance, and confirms a refund of 5.00 at the gateway without recording its outcome. */
export async function chargeAndRefund(
  product: Product,
  { caller, customerId, sourceId }: Who & { sourceId: number },
): Promise<Pick<Round, 'chargeId' | 'chargeAttemptId' | 'chargeReference' | 'refundId' | 'refundOutcome'>> {
  const { deps } = product;
  const applications = [{ type: 'credit' as const, invoiceId: null, amount: '20' }];
  const instrument = { sourceId, type: 'card' as const };
  const id = await charge(product, { ...charged, caller, customerId, applications, instrument });
  const [made] = await product.rows<{ id: number; gateway_id: string }>(
    `select id, gateway_id from charge where attempt_id = ${id}`,
  );
  const chargeId = made?.id ?? 0;
  const { gateways, lookUpDelay } = deps;
  const wanted = { caller, chargeId, gateways, amount: '5', lookUpDelay };
  const refund = await inTransaction(deps.em, (em) => startRefund(em, wanted, deps.systemNow()));
  const refundOutcome = await askGateway(product, refund.id);
  return { chargeId, chargeAttemptId: id, chargeReference: made?.gateway_id ?? '', refundId: refund.id, refundOutcome };
}

/** Debits 10.00, of which 2.00 pay an invoice. The rest is credit. */
export async function debit(
  product: Product,
  { invoiceId, ...who }: Who & { invoiceId: number },
): Promise<Pick<Round, 'debitAttemptId'>> {
  const sourceId = await storeSource(product, { ...who, method: 'ach', token: KNOWN_ACCOUNT });
  const instrument = { sourceId, type: 'bank_account' as const };
  const applications = [onInvoice(invoiceId, '2'), { type: 'credit' as const, invoiceId: null, amount: '8' }];
  const asked = { ...charged, ...who, method: 'ach' as const, amount: '10', instrument, applications };
  return { debitAttemptId: await charge(product, asked) };
}

/** Runs a charge. Its return and disputes are looked up once. Returns the id of its attempt. */
async function charge(product: Product, asked: Parameters<typeof startCharge>[1]): Promise<number> {
  const { deps, accountId } = product;
  const { id } = await inTransaction(deps.em, (em) => startCharge(em, asked, deps.systemNow()));
  await runAttempt(deps, { accountId, id });
  await product.rows(`update attempt set reversal_look_ups = ${LOOK_UP} where id = ${id}`);
  return id;
}

/** Stores two bank accounts that are not verified, and confirms a verification of the second without recording its outcome. */
export async function verifyAccount(
  product: Product,
  who: Who,
): Promise<Pick<Round, 'bankIds' | 'verificationId' | 'verificationOutcome'>> {
  const { deps } = product;
  const account = { ...who, method: 'ach' as const, token: token.toVerify };
  const bankIds = [await storeSource(product, account), await storeSource(product, account)];
  const { cipher, lookUpDelay } = deps;
  const asked = { ...who, id: nth(bankIds, 1), amounts: ['0.35', '0.45'], cipher, lookUpDelay };
  const { id } = await inTransaction(deps.em, (em) => startVerification(em, asked, deps.systemNow()));
  return { bankIds, verificationId: id, verificationOutcome: await askGateway(product, id) };
}

/** Stores a card or bank account that does not become the default. Returns its id. */
export async function storeSource(
  product: Product,
  source: Who & { method: 'credit_card' | 'ach'; token: string },
): Promise<number> {
  const { deps, accountId } = product;
  const { token: plain, ...asked } = source;
  const sealed = { sealedToken: deps.cipher.encrypt(plain), isTestToken: true, makeDefault: false };
  const wanted = { ...asked, ...sealed, lookUpDelay: deps.lookUpDelay };
  const { id } = await inTransaction(deps.em, (em) => startVault(em, wanted, deps.systemNow()));
  await runAttempt(deps, { accountId, id });
  const [stored] = await product.rows<{ id: number }>(`select source_id as id from attempt where id = ${id}`);
  return stored?.id ?? 0;
}

/** Confirms an attempt at the gateway and returns the outcome without recording it. */
export async function askGateway(product: Product, id: number): Promise<Outcome> {
  const { deps, accountId } = product;
  const gateway = deps.testGateway;
  const em = deps.em.fork();
  const attempt = await em.findOneOrFail(Attempt, { accountId, id }, { populate: ['source'] });
  const link = await em.findOne(AttemptRefund, { accountId, attempt }, { populate: ['charge'] });
  const operation = operationOf(deps.cipher, { attempt, refundedCharge: link?.charge.gatewayId ?? null });
  const at = deps.systemNow().getTime();
  const signal = AbortSignal.timeout(60_000);
  const { reference } = await gateway.prepare(operation, at, signal);
  await deps.em.fork().nativeUpdate(Attempt, { accountId, id }, { reference });
  return gateway.confirm(reference, at, signal);
}

/** Audits the books. Returns and disputes of a round are not in the gateway's record, so they are not compared with it. */
export async function auditOfRounds(product: Product): Promise<object[]> {
  const found = await product.audit();
  return found.filter(({ check }) => check !== 'what banks hold or took back at the gateway is what we recorded');
}
