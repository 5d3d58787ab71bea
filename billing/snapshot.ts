/** Somebody, as documents keep it from the moment of issue. */
export interface PartySnapshot {
  name: string;
  email: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string | null;
  taxId: string | null;
}

/** Who sells, and how its documents look. */
export interface SellerSnapshot extends PartySnapshot {
  accentColor: string | null;
  /** Which picture is its logo. */
  logoHash: string | null;
}

/** Who is billed, as documents keep it from the moment of issue. */
export interface BillToSnapshot extends PartySnapshot {
  /** The customer's own id, also where its parent's details are shown. */
  customerId: number;
  number: string;
  attentionTo: string | null;
  /** That the customer itself asked for; null: documents are in the seller's. */
  language: string | null;
}
