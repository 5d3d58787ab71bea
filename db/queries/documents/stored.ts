import type { DocumentTable, DocumentType } from '../../../billing/documents/document.ts';
import type { EntityManager } from '../../orm.ts';
import type { DocumentPdf } from '../../schema/documentPdf.ts';
import type { Snapshot } from '../../schema/snapshot.ts';
import { RATE_IDS_OF_PLACE, type RuledPlace } from '../catalog/catalog.ts';

/** Seller and customer at the issue of a document. */
export type NewSnapshot = Omit<Snapshot, 'id' | 'createdAt'>;

/**
 * Part of a statement: inserts a snapshot unless an equal one exists, and selects its id as `snapshot_id`. The customer is part of the hash
 * and is locked, so no concurrent transaction inserts an equal snapshot.
 */
const STORE_SNAPSHOT = `kept as (select id from snapshot where account_id = ? and hash = ?),
  made as (
    insert into snapshot (account_id, hash, seller, bill_to, language, created_at)
    select ?::int, ?, ?::jsonb, ?::jsonb, ?, ?::timestamptz where not exists (select 1 from kept) returning id
  ),
  snapshot_id as (select id from kept union all select id from made)`;

/** The parameters of `STORE_SNAPSHOT`. */
function valuesOfSnapshot({ accountId, hash, seller, billTo, language }: NewSnapshot, now: Date): unknown[] {
  const content = [JSON.stringify(seller), JSON.stringify(billTo), language, now.toISOString()];
  return [accountId, hash, accountId, hash, ...content];
}

/** Stores a snapshot unless an equal one exists. Returns its id. */
export async function keepSnapshot(em: EntityManager, snapshot: NewSnapshot, now: Date): Promise<number> {
  const values = valuesOfSnapshot(snapshot, now);
  const [row] = await em.execute<{ id: number }[]>(`with ${STORE_SNAPSHOT} select id from snapshot_id`, values);
  if (!row) throw new Error('no snapshot was stored');
  return row.id;
}

/** SQL: new ids for lines, discounts and taxes, which share a sequence. */
const idsOfParts = `array(select nextval('line_item_id_seq') from generate_series(1, ?::int))`;

/** Reserves ids for lines, discounts and taxes. */
export async function reserveIdsOfParts(em: EntityManager, count: number): Promise<number[]> {
  const [row] = await em.execute<{ ids: number[] }[]>(`select ${idsOfParts} as ids`, [count]);
  return row?.ids ?? [];
}

/** What a new document needs of the database. */
export interface Reserved {
  id: number;
  lines: number[];
  /** Ids of the tax rates that the rules apply to its place. */
  rates: number[];
  /** Null: the document is a draft. */
  snapshot: number | null;
}

/** Reserves the ids of a new document and its lines, stores its snapshot and finds the tax rates of its place, in one statement. */
export async function reserveDocument(
  em: EntityManager,
  {
    table,
    lines,
    place,
    snapshot,
  }: { table: DocumentTable; lines: number; place: RuledPlace; snapshot: NewSnapshot | null },
  now: Date,
): Promise<Reserved> {
  const [row] = await em.execute<Reserved[]>(
    `${snapshot ? `with ${STORE_SNAPSHOT}` : ''}
     select nextval('${table}_id_seq') as id, ${idsOfParts} as lines,
       array(${RATE_IDS_OF_PLACE} order by tax_rate_id) as rates,
       ${snapshot ? '(select id from snapshot_id)' : 'null::int'} as snapshot`,
    [...(snapshot ? valuesOfSnapshot(snapshot, now) : []), lines, place.accountId, place.country, place.state],
  );
  if (!row) throw new Error('no ids reserved');
  return row;
}

/** A stored PDF. */
export interface KeptPdf {
  name: string;
  bytes: Buffer;
  /** SHA-256 of the PDF, hexadecimal. */
  sha256: string;
  /** The XML of the e-invoice that it carries; null: none, or an earlier version stored it. */
  xml: string | null;
}

/** The stored PDF of a document with this content; null when there is none. */
export async function keptPdf(
  em: EntityManager,
  key: { accountId: number; documentType: DocumentType; documentId: number; contentHash: string },
): Promise<KeptPdf | null> {
  const [kept] = await em.execute<KeptPdf[]>(
    `select name, bytes, sha256, xml from document_pdf
     where account_id = ? and document_type = ? and document_id = ? and content_hash = ?`,
    [key.accountId, key.documentType, key.documentId, key.contentHash],
  );
  return kept ?? null;
}

/** Stores a PDF. False: the content already has one. */
export async function storePdf(
  em: EntityManager,
  row: Omit<DocumentPdf, 'id' | 'xml'> & { xml: string | null },
): Promise<boolean> {
  const { accountId, documentType, documentId, contentHash, sha256, name, bytes, xml, createdAt } = row;
  const rows = await em.execute(
    `insert into document_pdf (account_id, document_type, document_id, content_hash, sha256, name, bytes, xml, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict on constraint document_pdf_content do nothing returning 1`,
    [accountId, documentType, documentId, contentHash, sha256, name, bytes, xml, createdAt],
  );
  return rows.length > 0;
}
