import { previewReminder } from '../../commands/chasing/reminderPreview.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import type { Route } from '../framework/route.ts';
import { mailPreviewRoute } from './mailPreviews.ts';

/** Maximum number of invoices that a request names. */
const MOST_INVOICES = 1000;

const reminder = object({
  email_template_id: fields.described(
    fields.text(64),
    'Id of a template of the kind late_payment_reminder_email; absent: the built-in one',
    'late_payment_reminder_email',
  ),
  invoices: fields.described(
    fields.list(fields.required(fields.id), MOST_INVOICES),
    'Ids of the invoices that it asks for, as the preview of a cadence tells them; absent: all that may be asked for',
  ),
  at: fields.described(
    fields.timestamp,
    'Time at which it would be sent: UNIX time in seconds; absent: now',
    1_790_000_000,
  ),
});

export const reminderPreviewRoute: Route = mailPreviewRoute({
  path: '/customers/:id/reminders/preview',
  operationId: 'previewReminder',
  permission: 'collections.read',
  name: 'Customer',
  type: 'customer',
  reads: 'documents.read',
  summary: 'Preview the mail by which a step of a cadence asks a customer for what it owes; nothing is stored or sent',
  body: reminder,
  example: { email_template_id: 'late_payment_reminder_email' },
  send: (em, { caller, id, body }, now) => {
    const { email_template_id: templateId = null, invoices: invoiceIds = null, at = null } = body;
    return previewReminder(em, { caller, customerId: id, reminder: { templateId, invoiceIds, at } }, now);
  },
});
