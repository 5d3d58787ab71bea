/** A variable of email templates. */
export type Variable = TextVariable | OptionalText | FlagVariable | GroupVariable | OptionalGroup | ListVariable;

/** Names of variables. */
export type Fields = Readonly<Record<string, Variable>>;

interface TextVariable {
  kind: 'text';
  description: string;
}

/** A text that can be missing: it is then empty, and false for `if`. */
interface OptionalText {
  kind: 'optional';
  description: string;
}

interface FlagVariable {
  kind: 'flag';
  description: string;
}

interface GroupVariable<Of extends Fields = Fields> {
  kind: 'group';
  description: string;
  fields: Of;
}

/** A group that can be missing as a whole. */
interface OptionalGroup<Of extends Fields = Fields> {
  kind: 'optionalGroup';
  description: string;
  fields: Of;
}

interface ListVariable<Of extends Fields = Fields> {
  kind: 'list';
  description: string;
  fields: Of;
}

export const text = (description: string): TextVariable => ({ kind: 'text', description });
export const optional = (description: string): OptionalText => ({ kind: 'optional', description });
export const flag = (description: string): FlagVariable => ({ kind: 'flag', description });
export const group = <Of extends Fields>(description: string, fields: Of): GroupVariable<Of> => ({
  kind: 'group',
  description,
  fields,
});
export const optionalGroup = <Of extends Fields>(description: string, fields: Of): OptionalGroup<Of> => ({
  kind: 'optionalGroup',
  description,
  fields,
});
export const list = <Of extends Fields>(description: string, fields: Of): ListVariable<Of> => ({
  kind: 'list',
  description,
  fields,
});

/** The values of declared variables. */
export type ViewOf<Of extends Fields> = { [Name in keyof Of]: ValueOf<Of[Name]> };

type ValueOf<One extends Variable> = One extends TextVariable
  ? string
  : One extends OptionalText
    ? string | null
    : One extends FlagVariable
      ? boolean
      : One extends GroupVariable<infer Of>
        ? ViewOf<Of>
        : One extends OptionalGroup<infer Of>
          ? ViewOf<Of> | null
          : One extends ListVariable<infer Of>
            ? ViewOf<Of>[]
            : never;

/** Each variable by its full name, with its description: `rows[].label`. */
export function namesIn(fields: Fields, before = ''): { name: string; description: string }[] {
  return Object.entries(fields).flatMap(([key, one]) => {
    const name = `${before}${key}${one.kind === 'list' ? '[]' : ''}`;
    const inner = 'fields' in one ? namesIn(one.fields, `${name}.`) : [];
    return [{ name, description: one.description }, ...inner];
  });
}
