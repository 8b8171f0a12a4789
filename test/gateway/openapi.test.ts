import { openApiDocument } from '../../gateway/openapi';

interface Operation {
  readonly parameters?: readonly { in: string; name: string; required?: boolean }[];
  readonly requestBody?: { content: Record<string, { schema: Schema }> };
  readonly responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>;
}
interface Schema {
  readonly $ref?: string;
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, Schema> };
}

describe('OpenAPI', () => {
  let document: Document;

  beforeAll(async () => {
    document = (await openApiDocument()) as Document;
  });

  it('documents exactly the registered routes', () => {
    expect(document.openapi).toBe('3.1.0');
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(documented.sort()).toEqual([
      'get /api/v1/merchant/balance',
      'get /api/v1/merchant/query/deposit',
      'get /api/v1/merchant/query/deposit/{order_no}',
      'get /api/v1/merchant/query/withdrawal',
      'get /api/v1/merchant/query/withdrawal/{order_no}',
      'get /health/live',
      'get /health/ready',
      ...['post /agent-heartbeats', 'post /agent-texts'],
      'post /api/v1/merchant/orders/deposit',
      'post /api/v1/merchant/orders/deposit/cashier',
      'post /api/v1/merchant/orders/withdrawal',
      'post /bank-notifications',
      'post /channels/{channel_code}/webhook',
    ]);
  });

  it('requires the three headers on every merchant route', () => {
    for (const [path, operations] of Object.entries(document.paths))
      if (path.startsWith('/api/'))
        for (const { parameters = [] } of Object.values(operations))
          expect(parameters.filter((parameter) => parameter.in === 'header')).toMatchObject(
            ['x-api-key', 'x-timestamp', 'x-signature'].map((name) => ({ name, required: true })),
          );
  });

  it('lists the fields of a create and which are required', () => {
    const create = document.paths['/api/v1/merchant/orders/deposit']?.['post'];
    const schema = create?.requestBody?.content['application/json']?.schema;
    expect(schema?.required).toEqual(['merchant_order_no', 'amount', 'currency_code', 'callback_url']);
    expect(Object.keys(schema?.properties ?? {})).toHaveLength(11);
  });

  it('describes each status with its codes, refusals by one schema', () => {
    const create = document.paths['/api/v1/merchant/orders/deposit']?.['post'];
    expect(Object.keys(create?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '405',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    for (const [status, { description, content }] of Object.entries(create?.responses ?? {})) {
      const schema = content['application/json']?.schema;
      if (status === '201') continue;
      expect(description).toMatch(/`[A-Z_]+`/);
      expect(schema?.$ref).toBe('#/components/schemas/Refusal');
    }
    expect(document.components.schemas['Refusal']?.required).toEqual(['success', 'code', 'message', 'data']);
  });
});
