// TypeScript 7 has no API that follows a name to where it is declared.
import { dirname, join } from 'node:path'
import { commentBefore } from './doc-comments.mjs'
import { parseFile, visit } from './syntax.mjs'

/**
 * Follows names through built declaration files. A found name is `{ file, name, typeOnly }`, or
 * `{ from, name, typeOnly }` when another package declares it; the name `*` is a whole module.
 */
export function openDeclarations() {
  const modules = new Map()
  const read = file => {
    if (!modules.has(file)) modules.set(file, readModule(file))
    return modules.get(file)
  }

  function exportedNames(file) {
    const { exported, stars } = read(file)
    const inherited = stars.flatMap(({ source }) =>
      source.startsWith('.')
        ? exportedNames(declarationsOf(file, source)).filter(name => name !== 'default')
        : [],
    )
    return [...new Set([...exported.keys(), ...inherited])].sort()
  }

  function findExport(file, name) {
    const { exported, stars } = read(file)
    const entry = exported.get(name)
    if (entry) return follow(file, entry)
    for (const star of stars) {
      const found = star.source.startsWith('.') && follow(file, { ...star, name })
      if (found) return found
    }
    return null
  }

  function findLocal(file, name) {
    const { imported, declared } = read(file)
    if (imported.has(name)) return follow(file, imported.get(name))
    return declared.has(name) ? { file, name, typeOnly: false } : null
  }

  function follow(file, { source, name, typeOnly }) {
    if (source && !source.startsWith('.')) return { from: source, name, typeOnly }
    const target = source && declarationsOf(file, source)
    if (name === '*') return { file: target, name, typeOnly }
    const found = source ? findExport(target, name) : findLocal(file, name)
    return found && { ...found, typeOnly: found.typeOnly || typeOnly }
  }

  /** Adds to `reached` (file → names) the declaration found and all that it mentions. */
  function reach(found, reached) {
    if (!found?.file) return
    const { file, name } = found
    if (!reached.has(file)) {
      reached.set(file, new Set())
      for (const augmentation of read(file).augmentations)
        reach({ file, name: augmentation }, reached)
    }
    if (name === '*') {
      for (const each of exportedNames(file)) reach(findExport(file, each), reached)
      return
    }
    if (reached.get(file).has(name)) return
    reached.get(file).add(name)
    for (const { mentions, importTypes } of read(file).declared.get(name)) {
      for (const mention of mentions) reach(findLocal(file, mention), reached)
      for (const importType of importTypes) reach(follow(file, importType), reached)
    }
  }

  return { read, exportedNames, findExport, reach }
}

function declarationsOf(file, source) {
  const path = join(dirname(file), source)
  // Sources import sources, and declarations say what was compiled, or what is to be.
  return file.endsWith('.d.ts') ? path.replace(/\.[jt]s$/, '.d.ts') : path
}

function readModule(file) {
  const { text, program, comments } = parseFile(file)
  const module = {
    declared: new Map(),
    imported: new Map(),
    exported: new Map(),
    stars: [],
    augmentations: [],
  }
  const declare = (name, node, statement) => {
    const declaration = {
      kind: KINDS[node.type] ?? node.kind,
      text: withoutComments(text, statement, comments),
      commented: text.slice(statement.start, statement.end),
      comment: commentBefore({ text, comments }, statement),
      ...mentionsIn(node),
    }
    module.declared.set(name, [...(module.declared.get(name) ?? []), declaration])
  }
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      readImport(node, module)
    } else if (node.type === 'ExportAllDeclaration') {
      const entry = { source: node.source.value, name: '*', typeOnly: node.exportKind === 'type' }
      if (node.exported) module.exported.set(nameOf(node.exported), entry)
      else module.stars.push(entry)
    } else if (node.type === 'ExportDefaultDeclaration') {
      const isName = node.declaration.type === 'Identifier'
      const name = isName ? node.declaration.name : (node.declaration.id?.name ?? 'default')
      if (!isName) declare(name, node.declaration, node)
      module.exported.set('default', { name, typeOnly: false })
    } else if (node.type === 'ExportNamedDeclaration' && !node.declaration) {
      readExport(node, module)
    } else {
      const declaration = node.declaration ?? node
      for (const name of declaredNames(declaration)) {
        declare(name, declaration, node)
        if (node.declaration) module.exported.set(name, { name, typeOnly: false })
      }
      if (isAugmentation(declaration)) {
        const name = `declare ${text.slice(declaration.id.start, declaration.id.end)}`
        declare(name, declaration, node)
        module.augmentations.push(name)
      }
    }
  }
  return module
}

function readImport(node, { imported }) {
  for (const specifier of node.specifiers) {
    const name =
      specifier.type === 'ImportNamespaceSpecifier'
        ? '*'
        : specifier.type === 'ImportDefaultSpecifier'
          ? 'default'
          : nameOf(specifier.imported)
    const typeOnly = node.importKind === 'type' || specifier.importKind === 'type'
    imported.set(specifier.local.name, { source: node.source.value, name, typeOnly })
  }
}

function readExport(node, { exported }) {
  for (const specifier of node.specifiers) {
    exported.set(nameOf(specifier.exported), {
      source: node.source?.value,
      name: nameOf(specifier.local),
      typeOnly: node.exportKind === 'type' || specifier.exportKind === 'type',
    })
  }
}

function declaredNames(node) {
  if (node.type === 'VariableDeclaration') return node.declarations.map(({ id }) => id.name)
  return node.id && !isAugmentation(node) ? [node.id.name] : []
}

// `declare module 'x'` and `declare global`
function isAugmentation(node) {
  if (node.type === 'TSGlobalDeclaration') return true
  return node.type === 'TSModuleDeclaration' && (node.kind === 'global' || 'value' in node.id)
}

function mentionsIn(declaration) {
  const mentions = new Set()
  const importTypes = []
  const justNames = new Set()
  visit(declaration, node => {
    // Names of properties and parameters refer to nothing.
    if (node.key && !node.computed) justNames.add(node.key)
    if (node.type === 'TSQualifiedName') justNames.add(node.right)
    for (const parameter of node.params ?? []) justNames.add(parameter)
    if (node.type === 'Identifier' && !justNames.has(node)) mentions.add(node.name)
    if (node.type === 'TSImportType') {
      let first = node.qualifier
      while (first?.left) first = first.left
      importTypes.push({ source: node.source.value, name: first?.name ?? '*', typeOnly: true })
    }
  })
  return { mentions, importTypes }
}

function withoutComments(text, { start, end }, comments) {
  let result = ''
  let position = start
  for (const comment of comments) {
    if (comment.start < start || comment.end > end) continue
    result += text.slice(position, comment.start)
    position = comment.end
  }
  result += text.slice(position, end)
  return result
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line !== '')
    .join('\n')
}

function nameOf(node) {
  return node.name ?? node.value
}

const KINDS = {
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
  TSModuleDeclaration: 'namespace',
}
