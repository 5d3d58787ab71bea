import { addressKey } from '../../billing/mail/mailEvents.ts';
import { hashSecret } from './secrets.ts';

/** An address is found by its hash, which stays when its customer is anonymized. */
export const addressHashOf = (accountId: number, address: string): string =>
  hashSecret(`mail:${accountId}:${addressKey(address)}`);
