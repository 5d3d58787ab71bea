import { statementPdf } from '../../../commands/statements/printing.ts';
import { readStatement } from '../../../commands/statements/reading.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { presentStatement } from '../../../present/customers/statement.ts';
import { schemaOf } from '../../body/documented.ts';
import { found, pathId, type Route, reply } from '../../framework/route.ts';
import { asked, askedInQuery } from './parameters.ts';
import { statement as shape } from './shape.ts';

export const statementRoute: Route = {
  method: 'GET',
  path: '/customers/:id/statement',
  operationId: 'readCustomerStatement',
  summary: 'Read the account statement of a customer in one currency, as JSON or PDF',
  parameters: Object.fromEntries(Object.entries(asked).map(([name, field]) => [name, { schema: schemaOf(field) }])),
  media: ['pdf'],
  answer: { statusCode: 200, kind: { shape } },
  handle: async (request) => {
    const { em, query, caller, deps } = request;
    const { account } = caller;
    const wanted = askedInQuery(query);
    const id = pathId(request, 'Customer');
    const row = await em.findOne(Customer, { accountId: account.id, id }, { populate: ['testClock'] });
    const customer = found(row, 'Customer', id);
    const now = customer.testClock?.frozenAt ?? deps.systemNow();
    const statement = await readStatement(em, { account, customer, now }, wanted);
    if (request.medium !== 'pdf') return reply(200, presentStatement(id, statement));
    const pdf = await statementPdf({ em, pdf: deps.pdf }, { account, customer, statement });
    return { statusCode: 200, json: null, pdf };
  },
};
