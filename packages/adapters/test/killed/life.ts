/** Is never answered. */
const never = <T>() => new Promise<T>(() => {})

/**
 * The life of a process, as far as a store can tell: which of its statements arrive. The process is killed when the last of so
 * many was carried out, before it hears of it. From then on, no statement arrives, and none is answered.
 */
export class Life {
  readonly #die: () => unknown
  #fatal = Number.POSITIVE_INFINITY
  #sent = 0
  #unanswered = 0
  #isDead = false
  #announce: () => void = () => {}
  /** Is called after each statement, before its answer arrives. */
  look: () => Promise<unknown> = async () => {}
  /** Resolves when the process has died. */
  readonly died: Promise<'died'> = new Promise(resolve => {
    this.#announce = () => resolve('died')
  })

  /** @param die ends all connections, as the operating system does for a process that is killed */
  constructor(die: () => unknown) {
    this.#die = die
  }

  /** Counts statements from now on. */
  dieAfter(statements: number): void {
    this.#fatal = statements
    this.#sent = 0
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Lets a statement arrive, or not. */
  async send<T>(act: () => Promise<T>): Promise<T> {
    if (this.#sent >= this.#fatal) {
      this.#dieWhenAnswered()
      return never()
    }
    const number = ++this.#sent
    this.#unanswered++
    const [outcome] = await Promise.allSettled([act()])
    await this.look()
    this.#unanswered--
    if (this.#sent >= this.#fatal) this.#dieWhenAnswered()
    if (this.#isDead || number === this.#fatal) return never()
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }

  /** What was sent beside the last statement arrives as well. */
  #dieWhenAnswered(): void {
    if (this.#isDead || this.#unanswered > 0) return
    this.#isDead = true
    this.#die()
    this.#announce()
  }
}
