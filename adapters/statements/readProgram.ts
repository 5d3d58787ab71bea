import { serveTasks } from '../children/serve.ts';
import { readTask } from './read.ts';

serveTasks(readTask);
