import type { PrintedDocument } from '../../commands/ports/ports.ts';
import { serveTasks } from '../children/serve.ts';
import { createTypst } from './typst.ts';

serveTasks<PrintedDocument, Uint8Array>(createTypst());
