import type { TextProviderKind } from '../../commands/ports/ports.ts';
import { readTwilioEvent } from './twilio/events.ts';

/** The provider of the sandbox. It takes any credentials and every text, and sends nothing. Its events are signed as those of Twilio. */
export function createTestTextKind(): TextProviderKind {
  return {
    name: 'test',
    check: async () => undefined,
    open: (configuration, credentials) => ({
      name: configuration,
      send: async ({ id }) => ({ status: 'accepted', reference: `test${id}` }),
      look: async ({ id }) => ({ reference: `test${id}` }),
      readEvent: (message) => readTwilioEvent(credentials, message),
    }),
  };
}
