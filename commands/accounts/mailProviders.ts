import { type MailProviderName, providerConfigurationName } from '../../billing/mail/providers.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { MailProvider } from '../../db/schema/mailProvider.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import type { Cipher, FoundMailProvider, MailProviderKind, MailProviders } from '../ports/ports.ts';

/** The providers of events about mail that accounts have configured. A row is read at each call, so a change is effective at once. */
export function createMailProviders(of: {
  em: EntityManager;
  cipher: Cipher;
  kinds: readonly MailProviderKind[];
}): MailProviders {
  const { em, cipher } = of;
  const kinds = new Map(of.kinds.map((kind) => [kind.name, kind]));
  return {
    kinds,
    async find(accountId, id) {
      const found = await em.fork().findOne(MailProvider, { accountId, id, deletedAt: null });
      const kind = found && kinds.get(found.provider);
      if (!found?.sealedSecret || !kind) return null;
      const secret = cipher.decrypt(found.sealedSecret);
      const readEvents: FoundMailProvider['readEvents'] = (message) => kind.readEvents(secret, message, accountId);
      return { name: providerConfigurationName(found), readEvents };
    },
  };
}

interface Means {
  caller: Caller;
  cipher: Cipher;
  kinds: MailProviders['kinds'];
}

export interface NewMailProvider extends Means {
  provider: MailProviderName;
  name: string;
  secret: string;
}

/** Adds a provider of events about mail. Refuses a secret that cannot authenticate them. */
export async function createMailProvider(
  em: EntityManager,
  { caller, cipher, kinds, provider, name, secret }: NewMailProvider,
  systemNow: Date,
): Promise<MailProvider> {
  kinds.get(provider)?.checkSecret(secret);
  const { mail_provider: id } = await reserveIds(em, 'mail_provider');
  return em.create(MailProvider, {
    accountId: caller.account.id,
    id,
    provider,
    name,
    sealedSecret: cipher.encrypt(secret),
    createdAt: systemNow,
    updatedAt: systemNow,
  });
}

export interface MailProviderKey {
  caller: Caller;
  id: number;
}

/** Undefined: unchanged. */
export interface MailProviderChange extends Means, MailProviderKey {
  name: string | undefined;
  secret: string | undefined;
}

/** Changes the name of a provider, or replaces its secret. Refuses what `createMailProvider` refuses. Throws Missing. */
export async function updateMailProvider(
  em: EntityManager,
  change: MailProviderChange,
  systemNow: Date,
): Promise<MailProvider> {
  const { cipher, kinds, name, secret } = change;
  const provider = await lockMailProvider(em, change);
  if (secret !== undefined) {
    kinds.get(provider.provider)?.checkSecret(secret);
    provider.sealedSecret = cipher.encrypt(secret);
  }
  if (!assignChanges(provider, { name }) && secret === undefined) return provider;
  provider.updatedAt = systemNow;
  return provider;
}

/** Deletes a provider and its secret. Its events are refused from then on. Throws Missing. */
export async function deleteMailProvider(
  em: EntityManager,
  key: MailProviderKey,
  systemNow: Date,
): Promise<MailProvider> {
  const provider = await lockMailProvider(em, key);
  return Object.assign(provider, { sealedSecret: null, deletedAt: systemNow, updatedAt: systemNow });
}

async function lockMailProvider(em: EntityManager, { caller, id }: MailProviderKey): Promise<MailProvider> {
  const provider = await lockRow(em, MailProvider, { accountId: caller.account.id, id });
  if (!provider || provider.deletedAt) throw new Missing('Mail provider', id);
  return provider;
}
