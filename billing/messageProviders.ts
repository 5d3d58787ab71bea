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
  throw new Refusal('parameter_invalid', message, 'provider');
}
