import { type CadencePreview, previewCadence } from '../../../commands/chasing/preview.ts';
import { presentCadencePreview } from '../../../present/catalog/cadencePreview.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import { refuseRepeated } from '../../framework/parameterNames.ts';
import { readParameter } from '../../framework/resource.ts';
import { pathId, type Route, reply } from '../../framework/route.ts';
import { cadencePreview } from './previewShape.ts';

const DEFAULT_DAYS = 14;
const MOST_DAYS = 60;

const days = fields.described(
  fields.wholeNumber(1, MOST_DAYS),
  `Number of days to look ahead; default: ${DEFAULT_DAYS}`,
  DEFAULT_DAYS,
);
const id = fields.wholeNumber(1, LARGEST_ID);
const customer = fields.described(id, 'Only this customer; default: all that owe something', 4);
const after = fields.described(id, 'Only customers with a higher id: `next` of the page before', 500);

export const cadencePreviewRoute: Route = {
  method: 'GET',
  path: '/chasing_cadences/:id/preview',
  operationId: 'previewChasingCadence',
  summary: 'Preview the next days of a chasing cadence: who is asked for what and when, and who is not',
  parameters: {
    days: { schema: schemaOf(days) },
    customer: { schema: schemaOf(customer) },
    after: { schema: schemaOf(after) },
  },
  answer: { statusCode: 200, kind: { shape: cadencePreview } },
  handle: async (request) => {
    const { em, query, caller, deps } = request;
    refuseRepeated(query);
    const given = (name: string) => query.get(name) ?? '';
    const numberIn = (field: typeof days, name: string) =>
      given(name) === '' ? null : readParameter(field, given(name), name);
    const asked = {
      account: caller.account,
      cadenceId: pathId(request, 'Chasing cadence'),
      days: numberIn(days, 'days') ?? DEFAULT_DAYS,
      customerId: numberIn(customer, 'customer'),
      after: numberIn(after, 'after') ?? 0,
    };
    const preview: CadencePreview = await previewCadence(em, asked, deps.systemNow());
    return reply(200, presentCadencePreview(asked.cadenceId, preview));
  },
};
