import { Refusal } from '../../../billing/refusal.ts';
import type { GatewayKind } from '../../../commands/ports/ports.ts';
import type { StripeAccess } from './client.ts';

/** `deployment`: its id, so that several can share a test account of Stripe. `server` replaces api.stripe.com. */
export interface StripeKindOptions extends Pick<StripeAccess, 'server'> {
  deployment: string;
  /** Where a bank sends a payer back who came from no page. */
  home: string;
}

/** The address of a server that replaces api.stripe.com, as options. Null: Stripe itself. */
export function stripeServer(address: string | null): Pick<StripeAccess, 'server'> {
  if (address === null) return {};
  const { hostname: host, port, protocol } = new URL(address);
  const isSecure = protocol === 'https:';
  return { server: { host, port: Number(port || (isSecure ? 443 : 80)), protocol: isSecure ? 'https' : 'http' } };
}

const KEY = /^(?:sk|rk)_(live|test)_\w{8,200}$/;

/** The gateway Stripe, for merchant accounts. Its SDK takes 36 MiB and 0.1 s, so a process loads it when an account first uses Stripe. */
export function createStripeKind({ deployment, home, ...server }: StripeKindOptions): GatewayKind {
  return {
    name: 'stripe',
    async check(secretKey, signal) {
      const [, mode] = KEY.exec(secretKey) ?? [];
      if (!mode)
        throw new Refusal(
          'parameter_invalid',
          'Secret key must be one of Stripe: it begins with sk_live_, sk_test_ or rk_',
          'secret_key',
        );
      const { accountOpenedBy } = await import('./account.ts');
      return { reference: await accountOpenedBy({ ...server, secretKey }, signal), isLive: mode === 'live' };
    },
    async open(configuration, { secretKey, eventSecret }, customers) {
      const { createStripeGateway } = await import('./gateway.ts');
      const access = { ...server, secretKey, deployment, home, customers };
      const { readEvent, ...gateway } = createStripeGateway({ ...access, webhookSecret: eventSecret ?? '' });
      return { ...gateway, name: configuration, ...(eventSecret && readEvent ? { readEvent } : {}) };
    },
  };
}
