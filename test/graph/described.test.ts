import { type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { buildGraphSchema } from '../../graph/schema';
import { operatorSchemaOf } from '../../graph/schemas';

/** A description must add something: the words of the name alone do not count. */
const says = (name: string, description: string | null | undefined): boolean => {
  const words = (text: string): string =>
    text
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .toLowerCase()
      .replace(/^the/, '');
  return description != null && words(description).length > 2 && words(description) !== words(name);
};

/** The coordinates of all elements without a description. */
function undescribed(schema: GraphQLSchema): string[] {
  const found: string[] = [];
  const look = (coordinate: string, name: string, description: string | null | undefined): void => {
    if (!says(name, description)) found.push(coordinate);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    const root = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    if (!root.some((one) => one === type)) look(type.name, type.name, type.description);
    if (isEnumType(type))
      for (const value of type.getValues()) look(`${type.name}.${value.name}`, value.name, value.description);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields()))
        look(`${type.name}.${field.name}`, field.name, field.description);
    if (isObjectType(type))
      for (const field of Object.values(type.getFields())) {
        look(`${type.name}.${field.name}`, field.name, field.description);
        for (const argument of field.args)
          look(`${type.name}.${field.name}(${argument.name}:)`, argument.name, argument.description);
      }
  }
  return found;
}

describe("the operators' schema", () => {
  it('describes every type, field, argument and value', () => {
    expect(undescribed(operatorSchemaOf(buildGraphSchema()))).toEqual([]);
  });
});
