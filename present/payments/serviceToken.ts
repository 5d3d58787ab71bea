import { readConfiguration } from '../../billing/gatewayConfiguration.ts';
import type { ServiceToken } from '../../db/schema/serviceToken.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

/** Whose fields a page mounts. */
export function presentPaymentFields(fields: {
  method: string;
  currency: string;
  gateway: string;
  merchantAccountId: number | null;
  publishableKey: string | null;
}): Presented {
  const { method, currency, gateway, merchantAccountId, publishableKey } = fields;
  return {
    method,
    currency,
    gateway,
    merchant_account: merchantAccountId,
    publishable_key: publishableKey,
  };
}

/** A new service token. Only this answer shows the token itself. */
export function presentServiceToken({ row, secret }: { row: ServiceToken; secret: string }): Presented {
  const { gateway, merchantAccountId } = readConfiguration(row.gateway);
  return {
    id: secret,
    object: 'service_token',
    method: row.method,
    gateway,
    merchant_account: merchantAccountId,
    type: orNull(row.type),
    brand: orNull(row.brand),
    funding: orNull(row.funding),
    last4: orNull(row.last4),
    expires_at: unix(row.expiresAt),
    created_at: unix(row.createdAt),
  };
}
