import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { drainable } from '../../runtime/draining';

describe('a listener that drains', () => {
  let app: FastifyInstance;
  let release: () => void;
  /** Resolves when an answer is held back. */
  let asked: Promise<void>;

  beforeEach(async () => {
    app = Fastify();
    drainable(app);
    const held = new Promise<void>((resolve) => (release = resolve));
    asked = new Promise((resolve) => {
      app.get('/held', async () => {
        resolve();
        await held;
        return 'at last';
      });
    });
    app.get('/', () => 'at once');
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    await app.close();
  });

  async function connected(): Promise<Socket> {
    const { port } = app.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
    await once(socket, 'connect');
    return socket;
  }
  /**
   * Sends a request on a connection.
   * @returns the whole answer, when its connection has closed or it says that it stays open
   */
  async function ask(socket: Socket, path: string): Promise<string> {
    let answer = '';
    const whole = new Promise<string>((resolve) => {
      socket.on('data', (part: string) => {
        answer += part;
        if (/keep-alive/i.test(answer) && /\r\n\r\n./.test(answer)) resolve(answer);
      });
      socket.once('end', () => {
        resolve(answer);
      });
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return await whole;
  }

  it('continues to serve, and each answer closes its connection, also one under way', async () => {
    const [held, idle] = [await connected(), await connected()];
    expect(await ask(idle, '/')).toMatch(/\r\nconnection: keep-alive[^]*at once$/i);
    const late = ask(held, '/held');
    await asked;
    expect(app.isDraining()).toBe(false);
    app.drain();
    expect(app.isDraining()).toBe(true);
    release();
    expect(await late).toMatch(/\r\nconnection: close[^]*at last$/i);
    idle.removeAllListeners('data');
    expect(await ask(idle, '/')).toMatch(/\r\nconnection: close[^]*at once$/i);
    expect(await ask(await connected(), '/')).toMatch(/\r\nconnection: close[^]*at once$/i);
  });

  // Node waits for them until they leave, without end.
  it('closes despite clients that have sent nothing, or half a request', async () => {
    const [silent, halfway] = [await connected(), await connected()];
    halfway.write('GET / HTTP/1.1\r\nHo');
    // The last bytes that a client sends may meet a reset.
    for (const socket of [silent, halfway]) socket.on('error', () => undefined).resume();
    await app.close();
    expect(app.isDraining()).toBe(true);
  });
});
