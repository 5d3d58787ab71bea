import { configurationName, readConfiguration, TEST_GATEWAY } from '../../billing/mail/providers.ts';
import { canCharge, type SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  forgetGatewayCustomer,
  keepGatewayCustomer,
  lockMerchantAccount,
  readGatewayCustomer,
} from '../../db/queries/charges/gateways.ts';
import type { Account } from '../../db/schema/account.ts';
import { type Customer, PaymentSource } from '../../db/schema/customer.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { Cipher, Gateway, GatewayCustomers, GatewayKind, Gateways } from '../ports/ports.ts';
import { recordSource } from './sourceEvents.ts';

/** Number of opened gateways that a process keeps. */
const MOST_KEPT = 200;

interface Opened {
  gateway: Gateway;
  /** The sealed secrets that it was opened with. */
  sealed: string;
}

/**
 * The gateways that accounts have configured. The row is read at each call, so a change of its secrets is effective at once in all processes.
 * `builtIn`: those that need no merchant account, by name.
 */
export function createGateways(of: {
  em: EntityManager;
  cipher: Cipher;
  systemNow: () => Date;
  builtIn: ReadonlyMap<string, Gateway>;
  kinds: ReadonlyMap<string, GatewayKind>;
}): Gateways {
  const { em, cipher, builtIn, kinds, systemNow } = of;
  const kept = new Map<string, Opened>();
  const open = async (configuration: string, merchant: MerchantAccount): Promise<Gateway | null> => {
    const { sealedSecretKey: key, sealedEventSecret: eventSecret = null } = merchant;
    const kind = kinds.get(merchant.gateway);
    if (!kind || !key) return null;
    const sealed = `${key} ${eventSecret}`;
    const known = kept.get(configuration);
    if (known?.sealed === sealed) return known.gateway;
    const secrets = { secretKey: cipher.decrypt(key), eventSecret: eventSecret && cipher.decrypt(eventSecret) };
    const gateway = await kind.open(configuration, secrets, gatewayCustomers({ em, systemNow }, configuration));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(configuration, { gateway, sealed });
    return gateway;
  };
  return {
    kinds,
    async find(accountId, configuration) {
      const fixed = builtIn.get(configuration);
      if (fixed) return fixed;
      const { gateway, merchantAccountId: id } = readConfiguration(configuration);
      if (id === null) return null;
      const merchant = await em.fork().findOne(MerchantAccount, { accountId, id, gateway, deletedAt: null });
      return merchant ? open(configuration, merchant) : null;
    },
  };
}

/** Where the gateway of a merchant account keeps its id of each customer. `gateway`: the configuration. */
function gatewayCustomers(
  { em, systemNow }: { em: EntityManager; systemNow: () => Date },
  gateway: string,
): GatewayCustomers {
  return {
    read: (owner) => readGatewayCustomer(em.fork(), { ...owner, gateway }),
    keep: (owner, known) => keepGatewayCustomer(em.fork(), { ...owner, gateway }, known),
    async lost(owner, reference) {
      await forgetGatewayCustomer(em.fork(), { ...owner, gateway }, reference);
      const { accountId } = owner;
      const stored = { accountId, gateway, gatewayCustomer: reference, deletedAt: null, failureReason: null };
      for (const { id } of await em.fork().find(PaymentSource, stored)) {
        const gone = { accountId, id, knownAt: null, told: null };
        await inTransaction(em, (transaction) => recordSource(transaction, gone, systemNow()));
      }
    },
  };
}

/** Whether a configuration takes a method in a currency. */
export async function takesCurrency(
  em: EntityManager,
  { accountId, configuration }: { accountId: number; configuration: string },
  wanted: { method: SourceMethod; currency: string },
): Promise<boolean> {
  const { gateway, merchantAccountId: id } = readConfiguration(configuration);
  if (!canCharge(gateway, wanted)) return false;
  const merchant = id === null ? null : await em.findOne(MerchantAccount, { accountId, id });
  return !merchant || merchant.currencies.length === 0 || merchant.currencies.includes(wanted.currency);
}

/** Whether an account has this configuration. Until the end of the transaction, a merchant account cannot be deleted. */
export async function lockConfiguration(
  em: EntityManager,
  { accountId, configuration }: { accountId: number; configuration: string },
): Promise<boolean> {
  const { gateway, merchantAccountId } = readConfiguration(configuration);
  if (merchantAccountId === null) return gateway === TEST_GATEWAY;
  return lockMerchantAccount(em, { accountId, id: merchantAccountId, gateway });
}

/** Test tokens: `tok_` with one or two groups of digits, or `tok_script_` with the steps of a script. */
const TEST_TOKEN = /^tok_(\d+(_\d+)?$|script_)/;

/** Whether the sandbox gives a token to its test gateway, even if a merchant account is configured. */
export function isTestToken(token: string): boolean {
  return TEST_TOKEN.test(token);
}

export const METHOD_WORDS: Readonly<Record<SourceMethod, string>> = { credit_card: 'a card', ach: 'a bank account' };

/** A charge or a new source, for which a gateway is needed. `currency` null: any. */
export interface WantedGateway {
  method: SourceMethod;
  currency: string | null;
  isTestToken: boolean;
}

/**
 * A stored source is charged at the gateway that stored it (commands/charges/charges.ts). This is the configuration that stores a customer's
 * new cards or bank accounts, and that charges a token of `POST /charges` without storing it: the customer's merchant account for the method,
 * else the account's first one that takes the currency. A gateway that does not debit bank accounts in the currency is left out. The sandbox
 * has the test gateway, which takes its own tokens, and all others while no merchant account is configured. Refuses when there is none.
 */
export async function gatewayForNewSource(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  wanted: WantedGateway,
): Promise<string> {
  const { account } = moment.caller;
  const configuration = await configurationFor(em, { account, customer }, wanted);
  if (configuration && (await lockConfiguration(em, { accountId: account.id, configuration }))) return configuration;
  const other = configuration ?? (await configurationFor(em, { account, customer }, { ...wanted, currency: null }));
  const lack = other ? `takes ${METHOD_WORDS[wanted.method]} in ${wanted.currency}` : 'is configured for this account';
  throw new Refusal('gateway_missing', `No payment gateway ${lack}`, 'gateway_token');
}

/**
 * Like `gatewayForNewSource`, but without a lock, and for a customer that may not be known yet. Returns null if no gateway is configured,
 * or none takes the currency.
 */
export async function configurationFor(
  em: EntityManager,
  { account, customer }: { account: Account; customer: Customer | null },
  { method, currency, isTestToken: isOfTest }: WantedGateway,
): Promise<string | null> {
  const isSandbox = account.environment === 'sandbox';
  if (isSandbox && isOfTest) return TEST_GATEWAY;
  const chosen = method === 'ach' ? customer?.bankMerchantAccount : customer?.cardMerchantAccount;
  const of = { accountId: account.id, deletedAt: null };
  const merchants = await em.find(MerchantAccount, of, { orderBy: { id: 'asc' } });
  const takes = ({ currencies }: MerchantAccount) =>
    currency === null || currencies.length === 0 || currencies.includes(currency);
  const able = merchants.filter(({ gateway }) => canCharge(gateway, { method, currency }));
  const merchant = able.find(({ id }) => id === chosen?.id) ?? able.find(takes);
  if (merchant) return configurationName(merchant);
  return isSandbox && merchants.length === 0 ? TEST_GATEWAY : null;
}
