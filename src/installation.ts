/** The facts that give stored amounts and days their meaning. */
export interface Installation {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Decimals of an amount. */
  readonly digits: number;
  /** IANA name of the business time zone. */
  readonly timeZone: string;
}

/** A time zone's name as the platform writes it: the IANA list has several names for some zones. */
function canonicalZone(timeZone: string): string {
  return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
}

function amountsText({ currency, digits }: Installation): string {
  return `${currency} with ${digits} decimals`;
}

/**
 * The sentences that say how a process is configured otherwise than the database, or the service, that it is to work
 * with; none where both agree.
 */
export function installationFaults(
  configured: Installation,
  kept: Installation,
  where: "database" | "service",
): readonly string[] {
  const faults: string[] = [];
  if (configured.currency !== kept.currency || configured.digits !== kept.digits) {
    faults.push(
      `CUPO_CURRENCY is ${amountsText(configured)}, but the ${where} has its amounts in ${amountsText(kept)}: ` +
        `set CUPO_CURRENCY=${kept.currency}, or name another ${where}.`,
    );
  }
  if (canonicalZone(configured.timeZone) !== canonicalZone(kept.timeZone)) {
    faults.push(
      `CUPO_TIME_ZONE is ${configured.timeZone}, but the ${where} counts its days in ${kept.timeZone}: ` +
        `set CUPO_TIME_ZONE=${kept.timeZone}, or name another ${where}.`,
    );
  }
  return faults;
}
