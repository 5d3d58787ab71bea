import { Refusal } from '../../billing/refusal.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Gateway } from '../ports.ts';

/**
 * A stored source is charged at the gateway that stored it (commands/charges/charges.ts). This is the name of the gateway that stores an
 * account's new cards and bank accounts, and that charges a token of `POST /charges` without storing it: `test` in the sandbox, in live the
 * first configured one that is not `test`. Refuses when no gateway is configured.
 */
export function gatewayForNewSource(account: Account, gateways: ReadonlyMap<string, Gateway>): string {
  const [name] =
    account.environment === 'sandbox' ? ['test'] : [...gateways.keys()].filter((known) => known !== 'test');
  if (name !== undefined && gateways.has(name)) return name;
  throw new Refusal('No payment gateway is configured for this account', 'gateway_token');
}
