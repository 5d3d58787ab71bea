import { configurationName, TEST_GATEWAY } from '../../billing/mail/providers.ts';
import { canCharge, type SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { lockConfiguration } from './configurations.ts';

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
