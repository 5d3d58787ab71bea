/** Details of a party, copied into a document at issue. */
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

/** Details of the seller, with the colour and logo of its documents. */
export interface SellerSnapshot extends PartySnapshot {
  accentColor: string | null;
  /** Hash of the picture that is its logo. */
  logoHash: string | null;
}

/** Details of the billed customer, copied into a document at issue. */
export interface BillToSnapshot extends PartySnapshot {
  /** The customer's own id, even if the other details are its parent's. */
  customerId: number;
  number: string;
  attentionTo: string | null;
  /** The customer's language; null: documents are in the seller's language. */
  language: string | null;
}
