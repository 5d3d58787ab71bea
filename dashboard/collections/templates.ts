import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { Client } from '../../client/index.ts';
import type { Option } from '../forms/codes.ts';
import { can } from '../session.ts';

/** The kind of the mails that cadences send. */
const REMINDER = 'late_payment_reminder_email';

/** Further templates, in whatever languages they are: each mail has that of its reader. */
async function mailTemplates(api: Client): Promise<Option[]> {
  const all = await api.get('/email_templates');
  const own = all
    .filter(({ template }) => template === REMINDER)
    .map(({ id, name, language }) => ({
      id: id.endsWith(`-${language}`) ? id.slice(0, -language.length - 1) : id,
      name,
    }));
  const further = new Map(own.filter(({ id }) => id !== REMINDER).map((one) => [one.id, one]));
  return [...further.values()].map(({ id, name }) => ({ id, name: name ?? id }));
}

async function textTemplates(api: Client): Promise<Option[]> {
  const all = await api.get('/sms_templates', { per_page: 100 });
  return all.map(({ id, name }) => ({ id: String(id), name }));
}

/** The templates that a step can have, as far as the person may read them, and the current one. */
export function useTemplates(kind: 'email' | 'sms', current: string): Option[] {
  const { session, me } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['templates of steps', kind],
    queryFn: () => (kind === 'email' ? mailTemplates(session.api) : textTemplates(session.api)),
    enabled: can(me, 'settings.read'),
  });
  const known = read.data ?? [];
  return current === '' || known.some(({ id }) => id === current) ? known : [...known, { id: current, name: current }];
}
