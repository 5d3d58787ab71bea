/** A column of encrypted texts. */
export interface SealedColumn {
  table: string;
  /** The primary key. */
  key: readonly string[];
  column: string;
  /** SQL condition for the rows whose value is encrypted. */
  where: string;
}

const sealed = (table: string, column: string): SealedColumn => ({
  table,
  key: ['account_id', 'id'],
  column,
  where: `${column} is not null`,
});

/** All columns that hold texts encrypted with the encryption key. `perennial keys rotate` encrypts them anew. */
export const sealedColumns: readonly SealedColumn[] = [
  sealed('attempt', 'sealed_challenge'),
  sealed('attempt', 'sealed_token'),
  {
    table: 'deployment',
    key: ['singleton'],
    column: 'sealed_audit_key',
    where: 'sealed_audit_key is not null',
  },
  {
    table: 'idempotency',
    key: ['account_id', 'credential_id', 'key'],
    column: 'body',
    where: 'sealed and body is not null',
  },
  sealed('mail_provider', 'sealed_secret'),
  sealed('mail_sender', 'sealed_private_key'),
  sealed('merchant_account', 'sealed_event_secret'),
  sealed('merchant_account', 'sealed_secret_key'),
  sealed('message_provider', 'sealed_auth_token'),
  {
    table: 'person',
    key: ['id'],
    column: 'sealed_totp_secret',
    where: 'sealed_totp_secret is not null',
  },
  sealed('service_token', 'sealed_token'),
  sealed('sign_up', 'sealed_challenge'),
  sealed('sign_up', 'sealed_token'),
  sealed('webhook', 'sealed_old_secret'),
  sealed('webhook', 'sealed_secret'),
];
