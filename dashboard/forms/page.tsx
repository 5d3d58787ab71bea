import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { kindOfList } from '../kinds/all.ts';
import { type Kind, type Row, textOf } from '../kinds/kind.ts';
import { titleOf } from '../lists/value.tsx';
import { type Read, readObject } from '../objects/read.ts';
import { can } from '../session.ts';
import { tellLater } from '../shell/kept.ts';
import { NotFound, PageProblem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import { editors, type WholeEditor } from './editors.ts';
import type { Editor } from './field.ts';
import { Form } from './form.tsx';

/** The page that makes an object of a kind, or that changes one. `id` null: a new one. */
export function EditorPage({ list, id, from }: { list: string; id: string | null; from: string }) {
  const kind = kindOfList(list);
  const load = kind && editors[kind.list];
  return kind && load ? (
    <Loaded key={`${list}/${id}/${from}`} kind={kind} id={id} from={from} load={load} />
  ) : (
    <NotFound />
  );
}

interface Asked {
  kind: Kind;
  id: string | null;
  /** The object that a new one begins like: `invoices/7`. Empty: none. */
  from: string;
}

function Loaded({ kind, id, from, load }: Asked & { load(): Promise<WholeEditor> }) {
  const words = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const wholeOf = useWhole();
  const once = { staleTime: Number.POSITIVE_INFINITY };
  const editor = useQuery({ queryKey: ['editor', kind.list], queryFn: load, ...once });
  const readWhole = async (of: { kind: Kind; id: string }): Promise<Read> => {
    const [{ row, etag }, { editor: own }] = await Promise.all([readObject(session, of), load()]);
    return { row: await wholeOf(own, row), etag };
  };
  const read = useQuery({
    queryKey: ['editing', kind.list, id],
    queryFn: () => (id === null ? null : readWhole({ kind, id })),
    gcTime: 0,
    ...once,
  });
  const [ofList = '', ofId = ''] = from.split('/');
  const other = kindOfList(ofList);
  const like = useQuery({
    queryKey: ['beginning like', from],
    queryFn: () => (other && ofId !== '' ? readWhole({ kind: other, id: ofId }) : null),
    gcTime: 0,
    ...once,
  });
  const error = editor.error ?? read.error ?? like.error;
  if (error) return <PageProblem error={error} again={() => read.refetch()} />;
  if (!editor.data || read.data === undefined || like.data === undefined) return <p role="status">{words.loading}</p>;
  return (
    <Editing kind={kind} id={id} from={from} editor={editor.data} read={read.data} like={like.data?.row ?? null} />
  );
}

/** Adds to an object what its editor needs and the API tells elsewhere. */
function useWhole() {
  const { session, me } = useRouteContext({ from: '__root__' });
  const by = { api: session.api, can: (permission: string) => can(me, permission) };
  return async (editor: Editor, row: Row): Promise<Row> => (await editor.whole?.(by, row)) ?? row;
}

interface Shown extends Asked {
  editor: WholeEditor;
  read: Read | null;
  like: Row | null;
}

function Editing({ kind, id, from, editor: { editor, Beside }, read, like }: Shown) {
  const words = useWords();
  const own = useFormWords();
  const { saved } = useCaringWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const wholeOf = useWhole();
  const row = read?.row ?? null;
  const sections = editor.useSections(row);
  const watched = editor.useWatched?.(row) ?? [];
  const saves = editor.useSaves?.(row) ?? [{ label: row === null ? own.create : words.save, adds: {} }];
  const title = row === null ? own.newOf[kind.list] : fill(own.change, { name: titleOf(kind, row, words.choices) });
  useTitle(title);
  const show = async (made: string | null) => {
    if (made === null) await navigate({ to: '/$list', params: { list: kind.list }, search: {} });
    else await navigate({ to: '/$list/$id', params: { list: kind.list, id: made } });
    document.getElementById('main')?.focus();
  };
  return (
    <>
      {id === null ? (
        <Link className="back" to="/$list" params={{ list: kind.list }} search={{}}>
          {fill(words.backToList, { place: words.place[kind.list] })}
        </Link>
      ) : (
        <Link className="back" to="/$list/$id" params={{ list: kind.list, id }} dir="auto">
          {row ? titleOf(kind, row, words.choices) : id}
        </Link>
      )}
      <h1 dir="auto">{title}</h1>
      {sections === null ? (
        <p role="status">{words.loading}</p>
      ) : (
        <Form
          about={`${kind.list}/${id ?? 'new'}${from === '' ? '' : `/${from}`}`}
          sections={sections}
          row={row}
          like={like && (editor.like?.(like) ?? null)}
          etag={read?.etag ?? null}
          watched={watched}
          whole={(current) => wholeOf(editor, current)}
          save={async ({ api, body }) => {
            const { data } = await (id === null ? editor.create(api, body) : editor.change(api, id, body));
            return data;
          }}
          done={async (answer) => {
            // What is read anew is what the next page shows: this form asks nothing any more.
            await queries.invalidateQueries({ refetchType: 'none' });
            tellLater(saved);
            await show(id ?? idIn(answer));
          }}
          leave={() => show(id)}
          submit={saves}
          {...(Beside ? { beside: (values, body) => <Beside id={id} row={row} values={values} body={body} /> } : {})}
        />
      )}
    </>
  );
}

function idIn(answer: unknown): string | null {
  const row: Row = typeof answer === 'object' && answer !== null ? { ...answer } : {};
  return textOf(row, 'id') || null;
}
