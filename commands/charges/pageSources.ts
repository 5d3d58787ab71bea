import { createHash } from 'node:crypto';
import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { PresentPayer } from '../../billing/payments/presentPayer.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { logActOfCustomer } from '../kernel/auditLog.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import { lockCustomer } from '../kernel/lockedCustomer.ts';
import type { Cipher } from '../ports/ports.ts';
import type { GivenConsent } from './consents.ts';
import type { AttemptTiming } from './newAttempt.ts';
import { startVault, startVerification } from './paymentSources.ts';

/** A payment source that a customer adds on its page. */
export interface PageSource extends AttemptTiming {
  account: Account;
  customerId: number;
  /** Key of the attempt: `pageKeyOf` the form that was sent. */
  key: string;
  method: SourceMethod;
  /** Token that the fields of the page made. */
  serviceToken: string;
  consent: GivenConsent;
  payer: PresentPayer;
  /** Absent: it becomes the default one. */
  makeDefault?: boolean;
}

/** Maximum number of sources that visitors of a customer's page try to add in an hour, so that nobody tests stolen cards there. */
const MOST_TRIES = 20;
const HOUR_MILLISECONDS = 3_600_000;

/**
 * The key of the attempt that a form starts, as a UUID. The same form always gives the same key. It is made with the secret in the page's
 * URL, so no form can name another customer's attempt.
 */
export function pageKeyOf(page: { accountId: number; id: number; token: string }, form: string): string {
  const { accountId, id, token } = page;
  const digest = createHash('sha256').update(`page source ${accountId} ${id} ${token} ${form}`).digest('hex');
  const [a, b, c] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(13, 16)];
  return `${a}-${b}-8${c}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** Whether the form had started an attempt before. */
export interface Started {
  attempt: Attempt;
  isNew: boolean;
}

/**
 * First of three steps of adding a payment source on a page. The same form starts one attempt: sent again, it finds that one. Refuses a token
 * that cannot be used, and too many tries. Throws Missing.
 */
export async function startPageSource(em: EntityManager, input: PageSource, systemNow: Date): Promise<Started> {
  const { account, customerId, key, ...more } = input;
  const caller = systemCallerOf(account);
  const locked = await lockCustomer(em, { caller, customerId }, systemNow);
  const earlier = await em.findOne(Attempt, { accountId: account.id, key });
  if (earlier) return { attempt: earlier, isNew: false };
  const since = { startedAt: { $gt: new Date(systemNow.getTime() - HOUR_MILLISECONDS) } };
  const owner = [account.id, customerId] as const;
  const tries = { accountId: account.id, customer: owner, kind: 'vault' as const, origin: 'page' as const, ...since };
  if ((await em.count(Attempt, tries)) >= MOST_TRIES)
    throw new Refusal('limit_exceeded', 'Too many payment sources were tried', 'tries');
  const source = { ...more, caller, customerId: locked.customer.id, makeDefault: input.makeDefault ?? true, key };
  const attempt = await startVault(em, { ...source, origin: 'page' }, systemNow);
  const { id } = locked.customer;
  const act = { operation: 'addSourceOnPage', object: { type: 'customer', id } };
  logActOfCustomer(em, { accountId: account.id, customerId: id, ...act }, systemNow);
  return { attempt, isNew: true };
}

/** The confirmation of a bank account by the amounts of two deposits. */
export interface PageVerification extends AttemptTiming {
  account: Account;
  customerId: number;
  sourceId: number;
  key: string;
  amounts: readonly string[];
  cipher: Cipher;
}

/** The same for a confirmation of a bank account. One form is one try. Refuses what `startVerification` refuses. Throws Missing. */
export async function startPageVerification(
  em: EntityManager,
  input: PageVerification,
  systemNow: Date,
): Promise<Started> {
  const { account, sourceId: id, ...more } = input;
  const caller = systemCallerOf(account);
  await lockCustomer(em, { caller, customerId: more.customerId }, systemNow);
  const earlier = await em.findOne(Attempt, { accountId: account.id, key: more.key });
  if (earlier) return { attempt: earlier, isNew: false };
  const attempt = await startVerification(em, { ...more, id, caller, origin: 'page' }, systemNow);
  const act = { operation: 'verifySourceOnPage', object: { type: 'bank_account', id } };
  logActOfCustomer(em, { accountId: account.id, customerId: more.customerId, ...act }, systemNow);
  return { attempt, isNew: true };
}
