/** All migrations, oldest first: one SQL file in this folder each. Explicit, so that a file on disk is never run by accident. */
export const migrationNames = [
  '0001_initial',
  '0002_swept_lines',
  '0003_event_credentials',
  '0004_reasons',
  '0005_old_reasons',
  '0006_subscription_terms',
  '0007_subscription_addons',
  '0008_subscription_changes',
  '0009_bill_in',
  '0010_subscription_mails',
  '0011_pause_at_period_end',
  '0012_table_comments',
  '0013_usage',
  '0014_refunds',
  '0015_refund_checks',
  '0016_matches',
] as const;

export type MigrationName = (typeof migrationNames)[number];
