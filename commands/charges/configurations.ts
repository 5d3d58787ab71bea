import { readConfiguration, TEST_GATEWAY } from '../../billing/mail/providers.ts';
import { canCharge, type SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { EntityManager } from '../../db/orm.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';

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
  const found = await em.execute(
    'select 1 from merchant_account where account_id = ? and id = ? and gateway = ? and deleted_at is null for share',
    [accountId, merchantAccountId, gateway],
  );
  return found.length > 0;
}
