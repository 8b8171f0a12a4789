// The list of a create's optional fields in docs/contract.md, printed from the schema that validates them.
const BEGIN = '<!-- optional fields of a deposit create: printed by npm run generate -->';
const END = '<!-- end -->';

/** How a field is written in the contract. */
function row([name, { maxLength, pattern, description }]) {
  const plain = pattern === undefined ? '' : ' No control characters.';
  return `| \`${name}\` | ${maxLength} | ${description}${plain} |`;
}

/** @returns the contract with the list of this OpenAPI document */
export function withOptionalFields(contract, openApi) {
  const { post } = openApi.paths['/api/v1/merchant/orders/deposit'];
  const { properties, required } = post.requestBody.content['application/json'].schema;
  const rows = Object.entries(properties)
    .filter(([name]) => !required.includes(name))
    .map(row);
  const table = ['| optional field | at most | |', '| --- | --- | --- |', ...rows].join('\n');
  const [from, to] = [contract.indexOf(BEGIN), contract.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/contract.md lacks ${BEGIN} … ${END}`);
  return `${contract.slice(0, from)}${BEGIN}\n\n${table}\n\n${contract.slice(to)}`;
}
