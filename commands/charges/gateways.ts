import { readConfiguration } from '../../billing/mail/providers.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  forgetGatewayCustomer,
  keepGatewayCustomer,
  readGatewayCustomer,
} from '../../db/queries/charges/gatewayCustomers.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Cipher, Gateway, GatewayCustomers, GatewayKind, Gateways } from '../ports/ports.ts';
import { recordSource } from './sourceEvents.ts';

/** Number of opened gateways that a process keeps. */
const MOST_KEPT = 200;

interface Opened {
  gateway: Gateway;
  /** The sealed secrets that it was opened with. */
  sealed: string;
}

/**
 * The gateways that accounts have configured. The row is read at each call, so a change of its secrets is effective at once in all processes.
 * `builtIn`: those that need no merchant account, by name.
 */
export function createGateways(of: {
  em: EntityManager;
  cipher: Cipher;
  systemNow: () => Date;
  builtIn: ReadonlyMap<string, Gateway>;
  kinds: ReadonlyMap<string, GatewayKind>;
}): Gateways {
  const { em, cipher, builtIn, kinds, systemNow } = of;
  const kept = new Map<string, Opened>();
  const open = async (configuration: string, merchant: MerchantAccount): Promise<Gateway | null> => {
    const { sealedSecretKey: key, sealedEventSecret: eventSecret = null } = merchant;
    const kind = kinds.get(merchant.gateway);
    if (!kind || !key) return null;
    const sealed = `${key} ${eventSecret}`;
    const known = kept.get(configuration);
    if (known?.sealed === sealed) return known.gateway;
    const secrets = { secretKey: cipher.decrypt(key), eventSecret: eventSecret && cipher.decrypt(eventSecret) };
    const gateway = await kind.open(configuration, secrets, gatewayCustomers({ em, systemNow }, configuration));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(configuration, { gateway, sealed });
    return gateway;
  };
  return {
    kinds,
    async find(accountId, configuration) {
      const fixed = builtIn.get(configuration);
      if (fixed) return fixed;
      const { gateway, merchantAccountId: id } = readConfiguration(configuration);
      if (id === null) return null;
      const merchant = await em.fork().findOne(MerchantAccount, { accountId, id, gateway, deletedAt: null });
      return merchant ? open(configuration, merchant) : null;
    },
  };
}

/** Where the gateway of a merchant account keeps its id of each customer. `gateway`: the configuration. */
function gatewayCustomers(
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
