import { configurationName, readConfiguration } from '../../billing/mail/providers.ts';
import { canCharge } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import { configurationFor, METHOD_WORDS, type WantedGateway } from './gatewayOfNewSources.ts';

/** A gateway for fields of a page. `merchantAccountId` null: the one that `gatewayForNewSource` chooses without a customer. */
export interface WantedFields extends Omit<WantedGateway, 'currency'> {
  account: Account;
  merchantAccountId: number | null;
  currency: string;
}

/** The configuration whose fields a page mounts, and which makes its tokens. Refuses when there is none. */
export async function configurationOfFields(em: EntityManager, wanted: WantedFields): Promise<string> {
  const { account, merchantAccountId: id, method, currency, isTestToken } = wanted;
  const merchant =
    id === null ? null : await em.findOne(MerchantAccount, { accountId: account.id, id, deletedAt: null });
  if (id !== null && !merchant)
    throw new Refusal('resource_missing', `Merchant account was not found: ${id}`, 'merchant_account');
  const isOfTest = isTestToken && account.environment === 'sandbox';
  const isChosen = merchant !== null && !isOfTest;
  const chosen = merchant && canCharge(merchant.gateway, wanted) ? configurationName(merchant) : null;
  const found = isChosen ? chosen : await configurationFor(em, { account, customer: null }, wanted);
  if (!found)
    throw new Refusal('gateway_missing', `No payment gateway takes ${METHOD_WORDS[method]} in ${currency}`, 'currency');
  return found;
}

/** The fields of a gateway that a page mounts. */
export interface MountedFields {
  gateway: string;
  /** Null: the test gateway. */
  merchantAccountId: number | null;
  /** Null: the fields need none. */
  publishableKey: string | null;
}

/** The fields of a configuration. Refuses a merchant account without a publishable key. */
export async function fieldsOf(
  em: EntityManager,
  { accountId, configuration }: { accountId: number; configuration: string },
): Promise<MountedFields> {
  const { gateway, merchantAccountId } = readConfiguration(configuration);
  if (merchantAccountId === null) return { gateway, merchantAccountId, publishableKey: null };
  const merchant = await em.findOne(MerchantAccount, { accountId, id: merchantAccountId, deletedAt: null });
  const publishableKey = merchant?.publishableKey ?? null;
  if (publishableKey === null)
    throw new Refusal('state_conflict', `Merchant account ${merchantAccountId} has no publishable_key`);
  return { gateway, merchantAccountId, publishableKey };
}
