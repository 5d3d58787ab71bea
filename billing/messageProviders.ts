import type { Environment } from './environments.ts';
import { Refusal } from './refusal.ts';

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
  throw new Refusal(message, 'provider');
}

const CONFIGURATION = /^([a-z]{1,16})_(\d{1,9})_(\d{1,10})$/;

/** The last part of the address of a provider's events. */
export interface TextConfiguration {
  provider: string;
  accountId: number;
  id: number;
}

export function textConfigurationName({ provider, accountId, id }: TextConfiguration): string {
  return `${provider}_${accountId}_${id}`;
}

/** Null: it is no address of a configuration. */
export function readTextConfiguration(name: string): TextConfiguration | null {
  const [, provider, accountId, id] = CONFIGURATION.exec(name) ?? [];
  if (provider === undefined) return null;
  const read = { provider, accountId: Number(accountId), id: Number(id) };
  return read.id <= 2 ** 31 - 1 ? read : null;
}
