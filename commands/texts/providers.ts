import { providerConfigurationName } from '../../billing/mail/providers.ts';
import type { EntityManager } from '../../db/orm.ts';
import { MessageProvider } from '../../db/schema/messageProvider.ts';
import { textEventsUrl } from '../../present/accounts/providers.ts';
import type { Cipher, TextProviderKind, TextProviders } from '../ports/ports.ts';

/** The providers of texts that accounts have configured. The row is read at each call, so a change is effective at once in all processes. */
export function createTextProviders(of: {
  em: EntityManager;
  cipher: Cipher;
  kinds: readonly TextProviderKind[];
}): TextProviders {
  const { em, cipher } = of;
  const kinds = new Map(of.kinds.map((kind) => [kind.name, kind]));
  return {
    kinds,
    async find(accountId, wanted) {
      const which = wanted === undefined ? { accountId, deletedAt: null } : { accountId, id: wanted, deletedAt: null };
      const found = await em.fork().findOne(MessageProvider, which);
      const kind = found && kinds.get(found.provider);
      if (!found?.sealedAuthToken || !kind) return null;
      const { id, accountSid, sender } = found;
      const credentials = { accountSid, sender, authToken: cipher.decrypt(found.sealedAuthToken) };
      return { id, sender: kind.open(providerConfigurationName(found), credentials, textEventsUrl(found)) };
    },
  };
}
