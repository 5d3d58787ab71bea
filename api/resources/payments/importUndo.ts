import { errorCodeNames } from '../../../billing/errorCodes.ts';
import type { Presented } from '../../../billing/json.ts';
import { MOST_ROWS } from '../../../billing/payments/bankStatement.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { type UndoneImport, undoImport } from '../../../commands/payments/importUndo.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { type Route, withBody } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { write } from '../../writing/write.ts';

const chosen = object({
  payments: fields.required(
    fields.described(
      fields.list(fields.required(fields.id), MOST_ROWS),
      `Ids of payments that imports of bank statements created, from 1 to ${MOST_ROWS}`,
    ),
  ),
});

const undone = shown.sometimes(
  shown.value('UndoneImport', 'Answer to one payment whose import was undone or refused', {
    payment: shown.id('Id of the payment', 12),
    status: shown.choice(
      '`undone`: it is voided, and its row can be imported again; `refused`: see `error`',
      'undone',
      'refused',
    ),
  }),
  {
    error: shown.one(
      shown.value('UndoneImportError', 'Reason for which a payment stays as it is', {
        code: shown.oneOf('Code of the error, as in `Error`', 'state_conflict', errorCodeNames),
        message: shown.text('Reason in words', 'Payment has a customer already: void it instead'),
        param: shown.text('Place of the payment in the request', 'payments[1]'),
      }),
      'Reason, if it was refused',
    ),
  },
);

const answer = shown.value('UndoneImports', 'Answer to the undoing of an import', {
  payments: shown.listOf(undone, 'One answer for each id, in their order'),
});

export const importUndoRoute: Route = withBody({
  method: 'POST',
  path: '/payments/import/undo',
  operationId: 'undoPaymentImport',
  permission: 'corrections.write',
  ofAllCustomers: true,
  summary:
    'Undo the import of payments that nobody has used: they are voided, and the rows of their statement can be imported again',
  body: chosen,
  example: { payments: [12, 13] },
  answer: { statusCode: 200, kind: { shape: answer, said: ['payments.error.message'] } },
  handle: (request, { payments: ids }) => {
    if (ids.length === 0) throw new Refusal('parameter_missing', 'Payments missing', 'payments');
    return write(request, {
      statusCode: 200,
      command: (em, caller, now) => undoImport(em, { caller, ids }, now),
      present: (answers) => ({ payments: answers.map(presentUndone) }),
    });
  },
});

function presentUndone(one: UndoneImport): Presented {
  const { payment } = one;
  if ('undone' in one) return { payment, status: 'undone' };
  const { code, message, param } = one.refusal;
  return { payment, status: 'refused', error: { code, message, param } };
}
