/** Name of the gateway of sandbox accounts, which needs no merchant account. */
export const TEST_GATEWAY = 'test';

const MERCHANT = /^([a-z]{1,16})_(\d{1,10})$/;

/**
 * A configuration of a gateway: `test`, or a merchant account, whose name joins its gateway and its id, as `stripe_7`. Sources, attempts and
 * charges store the name.
 */
export interface GatewayConfiguration {
  gateway: string;
  /** Null for the test gateway. */
  merchantAccountId: number | null;
}

export function configurationName({ gateway, id }: { gateway: string; id: number }): string {
  return `${gateway}_${id}`;
}

export function readConfiguration(name: string): GatewayConfiguration {
  const [, gateway, id] = MERCHANT.exec(name) ?? [];
  return gateway ? { gateway, merchantAccountId: Number(id) } : { gateway: name, merchantAccountId: null };
}
