import { suppressionReasons } from '../../billing/mail/mailEvents.ts';
import { liftSuppression } from '../../commands/bounces/suppressions.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { Suppression } from '../../db/schema/suppression.ts';
import { presentSuppression } from '../../present/mail/email.ts';
import * as fields from '../body/fields.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { deleteRoute } from '../writing/writeRoutes.ts';

const suppression = shown.shape('Suppression', 'Email address to which you send no mail', {
  id: shown.id('Id of the suppression', 5),
  email: shown.nullable(
    shown.text('Email address in lower case; null: its customer was anonymized', 'ada@example.com'),
  ),
  reason: shown.choice(
    '`hard_bounce`: a mail was refused for good; `complaint`: its owner reported a mail as spam; `soft_bounces`: five mails were refused within 30 days',
    ...suppressionReasons,
  ),
  detail: shown.nullable(
    shown.text(
      'Words of the mail server or the provider; null: its customer was anonymized',
      'Refused for good: 550 no such user',
    ),
  ),
  suppressed_at: shown.timestamp('Since when nothing is sent to it'),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const suppressions: Resource<Suppression, 'id'> = {
  name: 'Suppression',
  area: 'customers',
  shape: suppression,
  row: Suppression,
  idColumn: 'id',
  exists: condition('lifted_at is null'),
  columns: {
    id: column('id', fields.id),
    email: filtered('address', fields.text()),
    reason: filtered('reason', fields.choice(...suppressionReasons)),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentSuppression),
};

const path = '/suppressions';

export const suppressionRoutes: Route[] = [
  listRoute({ path, resource: suppressions, summary: 'List the addresses to which you send no mail' }),
  readRoute({ path, resource: suppressions, summary: 'Read a suppression' }),
  deleteRoute({
    path,
    resource: suppressions,
    summary: 'Send mail to the address again; the tasks to correct it are completed',
    command: liftSuppression,
  }),
];
