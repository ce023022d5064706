import { join } from "node:path";
import { connect } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";

/** The tables that a test's database begins with: none, the service's, or the broker's beside them. */
export type DatabaseTemplate = "empty" | "service" | "broker";

/** The names of the databases that tests' own are copied from; `template0` is PostgreSQL's empty one. */
export const TEMPLATES: Readonly<Record<DatabaseTemplate, string>> = Object.freeze({
  empty: "template0",
  service: "template_service",
  broker: "template_broker",
});

const MIGRATIONS = join(import.meta.dirname, "../../server/database/migrations");

/** Migrates once the templates that all files of a run copy: the service's tables, and the broker's on top. */
export async function makeTemplates(adminUrl: string): Promise<void> {
  const admin = connect(adminUrl, { max: 1, applicationName: "cupo test" });
  try {
    let from = TEMPLATES.empty;
    for (const part of ["service", "broker"] as const) {
      await admin.unsafe(`create database ${TEMPLATES[part]} template ${from}`);
      from = TEMPLATES[part];
      const sql = connect(adminUrl.replace(/[^/]+$/, from), { max: 1, applicationName: "cupo test" });
      await migrate(sql, join(MIGRATIONS, part)).finally(() => sql.end());
    }
  } finally {
    await admin.end();
  }
}
