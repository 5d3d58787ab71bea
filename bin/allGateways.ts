import { configurationName } from '../billing/mail/providers.ts';
import type { Gateway, GatewayCustomers } from '../commands/ports/ports.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';
import type { Deps } from './deps.ts';

interface Configured {
  id: number;
  gateway: string;
  key: string;
  eventSecret: string | null;
}

const unusable = (): never => {
  throw new Error('No operation begins here');
};

/** Records are read here, and nothing is made for a customer. */
const unused: GatewayCustomers = { read: unusable, keep: unusable, lost: unusable };

/** The gateways of all accounts: the test gateway, and each merchant account. `sql`: a connection that sees all accounts. */
export async function allGateways(
  { testGateway, gateways, cipher }: Pick<Deps, 'testGateway' | 'gateways' | 'cipher'>,
  sql: Sql,
): Promise<Gateway[]> {
  const merchants = await sql.query<Configured>(
    `select id, gateway, sealed_secret_key as key, sealed_event_secret as "eventSecret" from merchant_account
     where deleted_at is null order by id`,
  );
  const opened = merchants.map(async ({ id, gateway, key, eventSecret }) => {
    const secrets = { secretKey: cipher.decrypt(key), eventSecret: eventSecret && cipher.decrypt(eventSecret) };
    return gateways.kinds.get(gateway)?.open(configurationName({ gateway, id }), secrets, unused);
  });
  return [testGateway, ...(await Promise.all(opened)).filter((gateway) => gateway !== undefined)];
}
