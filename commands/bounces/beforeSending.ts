import { customTemplateNamed } from '../../billing/mail/emailTemplates.ts';
import type { EntityManager } from '../../db/orm.ts';
import { readBeforeSending, type SenderRow, type WordingRow } from '../../db/queries/bounces/beforeSending.ts';
import type { Suppressed } from '../../db/queries/bounces/bounces.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Email } from '../../db/schema/email.ts';
import { addressHashOf } from '../kernel/addressHash.ts';
import type { Cipher, DkimKey } from '../ports/ports.ts';
import { suppressedIn } from './suppressions.ts';

/** The sender of a mail, with the key that signs it. */
export interface ProvedSender {
  address: string;
  dkim: DkimKey;
}

/** The settings of an account that apply to one mail. */
export interface BeforeSending {
  /** Recipients to which nothing is sent, by address. */
  suppressed: Map<string, Suppressed>;
  /** Null: the mail comes from the deployment's address. */
  sender: ProvedSender | null;
  /** The customized template of the mail; null: the account never changed it. */
  wording: WordingRow | null;
}

/** Reads the settings that apply to a queued mail. `addresses`: the recipients that wait for it. */
export async function beforeSending(
  { em, cipher }: { em: EntityManager; cipher: Cipher },
  { accountId, template, kind, view }: Plain<Email>,
  addresses: readonly string[],
): Promise<BeforeSending> {
  const addressHashes = addresses.map((address) => addressHashOf(accountId, address));
  const named = { template: kind ? template : customTemplateNamed(template), language: view?.language ?? null };
  const { suppressed, sender, wording } = await readBeforeSending(em, { accountId, addressHashes, ...named });
  return {
    suppressed: suppressedIn(suppressed, { accountId, addresses }),
    sender: sender && provedSender(cipher, sender),
    wording,
  };
}

function provedSender(cipher: Cipher, { address, domain, selector, sealedPrivateKey }: SenderRow): ProvedSender {
  return { address, dkim: { domain, selector, privateKey: cipher.decrypt(sealedPrivateKey) } };
}
