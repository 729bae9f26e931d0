import type { CDPSession, Page } from 'playwright-core'

/** A device of Chromium's own, which holds passkeys and needs no hands. */
export class VirtualDevice {
  readonly #session: CDPSession
  readonly #id: string

  private constructor(session: CDPSession, id: string) {
    this.#session = session
    this.#id = id
  }

  static async attach(
    page: Page,
    transport: 'internal' | 'usb' = 'internal',
  ): Promise<VirtualDevice> {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new VirtualDevice(session, authenticatorId)
  }

  /** Whether somebody touches the device when it asks. */
  async touch(isTouched: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId: this.#id,
      enabled: isTouched,
    })
  }

  /** Whether the person is who they should be, by fingerprint or PIN. */
  async recognise(isRecognised: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', {
      authenticatorId: this.#id,
      isUserVerified: isRecognised,
    })
  }

  async passkeys(): Promise<number> {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', {
      authenticatorId: this.#id,
    })
    return credentials.length
  }

  async clear(): Promise<void> {
    await this.#session.send('WebAuthn.clearCredentials', { authenticatorId: this.#id })
  }

  async detach(): Promise<void> {
    await this.#session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.#id })
  }
}
