import { html, nothing, type TemplateResult } from "lit";
import CircleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import Clock from "lucide-static/dist/esm/icons/clock.mjs";
import type { AppContext } from "../app-context.ts";
import { formatWhen } from "../format/when-format.ts";
import { icon } from "../look/icon.ts";

/** What the person should know before anything else: new devices on the account, and when this one may pay. */
export function homeNotices({ clock, session, words }: AppContext): unknown {
  const { me } = session;
  if (me === undefined) return nothing;
  const { kept } = words;
  const { may_pay_from: mayPayFrom, new_devices: newDevices } = me;
  const shown: readonly TemplateResult[] = [
    ...(newDevices > 0
      ? [
          html`<div class="card note warn-line">
            <span class="warn">${icon(CircleAlert)}</span>
            <p>${kept.newDevices} <a href="/profile">${kept.review}</a></p>
          </div>`,
        ]
      : []),
    ...(mayPayFrom !== undefined && Date.parse(mayPayFrom) > clock.now()
      ? [
          html`<div class="card note">
            <span class="soft">${icon(Clock)}</span>
            <p>${kept.mayPayFrom(formatWhen(mayPayFrom, clock.now(), words))}</p>
          </div>`,
        ]
      : []),
  ];
  return shown;
}
