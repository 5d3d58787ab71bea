import { createMailProviders } from '../commands/accounts/mailProviders.ts';
import type {
  Cipher,
  MailProviderKind,
  MailProviders,
  TextProviderKind,
  TextProviders,
} from '../commands/ports/ports.ts';
import { createTextProviders } from '../commands/texts/recipients.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Config } from './config.ts';
import { openMailEventKinds } from './mailEventKinds.ts';
import { openTextKinds } from './textKinds.ts';

/** The kinds of text providers, and the kinds of providers of mail events. `close` closes their connections. */
export interface ProviderKinds {
  texts: TextProviderKind[];
  mailEvents: MailProviderKind[];
  close(): Promise<void>;
}

export function openProviderKinds(config: Config): ProviderKinds {
  const texts = openTextKinds(config);
  const mailEvents = openMailEventKinds({ server: null, allowedHosts: config.allowedHosts });
  return {
    texts: texts.kinds,
    mailEvents: mailEvents.kinds,
    close: async () => {
      await Promise.all([texts.close(), mailEvents.close()]);
    },
  };
}

/** The providers that accounts have configured. */
export function providersOf({ em, cipher, kinds }: { em: EntityManager; cipher: Cipher; kinds: ProviderKinds }): {
  textProviders: TextProviders;
  mailProviders: MailProviders;
} {
  return {
    textProviders: createTextProviders({ em, cipher, kinds: kinds.texts }),
    mailProviders: createMailProviders({ em, cipher, kinds: kinds.mailEvents }),
  };
}
