import { configurationName } from '../../billing/mail/providers.ts';
import { Refusal } from '../../billing/refusal.ts';
import { brokenUnique } from '../../db/failure.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockCountOf, lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { wakeRefusedInvoices } from '../../db/queries/charges/attempts.ts';
import { Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import { Customer, PaymentSource } from '../../db/schema/customer.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { closeProblemOf } from '../kernel/problems.ts';
import type { Cipher, OpenedMerchant } from '../ports/ports.ts';

export interface MerchantFields {
  name: string;
  publishableKey: string | null;
  /** Lower case; empty: all. */
  currencies: string[];
}

export interface NewMerchantAccount extends MerchantFields {
  caller: Caller;
  cipher: Cipher;
  gateway: string;
  secretKey: string;
  eventSecret: string | null;
  /** The gateway's account that the secret key opens. */
  opened: OpenedMerchant;
}

export interface MerchantKey {
  caller: Caller;
  id: number;
}

/** Undefined: unchanged. */
export interface MerchantChange extends MerchantKey {
  cipher: Cipher;
  name: string | undefined;
  publishableKey: string | null | undefined;
  currencies: string[] | undefined;
  /** A new secret key, with the gateway's account that it opens. */
  secret: { key: string; opened: OpenedMerchant } | undefined;
  eventSecret: string | null | undefined;
}

const MOST_MERCHANT_ACCOUNTS = 50;

/**
 * Adds a merchant account. Refuses a key that moves real money in the sandbox, one that does not in live, and an account of the gateway that
 * is configured already.
 */
export async function createMerchantAccount(
  em: EntityManager,
  input: NewMerchantAccount,
  systemNow: Date,
): Promise<MerchantAccount> {
  const { caller, cipher, gateway, secretKey, eventSecret, opened, name, publishableKey, currencies } = input;
  const accountId = caller.account.id;
  refuseOtherMode(caller, opened);
  refuseOtherPublishable(publishableKey, opened);
  refuseOtherSecret(eventSecret);
  await lockCountOf(em, 'merchant_account', accountId);
  const count = await em.count(MerchantAccount, { accountId, deletedAt: null });
  if (count >= MOST_MERCHANT_ACCOUNTS)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_MERCHANT_ACCOUNTS} merchant accounts`);
  const { merchant_account: id } = await reserveIds(em, 'merchant_account');
  const merchant = em.create(MerchantAccount, {
    accountId,
    id,
    gateway,
    name,
    publishableKey,
    currencies,
    gatewayAccount: opened.reference,
    sealedSecretKey: cipher.encrypt(secretKey),
    sealedEventSecret: eventSecret === null ? null : cipher.encrypt(eventSecret),
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  try {
    await em.write();
  } catch (error) {
    if (brokenUnique(error) !== 'merchant_account_once') throw error;
    throw new Refusal('already_taken', `Account ${opened.reference} is configured already`, 'secret_key');
  }
  return merchant;
}

/**
 * Changes a merchant account. With a new secret key, AutoPay charges what the gateway had refused. Refuses a key that belongs to another
 * account at the gateway, and one for the other mode. Throws Missing.
 */
export async function updateMerchantAccount(
  em: EntityManager,
  change: MerchantChange,
  systemNow: Date,
): Promise<MerchantAccount> {
  const { caller, cipher, secret, eventSecret, name, publishableKey, currencies } = change;
  const merchant = await lockMerchantAccount(em, change);
  if (secret) {
    refuseOtherMode(caller, secret.opened);
    if (secret.opened.reference !== merchant.gatewayAccount)
      throw new Refusal(
        'parameter_invalid',
        `Secret key is not of account ${merchant.gatewayAccount}: add another one`,
        'secret_key',
      );
    merchant.sealedSecretKey = cipher.encrypt(secret.key);
    await closeProblemOf(em, problemOf(merchant), systemNow);
    await wakeRefusedInvoices(em, merchant, systemNow);
  }
  refuseOtherSecret(eventSecret ?? null);
  if (eventSecret !== undefined) merchant.sealedEventSecret = eventSecret === null ? null : cipher.encrypt(eventSecret);
  if (publishableKey) refuseOtherPublishable(publishableKey, { isLive: caller.account.environment === 'live' });
  const isSealed = secret !== undefined || eventSecret !== undefined;
  if (!assignChanges(merchant, { name, publishableKey, currencies }) && !isSealed) return merchant;
  merchant.updatedAt = systemNow;
  return merchant;
}

/**
 * Marks a merchant account as deleted and erases its secrets. Refuses one with operations that have no outcome yet, with stored sources, or
 * that a customer names. Its charges can no longer be refunded from here. Throws Missing.
 */
export async function deleteMerchantAccount(
  em: EntityManager,
  key: MerchantKey,
  systemNow: Date,
): Promise<MerchantAccount> {
  const merchant = await lockMerchantAccount(em, key);
  const of = { accountId: merchant.accountId, gateway: configurationName(merchant) };
  if ((await em.count(Attempt, { ...of, state: { $in: UNDECIDED } })) > 0)
    throw new Refusal(
      'state_conflict',
      'Operations of the merchant account have no outcome yet: delete it once they have',
    );
  const sources = await em.count(PaymentSource, { ...of, deletedAt: null });
  if (sources > 0) throw new Refusal('in_use', `Merchant account stores payment sources: delete the ${sources} first`);
  const named = { $or: [{ cardMerchantAccount: merchant }, { bankMerchantAccount: merchant }] };
  const [customer] = await em.find(Customer, { accountId: merchant.accountId, ...named }, { fields: ['id'], limit: 1 });
  if (customer)
    throw new Refusal('in_use', `Customer ${customer.id} has the merchant account: choose another one for it first`);
  await closeProblemOf(em, problemOf(merchant), systemNow);
  const gone = { sealedSecretKey: null, sealedEventSecret: null, deletedAt: systemNow, updatedAt: systemNow };
  return Object.assign(merchant, gone);
}

/** The problem that its gateway refuses requests. */
const problemOf = ({ accountId, id: subjectId }: MerchantAccount) => ({
  accountId,
  subjectType: 'merchant_account',
  subjectId,
});

/** A merchant account that is not deleted. Throws Missing. */
export async function findMerchantAccount(em: EntityManager, { caller, id }: MerchantKey): Promise<MerchantAccount> {
  const merchant = await em.findOne(MerchantAccount, { accountId: caller.account.id, id, deletedAt: null });
  if (!merchant) throw new Missing('Merchant account', id);
  return merchant;
}

/** Locks a merchant account that is not deleted. Throws Missing. */
async function lockMerchantAccount(em: EntityManager, { caller, id }: MerchantKey): Promise<MerchantAccount> {
  const merchant = await lockRow(em, MerchantAccount, { accountId: caller.account.id, id });
  if (!merchant || merchant.deletedAt) throw new Missing('Merchant account', id);
  return merchant;
}

function refuseOtherMode({ account }: Caller, { isLive }: OpenedMerchant): void {
  if (isLive === (account.environment === 'live')) return;
  const message = isLive
    ? 'Secret key moves real money: use a test key in the sandbox'
    : 'Secret key is for tests: use a live key, or the sandbox';
  throw new Refusal('parameter_invalid', message, 'secret_key');
}

function refuseOtherPublishable(publishableKey: string | null, { isLive }: Pick<OpenedMerchant, 'isLive'>): void {
  const mode = isLive ? 'live' : 'test';
  if (publishableKey !== null && !publishableKey.startsWith(`pk_${mode}_`))
    throw new Refusal('parameter_invalid', `Publishable key must begin with pk_${mode}_`, 'publishable_key');
}

/** Refuses what is no secret of an endpoint at Stripe, such as its secret key or the address of the endpoint. */
function refuseOtherSecret(eventSecret: string | null): void {
  if (eventSecret !== null && !/^whsec_\S+$/.test(eventSecret))
    throw new Refusal('parameter_invalid', 'Event secret must begin with whsec_, without spaces', 'event_secret');
}
