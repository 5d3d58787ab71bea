import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import { absolute } from '../kernel/origin.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

/** A merchant account, without its secrets. */
export function presentMerchantAccount(merchant: Plain<MerchantAccount>): Presented {
  const { accountId, gateway, id } = merchant;
  return {
    id,
    object: 'merchant_account',
    gateway,
    name: merchant.name,
    gateway_account: merchant.gatewayAccount,
    publishable_key: orNull(merchant.publishableKey),
    currencies: merchant.currencies,
    receives_events: Boolean(merchant.sealedEventSecret),
    events_url: absolute(`/gateway_events/${gateway}_${accountId}_${id}`),
    created_at: unix(merchant.createdAt),
    updated_at: unix(merchant.updatedAt),
  };
}
