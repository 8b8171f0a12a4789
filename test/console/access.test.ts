import { login } from './login';
import { operators } from './operators';
import { consoleSuite } from './suite';

consoleSuite('login and operators', [login, operators]);
