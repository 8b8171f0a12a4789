import { deposits } from './deposits';
import { consoleSuite } from './suite';

// What `npm test` runs of the console; `npm run test:all` runs every page.
consoleSuite('deposits', [deposits], undefined, true);
