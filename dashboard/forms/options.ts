import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { Client } from '../../client/index.ts';
import { useFormats } from '../formats.ts';
import type { CustomField, CustomObject } from '../kinds/custom.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { useWords } from '../words.ts';
import { byName, type Option } from './codes.ts';
import type { Finder, FormField } from './field.ts';

const nameOf = (row: Row): string => textOf(row, 'name') || textOf(row, 'email') || textOf(row, 'id');

/** Finds customers by name, number and email. */
export const customerFinder = (except: string | null): Finder => ({
  search: async (api, text) => {
    const found = await api.get('/customers', { per_page: 8, ...(text === '' ? { sort: 'name' } : { search: text }) });
    return found
      .filter(({ id }) => String(id) !== except)
      .map((one) => ({
        id: String(one.id),
        name: one.name,
        hint: [one.number, one.email].filter(Boolean).join(' · '),
      }));
  },
  read: async (api, id) => {
    const { name } = await api.get('/customers/{id}', { id: Number(id) });
    return { id, name };
  },
});

/** The members who can be responsible, and the current one. Who may not read the members can name itself. */
export function useMembers(current: string | null): Option[] {
  const words = useWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const isAllowed = can(me, 'people.read');
  const members = useQuery({
    queryKey: ['members'],
    queryFn: () => session.api.get('/members', { per_page: 100 }),
    enabled: isAllowed,
  });
  const own = me.member ? [{ id: String(me.member.id), name: me.name ?? me.email ?? String(me.member.id) }] : [];
  const option = (member: NonNullable<typeof members.data>[number]) => ({
    id: String(member.id),
    name: nameOf({ ...member }),
  });
  const known = members.data?.filter(({ status }) => status !== 'deactivated').map(option) ?? own;
  if (current === null || known.some(({ id }) => id === current)) return known;
  const former = members.data?.find(({ id }) => String(id) === current);
  return [
    ...known,
    former ? option(former) : { id: current, name: members.isLoading ? words.empty : words.otherColleague },
  ];
}

export function useCadences(): Option[] {
  const { session, me } = useRouteContext({ from: '__root__' });
  const cadences = useQuery({
    queryKey: ['chasing_cadences'],
    queryFn: () => session.api.get('/chasing_cadences', { per_page: 100 }),
    enabled: can(me, 'collections.read'),
  });
  return cadences.data?.map(({ id, name }) => ({ id: String(id), name })) ?? [];
}

const readCustomFields = (api: Client, object: CustomObject) =>
  api.get('/custom_fields', Object.assign({ per_page: 100, sort: 'created_at' }, { 'filter[object]': object }));

const NO_FIELDS: readonly CustomField[] = [];

/** The custom fields of a kind of object, as far as the person may read them; null: they are being read. */
export function useCustomFieldsOf(object: CustomObject | null): readonly CustomField[] | null {
  const { session, me } = useRouteContext({ from: '__root__' });
  const isAllowed = can(me, 'catalog.read') && object !== null;
  const fields = useQuery({
    queryKey: ['custom_fields', object],
    queryFn: () => (object === null ? [] : readCustomFields(session.api, object)),
    enabled: isAllowed,
  });
  if (!isAllowed || fields.isError) return NO_FIELDS;
  return fields.data ?? null;
}

/** The custom fields that a kind of object has, as fields of its form; null: they are being read. */
export function useCustomFields(object: CustomObject): FormField[] | null {
  const words = useWords();
  const fields = useCustomFieldsOf(object);
  const { language } = useFormats();
  const answers = [
    { id: 'true', name: words.yes },
    { id: 'false', name: words.no },
  ];
  return fields?.map((field) => formFieldOf(field, answers, language)) ?? null;
}

const KINDS = { integer: 'number', double: 'money', money: 'money', date: 'day' } as const;
const hasKind = (type: string): type is keyof typeof KINDS => type in KINDS;

function formFieldOf(
  { id, name, type, choices }: CustomField,
  answers: readonly Option[],
  language: string,
): FormField {
  const field = { name: `metadata[${id}]`, label: name };
  if (type === 'boolean') return { ...field, kind: 'choice', choices: answers };
  if (type === 'enum')
    return {
      ...field,
      kind: 'choice',
      choices: byName(
        choices.map((one) => ({ id: one, name: one })),
        language,
      ),
    };
  return { ...field, kind: hasKind(type) ? KINDS[type] : 'text' };
}
