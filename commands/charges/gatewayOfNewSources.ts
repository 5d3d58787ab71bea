import { configurationName, TEST_GATEWAY } from '../../billing/gatewayConfiguration.ts';
import type { SourceMethod } from '../../billing/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { lockConfiguration } from './configurations.ts';

/** Tokens of the test gateway. Those of other gateways have letters in place of these digits. */
const TEST_TOKEN = /^tok_(\d+(_\d+)?$|script_)/;

/** Whether the sandbox gives a token to its test gateway, even if a merchant account is configured. */
export function isTestToken(token: string): boolean {
  return TEST_TOKEN.test(token);
}

/**
 * A stored source is charged at the gateway that stored it (commands/charges/charges.ts). This is the configuration that stores a customer's
 * new cards or bank accounts, and that charges a token of `POST /charges` without storing it: the customer's merchant account for the method,
 * else the account's first one that takes the currency. The sandbox has the test gateway, which takes its own tokens, and all others while no
 * merchant account is configured. Refuses when no gateway is configured.
 */
export async function gatewayForNewSource(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  wanted: { method: SourceMethod; currency: string | null; isTestToken: boolean },
): Promise<string> {
  const { account } = moment.caller;
  const isSandbox = account.environment === 'sandbox';
  if (isSandbox && wanted.isTestToken) return TEST_GATEWAY;
  const { cardMerchantAccount, bankMerchantAccount, accountId } = customer;
  const chosen = wanted.method === 'ach' ? bankMerchantAccount : cardMerchantAccount;
  const merchants = await em.find(MerchantAccount, { accountId, deletedAt: null }, { orderBy: { id: 'asc' } });
  const takes = ({ currencies }: MerchantAccount) =>
    wanted.currency === null || currencies.length === 0 || currencies.includes(wanted.currency);
  const merchant = merchants.find(({ id }) => id === chosen?.id) ?? merchants.find(takes);
  const configuration = merchant ? configurationName(merchant) : TEST_GATEWAY;
  const isOpen = merchant || (isSandbox && merchants.length === 0);
  if (isOpen && (await lockConfiguration(em, { accountId, configuration }))) return configuration;
  throw new Refusal('No payment gateway is configured for this account', 'gateway_token');
}
