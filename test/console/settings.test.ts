import { cashier } from './cashier';
import { channels } from './channels';
import { merchants } from './merchants';
import { providers } from './providers';
import { consoleSuite } from './suite';

consoleSuite('merchants, the cashier, channels and providers', [
  merchants,
  cashier,
  channels,
  providers,
]);
