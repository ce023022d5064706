import { html, nothing, type TemplateResult } from "lit";
import Pencil from "lucide-static/dist/esm/icons/pencil.mjs";
import Plus from "lucide-static/dist/esm/icons/plus.mjs";
import ShieldAlert from "lucide-static/dist/esm/icons/shield-alert.mjs";
import Trash from "lucide-static/dist/esm/icons/trash.mjs";
import type { Device } from "../../src/contract/broker/passkeys.ts";
import { nameFault, tidyName } from "../../src/name-fault.ts";
import { question } from "../components/question.ts";
import { icon } from "../design/icon.ts";
import { wordsOf } from "../language/language.ts";
import { whenText } from "../language/words.ts";
import { prove } from "../passkey/prove.ts";
import "./device-invitation.ts";
import { own } from "../platform/own.ts";
import type { DeviceInvitation, InvitationLink } from "./device-invitation.ts";
import { Section } from "./section.ts";

/** The action under way on one device of the list. */
type Doing = { readonly what: "rename" | "remove"; readonly id: string };

/**
 * Profile section with the person's devices (passkeys): renames them, and with a passkey removes them or invites
 * another.
 */
export class DevicesSection extends Section {
  static override properties = {
    ...Section.properties,
    devices: { state: true },
    doing: { state: true },
    invitation: { state: true },
  };

  declare devices: readonly Device[] | undefined;
  declare doing: Doing | undefined;
  declare invitation: InvitationLink | undefined;

  override render(): TemplateResult {
    const { devices: words, profile } = wordsOf("account");
    const { devices } = this;
    const demo = this.context.session.me?.demo === true;
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title" tabindex="-1">${words.title}</h2>
      ${this.#newcomer()}
      ${this.faults()}
      ${devices?.length === 0 ? html`<p class="soft small">${demo ? profile.demo : words.none}</p>` : nothing}
      <ul class="rows ${devices === undefined ? "hold" : ""}">${devices?.map((device) => this.#row(device))}</ul>
      ${
        this.invitation === undefined
          ? html`<button ?disabled=${this.busy !== ""} @click=${this.#invite}>${icon(Plus)}${words.invite}</button>`
          : html`<cupo-device-invitation
              .context=${this.context}
              .invitation=${this.invitation}
              @closed=${this.#close}
              @poll=${this.#poll}
            ></cupo-device-invitation>`
      }
    </section>`;
  }

  protected override async load(): Promise<void> {
    this.devices = (await this.context.api.myDevices({})).body;
  }

  /** Warns on another device of one that may not pay yet: an operator enrolled it, and it may not be the person's. */
  #newcomer(): unknown {
    const { isNew } = wordsOf("account").devices;
    const mine = this.devices?.find(({ current }) => current);
    const isNewcomer = this.devices?.some(({ current, may_pay_from }) => !current && may_pay_from !== undefined);
    if (isNewcomer !== true || mine?.may_pay_from !== undefined) return nothing;
    return html`<div class="note newcomer">
      <span class="warn">${icon(ShieldAlert)}</span>
      <div><p><strong>${isNew.title}.</strong></p><p class="soft">${isNew.text}</p></div>
    </div>`;
  }

  #row(device: Device): TemplateResult {
    const { id, name, current } = device;
    const { devices: words } = wordsOf("account");
    const doing = this.doing?.id === id ? this.doing.what : undefined;
    return html`<li>
      <div class="row">
        <div class="what">
          <p class="title small">${name} ${current ? html`<span class="badge">${words.current}</span>` : nothing}</p>
          ${this.#facts(device)}
        </div>
        <button class="plain round" aria-label=${`${words.rename}: ${name}`} @click=${() => this.#begin("rename", id)}>
          ${icon(Pencil)}
        </button>
        <button class="plain round" aria-label=${`${words.remove}: ${name}`} @click=${() => this.#begin("remove", id)}>
          ${icon(Trash)}
        </button>
      </div>
      ${doing === "rename" ? this.#renaming(device) : nothing} ${doing === "remove" ? this.#removing(device) : nothing}
    </li>`;
  }

  #facts({ created_at: addedAt, current, last_used_at: usedAt, may_pay_from: from }: Device): TemplateResult {
    const { clock, words } = this.context;
    const { devices } = wordsOf("account");
    const added = devices.added(whenText(addedAt, words, clock.now()));
    const used = usedAt === null ? devices.unused : devices.used(whenText(usedAt, words, clock.now()));
    const later = from === undefined ? undefined : devices.payFrom(whenText(from, words, clock.now()));
    return html`<p class="soft tiny">${added} ${current && usedAt === null ? "" : used}</p>
      ${later === undefined ? nothing : html`<p class="warn tiny">${later}</p>`}`;
  }

  #renaming({ id, name }: Device): TemplateResult {
    const { devices: words } = wordsOf("account");
    return html`<form class="asked" @submit=${(event: SubmitEvent) => this.#rename(event, id)}>
      <label>
        ${words.newName}
        <input id="name" name="name" maxlength="60" required autocomplete="off" enterkeyhint="done" .value=${name} />
      </label>
      <div class="pair">
        <button type="button" @click=${this.#cancel}>${words.cancel}</button>
        <button ?disabled=${this.busy !== ""}>${words.save}</button>
      </div>
    </form>`;
  }

  #removing({ id, name, current }: Device): TemplateResult {
    const { devices: words } = wordsOf("account");
    const leave = { label: words.cancel, act: () => this.#cancel() };
    return question(words.removing(name), leave, {
      label: words.remove,
      act: () => this.#remove({ id, name, current }),
      busy: this.busy !== "",
    });
  }

  #begin(what: Doing["what"], id: string): void {
    this.failure = undefined;
    this.doing = { what, id };
    own(this.focusOn(what === "rename" ? "#name" : "#question"));
  }

  #cancel(): void {
    this.doing = undefined;
    own(this.focusOn("h2"));
  }

  async #rename(event: SubmitEvent, id: string): Promise<void> {
    event.preventDefault();
    const name = tidyName(String(new FormData(event.target as HTMLFormElement).get("name")));
    if (nameFault(name) !== undefined) {
      this.failure = wordsOf("account").devices.nameFault;
      return;
    }
    await this.act(id, async () => {
      const { body } = await this.context.api.renameDevice({ params: { id }, body: { name } });
      this.devices = this.devices?.map((device) => (device.id === id ? body : device));
      this.context.announce(wordsOf("account").devices.renamed(body.name));
      this.#cancel();
    });
  }

  async #remove({ id, name, current }: Pick<Device, "id" | "name" | "current">): Promise<void> {
    const { announce, api, attempts, router, session } = this.context;
    await this.act(id, async () => {
      const proved = await prove(api, "remove_device");
      if ("fault" in proved) return this.tellFault(proved.fault);
      await api.removeDevice({ params: { id }, body: proved });
      if (current) {
        // Its sessions ended with it, this one among them.
        await session.forget();
        attempts.clear();
        return router.go("/welcome", { replace: true });
      }
      this.devices = this.devices?.filter((device) => device.id !== id);
      announce(wordsOf("account").devices.removed(name));
      this.#cancel();
    });
  }

  async #invite(): Promise<void> {
    const { api } = this.context;
    await this.act("invite", async () => {
      const proved = await prove(api, "invite_device");
      if ("fault" in proved) return this.tellFault(proved.fault);
      this.invitation = (await api.inviteDevice({ body: proved })).body;
      await this.updateComplete;
      const shown: DeviceInvitation | null = this.renderRoot.querySelector("cupo-device-invitation");
      await shown?.updateComplete;
      shown?.focus();
    });
  }

  /** Asks, while the invitation is shown, if the other device has used it. */
  async #poll(): Promise<void> {
    const { api } = this.context;
    const known = new Set(this.devices?.map(({ id }) => id));
    try {
      this.devices = (await api.myDevices({})).body;
    } catch {
      // The next check comes in a moment.
      return;
    }
    if (this.devices.some(({ id }) => !known.has(id))) this.#close();
  }

  #close(): void {
    this.invitation = undefined;
    own(this.focusOn("h2"));
  }
}

customElements.get("cupo-devices-section") ?? customElements.define("cupo-devices-section", DevicesSection);
