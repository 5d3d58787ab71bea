import { serveTasks } from '../children/serve.ts';
import { readReport } from './report.ts';

serveTasks(readReport);
