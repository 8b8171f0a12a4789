import { login } from './login';
import { operators } from './operators';
import { consoleSuite } from './suite';
import { outages } from './outages';

consoleSuite('login, operators and outages', [login, operators, outages]);
