import { Refusal } from '../../billing/refusal.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Gateway } from '../ports.ts';

/**
 * The gateway of an account's new cards and bank accounts: the first one configured. Live accounts never use the test gateway. A stored source
 * is always charged by the gateway that stores it (`PaymentSource.gateway`).
 */
export function gatewayFor(account: Account, gateways: ReadonlyMap<string, Gateway>): string {
  const [name] =
    account.environment === 'sandbox' ? ['test'] : [...gateways.keys()].filter((known) => known !== 'test');
  if (name !== undefined && gateways.has(name)) return name;
  throw new Refusal('No payment gateway is configured for this account', 'gateway_token');
}
