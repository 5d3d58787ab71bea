/** A postal address. */
export interface Address {
  name: string | null;
  attentionTo: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string | null;
}

/** The shipping details of a document. */
export interface ShipTo extends Address {
  /** Epoch milliseconds. */
  updatedAt: number;
}

/** The shipping details for a requested address. An unchanged address keeps its `updatedAt`. Null: the address is absent or empty. */
export function newShipTo(address: Address | null, before: ShipTo | null, now: number): ShipTo | null {
  if (!address || Object.values(address).every((part) => part === null)) return null;
  const { updatedAt = now, ...same } = before ?? {};
  return { ...address, updatedAt: before && isSame(address, same) ? updatedAt : now };
}

/** The shipping details of a document after a request. Undefined: they stay. */
export function shipToAfter(
  address: Address | null | undefined,
  before: ShipTo | null | undefined,
  now: number,
): ShipTo | null {
  return address === undefined ? (before ?? null) : newShipTo(address, before ?? null, now);
}

function isSame(one: Address, other: Partial<Address>): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

function inOrder(address: Partial<Address>): (string | null)[] {
  const { name, attentionTo, address1, address2, city, state, postalCode, country } = address;
  return [name, attentionTo, address1, address2, city, state, postalCode, country].map((part) => part ?? null);
}

/** The place whose tax rules apply: the shipping address if it has a country, else the customer's address. */
export function taxedPlace(
  shipTo: ShipTo | null | undefined,
  billing: { country?: string | null | undefined; state?: string | null | undefined },
): { country: string | null; state: string | null } {
  const { country, state } = shipTo?.country ? shipTo : billing;
  return { country: country ?? null, state: state ?? null };
}
