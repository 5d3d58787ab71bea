import type { DocumentTable } from '../../billing/documents/document.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import type { EntityManager } from '../../db/orm.ts';
import { reserveDocument, reserveIdsOfParts } from '../../db/queries/documents/stored.ts';
import type { RuledRate } from '../catalog/taxRules.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ratesOfNew, saleTo } from './automaticTaxRates.ts';
import { snapshotOf } from './snapshots.ts';

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
  const sale = saleTo(locked, shipTo);
  const snapshot = isIssued ? await snapshotOf(em, locked) : null;
  const reserved = await reserveDocument(em, { table, lines, place: sale, snapshot }, locked.moment.now);
  const automaticRates = isTaxed ? await ratesOfNew(em, locked, { ids: reserved.rates, sale }) : [];
  return { id: reserved.id, lineIds: reserved.lines, snapshotId: reserved.snapshot, automaticRates };
}

/** Reserves ids for lines, discounts and taxes. Returns a function that takes the next one. Makes no query when `count` is 0. */
export async function reservePartIds(em: EntityManager, count: number): Promise<() => number> {
  const ids = count === 0 ? [] : await reserveIdsOfParts(em, count);
  return () => {
    const id = ids.shift();
    if (id === undefined) throw new Error('fewer ids than parts');
    return id;
  };
}
