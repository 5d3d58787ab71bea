import { sendStatement } from '../../../commands/statements/sending.ts';
import { presentEmail } from '../../../present/mail/email.ts';
import { object } from '../../body/request.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import { write } from '../../writing/write.ts';
import { emails } from '../emails/resource.ts';
import { sendingFields, sendingOf } from '../emails/sending.ts';
import { asked, askedStatement } from './parameters.ts';

export const sendStatementRoute: Route = withBody({
  method: 'POST',
  path: '/customers/:id/emails',
  operationId: 'sendCustomerStatement',
  summary: 'Send the account statement of a customer by email, with its PDF',
  body: object({ ...sendingFields, ...asked }),
  example: { to: [{ name: 'Ada Lovelace', email: 'ada@example.com' }], type: 'open_item', template: 'statement_email' },
  answer: { statusCode: 200, kind: emails, isArray: true },
  handle: (request, body) => {
    const id = pathId(request, 'Customer');
    return write(request, {
      statusCode: 200,
      command: (em, caller, now) =>
        sendStatement(em, { caller, id, sending: sendingOf(body), asked: askedStatement(body) }, now),
      present: (sent) => sent.map(presentEmail),
    });
  },
});
