import { useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import type { Files } from '../forms/field.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useFormWords, useInvoicingWords } from '../words.ts';

interface Shown {
  id: string;
  value: Files;
  change(value: Files): void;
}

/** Files that go with a document. Each is uploaded at once; the document names it when it is saved. */
export function FilesInput({ id, value, change }: Shown) {
  const { uploading } = useInvoicingWords();
  const { removePair } = useFormWords();
  const { session } = useRouteContext({ from: '__root__' });
  const upload = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      const files = [...value.files];
      for (const one of chosen) {
        const form = new FormData();
        form.append('file', one);
        const { id: stored, name } = await session.api.post('/files', form);
        files.push({ id: stored, name });
        change({ files: [...files] });
      }
    },
  });
  return (
    <div className="adjustments">
      {value.files.map((file) => (
        <p key={file.id}>
          <span dir="auto">{file.name}</span>
          <button
            type="button"
            className="plain"
            aria-label={fill(removePair, { name: file.name })}
            onClick={() => change({ files: value.files.filter((one) => one !== file) })}
          >
            ✕
          </button>
        </p>
      ))}
      <input
        type="file"
        multiple
        id={id}
        disabled={upload.isPending}
        onChange={({ target }) => {
          upload.mutate([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      {upload.isPending && <p role="status">{uploading}</p>}
      {upload.isError && <ErrorNote error={upload.error} />}
    </div>
  );
}
