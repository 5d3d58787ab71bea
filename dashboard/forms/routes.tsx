import { Link, useParams, useRouteContext, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Kind } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { useFormWords, useWords } from '../words.ts';
import { editors } from './editors.ts';

/** Forms are a chunk of their own: whoever only reads does not load them. */
const EditorPage = lazy(async () => ({ default: (await import('./page.tsx')).EditorPage }));

export function NewPage() {
  const { list } = useParams({ from: '/$list/new' });
  const { from = '' } = useSearch({ from: '/$list/new' });
  return <Waiting list={list} id={null} from={from} />;
}

export function EditPage() {
  const { list, id } = useParams({ from: '/$list/$id/edit' });
  return <Waiting list={list} id={id} from="" />;
}

const AddSource = lazy(async () => ({ default: (await import('../customers/addSource.tsx')).AddSource }));

export function AddSourcePage() {
  const words = useWords();
  const { id } = useParams({ from: '/customers/$id/add_source' });
  return (
    <Suspense fallback={<p role="status">{words.loading}</p>}>
      <AddSource id={id} />
    </Suspense>
  );
}

function Waiting(shown: { list: string; id: string | null; from: string }) {
  const words = useWords();
  return (
    <Suspense fallback={<p role="status">{words.loading}</p>}>
      <EditorPage {...shown} />
    </Suspense>
  );
}

/** Leads to the form that makes an object of a kind. Nothing if there is none, or the person may not. */
export function NewLink({ kind }: { kind: Kind }) {
  const words = useFormWords();
  const { me } = useRouteContext({ from: '__root__' });
  if (!editors[kind.list] || !can(me, `${kind.area}.write`)) return null;
  return (
    <Link className="button" to="/$list/new" params={{ list: kind.list }}>
      {words.newOf[kind.list]}
    </Link>
  );
}

/** Leads to the form that changes an object. Nothing if there is none, or the person may not. */
export function EditLink({ kind, id }: { kind: Kind; id: string }) {
  const words = useFormWords();
  const { me } = useRouteContext({ from: '__root__' });
  if (!editors[kind.list] || !can(me, `${kind.area}.write`)) return null;
  return (
    <Link className="button secondary" to="/$list/$id/edit" params={{ list: kind.list, id }}>
      {words.edit}
    </Link>
  );
}
