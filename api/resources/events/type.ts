import { eventTypes } from '../../../billing/eventTypes.ts';
import { nearest } from '../../../billing/nearest.ts';
import * as fields from '../../body/fields.ts';
import { readText, unfit } from '../../body/readers.ts';

const readEventType = (value: unknown) => {
  const given = readText(value, 255);
  if (eventTypes.includes(given)) return given;
  const meant = nearest(given, eventTypes);
  return unfit(`is not a type of event: ${given}${meant ? `; did you mean ${meant}?` : ''}`);
};

/** A request field for one type of event. */
export const eventType = fields.field(readEventType, { type: 'string', enum: [...eventTypes] });
