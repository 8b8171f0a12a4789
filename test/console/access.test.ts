import { login } from './login';
import { operators } from './operators';
import { consoleSuite } from './suite';
import { outages } from './outages';
import { recovery } from './recovery';

consoleSuite('login, operators, outages and a recovery', [login, operators, outages, recovery]);
