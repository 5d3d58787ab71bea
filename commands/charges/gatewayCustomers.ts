import type { EntityManager } from '../../db/orm.ts';
import {
  forgetGatewayCustomer,
  keepGatewayCustomer,
  readGatewayCustomer,
} from '../../db/queries/charges/gatewayCustomers.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { GatewayCustomers } from '../ports/ports.ts';
import { recordSource } from './sourceEvents.ts';

/** Where the gateway of a merchant account keeps its id of each customer. `gateway`: the configuration. */
export function gatewayCustomers(
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
