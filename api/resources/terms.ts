import { parseTerms } from '../../billing/terms.ts';
import * as fields from '../body/fields.ts';
import { readText } from '../body/readers.ts';

function readTerms(value: unknown): string {
  const text = readText(value, 64);
  parseTerms(text);
  return text;
}

export const terms = fields.field(readTerms, { type: 'string', maxLength: 64, examples: ['NET 30'] });
