import type { Product } from '../../support/product.ts';
import { payingCustomer } from '../../support/story.ts';

export const token = {
  pays: 'tok_4242424242424242',
  /** A bank account that is verified by its micro-deposits. */
  toVerify: 'tok_110000000_000123456789',
  timesOutTaken: 'tok_4000000000000119',
  timesOutUntaken: 'tok_4000000000000101',
};

/** Creates a customer by `payingCustomer`, with or without AutoPay. Returns its id. */
export async function newPayer(
  product: Product,
  who: { gatewayToken?: string; autopay: boolean; autopayDelayDays?: number },
): Promise<number> {
  const { gatewayToken = token.pays, autopay, autopayDelayDays = 0 } = who;
  const asked = { name: 'Payer', email: 'payer@example.com', autopay, autopay_delay_days: autopayDelayDays };
  const { id } = await payingCustomer(product, gatewayToken, asked);
  return id;
}
