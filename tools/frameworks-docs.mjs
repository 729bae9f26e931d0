// Vitest has reporters, but none writes what readers look for: which framework does what, as one table.
//
// node tools/frameworks-docs.mjs
//
// Runs the suite of integrations for every package that has it, and writes down what came out. Those that
// need a build of their framework take a while.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listPackages, ROOT, runAsScript } from './workspace.mjs'

/** What `integrationSuite` puts behind the name of a case that an integration is known to fail. */
const KNOWN_FAILURE = ' (known failure)'
const PAGE = join(ROOT, 'docs/reference/frameworks.md')

/** What failed, after the page was written. */
export function writeFrameworks() {
  const results = resultsOf(suiteFiles())
  writeFileSync(PAGE, pageOf(results))
  return results
    .filter(({ passed, isKnown }) => !passed && !isKnown)
    .map(({ framework, name }) => `${framework}: ${name}`)
}

function suiteFiles() {
  return listPackages().flatMap(({ folder }) => {
    const tests = `packages/${folder}/test`
    return filesIn(tests)
      .filter(file => /^integration.*\.test\.ts$/.test(file))
      .map(file => `${tests}/${file}`)
  })
}

function filesIn(folder) {
  try {
    return readdirSync(join(ROOT, folder))
  } catch {
    return [] // a package without tests
  }
}

/** Each case of each framework, with what came out, once for each kind of session. */
function resultsOf(files) {
  const folder = mkdtempSync(join(tmpdir(), 'frameworks-'))
  const report = join(folder, 'report.json')
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', ...files, '--reporter=json', `--outputFile=${report}`]
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true })
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ ancestorTitles: [suite = '', group = ''], title, status }) => {
      const [, framework] = /^integration: (.+), sessions in a /.exec(suite) ?? []
      if (!framework) return []
      // Vitest says of one that failed as it was expected to that it passed.
      const isKnown = title.endsWith(KNOWN_FAILURE)
      const name = isKnown ? title.slice(0, -KNOWN_FAILURE.length) : title
      return [{ framework, group, name, isKnown, passed: status === 'passed' && !isKnown }]
    }),
  )
}

/** The table: a column for each framework, a row for each case. */
export function pageOf(results) {
  const frameworks = [...new Set(results.map(({ framework }) => framework))].sort()
  const groups = [...new Set(results.map(({ group }) => group))]
  const mark = (framework, name) => {
    const own = results.filter(each => each.framework === framework && each.name === name)
    if (own.length === 0) return '–'
    return own.every(({ passed }) => passed) ? '✓' : '✗'
  }
  const rowsOf = group =>
    [...new Set(results.filter(each => each.group === group).map(({ name }) => name))].map(
      name => `| ${name} | ${frameworks.map(framework => mark(framework, name)).join(' | ')} |`,
    )
  const tables = groups.map(group =>
    [
      `## ${group.charAt(0).toUpperCase()}${group.slice(1)}`,
      '',
      `| | ${frameworks.join(' | ')} |`,
      `|---|${frameworks.map(() => '---|').join('')}`,
      ...rowsOf(group),
    ].join('\n'),
  )
  return `<!-- Written by tools/frameworks-docs.mjs: do not edit. -->

# Frameworks, case by case

Each mark is a test that ran over HTTP against an application in the real framework, with sessions in cookies, in a database, or
both. ✗ is a known failure. What a package leaves to the application is done by the application: on Express, it is the error
handler that answers 503, and the handler itself that answers 403. To run the same against your own integration, see [Your own
framework](../guide/own-framework.md).

${tables.join('\n\n')}
`
}

runAsScript(import.meta.url, writeFrameworks)
