import { Refusal } from '../../billing/refusal.ts';

/** The id under a name or its alias. Null when both are absent. Throws a Refusal for two different ids. */
export function oneOf<Name extends string, Alias extends string>(
  body: { [Key in Name | Alias]?: number | null | undefined },
  name: Name,
  alias: Alias,
): number | null {
  const [own, other] = [body[name] ?? null, body[alias] ?? null];
  if (own !== null && other !== null && own !== other)
    throw new Refusal('parameter_invalid', `${name} and ${alias} are aliases: send only one of them`, alias);
  return own ?? other;
}
