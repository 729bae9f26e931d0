/** As much as is used of a page of Playwright, with Chromium. */
export interface DevicePage {
  context(): { newCDPSession(page: never): Promise<DeviceSession> }
}

/** As much as is used of Playwright's connection to Chromium. */
export interface DeviceSession {
  send(method: never, parameters?: never): Promise<unknown>
}

/** How a {@link PasskeyDevice} is attached. */
export interface PasskeyDeviceOptions {
  /** `internal`: part of the machine, such as a fingerprint reader. `usb`: a key. Defaults to `internal`. */
  transport?: 'internal' | 'usb' | 'nfc' | 'ble' | 'hybrid' | undefined
}

/** How a {@link PasskeyDevice} behaves. What is left out stays as it is. */
export interface DeviceBehaviour {
  /** Whether somebody touches the device when it asks. */
  isTouched?: boolean | undefined
  /** Whether the person is who they should be, by fingerprint or PIN. */
  isRecognised?: boolean | undefined
}

/**
 * A device that holds passkeys and needs no hands: Chromium's own virtual authenticator. It answers until a
 * test says that nobody touches it, or that it is not its owner who does.
 *
 * @example
 * ```ts
 * import { PasskeyDevice } from '@siteauth/testing/playwright'
 * import type { Page } from 'playwright-core'
 *
 * export async function createsAccount(page: Page): Promise<number> {
 *   const device = await PasskeyDevice.attach(page)
 *   await page.goto('http://localhost:3000/auth/signin')
 *   await page.getByLabel('Email').fill('ada@example.com')
 *   await page.getByRole('button', { name: 'Create an account with a passkey' }).click()
 *   await page.getByText('ada@example.com is signed in').waitFor()
 *   return device.countPasskeys()
 * }
 * ```
 */
export class PasskeyDevice {
  readonly #session: Session
  readonly #id: string

  private constructor(session: Session, id: string) {
    this.#session = session
    this.#id = id
  }

  /** Attaches a device to a page, for as long as that is open. */
  static async attach(
    page: DevicePage,
    { transport = 'internal' }: PasskeyDeviceOptions = {},
  ): Promise<PasskeyDevice> {
    // Sound: the page goes to its own context, and the protocol says what each method takes.
    const session = (await page.context().newCDPSession(page as never)) as unknown as Session
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
    return new PasskeyDevice(session, String(authenticatorId))
  }

  /** Changes how the device, and whoever holds it, behave from now on. */
  async behave({ isTouched, isRecognised }: DeviceBehaviour): Promise<void> {
    if (isTouched !== undefined) {
      await this.#send('WebAuthn.setAutomaticPresenceSimulation', { enabled: isTouched })
    }
    if (isRecognised !== undefined) {
      await this.#send('WebAuthn.setUserVerified', { isUserVerified: isRecognised })
    }
  }

  /** How many passkeys it holds. */
  async countPasskeys(): Promise<number> {
    const { credentials } = await this.#send('WebAuthn.getCredentials')
    return (credentials as readonly unknown[]).length // the protocol's own list
  }

  /** Forgets all passkeys. */
  async clear(): Promise<void> {
    await this.#send('WebAuthn.clearCredentials')
  }

  /** Takes the device away. */
  async detach(): Promise<void> {
    await this.#send('WebAuthn.removeVirtualAuthenticator')
  }

  #send(method: string, parameters: object = {}): Promise<Record<string, unknown>> {
    return this.#session.send(method, { authenticatorId: this.#id, ...parameters })
  }
}

/** The protocol without the types of one version of Playwright. */
interface Session {
  send(method: string, parameters?: object): Promise<Record<string, unknown>>
}
