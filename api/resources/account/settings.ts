import { type Settings, settingNames, settingsTable } from '../../../billing/settings.ts';
import type { JsonSchema } from '../../body/documented.ts';
import type { Property } from '../../framework/shape.ts';

/** The settings of an account as fields of a response, with types from their defaults. */
export const settingProperties: Readonly<Record<string, Property>> = Object.fromEntries(
  settingNames.map((name) => [name, propertyOf(name)]),
);

function propertyOf(name: keyof Settings): Property {
  const example = settingsTable[name].initial({ environment: 'live' });
  const { meaning, bounds, isProtected, isDecimal } = settingsTable[name];
  const who = isProtected
    ? '. Only the operator of the deployment can change it; requests may only repeat the current value'
    : '';
  const description = `${meaning}; ${bounds}${who}`;
  return { schema: { ...typeOf(example, isDecimal), description }, example };
}

function typeOf(value: unknown, isDecimal = false): JsonSchema {
  if (Array.isArray(value)) return { type: 'array', items: typeOf(value[0]) };
  if (typeof value === 'object' && value !== null) return { type: 'object', additionalProperties: { type: 'number' } };
  if (typeof value === 'number') return { type: isDecimal ? 'number' : 'integer' };
  return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}
