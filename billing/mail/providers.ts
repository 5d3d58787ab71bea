import type { Environment } from '../environments.ts';
import { Refusal } from '../refusal.ts';

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

const CONFIGURATION = /^([a-z]{1,16})_(\d{1,9})_(\d{1,10})$/;

/** Identifies a provider of texts or mail. The address to which it sends its events ends with these three. */
export interface ProviderConfiguration {
  provider: string;
  accountId: number;
  id: number;
}

export function providerConfigurationName({ provider, accountId, id }: ProviderConfiguration): string {
  return `${provider}_${accountId}_${id}`;
}

/** Null: it is no address of a configuration. */
export function readProviderConfiguration(name: string): ProviderConfiguration | null {
  const [, provider, accountId, id] = CONFIGURATION.exec(name) ?? [];
  if (provider === undefined) return null;
  const read = { provider, accountId: Number(accountId), id: Number(id) };
  return read.id <= 2 ** 31 - 1 ? read : null;
}

/** Providers of text messages. `test` sends nothing: it is the one of the sandbox, whose texts never reach a phone. */
export const messageProviders = ['twilio', 'test'] as const;
export type MessageProviderName = (typeof messageProviders)[number];

/** Refuses a provider that sends texts to phones in the sandbox, and one that sends nothing in live. */
export function checkProviderOf(environment: Environment, provider: MessageProviderName): void {
  if ((provider === 'test') === (environment === 'sandbox')) return;
  const message =
    environment === 'sandbox'
      ? 'The sandbox sends no texts to phones: its provider must be test'
      : 'Provider test sends no texts: choose another one, or the sandbox';
  throw new Refusal('parameter_invalid', message, 'provider');
}

/** Senders of events about mail. `mailbox`: a mailbox passes messages of mail servers on. */
export const mailProviders = ['ses', 'postmark', 'sendgrid', 'mailbox'] as const;
export type MailProviderName = (typeof mailProviders)[number];
