import type { Kind, Row } from '../kinds/kind.ts';
import { useCaringWords } from '../words.ts';

/** What is told beside the title of an object, such as that a customer is on hold. */
export function Marks({ kind, row }: { kind: Kind; row: Row }) {
  const { marks } = useCaringWords();
  return kind.marks?.(row).map((mark) => (
    <span key={mark} className={`status ${mark}`}>
      {marks[mark]}
    </span>
  ));
}
