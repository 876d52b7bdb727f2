// The rules for tool bindings, alone and together with those of other operations; checked when the service starts.
import type { AnyOperation } from '../contract/operation.ts';
import { reachOf, type ToolBinding, type When } from '../contract/tool.ts';

interface Bound {
  readonly operation: AnyOperation;
  readonly binding: ToolBinding;
}

export function inputNames({ input }: AnyOperation): readonly string[] {
  return 'properties' in input ? Object.keys(input.properties as object) : [];
}

/** Whether a key or the public may call the operation at a REST address. */
function isReached({ access, scope, rest }: AnyOperation): boolean {
  return rest.length > 0 && (access === 'public' || (access === 'key' && scope !== undefined));
}

function assertBinding({ operation, binding }: Bound): void {
  const { name, fixed = {}, takes = [], rename = {} } = binding;
  const refuse = (what: string): never => {
    throw new Error(`${operation.name}: the tool ${name} ${what}`);
  };
  const inputs = inputNames(operation);
  const named = { fixed: Object.keys(fixed), takes, rename: Object.values(rename) };
  for (const [what, fields] of Object.entries(named)) {
    const unknown = fields.find((field) => !inputs.includes(field));
    if (unknown !== undefined) refuse(`says ${what}, which names no input ${unknown}`);
    if (new Set(fields).size < fields.length) refuse(`says ${what} of one input twice`);
  }
  const given = [...takes, ...Object.values(rename)].find((field) => field in fixed);
  if (given !== undefined) refuse(`both fixes and takes ${given}`);
  const hidden = Object.keys(rename).find((argument) => inputs.includes(argument));
  if (hidden !== undefined) refuse(`names an argument ${hidden} as another input is named`);
  const { access, scope } = reachOf(operation, binding);
  if (access !== 'public' && !(access === 'key' && scope !== undefined))
    refuse('is reached by no key; give it access `key` and a scope');
}

/** The value of an argument that selects the operation, or whether it is given. */
function meantBy(when: When): string | boolean {
  return 'is' in when ? when.is : when.given;
}

/** Several operations may share a tool if one argument distinguishes all of their calls. */
function assertShared(name: string, bound: readonly Bound[]): void {
  const refuse = (what: string): never => {
    throw new Error(`the tool ${name} of ${bound.map(({ operation }) => operation.name).join(', ')} ${what}`);
  };
  const whens = bound.flatMap(({ binding: { when } }) => (when ? [when] : []));
  if (bound.length === 1) {
    if (whens.length > 0) refuse('has a `when`, and nothing to be told apart from');
    return;
  }
  const values = whens.map(meantBy);
  const alike = new Set(whens.map((when) => `${'is' in when ? 'is' : 'given'} ${when.argument}`));
  if (whens.length < bound.length || alike.size > 1 || new Set(values).size < values.length) {
    refuse('is one name for several, without a `when` on one argument that tells all of them apart');
  }
  for (const what of ['title', 'set', 'extension'] as const) {
    if (new Set(bound.map(({ binding }) => binding[what])).size > 1) refuse(`has more than one ${what}`);
  }
  const named = bound.map(({ operation, binding: { when, rename = {} } }) => {
    const argument = when?.argument ?? '';
    return { when, is_input: inputNames(operation).includes(rename[argument] ?? argument) };
  });
  // An argument with values is an input of all of them, or of none and belongs to the tool.
  const own = named.every(({ when, is_input }) => when && 'is' in when && !is_input);
  for (const { when, is_input } of named) {
    const needed = when && ('is' in when ? !own : when.given);
    if (needed && !is_input) refuse(`says when, which names no input ${when.argument}`);
  }
}

/** Throws at the first wrong tool, and at the first operation that a key may call and that is no tool and gives no
 * reason. */
export function assertTools(operations: readonly AnyOperation[]): void {
  for (const operation of operations) {
    const { name, tools = [], no_tool } = operation;
    if (isReached(operation) && tools.length === 0 && !no_tool) {
      throw new Error(`${name}: a key reaches it and no tool does; give it one, or say why not in no_tool`);
    }
    if (tools.length > 0 && no_tool) throw new Error(`${name}: it is a tool, and says why it is none`);
  }
  const bound = operations.flatMap((operation) => (operation.tools ?? []).map((binding) => ({ operation, binding })));
  for (const each of bound) assertBinding(each);
  for (const [name, several] of Map.groupBy(bound, ({ binding }) => binding.name)) assertShared(name, several);
}
