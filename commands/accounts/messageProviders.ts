import { checkProviderOf, type MessageProviderName } from '../../billing/mail/providers.ts';
import { Refusal } from '../../billing/refusal.ts';
import { brokenUnique } from '../../db/failure.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { MessageProvider } from '../../db/schema/messageProvider.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import type { Cipher, TextCredentials } from '../ports/ports.ts';

/** A provider whose credentials were checked at the provider itself. */
export interface NewMessageProvider extends TextCredentials {
  caller: Caller;
  cipher: Cipher;
  provider: MessageProviderName;
  name: string;
}

export interface MessageProviderKey {
  caller: Caller;
  id: number;
}

/** Undefined: unchanged. `checked`: the credentials that were checked at the provider. */
export interface MessageProviderChange extends MessageProviderKey {
  cipher: Cipher;
  name: string | undefined;
  sender: string | undefined;
  authToken: string | undefined;
  checked: TextCredentials | null;
}

/** Adds the provider of an account's texts. Refuses a second one, and one of the other environment. */
export async function createMessageProvider(
  em: EntityManager,
  input: NewMessageProvider,
  systemNow: Date,
): Promise<MessageProvider> {
  const { caller, cipher, provider, name, accountSid, authToken, sender } = input;
  const accountId = caller.account.id;
  checkProviderOf(caller.account.environment, provider);
  const { message_provider: id } = await reserveIds(em, 'message_provider');
  const created = em.create(MessageProvider, {
    accountId,
    id,
    provider,
    name,
    accountSid,
    sender,
    sealedAuthToken: cipher.encrypt(authToken),
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  try {
    await em.write();
  } catch (error) {
    if (brokenUnique(error) !== 'message_provider_once') throw error;
    throw new Refusal('already_taken', 'Account has a message provider already: change it, or delete it first');
  }
  return created;
}

/**
 * Changes the name, the sender or the token of a provider. Refuses a change whose credentials were not the ones that were checked, because
 * another request changed them meanwhile. Throws Missing.
 */
export async function updateMessageProvider(
  em: EntityManager,
  change: MessageProviderChange,
  systemNow: Date,
): Promise<MessageProvider> {
  const { cipher, name, sender, authToken, checked } = change;
  const provider = await lockMessageProvider(em, change);
  if (checked) {
    const sealed = provider.sealedAuthToken ?? '';
    const after = { sender: sender ?? provider.sender, authToken: authToken ?? cipher.decrypt(sealed) };
    if (after.sender !== checked.sender || after.authToken !== checked.authToken)
      throw new Refusal('busy', 'Message provider was changed by another request: try again');
  }
  if (authToken !== undefined) provider.sealedAuthToken = cipher.encrypt(authToken);
  if (!assignChanges(provider, { name, sender }) && authToken === undefined) return provider;
  provider.updatedAt = systemNow;
  return provider;
}

/** Deletes a provider and its token. Its queued texts become tasks. Throws Missing. */
export async function deleteMessageProvider(
  em: EntityManager,
  key: MessageProviderKey,
  systemNow: Date,
): Promise<MessageProvider> {
  const provider = await lockMessageProvider(em, key);
  return Object.assign(provider, { sealedAuthToken: null, deletedAt: systemNow, updatedAt: systemNow });
}

/** A provider that is not deleted. Throws Missing. */
export async function findMessageProvider(
  em: EntityManager,
  { caller, id }: MessageProviderKey,
): Promise<MessageProvider> {
  const provider = await em.findOne(MessageProvider, { accountId: caller.account.id, id, deletedAt: null });
  if (!provider) throw new Missing('Message provider', id);
  return provider;
}

async function lockMessageProvider(em: EntityManager, { caller, id }: MessageProviderKey): Promise<MessageProvider> {
  const provider = await lockRow(em, MessageProvider, { accountId: caller.account.id, id });
  if (!provider || provider.deletedAt) throw new Missing('Message provider', id);
  return provider;
}
