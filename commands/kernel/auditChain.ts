import { createHmac, randomBytes } from 'node:crypto';
import { AUDIT_MONTHS } from '../../db/auditMonths.ts';
import {
  anchorMonths,
  claimUnlinked,
  endMonths,
  keepAuditKey,
  lastLinks,
  type NewLink,
  readHeads,
  storeLinks,
} from '../../db/queries/audit/chain.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import type { Cipher } from '../ports/ports.ts';

/** Signs a text with the key of the chain; hexadecimal. */
export type Sign = (text: string) => string;

/**
 * The key of the chain, which is stored encrypted, so that it outlives the encryption key. The first process makes it. Null: the database is
 * no deployment yet.
 */
export async function auditSigner(sql: Sql, cipher: Cipher): Promise<Sign | null> {
  const sealed = await keepAuditKey(sql, () => cipher.encrypt(randomBytes(32).toString('base64')));
  if (sealed === null) return null;
  const key = Buffer.from(cipher.decrypt(sealed), 'base64');
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

/** A place in the chain of an account. */
export interface Place {
  accountId: number;
  position: number;
  mac: string;
}

/** What comes before the first link. */
export const NO_MAC = '';

/** The MAC of a link: of its place, of the link before it, and of the row of the log, as `CONTENT` writes it. */
export function macOf(
  sign: Sign,
  link: { accountId: number; position: number; previous: string; linkedAt: Date; content: string },
): string {
  const { accountId, position, previous, linkedAt, content } = link;
  return sign(JSON.stringify(['link', accountId, position, previous, linkedAt.getTime(), content]));
}

export function signatureOfHead(sign: Sign, { accountId, position, mac }: Place): string {
  return sign(JSON.stringify(['head', accountId, position, mac]));
}

export function signatureOfAnchor(sign: Sign, { accountId, position, mac }: Place, through: Date): string {
  return sign(JSON.stringify(['anchor', accountId, position, mac, through.getTime()]));
}

/**
 * Links committed rows of the audit log to the chains of their accounts, in the transaction of `sql`. Only the relay leader calls it. Returns
 * the number of rows.
 */
export async function linkActs(sql: Sql, sign: Sign, batch: { now: Date; limit: number }): Promise<number> {
  const rows = await claimUnlinked(sql, batch);
  if (rows.length === 0) return 0;
  const heads = new Map((await readHeads(sql, rows)).map((head) => [head.accountId, head]));
  const links: NewLink[] = [];
  for (const { accountId, entryId, createdAt, exactly, content } of rows) {
    const last = heads.get(accountId) ?? { accountId, position: 0, mac: NO_MAC, linkedAt: new Date(0) };
    const linkedAt = new Date(Math.max(batch.now.getTime(), createdAt.getTime(), last.linkedAt.getTime()));
    const position = last.position + 1;
    const mac = macOf(sign, { accountId, position, previous: last.mac, linkedAt, content });
    heads.set(accountId, { accountId, position, mac, linkedAt });
    links.push({ accountId, position, linkedAt, entryId, entryCreatedAt: exactly, mac });
  }
  const signed = [...heads.values()].map((head) => ({ ...head, signature: signatureOfHead(sign, head) }));
  await storeLinks(sql, links, signed);
  return rows.length;
}

/**
 * Ends the months of the audit log of more than two years ago, in the transaction of `sql`. Before that, it signs what the chains go on from.
 * Returns how many tables were dropped.
 */
export async function endOldMonths(sql: Sql, sign: Sign, now: Date): Promise<number> {
  const through = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - AUDIT_MONTHS));
  const last = await lastLinks(sql, through);
  if (last === null) return 0;
  const anchors = last.map((place) => ({ ...place, signature: signatureOfAnchor(sign, place, through) }));
  await anchorMonths(sql, anchors, through);
  return endMonths(sql, through);
}
