import {
  auditSigner,
  macOf,
  NO_MAC,
  type Place,
  type Sign,
  signatureOfAnchor,
  signatureOfHead,
} from '../commands/kernel/auditChain.ts';
import type { Cipher } from '../commands/ports/ports.ts';
import { type ChainEnds, endsOfChain, type LinkedRow, linkedRows, rowsWithoutLink } from '../db/queries/audit/chain.ts';
import type { Drift } from '../db/queries/audit/check.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';
import { connect } from '../workers/connection.ts';

const CHECK = 'audit log';
const SLICE = 5000;
/** A row that is dated earlier than one linked before it by more than this was added later. Transactions end sooner. */
const LATEST_MILLISECONDS = 3_600_000;

/** Follows the chains of all accounts through the audit log. Finds rows that were changed, deleted, inserted or cut off. */
export async function findLogDrifts(databaseUrl: string, cipher: Cipher): Promise<Drift[]> {
  const connection = await connect(databaseUrl);
  try {
    const sign = await auditSigner(connection, cipher);
    if (!sign) return [];
    const drifts: Drift[] = [];
    for (const { id } of await connection.query<{ id: number }>('select id from account order by id'))
      drifts.push(...(await checkChain(connection, sign, id)));
    return drifts;
  } finally {
    await connection.close();
  }
}

async function checkChain(sql: Sql, sign: Sign, accountId: number): Promise<Drift[]> {
  const drifts: Drift[] = [];
  const drift = (object: string, stored: string, recomputed: string) =>
    void drifts.push({ check: CHECK, accountId, object, stored, recomputed });
  const ends = await endsOfChain(sql, accountId);
  checkSignatures(sign, ends, drift);
  const walk = { ...startOf(ends, accountId), latest: 0 };
  for (;;) {
    const links = await linkedRows(sql, walk, SLICE);
    for (const link of links) checkLink({ sign, ends, walk, drift }, link);
    if (links.length < SLICE) break;
  }
  const { head } = ends;
  const last = head ?? { position: 0, mac: NO_MAC };
  const isEmpty = ends.anchor === null && walk.position === 0;
  if (last.position !== walk.position || (last.mac !== walk.mac && !isEmpty))
    drift('last link', `position ${walk.position}`, `position ${last.position}`);
  for (const { id } of await rowsWithoutLink(sql, accountId, ends.anchor?.through ?? null))
    drift(`entry ${id}`, 'no link', 'a link');
  return drifts;
}

type Tell = (object: string, stored: string, recomputed: string) => void;

function checkSignatures(sign: Sign, { head, anchors }: ChainEnds, drift: Tell): void {
  if (head && signatureOfHead(sign, head) !== head.signature) drift('last link', 'another signature', 'its signature');
  for (const anchor of anchors)
    if (signatureOfAnchor(sign, anchor, anchor.through) !== anchor.signature)
      drift(`anchor of ${anchor.through.toISOString()}`, 'another signature', 'its signature');
}

function startOf({ anchor }: ChainEnds, accountId: number): Place {
  return { accountId, position: anchor?.position ?? 0, mac: anchor?.mac ?? NO_MAC };
}

interface Walk {
  sign: Sign;
  ends: ChainEnds;
  walk: Place & { latest: number };
  drift: Tell;
}

function checkLink({ sign, ends, walk, drift }: Walk, link: LinkedRow): void {
  const { position, mac, linkedAt, entryId, entryCreatedAt, content } = link;
  const object = `entry ${entryId}`;
  if (position !== walk.position + 1) drift(`link ${walk.position + 1}`, 'missing', `before link ${position}`);
  if (content !== null) {
    const expected = macOf(sign, { accountId: walk.accountId, position, previous: walk.mac, linkedAt, content });
    if (expected !== mac && position === walk.position + 1) drift(object, 'another MAC', 'the MAC of its link');
  } else if (ends.anchor === null || entryCreatedAt >= ends.anchor.through) drift(object, 'missing', 'linked');
  const at = entryCreatedAt.getTime();
  if (at < walk.latest - LATEST_MILLISECONDS)
    drift(object, entryCreatedAt.toISOString(), 'a time after that of the entries before');
  Object.assign(walk, { position, mac, latest: Math.max(walk.latest, at) });
}
