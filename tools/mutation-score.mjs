// What Stryker found in one file, and what it comes to.

/** What each file has to reach, in percent. */
export const LOWEST_SCORE = 85

/**
 * Judges the report about one file: its score, and every mutant that no test noticed and nobody has explained. One that is
 * explained, but noticed or gone, is a fault as well: an explanation that stays would hide the next one.
 *
 * @param file a member of `files` in the report of Stryker
 * @param explained groups of survivors with a reason, from survivors.json
 */
export function judge({ source, mutants }, explained) {
  const found = mutants
    .filter(({ status }) => status in NOTICED)
    .map(mutant => ({ ...describe(source, mutant), status: mutant.status }))
    .toSorted((one, other) => one.line - other.line)
  const survived = found.filter(({ status }) => !NOTICED[status])
  const killed = found.length - survived.length
  const score = found.length === 0 ? 100 : Math.floor((killed / found.length) * 1000) / 10
  const listed = explained.flatMap(({ mutants: some }) => some)
  const unexplained = survived.filter(one => !listed.some(other => isSame(one, other)))
  // How long a mutant takes depends on the machine.
  const possible = found.filter(({ status }) => status !== 'Killed')
  const outdated = listed.filter(one => !possible.some(other => isSame(one, other)))
  return {
    mutants: found.length,
    killed,
    score,
    faults: [
      ...(score < LOWEST_SCORE ? [`${score} % is less than ${LOWEST_SCORE} %`] : []),
      ...unexplained.map(one => `no test notices, and survivors.json has no reason: ${told(one)}`),
      ...outdated.map(
        one => `survivors.json has a reason, but a test notices it or it is gone: ${told(one)}`,
      ),
    ],
  }
}

/** Where the mutants are that no test has noticed, and that nobody has explained: as patterns for Stryker. */
export function rangesToRepeat({ source, mutants }, explained) {
  const listed = explained.flatMap(({ mutants: some }) => some)
  return mutants
    .filter(({ status }) => NOTICED[status] === false)
    .filter(mutant => !listed.some(other => isSame(describe(source, mutant), other)))
    .map(({ location: { start, end } }) => {
      // Stryker counts columns from 1 in its reports, and from 0 here.
      const range = [start, end].map(({ line, column }) => `${line}:${column - 1}`)
      return range.join('-')
    })
}

/** A report with what came out when some of its mutants were tried again. */
export function withRepeated({ source, mutants }, { mutants: again }) {
  return {
    source,
    mutants: mutants.map(
      mutant =>
        again.find(
          other =>
            other.replacement === mutant.replacement &&
            JSON.stringify(placeOf(other)) === JSON.stringify(placeOf(mutant)),
        ) ?? mutant,
    ),
  }
}

function placeOf({ location: { start, end } }) {
  return [start.line, start.column, end.line, end.column]
}

/** Whether what became of a mutant counts as noticed. What could not be run counts neither way. */
const NOTICED = { Killed: true, Timeout: true, Survived: false, NoCoverage: false }

/** A mutant by what it changes: lines move when others are added. */
function describe(source, { location: { start, end }, replacement }) {
  const lines = source.split('\n')
  const part = lines.slice(start.line - 1, end.line)
  part[part.length - 1] = part.at(-1).slice(0, end.column - 1)
  part[0] = part[0].slice(start.column - 1)
  return {
    line: start.line,
    in: lines[start.line - 1].trim(),
    instead: onOneLine(part.join('\n')),
    becomes: onOneLine(replacement),
  }
}

/**
 * The survivors whose line, or the part of it that is changed, is not in the source any more. What is left of an explanation would
 * otherwise be found only by the next run of Stryker.
 *
 * @param explained groups of survivors with a reason, from survivors.json
 */
export function outdatedSurvivors(source, explained) {
  const lines = source.split('\n')
  return explained
    .flatMap(({ mutants }) => mutants)
    .filter(
      survivor =>
        !lines.some((line, index) => {
          if (line.trim() !== survivor.in) return false
          const start = onOneLine(lines.slice(index).join('\n')).indexOf(survivor.instead)
          return start >= 0 && start < onOneLine(line).length
        }),
    )
}

function onOneLine(text) {
  return text.replace(/\s+/g, ' ').trim()
}

function isSame(one, other) {
  return one.in === other.in && one.instead === other.instead && one.becomes === other.becomes
}

function told({ line, ...change }) {
  const { in: within, instead, becomes } = change
  return `${line ? `line ${line}: ` : ''}${JSON.stringify({ in: within, instead, becomes })}`
}

/** The files whose text is not the one that their row in the table of scores is about. */
export function changedSince(table, textOf, names) {
  const texts = new Map(
    table.split('\n').map(line => {
      const cells = line.split('|').map(cell => cell.trim())
      return [cells[1], cells[6]]
    }),
  )
  return names.filter(name => texts.get(name) !== textOf(name))
}

/**
 * The table of scores with a new row, which takes the place of the one about the same file.
 *
 * @param names the files that have a row, in order
 */
export function addRow(table, { name, mutants, killed, score, text, date }, names) {
  const row = `| ${name} | ${mutants} | ${killed} | ${mutants - killed} | ${score} | ${text} | ${date} |`
  const lines = table.trimEnd().split('\n')
  const head = lines.slice(0, lines.findIndex(line => line.startsWith('|--')) + 1)
  const rows = new Map(lines.slice(head.length).map(line => [line.split('|')[1]?.trim(), line]))
  rows.set(name, row)
  return `${[...head, ...names.flatMap(each => rows.get(each) ?? [])].join('\n')}\n`
}
