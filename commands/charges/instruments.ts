import { configurationName, readConfiguration } from '../../billing/mail/providers.ts';
import type { PayingCard } from '../../billing/payments/convenienceFee.ts';
import { canCharge, type SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { configurationFor, gatewayForNewSource, METHOD_WORDS, type WantedGateway } from './gateways.ts';
import { type TakenToken, takeServiceToken } from './serviceTokens.ts';

/** A single-use token of a gateway, encrypted. `isTestToken`: it has the form of the test gateway's. */
export interface NewInstrument {
  sealedToken: string;
  isTestToken: boolean;
}

/** A token that a page made by a publishable key, in plain text. */
export interface ServiceInstrument {
  serviceToken: string;
}

/**
 * Finds the gateway that takes a token. Marks a service token as used, so call it after everything else is locked. `card`: the card behind
 * a gateway's token. Null: the gateway does not tell.
 */
export async function takeInstrument(
  em: EntityManager,
  locked: LockedCustomer,
  wanted: {
    instrument: (NewInstrument & { card: PayingCard | null }) | ServiceInstrument;
    method: SourceMethod;
    currency: string;
    /** Whether the card or bank account is only stored. */
    isStoredOnly?: true;
  },
): Promise<TakenToken> {
  const { instrument, method, currency, isStoredOnly } = wanted;
  const { systemNow, caller } = locked.moment;
  if ('serviceToken' in instrument) {
    const paidIn = isStoredOnly ? null : currency;
    const named = { accountId: caller.account.id, token: instrument.serviceToken, method, currency: paidIn };
    return takeServiceToken(em, named, systemNow);
  }
  const { sealedToken, isTestToken, card } = instrument;
  return { sealedToken, card, gateway: await gatewayForNewSource(em, locked, { method, currency, isTestToken }) };
}

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
