import { getNamedType, type GraphQLArgument, type GraphQLInputField, isInputObjectType } from 'graphql';

type Input = GraphQLArgument | GraphQLInputField;

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function pathsIn(inputs: readonly Input[], wanted: string, depth: number): string[] {
  return inputs.flatMap((input) => {
    const type = getNamedType(input.type);
    const inside =
      depth > 0 && isInputObjectType(type) ? pathsIn(Object.values(type.getFields()), wanted, depth - 1) : [];
    return [...(input.name === wanted ? [input.name] : []), ...inside.map((path) => `${input.name}.${path}`)];
  });
}

/**
 * The path of an argument, such as `input.bankTime`, for a field's name in a rule, such as `bank_time`: rules are
 * shared with the REST API. The name itself if no argument, or more than one, has it.
 */
export function argumentPath(args: readonly GraphQLArgument[], name: string): string {
  const [first = '', ...rest] = camelCase(name).split('.');
  const paths = pathsIn(args, first, 3);
  const [only = first, ...others] = paths;
  return [others.length === 0 ? only : first, ...rest].join('.');
}
