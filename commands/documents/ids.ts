import type { DocumentTable } from '../../billing/documents/document.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import type { EntityManager } from '../../db/orm.ts';
import { RATE_IDS_OF_PLACE } from '../../db/queries/catalog/catalog.ts';
import type { RuledRate } from '../catalog/taxRules.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ratesOfNew, saleTo } from './automaticTaxRates.ts';
import { STORE_SNAPSHOT, valuesOfSnapshot } from './snapshots.ts';

export interface Preparation {
  table: DocumentTable;
  lines: number;
  shipTo: ShipTo | null;
  /** True: the document is issued now and gets a snapshot of seller and customer. */
  isIssued: boolean;
  /** Whether automatic rates are looked up. */
  isTaxed: boolean;
}

/** Ids, snapshot and automatic tax rates for a new document. */
export interface PreparedDocument {
  id: number;
  lineIds: number[];
  /** Null: a draft. */
  snapshotId: number | null;
  /** Automatic tax rates: those of the customer, else those of its place. */
  automaticRates: RuledRate[];
}

/**
 * Reserves the ids of a new document and its lines, writes its snapshot and reads its automatic tax rates. Takes one statement, plus one
 * for the rates of a place, one if its buyer owes the tax, and one for a parent whose details are shown.
 */
export async function prepareDocument(
  em: EntityManager,
  locked: LockedCustomer,
  { table, lines, shipTo, isIssued, isTaxed }: Preparation,
): Promise<PreparedDocument> {
  const { accountId } = locked.customer;
  const sale = saleTo(locked, shipTo);
  const [row] = await em.execute<{ id: number; lines: number[]; rates: number[]; snapshot: number | null }[]>(
    `${isIssued ? `with ${STORE_SNAPSHOT}` : ''}
     select nextval('${table}_id_seq') as id, ${idsOfParts} as lines,
       array(${RATE_IDS_OF_PLACE} order by tax_rate_id) as rates,
       ${isIssued ? '(select id from snapshot_id)' : 'null::int'} as snapshot`,
    [...(isIssued ? await valuesOfSnapshot(em, locked) : []), lines, accountId, sale.country, sale.state],
  );
  if (!row) throw new Error('no ids reserved');
  const { id, lines: lineIds, snapshot: snapshotId } = row;
  const automaticRates = isTaxed ? await ratesOfNew(em, locked, { ids: row.rates, sale }) : [];
  return { id, lineIds, snapshotId, automaticRates };
}

/** SQL: new ids for lines, discounts and taxes, which share a sequence. */
const idsOfParts = `array(select nextval('line_item_id_seq') from generate_series(1, ?::int))`;

/** Reserves ids for lines, discounts and taxes. Returns a function that takes the next one. Makes no query when `count` is 0. */
export async function reservePartIds(em: EntityManager, count: number): Promise<() => number> {
  const [row] = count === 0 ? [] : await em.execute<{ ids: number[] }[]>(`select ${idsOfParts} as ids`, [count]);
  const ids = row?.ids ?? [];
  return () => {
    const id = ids.shift();
    if (id === undefined) throw new Error('fewer ids than parts');
    return id;
  };
}
