import * as fields from '../../fields.ts';
import { object } from '../../request.ts';
import { applications } from '../applications.ts';

export const METHODS = [
  ...([
    'ach',
    'cash',
    'check',
    'credit_card',
    'eft',
    'direct_debit',
    'other',
    'online_wallet',
    'wire_transfer',
  ] as const),
];

export const newPayment = object(
  {
    customer: fields.id,
    date: fields.timestamp,
    method: fields.otherwise(fields.choice(...METHODS), 'other'),
    currency: fields.currency,
    amount: fields.required(fields.positiveAmount),
    reference: fields.text(),
    ach_sender_id: fields.text(),
    source: fields.otherwise(fields.choice('keyed', 'api', 'bank_feed'), 'keyed'),
    notes: fields.longText,
    applied_to: applications,
    metadata: fields.otherwise(fields.metadata, {}),
  },
  { readOnly: ['id', 'object', 'balance', 'matched', 'voided', 'charge', 'pdf_url', 'created_at', 'updated_at'] },
);
