import { deposits } from './deposits';
import { consoleSuite } from './suite';
import { Testbed } from './testbed';

// What `npm test` runs of the console; `npm run test:all` runs every page.
consoleSuite('deposits', [deposits], undefined, Testbed.openFresh);
