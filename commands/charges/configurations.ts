import { readConfiguration, TEST_GATEWAY } from '../../billing/gatewayConfiguration.ts';
import type { EntityManager } from '../../db/orm.ts';

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
