import type { CallExpression, Node, ObjectExpression } from 'oxc-parser'
import { nameOf } from '../code/source.ts'
import type { FileEdit } from './file-edit.ts'
import { rebuild } from './rebuild.ts'

const MEMBERS = ['provider', 'fields', 'redirectTo', 'remember', 'authorizationParams']
const BY_HAND =
  'It takes the provider, the fields with redirectTo, and parameters: signIn(request, provider, options, params).'

/** `signIn(request, { provider, fields, redirectTo })` → `signIn(request, provider, { ...fields, redirectTo })`. */
export function changeSignIn(file: FileEdit, call: CallExpression, index: number): void {
  const given = call.arguments[index]
  const members = given?.type === 'ObjectExpression' ? membersOf(given) : null
  if (given && members) rebuild(file, given, argumentsOf(members))
  else if (given?.type === 'ObjectExpression' || isNamedObject(file, given)) {
    file.remark(call, BY_HAND)
  }
}

/** An object that has a name: what else is passed may be a provider already. */
function isNamedObject({ scopes }: FileEdit, given: Node | undefined): boolean {
  const declaration = given?.type === 'Identifier' ? scopes.bindingOf(given)?.declaration : null
  return declaration?.type === 'VariableDeclarator' && declaration.init?.type === 'ObjectExpression'
}

type Property = Extract<Node, { type: 'Property' }>
type Members = Readonly<Record<string, Property>>

/** The members of an object by their names; null if it has others, or if they cannot be read. */
function membersOf({ properties }: ObjectExpression): Members | null {
  const members: Record<string, Property> = {}
  for (const each of properties) {
    const name = each.type === 'Property' && !each.computed ? nameOf(each.key) : null
    if (each.type !== 'Property' || name === null || !MEMBERS.includes(name)) return null
    members[name] = each
  }
  return members
}

function argumentsOf({ provider, fields, authorizationParams, ...others }: Members) {
  const pieces: (string | Node)[] = [provider ? provider.value : 'undefined']
  const given = fields?.value
  const options = [others['redirectTo'], others['remember']].filter(each => each !== undefined)
  if (given && options.length === 0) pieces.push(', ', given)
  else if (options.length > 0) {
    const inner =
      given?.type === 'ObjectExpression'
        ? given.properties.map(each => [each])
        : given
          ? [['...', given]]
          : []
    const items = [...inner, ...options.map(each => [each])]
    pieces.push(', { ', ...items.flatMap((item, at) => (at > 0 ? [', ', ...item] : item)), ' }')
  } else if (authorizationParams) pieces.push(', {}')
  if (authorizationParams) pieces.push(', ', authorizationParams.value)
  return pieces
}
