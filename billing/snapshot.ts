/** Who sells, as documents keep it from the moment of issue. */
export interface SellerSnapshot {
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

/** Who is billed, as documents keep it from the moment of issue. */
export interface BillToSnapshot extends SellerSnapshot {
  /** The customer's own id, also where its parent's details are shown. */
  customerId: number;
  number: string;
  attentionTo: string | null;
  /** That the customer itself asked for; null: documents are in the seller's. */
  language: string | null;
}
