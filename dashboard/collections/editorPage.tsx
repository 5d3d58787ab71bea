import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { Form } from '../forms/form.tsx';
import { type Row, textOf } from '../kinds/kind.ts';
import type { Read } from '../objects/read.ts';
import { can, type Session } from '../session.ts';
import { tellLater } from '../shell/kept.ts';
import { NotFound, PageProblem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import { CadenceAhead } from './ahead.tsx';
import type { CadenceList } from './cadences.ts';
import { useCadenceSections } from './fields.ts';
import { useCollectingWords } from './words.ts';
import '../styles/cadence.css';

async function readCadence({ api }: Session, list: CadenceList, id: string): Promise<Read> {
  const of = { id: Number(id) };
  const { data, etag } = await (list === 'chasing_cadences'
    ? api.full('get', '/chasing_cadences/{id}', of)
    : api.full('get', '/invoice_chasing_cadences/{id}', of));
  return { row: { ...data }, etag };
}

/** The page that makes a cadence, or that changes one. `id` null: a new one. */
export function CadenceEditor({ list, id }: { list: CadenceList; id: string | null }) {
  const { loading } = useWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['editing', list, id],
    queryFn: () => (id === null ? null : readCadence(session, list, id)),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!can(me, 'collections.write')) return <NotFound />;
  if (read.isError) return <PageProblem error={read.error} again={() => read.refetch()} />;
  if (read.data === undefined) return <p role="status">{loading}</p>;
  return <Editing key={`${list}/${id}`} list={list} id={id} read={read.data} />;
}

function Editing({ list, id, read }: { list: CadenceList; id: string | null; read: Read | null }) {
  const words = useCollectingWords();
  const { save, collections } = useWords();
  const forms = useFormWords();
  const { saved } = useCaringWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const row: Row | null = read?.row ?? null;
  const sections = useCadenceSections(list, row);
  const isOfCustomers = list === 'chasing_cadences';
  const isNew = row === null;
  const title = isNew
    ? words[isOfCustomers ? 'newCadence' : 'newInvoiceCadence']
    : fill(forms.change, { name: textOf(row, 'name') });
  useTitle(title);
  const leave = async () => {
    await navigate({ to: '/collections' });
    document.getElementById('main')?.focus();
  };
  return (
    <>
      <Link className="back" to="/collections">
        {collections}
      </Link>
      <h1 dir="auto">{title}</h1>
      <Form
        about={`${list}/${id ?? 'new'}`}
        sections={sections}
        row={row}
        etag={read?.etag ?? null}
        save={({ api, body }) => {
          const of = { id: Number(id) };
          if (isOfCustomers)
            return isNew
              ? api.post('/chasing_cadences', Object.assign({ name: '', steps: [] }, body))
              : api.patch('/chasing_cadences/{id}', Object.assign({}, body), of);
          return isNew
            ? api.post('/invoice_chasing_cadences', Object.assign({ name: '', steps: [] }, body))
            : api.patch('/invoice_chasing_cadences/{id}', Object.assign({}, body), of);
        }}
        done={async () => {
          await queries.invalidateQueries({ refetchType: 'none' });
          tellLater(saved);
          await leave();
        }}
        leave={leave}
        submit={isNew ? forms.create : save}
        beside={(values, body) =>
          isOfCustomers ? (
            <CadenceAhead id={id} values={values} body={body} />
          ) : (
            <p className="none">{words.ahead.ofInvoices}</p>
          )
        }
      />
    </>
  );
}
