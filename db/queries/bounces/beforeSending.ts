import type { EntityManager } from '../../orm.ts';
import type { Suppressed } from './bounces.ts';

/** The version of a customized template that is in use. Null parts are as by default. */
export interface WordingRow {
  id: number;
  subject: string | null;
  html: string | null;
  text: string | null;
}

/** A proved sender of an account. */
export interface SenderRow {
  address: string;
  domain: string;
  selector: string;
  /** PKCS#8 as PEM, encrypted. */
  sealedPrivateKey: string;
}

/** The settings of an account that apply to one mail. */
export interface SendingRow {
  suppressed: Suppressed[];
  /** Null: the mail comes from the deployment's address. */
  sender: SenderRow | null;
  /** Null: the account never changed the template. */
  wording: WordingRow | null;
}

interface MailKey {
  accountId: number;
  /** Hashes of its recipients. */
  addressHashes: readonly string[];
  /** Null: its template cannot be customized. */
  template: string | null;
  language: string | null;
}

/** Reads the settings that apply to a mail with one statement, because each mail needs them all. */
export async function readBeforeSending(em: EntityManager, of: MailKey): Promise<SendingRow> {
  const { accountId, addressHashes, template, language } = of;
  const [row] = await em.execute<[SendingRow]>(
    `select coalesce((select json_agg(json_build_object('id', id, 'addressHash', digest, 'reason', reason))
         from suppression where account_id = ? and digest = any(?::text[]) and lifted_at is null), '[]') as suppressed,
       (select json_build_object('address', address, 'domain', domain, 'selector', selector, 'sealedPrivateKey', sealed_private_key)
         from mail_sender where account_id = ? and found_at is not null and lost_at is null and deleted_at is null) as sender,
       (select json_build_object('id', id, 'subject', subject, 'html', html, 'text', text)
         from email_template_version where account_id = ? and template = ? and language = ? order by version desc limit 1) as wording`,
    [accountId, `{${addressHashes.join()}}`, accountId, accountId, template, language],
  );
  return row;
}
