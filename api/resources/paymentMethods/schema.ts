import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const LAST_PLACE = 1000;
const MOST_CHARACTERS = 2000;

export const paymentMethodChange = object(
  {
    enabled: fields.kept(fields.boolean),
    order: fields.kept(fields.wholeNumber(0, LAST_PLACE)),
    min: fields.nonNegativeAmount,
    max: fields.nonNegativeAmount,
    instructions: fields.text(MOST_CHARACTERS),
  },
  { readOnly: ['id', 'object', 'currency'] },
);
