import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useFormats } from '../formats.ts';
import { kindOfList } from '../kinds/all.ts';
import { labelOf, type Related, type Row } from '../kinds/kind.ts';
import { idOf, readPage } from '../lists/rows.ts';
import { queryOf } from '../lists/state.ts';
import { titleOf, Value } from '../lists/value.tsx';
import { can } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useWords } from '../words.ts';

const SHOWN = 5;

interface Shown {
  related: Related;
  id: string;
  row: Row;
}

/** The first objects of another list that belong to an object, with the way to all of them. Nothing if there are none. */
export function RelatedList({ related: { list, query, columns }, id, row: own }: Shown) {
  const words = useWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const kind = kindOfList(list);
  const isAllowed = kind !== undefined && can(me, `${kind.area}.read`);
  const found = query(id, own);
  const search = found ?? {};
  const rows = useQuery({
    queryKey: ['related', list, search],
    queryFn: ({ signal }) =>
      readPage(session, list, { query: kind ? queryOf(kind, search) : search, per_page: SHOWN, signal }),
    enabled: isAllowed && found !== null,
  });
  if (!kind || found === null || rows.data?.total === 0 || !isAllowed) return null;
  const fields = columns.flatMap((name) => kind.fields.find((field) => field.name === name) ?? []);
  return (
    <section aria-labelledby={`related-${list}`}>
      <h2 id={`related-${list}`}>
        {words.place[list]} {rows.data && <small>{formats.number(rows.data.total)}</small>}
      </h2>
      {rows.isError && <ErrorNote error={rows.error} />}
      {rows.data && (
        <div className="scroll">
          <table className="related">
            <thead>
              <tr>
                {[kind.fields[0], ...fields].map(
                  (field) =>
                    field && (
                      <th key={field.name} scope="col" className={field.form}>
                        {labelOf(field, words.fields)}
                      </th>
                    ),
                )}
              </tr>
            </thead>
            <tbody>
              {rows.data.rows.map((one) => (
                <tr key={idOf(one)}>
                  <th scope="row">
                    <Link to="/$list/$id" params={{ list, id: idOf(one) }} dir="auto">
                      {titleOf(kind, one, words.choices)}
                    </Link>
                  </th>
                  {fields.map((field) => (
                    <td key={field.name} className={field.form} data-label={labelOf(field, words.fields)}>
                      <Value field={field} row={one} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.data && rows.data.total > SHOWN && (
        <Link to="/$list" params={{ list }} search={search}>
          {words.showAll}
        </Link>
      )}
    </section>
  );
}
