import type { TestGateway } from '../../adapters/gateways/test/gateway.ts';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import {
  type AttemptName,
  leaveChallenge,
  returnFromChallenge,
  statusOfAttempt,
} from '../../commands/charges/challenges.ts';
import { startCharge } from '../../commands/charges/charges.ts';
import type { AttemptDeps } from '../../commands/charges/openAttempt.ts';
import { startVault } from '../../commands/charges/paymentSources.ts';
import { systemCaller } from '../../commands/kernel/caller.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { absolute } from '../../present/kernel/links.ts';

/** A card whose bank asks the payer to authenticate. */
export const CHALLENGED = 'tok_4000000000003220';

/** An account whose customers pay on pages. */
export interface PayingPage {
  deps: AttemptDeps & { lookUpDelay: number };
  gateway: Pick<TestGateway, 'challenges'>;
  accountId: number;
}

/** An attempt that a page began. */
export interface BegunByPage extends AttemptName {
  id: number;
}

const payerNow = () => ({ returnUrl: absolute('/back'), ip: '192.0.2.7', userAgent: 'Mozilla/5.0' });

/** Begins the charge of an invoice as a page does, without asking the gateway. */
export async function beginPayment(
  { deps, accountId }: PayingPage,
  asked: { customerId: number; invoiceId: number; amount: string; token?: string; isAbsent?: boolean },
): Promise<BegunByPage> {
  const { customerId, invoiceId, amount, token = CHALLENGED, isAbsent = false } = asked;
  const { key, id } = await withAccount(accountId, () =>
    inTransaction(deps.em, async (em) =>
      startCharge(
        em,
        {
          caller: await systemCaller(em, accountId),
          customerId,
          method: 'credit_card',
          currency: 'usd',
          amount,
          applications: [{ type: 'invoice', invoiceId, amount }],
          instrument: { sealedToken: deps.cipher.encrypt(token), isTestToken: true, card: null },
          vault: false,
          makeDefault: false,
          receiptEmail: null,
          lookUpDelay: deps.lookUpDelay,
          origin: 'page',
          payer: isAbsent ? null : payerNow(),
        },
        deps.systemNow(),
      ),
    ),
  );
  return { accountId, key, id };
}

/** Begins the charge of an invoice as a page does, and asks the gateway. */
export async function payOnPage(page: PayingPage, asked: Parameters<typeof beginPayment>[1]): Promise<BegunByPage> {
  const begun = await beginPayment(page, asked);
  await withAccount(page.accountId, () => runAttempt(page.deps, begun));
  return begun;
}

/** Stores a card as a page does. */
export async function storeOnPage(page: PayingPage, customerId: number, token = CHALLENGED): Promise<BegunByPage> {
  const { deps, accountId } = page;
  const { key, id } = await withAccount(accountId, () =>
    inTransaction(deps.em, async (em) =>
      startVault(
        em,
        {
          caller: await systemCaller(em, accountId),
          customerId,
          method: 'credit_card',
          sealedToken: deps.cipher.encrypt(token),
          isTestToken: true,
          makeDefault: true,
          lookUpDelay: deps.lookUpDelay,
          origin: 'page',
          payer: payerNow(),
        },
        deps.systemNow(),
      ),
    ),
  );
  await withAccount(accountId, () => runAttempt(deps, { accountId, id }));
  return { accountId, key, id };
}

/** The state of an attempt, as its page asks for it. */
export function statusOf({ deps }: PayingPage, name: AttemptName) {
  return withAccount(name.accountId, () => statusOfAttempt(deps.em.fork(), deps.cipher, name));
}

/** The payer answers the challenge of an attempt. False: none is open. */
export async function answerAtBank(page: PayingPage, name: AttemptName, isPassed: boolean): Promise<boolean> {
  const status = await statusOf(page, name);
  const url = status?.status === 'challenge' ? status.url : '';
  return page.gateway.challenges.answer(url.split('/').at(-1) ?? '', isPassed);
}

/** The payer answers the challenge of an attempt and comes back. */
export async function comeBack(page: PayingPage, name: AttemptName, isPassed: boolean): Promise<void> {
  await answerAtBank(page, name, isPassed);
  await returned(page, name);
}

/** The payer comes back, or looks again. */
export function returned({ deps }: PayingPage, name: AttemptName): Promise<void> {
  return withAccount(name.accountId, () => returnFromChallenge(deps, name));
}

/** The payer does not want to authenticate. */
export function left({ deps }: PayingPage, name: AttemptName): Promise<void> {
  return withAccount(name.accountId, () => leaveChallenge(deps, name));
}

/** The process of an attempt looks it up. */
export function lookedUp({ deps }: PayingPage, begun: BegunByPage): Promise<void> {
  return withAccount(begun.accountId, () => settleAttempt(deps, begun));
}
