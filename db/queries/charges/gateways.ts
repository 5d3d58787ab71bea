import type { SourceMethod } from '../../../billing/payments/paymentMethods.ts';
import { refreshBy } from '../../lock.ts';
import type { EntityManager } from '../../orm.ts';
import { ServiceToken } from '../../schema/serviceToken.ts';

/** A customer at the gateway of a configuration. */
export interface CustomerThere {
  accountId: number;
  customerId: number;
  gateway: string;
}

/** What is known of a customer at a gateway: its id there, and how often it was made anew. */
export interface KnownThere {
  reference: string | null;
  generation: number;
}

export async function readGatewayCustomer(em: EntityManager, of: CustomerThere): Promise<KnownThere> {
  const [row] = await em.execute<KnownThere[]>(
    'select reference, generation from gateway_customer where account_id = ? and customer_id = ? and gateway = ?',
    [of.accountId, of.customerId, of.gateway],
  );
  return row ?? { reference: null, generation: 0 };
}

/** Keeps what is known of a customer, unless a later generation is. Nothing is kept of one that does not exist yet. */
export async function keepGatewayCustomer(em: EntityManager, of: CustomerThere, known: KnownThere): Promise<void> {
  await em.execute(
    `insert into gateway_customer (account_id, customer_id, gateway, reference, generation)
     select account_id, id, ?, ?, ? from customer where account_id = ? and id = ?
     on conflict (account_id, customer_id, gateway)
     do update set reference = excluded.reference, generation = excluded.generation
     where gateway_customer.generation <= excluded.generation`,
    [of.gateway, known.reference, known.generation, of.accountId, of.customerId],
  );
}

/** Notes that a customer is gone at a gateway, so that it is made anew. Once for each reference. */
export async function forgetGatewayCustomer(em: EntityManager, of: CustomerThere, reference: string): Promise<void> {
  await em.execute(
    `insert into gateway_customer (account_id, customer_id, gateway, generation) values (?, ?, ?, 1)
     on conflict (account_id, customer_id, gateway)
     do update set reference = null, generation = gateway_customer.generation + 1 where gateway_customer.reference = ?`,
    [of.accountId, of.customerId, of.gateway, reference],
  );
}

/** Leaves a customer that another one is merged into only its own rows where it has any. */
export async function dropDoubleGatewayCustomers(
  em: EntityManager,
  { accountId, from, to }: { accountId: number; from: number; to: number },
): Promise<void> {
  await em.execute(
    `delete from gateway_customer g using gateway_customer o where g.account_id = ? and g.customer_id = ?
       and o.account_id = g.account_id and o.customer_id = ? and o.gateway = g.gateway`,
    [accountId, from, to],
  );
}

/** Keeps a merchant account from being deleted until the end of the transaction. False: the account has no such one at the gateway. */
export async function lockMerchantAccount(
  em: EntityManager,
  { accountId, id, gateway }: { accountId: number; id: number; gateway: string },
): Promise<boolean> {
  const found = await em.execute(
    'select 1 from merchant_account where account_id = ? and id = ? and gateway = ? and deleted_at is null for share',
    [accountId, id, gateway],
  );
  return found.length > 0;
}

/** Uses up the unused service token with a hash, if it fits. Of two requests with the same token, the second waits and gets null. */
export async function useServiceToken(
  em: EntityManager,
  wanted: { accountId: number; hash: string; method: SourceMethod; currency: string | null },
  systemNow: Date,
): Promise<ServiceToken | null> {
  const { accountId, hash, method, currency } = wanted;
  const [used] = await refreshBy(em, ServiceToken, {
    sql: `update service_token set used_at = ? where account_id = ? and hash = ? and used_at is null and expires_at > ? and method = ?
      and (currency is null or currency = coalesce(?, currency)) returning *`,
    values: [systemNow, accountId, hash, systemNow, method, currency],
  });
  return used ?? null;
}

/** The service token with a hash, as it is now. */
export async function findServiceToken(
  em: EntityManager,
  { accountId, hash }: { accountId: number; hash: string },
): Promise<ServiceToken | null> {
  const [row] = await refreshBy(em, ServiceToken, {
    sql: 'select * from service_token where account_id = ? and hash = ?',
    values: [accountId, hash],
  });
  return row ?? null;
}
