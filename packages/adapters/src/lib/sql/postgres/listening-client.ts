/** A connection of `pg` outside any pool, as far as it is used here. */
export interface ListeningClient {
  connect(): Promise<unknown>
  query(text: string): Promise<unknown>
  end(): Promise<unknown>
  on(
    event: 'notification' | 'error' | 'end',
    listener: (message?: { payload?: string }) => void,
  ): unknown
  unref?(): void
}
