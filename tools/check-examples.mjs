// Examples are held to the truth by the compiler itself. This cuts them out of comments and documents.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exampleShownBy, ROOT, TSC_OPTIONS } from './workspace.mjs'

/**
 * Compiles every TypeScript block of the comments and of the documents, as an application would.
 * Answers how many there are, and what the compiler says about them.
 */
export function checkExamples(root = ROOT) {
  // Elsewhere, because other checks walk the repository at the same time.
  const folder = mkdtempSync(join(tmpdir(), 'examples-'))
  try {
    return compileExamples(root, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compileExamples(root, folder) {
  const examples = listFiles(root).flatMap(file =>
    examplesIn(readFileSync(join(root, file), 'utf8'), file.endsWith('.md')).map(
      ({ code, line, language, name }) => ({
        code,
        // A page is a folder, so that blocks which name their files can import each other.
        name: join(file.replaceAll(/[/.]/g, '_'), name ?? `line_${line}.${language}`),
      }),
    ),
  )
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  // Each is a module of its own, also where it exports nothing.
  for (const { name, code } of examples) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), `${code}\nexport {}\n`)
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings(root)))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { status, stdout } = spawnSync(tsc, ['-p', folder, ...TSC_OPTIONS], {
    cwd: folder,
    encoding: 'utf8',
  })
  const faults = status === 0 ? [] : [stdout.trim() || 'the compiler could not be started']
  return { count: examples.length, faults }
}

/** The blocks marked `ts` or `tsx`, with the line each begins at, and the file where it names one. */
export function examplesIn(text, isMarkdown) {
  const examples = []
  let current = null
  for (const [index, raw] of text.split('\n').entries()) {
    const line = isMarkdown ? raw : raw.replace(/^\s*\* ?/, '')
    const begin = line.trim().match(/^```(tsx?)(?: \[(.+)\])?$/)
    if (!current && begin)
      current = { line: index + 1, language: begin[1], name: begin[2], code: [] }
    else if (current && line.trim() === '```') {
      examples.push({ ...current, code: current.code.join('\n') })
      current = null
    } else current?.code.push(line)
  }
  return examples
}

function listFiles(root) {
  const patterns = ['README.md', 'docs/*.md', 'packages/*/README.md', 'packages/*/src/*.ts']
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
  return (
    output
      .split('\n')
      .filter(file => file && !file.endsWith('.test.ts'))
      // The files of an example are compiled with its framework: npm run test:frameworks.
      .filter(file => !exampleShownBy(file, root))
  )
}

function settings(root) {
  return {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      isolatedDeclarations: false,
      noEmit: true,
      noPropertyAccessFromIndexSignature: false,
      noUnusedLocals: false,
      jsx: 'react-jsx',
      // As applications on Nest are written: its decorators are not the ones that JavaScript has.
      experimentalDecorators: true,
      erasableSyntaxOnly: false,
      // As in most applications that have such files, endings of imports may be left out.
      module: 'preserve',
      moduleResolution: 'bundler',
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [
      '*/**/*.ts',
      '*/**/*.tsx',
      // What is known of frameworks here, where they are not installed.
      join(root, 'packages/astro/src/lib/astro-modules.d.ts'),
      join(root, 'packages/sveltekit/src/lib/kit-modules.d.ts'),
      join(root, 'docs/eight-lines/framework-modules.d.ts'),
    ],
    exclude: ['node_modules'],
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { count, faults } = checkExamples()
  for (const fault of faults) console.error(fault)
  if (faults.length === 0) console.log(`${count} examples compiled`)
  else {
    console.error('An example does not compile. The names above say the file and the line.')
    process.exitCode = 1
  }
}
