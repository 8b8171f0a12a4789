import { channels } from './channels';
import { providers } from './providers';
import { consoleSuite } from './suite';

consoleSuite('channels and providers', [channels, providers]);
