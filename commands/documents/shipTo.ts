import { type Address, newShipTo, type ShipTo } from '../../billing/documents/shipTo.ts';
import { assignChanges } from '../kernel/changes.ts';

/** Changes the shipping address by request: without a value it stays, null clears it. Returns whether it differs. */
export function changeShipTo(
  row: { shipTo?: ShipTo | null | undefined },
  address: Address | null | undefined,
  now: Date,
): boolean {
  if (address === undefined) return false;
  return assignChanges(row, { shipTo: newShipTo(address, row.shipTo ?? null, now.getTime()) });
}
