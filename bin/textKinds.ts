import { createTestTextKind } from '../adapters/sms/test.ts';
import { createTwilioKind } from '../adapters/sms/twilio/kind.ts';
import type { TextProviderKind } from '../commands/ports/ports.ts';
import type { Config } from './config.ts';

/** The kinds of providers of texts. `close` closes their connections. */
export function openTextKinds({ twilioApi: server, allowedHosts }: Config): {
  kinds: TextProviderKind[];
  close(): Promise<void>;
} {
  const twilio = createTwilioKind({ server, allowedHosts });
  return { kinds: [twilio, createTestTextKind()], close: twilio.close };
}
