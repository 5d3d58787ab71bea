import Stripe from 'stripe';
import { Refusal } from '../../../billing/refusal.ts';
import type { GatewayKind } from '../../../commands/ports.ts';
import { callsOf, openStripe, type StripeAccess } from './client.ts';
import { createStripeGateway } from './gateway.ts';

/** `deployment`: its id, so that several can share a test account of Stripe. `server` replaces api.stripe.com. */
export interface StripeKindOptions extends Pick<StripeAccess, 'server'> {
  deployment: string;
}

/** The address of a server that replaces api.stripe.com, as options. Null: Stripe itself. */
export function stripeServer(address: string | null): Pick<StripeAccess, 'server'> {
  if (address === null) return {};
  const { hostname: host, port, protocol } = new URL(address);
  const isSecure = protocol === 'https:';
  return { server: { host, port: Number(port || (isSecure ? 443 : 80)), protocol: isSecure ? 'https' : 'http' } };
}

const KEY = /^(?:sk|rk)_(live|test)_\w{8,200}$/;

/** The gateway Stripe, for merchant accounts. */
export function createStripeKind({ deployment, ...server }: StripeKindOptions): GatewayKind {
  return {
    name: 'stripe',
    async check(secretKey, signal) {
      const [, mode] = KEY.exec(secretKey) ?? [];
      if (!mode)
        throw new Refusal('Secret key must be one of Stripe: it begins with sk_live_, sk_test_ or rk_', 'secret_key');
      const call = callsOf(openStripe({ ...server, secretKey }), signal);
      const account = await call((stripe) => stripe.accounts.retrieveCurrent()).catch(refuse);
      return { reference: account.id, isLive: mode === 'live' };
    },
    open(configuration, { secretKey, eventSecret }) {
      const access = { ...server, secretKey, deployment };
      const { readEvent, ...gateway } = createStripeGateway({ ...access, webhookSecret: eventSecret ?? '' });
      return { ...gateway, name: configuration, ...(eventSecret && readEvent ? { readEvent } : {}) };
    },
  };
}

function refuse(error: unknown): never {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    throw new Refusal('Stripe does not accept the secret key', 'secret_key');
  if (error instanceof Stripe.errors.StripePermissionError)
    throw new Refusal('Secret key may not read its account: allow it to read Connect accounts', 'secret_key');
  throw new Refusal('Stripe has not answered: try again', 'secret_key');
}
